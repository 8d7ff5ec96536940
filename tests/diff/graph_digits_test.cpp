// Derivatives of graphs where formulas at hand cancel, overflow or lose a NaN.
#include <gtest/gtest.h>

#include "graph_functions.h"

namespace holo::graph {
namespace {

// The value, gradient and upper Hessian of f of two numbers.
template <class F>
std::vector<double> derivatives(F f, double x, double y) {
  Graph g(2, 1 << 16);
  std::vector<int> outputs(6);
  outputs[0] = Recorded(f(Recorded(&g, 0), Recorded(&g, 1))).node_in(g);
  reverse(g, outputs[0], {0, 2}, &outputs[1]);
  tangent_of_leaf(g, 0, &outputs[1], 2, &outputs[3]);
  tangent_of_leaf(g, 1, &outputs[2], 1, &outputs[5]);
  const Interpreter interpreter(g, outputs);
  std::vector<double> values(std::size_t(interpreter.counts().nodes) + 1), result(6);
  interpreter.run(
      values.data(), [&](int k) { return k == 0 ? x : y; }, [&](int i, double value) { result[i] = value; });
  return result;
}

void expect_relative(const std::vector<double>& expected, const std::vector<double>& found) {
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(expected[k], found[k], 4e-15 * std::abs(expected[k])) << "entry " << k;
}

const auto of_hypot = [](const auto& x, const auto& y) { return hypot(x, y); };
const auto of_atan2 = [](const auto& x, const auto& y) { return atan2(y, x); };

TEST(GraphDigits, OfHypotAreAllThereAlongAnAxis) {
  for (const double y : {1e-3, 1e-6, 1e-8, 1e-30, 1e-100}) {
    const double h = std::hypot(1, y), cube = h * h * h;
    expect_relative({h, 1 / h, y / h, y * y / cube, -y / cube, 1 / cube}, derivatives(of_hypot, 1, y));
    expect_relative({h, y / h, 1 / h, 1 / cube, -y / cube, y * y / cube}, derivatives(of_hypot, y, 1));
  }
}

TEST(GraphDigits, OfHypotAndAtan2AreThereForLargeAndSmallArguments) {
  for (const double size : {1e-150, 1e-100, 1.0, 1e100, 1e150}) {
    expect_relative({5 * size, 0.6, 0.8, 0.128 / size, -0.096 / size, 0.072 / size}, derivatives(of_hypot, 3 * size, 4 * size));
    expect_relative(
        {std::atan2(4, 3), -0.16 / size, 0.12 / size, 0.0384 / size / size, 0.0112 / size / size, -0.0384 / size / size},
        derivatives(of_atan2, 3 * size, 4 * size));
  }
  for (const double size : {1e-200, 1e200}) {
    const std::vector<double> h = derivatives(of_hypot, 3 * size, 4 * size), a = derivatives(of_atan2, 3 * size, 4 * size);
    expect_relative({5 * size, 0.6, 0.8, 0.128 / size, -0.096 / size, 0.072 / size}, h);
    EXPECT_DOUBLE_EQ(a[1], -0.16 / size);
    EXPECT_DOUBLE_EQ(a[2], 0.12 / size);
  }
}

TEST(GraphDigits, OfTanhAndTheArcsineAreThereNearZeroToo) {
  const auto th = [](const auto& x, const auto&) { return tanh(x); };
  const auto as = [](const auto& x, const auto&) { return asin(x); };
  for (const double x : {1e-3, 1e-8, 1e-30}) {
    const double t = std::tanh(x), slope = 1 - t * t, w = 1 - x * x;
    expect_relative({t, slope, 0, -2 * t * slope}, derivatives(th, x, 0));
    expect_relative({std::asin(x), 1 / std::sqrt(w), 0, x / (w * std::sqrt(w))}, derivatives(as, x, 0));
  }
  for (const double x : {40.0, 300.0})
    expect_relative({1, 4 * std::exp(-2 * x), 0, -8 * std::exp(-2 * x)}, derivatives(th, x, 0));
}

TEST(GraphDigits, OfPowersAndRootsAreThereWhereTheValueOrTheReciprocalLeavesTheRangeOfNumbers) {
  const auto power = [](const auto& x, const auto&) { return pow(x, 2.5); };
  const auto root = [](const auto& x, const auto&) { return cbrt(x); };
  expect_relative({0, 2.5e-210, 0, 3.75e-70}, derivatives(power, 1e-140, 0));
  const std::vector<double> found = derivatives(root, -1e-310, 0);
  EXPECT_NEAR(found[1], std::cbrt(1e-310) / 3 / 1e-310, 1e-14 * found[1]);
}

TEST(GraphDigits, ZeroToAPositivePowerIsZeroWithAllItsDerivatives) {
  const auto f = [](const auto& x, const auto&) { return pow(0.0 * x, x); };
  const std::vector<double> found = derivatives(f, 2, 0);
  for (const double entry : found) EXPECT_EQ(entry, 0);
}

template <class S>
S chosen(const char* which, const S& a, const S& b) {
  Graph g(2, 100);
  const Recorded x(&g, 0), y(&g, 1);
  const Interpreter interpreter(g, {(which[1] == 'i' ? min(x, y) : max(x, y)).node_in(g)});
  std::vector<S> values(std::size_t(interpreter.counts().nodes) + 1);
  S result(0.0);
  interpreter.run(
      values.data(), [&](int k) { return k == 0 ? a : b; }, [&](int, const S& value) { result = value; });
  return result;
}

TEST(GraphChoices, KeepANanWhicheverArgumentItIs) {
  const double nan = std::nan("");
  for (const char* which : {"min", "max"}) {
    EXPECT_TRUE(std::isnan(chosen(which, 1.0, nan)));
    EXPECT_TRUE(std::isnan(chosen(which, nan, 1.0)));
    const LaneBlock first = chosen(which, LaneBlock(1.0), LaneBlock(nan)),
                    second = chosen(which, LaneBlock(nan), LaneBlock(1.0));
    EXPECT_TRUE(all(isnan(first)) && all(isnan(second)));
  }
  EXPECT_EQ(chosen("min", 1.0, 2.0), 1);
  EXPECT_EQ(chosen("max", LaneBlock(1.0), LaneBlock(2.0))[0], 2);
  EXPECT_TRUE(all(isnan(min(LaneBlock(1.0), LaneBlock(nan)))) && all(isnan(max(LaneBlock(nan), LaneBlock(1.0)))));
  EXPECT_TRUE(std::isnan(max(1.0, nan)) && std::isnan(min(1.0, nan)));
}

}  // namespace
}  // namespace holo::graph
