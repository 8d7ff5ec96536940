// Every entry point of the tape on input that has no derivatives: an error of a kind, or a status beside the value.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "holo/core/error.h"
#include "holo/diff/tape/drivers.h"
#include "holo/diff/tape/solve_nodes.h"
#include "holo/diff/tensor/tensor_error.h"
#include "refusal_message.h"

namespace holo {
namespace {

using Kind = DerivativeStatus::Kind;
using Vector = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

struct Outcome {
  double value;
  DerivativeStatus status;
};

template <class F>
std::vector<std::pair<const char*, std::function<Outcome(const Vector&, const Vector&)>>> drivers(F f) {
  return {{"taped_gradient",
           [=](const Vector& x, const Vector&) {
             const auto r = taped_gradient(f, x);
             return Outcome{r.value, r.status};
           }},
          {"taped_hessian",
           [=](const Vector& x, const Vector&) {
             const auto r = taped_hessian(f, x);
             return Outcome{r.value, r.status};
           }},
          {"taped_hessian_product", [=](const Vector& x, const Vector& v) {
             const auto r = taped_hessian_product(f, x, v);
             return Outcome{r.value, r.status};
           }}};
}

using test::message;

TEST(TapeDriversBadInput, PointsAndDirectionsAreCheckedByEveryDriver) {
  for (const auto& [name, driver] : drivers([](const auto& x) { return x[0] * x[1]; })) {
    const auto& call = driver;  // lambdas of Clang 14 capture no structured bindings
    SCOPED_TRACE(name);
    EXPECT_NE(message([&] { call({}, {}); }).find("the point is empty"), std::string::npos);
    EXPECT_NE(message([&] { call({1, nan}, {1, 1}); }).find("x[1] is nan"), std::string::npos);
    EXPECT_NE(message([&] { call({infinity, 1}, {1, 1}); }).find("x[0] is inf"), std::string::npos);
    if (std::string(name) != "taped_hessian_product") continue;
    EXPECT_NE(message([&] { call({1, 2}, {1}); }).find("direction v1 has 1 entries"), std::string::npos);
    EXPECT_NE(message([&] { call({1, 2}, {1, nan}); }).find("v1[1] is nan"), std::string::npos);
  }
}

TEST(TapeDriversBadInput, OutsideOfTheDomainThereIsAStatusAndNoNumber) {
  for (const auto& [name, call] : drivers([](const auto& x) { return x[1] - log(x[0]); })) {
    SCOPED_TRACE(name);
    const Outcome wall = call({0, 2}, {1, 1}), beyond = call({-1, 2}, {1, 1});
    EXPECT_EQ(wall.value, infinity);
    EXPECT_EQ(wall.status.kind, Kind::infeasible);
    EXPECT_TRUE(std::isnan(beyond.value));
    EXPECT_EQ(beyond.status.kind, Kind::not_finite);
    EXPECT_EQ(beyond.status.index, DerivativeStatus::value_index);
    EXPECT_FALSE(wall.status.usable() || beyond.status.usable());
    EXPECT_TRUE(call({1, 2}, {1, 1}).status.ok());
  }
}

TEST(TapeDriversBadInput, ASlopeThatIsNotFiniteIsNeverUsable) {
  for (const auto& [name, call] : drivers([](const auto& x) { return x[0] * x[0] + sqrt(x[1]); })) {
    SCOPED_TRACE(name);
    const Outcome edge = call({1, 0}, {1, 1});
    EXPECT_EQ(edge.value, 1);
    EXPECT_EQ(edge.status.kind, Kind::not_finite);
    EXPECT_EQ(edge.status.index, 1);
    EXPECT_FALSE(edge.status.usable());
  }
}

TEST(TapeDriversBadInput, ASingularMatrixInTheFunctionIsAnErrorOfItsKind) {
  const auto f = [](const auto& x) {
    const auto A = gather(x.first(4), 2, 2);
    return sum(solve(A, gather(x.last(2), 2)));
  };
  for (const auto& [name, call] : drivers(f)) {
    SCOPED_TRACE(name);
    const Vector singular{1, 2, 2, 4, 1, 1}, regular{1, 2, 2, 5, 1, 1}, v(6, 1.0);
    try {
      call(singular, v);
      ADD_FAILURE() << "not refused";
    } catch (const TensorError& error) {
      EXPECT_EQ(error.kind(), TensorError::Kind::singular);
      EXPECT_GE(error.index(), 0);
    }
    EXPECT_TRUE(call(regular, v).status.ok());
  }
}

TEST(TapeDriversBadInput, ArraysOfAnotherLengthAreRefused) {
  TapedFunction taped([](const auto& x) { return x[0] * x[1]; }, 2);
  const Vector x{1, 2};
  Vector two(2), three(3), four(4);
  EXPECT_NE(message([&] { taped.gradient(x, three); }).find("the array for the gradient has 3 entries, the result has 2"),
            std::string::npos);
  EXPECT_NE(message([&] { taped.hessian(x, two, three); }).find("the array for the Hessian has 3 entries, the result has 4"),
            std::string::npos);
  EXPECT_NE(message([&] { taped.hessian(x, three, four); }).find("the array for the gradient"), std::string::npos);
  EXPECT_NE(message([&] { taped.hessian_product(x, x, two, three); }).find("the array for the product"), std::string::npos);
  EXPECT_NE(message([&] { taped.hessian_product(x, three, two, two); }).find("direction v1 has 3 entries"), std::string::npos);
  EXPECT_NE(message([&] { taped.gradient(three, two); }).find("the point has 3 entries"), std::string::npos);
  EXPECT_EQ(taped.hessian(x, two, four), 2);
}

// A result that does not depend on the inputs, and one that is none of the tape's.
TEST(TapeBadInput, ConstantResultsHaveZeroDerivatives) {
  const auto g = taped_gradient([](const auto& x) { return std::remove_cvref_t<decltype(x[0])>(3.0); }, Vector{1, 2});
  EXPECT_EQ(g.value, 3);
  EXPECT_EQ(g.gradient, (Vector{0, 0}));
  Tape<double> tape, other;
  const auto x = tape.variable(1.0);
  tape.reverse(x * x);
  EXPECT_EQ(tape.adjoint(other.variable(2.0)), 0);
}

}  // namespace
}  // namespace holo
