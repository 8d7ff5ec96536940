#include "holo/diff/tape/checkpoint.h"

#include <gtest/gtest.h>

#include "diff_tape/functions.h"
#include "diff_tape/nodes.h"
#include "holo/diff/tape/drivers.h"

namespace holo {
namespace {

using test::difference;
using test::largest;
using test::matrix;
using test::numbers;

// A chain of masses, a step of time: many operations, a state of few numbers, a solve.
const auto advance = [](const auto& state) {
  using V = std::remove_cvref_t<decltype(state(0))>;
  std::vector<V> next;
  for (int i = 0; i < 8; ++i) {
    V force = sin(state(i)) * 0.3;
    for (int j = 0; j < 8; ++j) force += 0.01 * state(j) * state(i) / (1.0 + state(j) * state(j));
    next.push_back(state(i) - 0.1 * force + 0.02 * abs(state(i)));
  }
  const auto A = gather(next, 8) * transpose(state) + constant_matrix(state.tape(), 5 * Eigen::MatrixXd::Identity(8, 8));
  return solve(A, V(5.0) * gather(next, 8));
};
template <bool checkpoints>
struct Loop {
  int steps;
  template <class V>
  V operator()(std::span<const V> x) const {
    auto state = gather(x, 8);
    for (int k = 0; k < steps; ++k) {
      if constexpr (checkpoints)
        state = checkpoint(advance, state);
      else
        state = advance(state);
    }
    return dot(state, state) + state(3);
  }
};

TEST(Checkpoint, GivesTheDerivativesOfTheWholeTape) {
  const std::vector<double> x = numbers(8, 1), v = numbers(8, 2);
  const auto whole = taped_hessian(Loop<false>{12}, x), parts = taped_hessian(Loop<true>{12}, x);
  EXPECT_GT(largest(whole.hessian), 1e-3);
  EXPECT_EQ(whole.value, parts.value);
  EXPECT_LE(difference(whole.gradient, parts.gradient), 1e-15 * largest(whole.gradient));
  EXPECT_LE(difference(whole.hessian, parts.hessian), 1e-14 * largest(whole.hessian));
  EXPECT_LE(
      difference(taped_hessian_product(Loop<false>{12}, x, v).product, taped_hessian_product(Loop<true>{12}, x, v).product),
      1e-14 * largest(whole.hessian));
}

// Of a loop of N steps the memory of N states and one step.
TEST(Checkpoint, MemoryGrowsByStatesAndNotByOperations) {
  const auto recorded = [](const auto& loop) {
    using V = Variable<double>;
    Tape<double> tape;
    std::vector<V> x;
    for (double entry : numbers(8, 1)) x.push_back(tape.variable(entry));
    tape.reverse(loop(std::span<const V>(x)));
    return std::pair(tape.size(), tape.memory());
  };
  const auto short_whole = recorded(Loop<false>{20}), whole = recorded(Loop<false>{1020});
  const auto short_parts = recorded(Loop<true>{20}), parts = recorded(Loop<true>{1020});
  EXPECT_EQ(parts.first - short_parts.first, 1000u);           // one entry for a step,
  EXPECT_GT(whole.first - short_whole.first, 1000u * 300);     // where the step has hundreds
  EXPECT_LT(parts.second - short_parts.second, 1000u * 1024);  // bytes: blocks are aligned
  EXPECT_GT(whole.second - short_whole.second, 15 * (parts.second - short_parts.second));
}

TEST(Checkpoint, MayContainCheckpoints) {
  const auto nested = [](const auto& x) {
    return squared_norm(
        checkpoint([](const auto& state) { return checkpoint(advance, checkpoint(advance, state)); }, gather(x, 8)));
  };
  const auto plain = [](const auto& x) { return squared_norm(advance(advance(gather(x, 8)))); };
  const std::vector<double> x = numbers(8, 1);
  const auto expected = taped_hessian(plain, x), found = taped_hessian(nested, x);
  EXPECT_LE(difference(expected.hessian, found.hessian), 1e-14 * largest(expected.hessian));
}

// Variables, and constants among them, to one variable or to several.
TEST(Checkpoint, TakesVariables) {
  const auto part = [](const auto& x) { return sin(x[0] * x[1]) / x[2]; };
  const auto several = [](const auto& x) { return std::vector{x[0] * x[1], exp(x[2]), x[0] * 0.0 + 2.0}; };
  const auto f = [&](const auto& x) {
    using V = std::remove_cvref_t<decltype(x[0])>;
    const auto y = checkpoint(several, std::vector<V>{x[0], x[1], 0.5});
    return checkpoint(part, x) * y[0] + y[1] * y[2];
  };
  const auto g = [&](const auto& x) {
    using V = std::remove_cvref_t<decltype(x[0])>;
    const auto y = several(std::vector<V>{x[0], x[1], 0.5});
    return part(x) * y[0] + y[1] * y[2];
  };
  const std::vector<double> x{0.7, -0.4, 1.3};
  const auto expected = taped_hessian(g, x), found = taped_hessian(f, x);
  EXPECT_LE(difference(expected.hessian, found.hessian), 1e-15 * largest(expected.hessian));
}

TEST(Checkpoint, FactorizationsAreMadeOnceAndSharedByAllColumns) {
  TapedFunction taped(Loop<true>{3}, 8);
  const std::vector<double> x = numbers(8, 1);
  std::vector<double> g(8), h(64);
  taped.hessian(x, g, h);
  EXPECT_EQ(taped.factorizations(), 3);
}

TEST(Checkpoint, KinksAreCountedOnce) {
  const auto f = [](const auto& x) { return checkpoint([](const auto& y) { return abs(y[0]) + y[1]; }, x); };
  const KinkCounters before = kink_counters();
  EXPECT_EQ(taped_gradient(f, std::vector{0.0, 1.0}).status.kind, DerivativeStatus::Kind::kink);
  EXPECT_EQ(kink_counters().kinks - before.kinks, 1u);
}

TEST(CheckpointBadInput, IsRefused) {
  using V = Variable<double>;
  Tape<double> tape;
  const V x = tape.variable(0.5), y = tape.variable(2.0);
  const auto identity = [](const auto& inputs) { return inputs[0]; };
  EXPECT_THROW(checkpoint(identity, std::vector<V>{}), TensorError);
  EXPECT_THROW(checkpoint(identity, std::vector<V>{1.0, 2.0}), TensorError);  // constants alone
  const auto takes_from_outside = [&y](const auto& inputs) { return inputs[0] * y; };
  EXPECT_THROW(checkpoint(takes_from_outside, std::vector<V>{x}), Error);
  const auto is_outside = [Y = gather(std::vector<V>{y}, 1)](const auto&) { return Y; };
  EXPECT_THROW(checkpoint(is_outside, gather(std::vector<V>{x}, 1)), Error);
  double factor = 1;
  const auto changes = [&factor](const auto& inputs) { return factor * inputs[0]; };
  const V z = checkpoint(changes, std::vector<V>{x});
  factor = 2;
  EXPECT_THROW(tape.reverse(z), Error);
  const auto no_result = [](const auto&) { return std::vector<V>{}; };
  EXPECT_THROW(checkpoint(no_result, std::vector<V>{x}), TensorError);
}

}  // namespace
}  // namespace holo
