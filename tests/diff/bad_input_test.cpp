// What every driver makes of input that has no derivatives: an error that names the place, or a status beside the value; never
// a NaN that passes for a number.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "holo/core/error.h"
#include "holo/diff/drivers.h"
#include "holo/diff/scalars/taylor.h"
#include "refusal_message.h"

namespace holo {
namespace {

using Kind = DerivativeStatus::Kind;
using Vector = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

struct Outcome {
  double value;
  Vector derivatives;
  DerivativeStatus status;
  std::string text;
};
Outcome outcome(double value, std::initializer_list<Vector> parts, const DerivativeStatus& status, const std::string& text) {
  Outcome result{value, {}, status, text};
  for (const Vector& part : parts) result.derivatives.insert(result.derivatives.end(), part.begin(), part.end());
  return result;
}

// Every driver at x, along v where it takes directions.
template <class F>
std::vector<std::pair<const char*, std::function<Outcome(const Vector&, const Vector&)>>> drivers(F f) {
  const auto text = [](const auto& r, const Vector& x) { return to_string(r.status, x.size(), r.entries); };
  const auto along = [text](const auto& r, const Vector& x) {
    return outcome(r.value, {Vector(r.coefficients.begin() + 1, r.coefficients.end())}, r.status, text(r, x));
  };
  return {{"gradient",
           [=](const Vector& x, const Vector&) {
             const auto r = gradient(f, x);
             return outcome(r.value, {r.gradient}, r.status, text(r, x));
           }},
          {"hessian",
           [=](const Vector& x, const Vector&) {
             const auto r = hessian(f, x);
             return outcome(r.value, {r.gradient, r.hessian}, r.status, text(r, x));
           }},
          {"hessian_vector_product",
           [=](const Vector& x, const Vector& v) {
             const auto r = hessian_vector_product(f, x, v);
             return outcome(r.value, {r.gradient, r.product}, r.status, text(r, x));
           }},
          {"third_order_contraction",
           [=](const Vector& x, const Vector& v) {
             const auto r = third_order_contraction(f, x, v, v);
             return outcome(r.value, {r.gradient, r.contraction}, r.status, text(r, x));
           }},
          {"directional, order 1", [=](const Vector& x, const Vector& v) { return along(directional(f, x, v), x); }},
          {"directional, order 2", [=](const Vector& x, const Vector& v) { return along(directional(f, x, v, v), x); }},
          {"directional, order 3", [=](const Vector& x, const Vector& v) { return along(directional(f, x, v, v, v), x); }}};
}

using test::message;

const auto sum_of_squares = [](const auto& x) {
  std::remove_cvref_t<decltype(x[0])> sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * x[i];
  return sum;
};

TEST(DerivativeBadInput, EmptyPointsAndPointsThatAreNotFiniteAreRefusedByEveryDriver) {
  for (const auto& [name, driver] : drivers(sum_of_squares)) {
    const auto& call = driver;  // lambdas of Clang 14 capture no structured bindings
    SCOPED_TRACE(name);
    EXPECT_NE(message([&] { call({}, {}); }).find("the point is empty"), std::string::npos);
    EXPECT_NE(message([&] { call({1, nan}, {1, 1}); }).find("x[1] is nan"), std::string::npos);
    EXPECT_NE(message([&] { call({-infinity, 1}, {1, 1}); }).find("x[0] is -inf"), std::string::npos);
  }
}

TEST(DerivativeBadInput, DirectionsOfAnotherLengthOrNotFiniteAreRefusedByEveryDriver) {
  for (const auto& [name, driver] : drivers(sum_of_squares)) {
    const auto& call = driver;  // lambdas of Clang 14 capture no structured bindings
    SCOPED_TRACE(name);
    const bool directed = std::string(name) != "gradient" && std::string(name) != "hessian";
    const std::string longer = message([&] {
      call({1, 2}, {1, 1, 1});
    }),
                      none = message([&] {
                        call({1, 2}, {});
                      }),
                      bad = message([&] {
                        call({1, 2}, {1, infinity});
                      });
    EXPECT_EQ(longer.find("direction v1 has 3 entries, the point x has 2") != std::string::npos, directed) << longer;
    EXPECT_EQ(none.find("direction v1 has 0 entries, the point x has 2") != std::string::npos, directed) << none;
    EXPECT_EQ(bad.find("v1[1] is inf") != std::string::npos, directed) << bad;
  }
}

// -log at 0 is +inf, as a barrier is at its wall.
TEST(DerivativeBadInput, AnInfiniteValueIsInfeasibleForEveryDriver) {
  for (const auto& [name, call] : drivers([](const auto& x) { return x[1] * x[1] - log(x[0]); })) {
    SCOPED_TRACE(name);
    const Outcome at_wall = call({0, 2}, {1, 1});
    EXPECT_EQ(at_wall.value, infinity);
    EXPECT_EQ(at_wall.status.kind, Kind::infeasible);
    EXPECT_FALSE(at_wall.status.usable());
    EXPECT_TRUE(call({1, 2}, {1, 1}).status.ok());
  }
}

TEST(DerivativeBadInput, AStepOutsideOfTheDomainHasNoValueAndSaysSo) {
  for (const auto& [name, call] : drivers([](const auto& x) { return log(x[0]) + sqrt(x[1]); })) {
    SCOPED_TRACE(name);
    for (const Vector& x : {Vector{-1, 4}, Vector{1, -4}}) {
      const Outcome outside = call(x, {1, 1});
      EXPECT_TRUE(std::isnan(outside.value));
      EXPECT_EQ(outside.status.kind, Kind::not_finite);
      EXPECT_EQ(outside.status.index, DerivativeStatus::value_index);
      EXPECT_FALSE(outside.status.usable());
      EXPECT_EQ(outside.text, "the value is not a number");
    }
    EXPECT_TRUE(call({1, 4}, {1, 1}).status.ok());
  }
}

// sqrt at 0: infinite slopes, and what they are multiplied with.
TEST(DerivativeBadInput, ADerivativeThatIsNotFiniteIsNeverUsableAndNamesItsEntry) {
  const std::pair<std::string, std::string> names[] = {
      {"gradient", "x[1]"},
      {"hessian", "x[1]"},
      {"hessian_vector_product", "x[1]"},
      {"third_order_contraction", "x[1]"},
      {"directional, order 1", "along v1 "},
      {"directional, order 2", "along v1 "},
      {"directional, order 3", "along v1 "},
  };
  std::size_t k = 0;
  for (const auto& [name, call] : drivers([](const auto& x) { return x[0] * x[0] + sqrt(x[1]) + x[0] * x[2]; })) {
    SCOPED_TRACE(name);
    const Outcome at_edge = call({1, 0, 3}, {1, 1, 1});
    EXPECT_EQ(at_edge.value, 4);
    EXPECT_EQ(at_edge.status.kind, Kind::not_finite);
    EXPECT_FALSE(at_edge.status.usable());
    ASSERT_EQ(names[k].first, name);
    EXPECT_NE(at_edge.text.find(names[k++].second), std::string::npos) << at_edge.text;
  }
}

// Value and gradient are finite, the second derivatives overflow.
TEST(DerivativeBadInput, ASecondDerivativeThatOverflowsIsNeverUsable) {
  for (const auto& [name, call] : drivers([](const auto& x) { return 1e305 * sin(100.0 * x[0]) + x[1]; })) {
    SCOPED_TRACE(name);
    const bool first_order = std::string(name) == "gradient" || std::string(name) == "directional, order 1";
    const Outcome found = call({0.01, 2}, {1, 0});
    EXPECT_TRUE(std::isfinite(found.value));
    EXPECT_TRUE(!first_order || std::isfinite(found.derivatives[0]));
    EXPECT_EQ(found.status.usable(), first_order) << found.text;
    EXPECT_EQ(found.status.kind, first_order ? Kind::ok : Kind::not_finite);
  }
}

// In words: entries of second order by their kind of result.
TEST(DerivativeBadInput, EntriesOfSecondOrderHaveTheirNames) {
  const DerivativeStatus fourth{Kind::not_finite, 4};
  EXPECT_NE(to_string(fourth, 3).find("with respect to x[0] and x[1] is"), std::string::npos);
  EXPECT_NE(to_string(fourth, 3, DerivativeEntries::contracted).find("along the directions and x[1] is"), std::string::npos);
  EXPECT_NE(to_string(fourth, 3, DerivativeEntries::by_directions).find("along v1 and v3 is"), std::string::npos);
  const auto f = [](const auto& x) { return pow(sqrt(x[0] * x[0]), 3); };
  const DerivativeOptions strict{.nondifferentiable = NondifferentiableChoice::throw_error};
  const Vector at{0}, v{1};
  EXPECT_NE(message([&] { directional(f, at, strict, v, v, v); }).find("along v1 and v2 and v3 differs"), std::string::npos);
}

// Whatever the function does: a result that is usable holds finite numbers.
TEST(DerivativeBadInput, WhatIsUsableIsFinite) {
  int unusable = 0;
  const auto check = [&](auto f) {
    for (const auto& [name, call] : drivers(f))
      for (const Vector& x : {Vector{0, 0}, Vector{-1, 0}, Vector{0, 1}, Vector{1, 1}, Vector{710, -1}}) {
        const Outcome found = call(x, {1, 0.5});
        unusable += !found.status.usable();
        if (!found.status.usable()) continue;
        EXPECT_TRUE(std::isfinite(found.value)) << name;
        for (double d : found.derivatives) EXPECT_TRUE(std::isfinite(d)) << name << " at " << x[0] << ", " << x[1];
      }
  };
  check([](const auto& x) { return log(x[0]) * x[1]; });
  check([](const auto& x) { return x[1] / x[0]; });
  check([](const auto& x) { return pow(x[0], 0.3) + asin(x[1]); });
  check([](const auto& x) { return exp(x[0] * x[0]) - sqrt(x[1]); });
  check([](const auto& x) { return atan2(x[0], x[1]) + hypot(x[0], x[1]); });
  check([](const auto& x) { return log(x[0] * x[0]) * x[0] + x[1]; });
  EXPECT_GT(unusable, 40);
}

}  // namespace
}  // namespace holo
