#include "holo/diff/graph/graph.h"

#include <gtest/gtest.h>

#include "graph_functions.h"
#include "holo/diff/graph/formula.h"

namespace holo::graph {
namespace {

using std::vector;

// Inputs, parameters, two directions, weights.
const vector<double> first_point = {1.3, 1.7, 0.6, 0.8, -1.2, 5, 0.3, -0.4, 0.9, 0.7, 0.2, -0.5, 1.5, -0.75};
const vector<double> other_sides = {2.1, 1.1, 2.6, 0.8, -1.2, 5, 0.3, -0.4, 0.9, 0.7, 0.2, -0.5, 1.5, -0.75};

// What the derivative is, output by output, from 100-digit differences.
template <class Function>
vector<double> expected(Derivative derivative, const vector<double>& leaves) {
  using L = Leaves<Function>;
  const auto slice = [&](Range r) {
    vector<double> direction(L::n + L::p, 0.0);
    for (int i = 0; i < L::n; ++i) direction[i] = leaves[r.begin + i];
    return direction;
  };
  const auto unit = [&](int k) {
    vector<double> direction(L::n + L::p, 0.0);
    direction[k] = 1;
    return direction;
  };
  vector<double> weights(L::m, 1.0);
  for (int i = 0; i < L::weights.size(); ++i) weights[i] = leaves[L::weights.begin + i];
  const auto along = [&](const vector<vector<double>>& d) { return reference_derivative<Function>(leaves, weights, d); };
  vector<double> result;
  switch (derivative) {
    case Derivative::value:
    case Derivative::jacobian:
      for (int i = 0; i < L::m; ++i) {
        vector<double> only(L::m, 0.0);
        only[i] = 1;
        if (derivative == Derivative::value) result.push_back(reference_derivative<Function>(leaves, only, {}));
        for (int j = 0; j < L::n && derivative == Derivative::jacobian; ++j)
          result.push_back(reference_derivative<Function>(leaves, only, {unit(j)}));
      }
      break;
    case Derivative::gradient_and_hessian:
      for (int i = 0; i < L::n; ++i) result.push_back(along({unit(i)}));
      [[fallthrough]];
    case Derivative::hessian:
      for (int i = 0; i < L::n; ++i)
        for (int j = i; j < L::n; ++j) result.push_back(along({unit(i), unit(j)}));
      break;
    case Derivative::directional_hessian:
      for (int i = 0; i < L::n; ++i)
        for (int j = i; j < L::n; ++j) result.push_back(along({unit(i), unit(j), slice(L::direction1)}));
      break;
    case Derivative::third_order_contraction:
      for (int i = 0; i < L::n; ++i) result.push_back(along({slice(L::direction1), slice(L::direction2), unit(i)}));
      break;
    case Derivative::parameter_gradient:
      for (int i = 0; i < L::p; ++i) result.push_back(along({unit(L::n + i)}));
      break;
    case Derivative::parameter_gradient_slope:
      for (int i = 0; i < L::p; ++i)
        for (int j = 0; j < L::n; ++j) result.push_back(along({unit(L::n + i), unit(j)}));
      break;
  }
  return result;
}

double largest(const vector<double>& values) {
  double result = 0;
  for (double value : values) result = std::max(result, std::abs(value));
  return result;
}

void expect_close(const vector<double>& expected, const vector<double>& found, double tolerance) {
  ASSERT_EQ(expected.size(), found.size());
  ASSERT_GT(largest(expected), 0);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(expected[i], found[i], tolerance * largest(expected)) << "output " << i;
}

template <class Function, Derivative derivative>
void expect_exact(const vector<double>& leaves) {
  SCOPED_TRACE(int(derivative));
  const vector<double> reference = expected<Function>(derivative, leaves);
  expect_close(reference, compiled<Function, derivative>(leaves), 2e-14);
  expect_close(reference, interpreted<Function>(derivative, leaves), 2e-14);

  // In lanes, the other lanes at other points.
  vector<LaneBlock> lanes(leaves.begin(), leaves.end());
  for (LaneBlock& leaf : lanes) leaf.set(1, leaf[1] * 1.0625);
  const vector<LaneBlock> blocks = compiled<Function, derivative>(lanes), slow = interpreted<Function>(derivative, lanes);
  vector<double> moved = leaves;
  for (double& leaf : moved) leaf *= 1.0625;
  const vector<double> moved_reference = expected<Function>(derivative, moved);
  vector<double> lane0, lane1, slow1;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    lane0.push_back(blocks[i][0]);
    lane1.push_back(blocks[i][1]);
    slow1.push_back(slow[i][1]);
  }
  expect_close(reference, lane0, 2e-14);
  expect_close(moved_reference, lane1, 2e-14);
  expect_close(moved_reference, slow1, 2e-14);
}

template <class Function>
void expect_all_exact(const vector<double>& leaves) {
  expect_exact<Function, Derivative::value>(leaves);
  expect_exact<Function, Derivative::jacobian>(leaves);
  expect_exact<Function, Derivative::hessian>(leaves);
  expect_exact<Function, Derivative::gradient_and_hessian>(leaves);
  expect_exact<Function, Derivative::directional_hessian>(leaves);
  expect_exact<Function, Derivative::third_order_contraction>(leaves);
  expect_exact<Function, Derivative::parameter_gradient>(leaves);
  expect_exact<Function, Derivative::parameter_gradient_slope>(leaves);
}

TEST(GraphDerivatives, OfEveryOperationAreThoseOfHundredDigitDifferences) { expect_all_exact<Everything>(first_point); }

TEST(GraphDerivatives, AreRightOnTheOtherSideOfEachSelect) { expect_all_exact<Everything>(other_sides); }

TEST(GraphDerivatives, VanishWhereTheFunctionIgnoresALeaf) {
  const vector<double> leaves = {1.5, 2, 0.7, 3, 0.8, 9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
  expect_exact<Sparse, Derivative::jacobian>(leaves);
  expect_exact<Sparse, Derivative::hessian>(leaves);
  expect_exact<Sparse, Derivative::directional_hessian>(leaves);
  EXPECT_EQ(0, (compiled<Sparse, Derivative::jacobian>(leaves)[1]));
  EXPECT_EQ(0, (compiled<Sparse, Derivative::parameter_gradient>(leaves)[1]));
}

TEST(GraphDerivatives, OfAGuardedBranchStayFiniteOnItsDeadSide) {
  const vector<double> leaves = {1.5, 2, -0.7, 3, 0.8, 9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
  for (double value : compiled<Sparse, Derivative::directional_hessian>(leaves)) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(0, (compiled<Sparse, Derivative::jacobian>(leaves)[2]));
}

TEST(GraphFallback, InterpretsAFunctionThatIsNotConstexpr) {
  EXPECT_TRUE((Compiled<Sparse, Derivative::hessian>::compiled));
  EXPECT_FALSE((Compiled<NotConstexpr, Derivative::hessian>::compiled));
  const vector<double> leaves = {1.5, 2, 0.7, 3, 0.8, 9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
  EXPECT_EQ((compiled<Sparse, Derivative::hessian>(leaves)), interpreted<NotConstexpr>(Derivative::hessian, leaves));
}

TEST(GraphBadInput, WhatExceedsTheCapacityIsInterpreted) {
  EXPECT_TRUE((Compiled<TooLarge, Derivative::value>::compiled));
  EXPECT_FALSE((Compiled<TooLarge, Derivative::directional_hessian>::compiled));
  const vector<double> leaves = {1.5, 2, 0.7, 3, 0.8, 9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
  EXPECT_EQ((compiled<Sparse, Derivative::directional_hessian>(leaves)),
            interpreted<TooLarge>(Derivative::directional_hessian, leaves));
}

TEST(Graph, EqualExpressionsAreOneNode) {
  Graph g(3, 100);
  const int a = 0, b = 1, c = 2;
  EXPECT_EQ(g.add(a, b), g.add(b, a));
  EXPECT_EQ(g.subtract(a, b), g.negate(g.subtract(b, a)));
  EXPECT_EQ(g.multiply(g.negate(a), g.negate(b)), g.multiply(b, a));
  EXPECT_EQ(g.add(a, g.negate(b)), g.subtract(a, b));
  EXPECT_EQ(g.add(a, a), g.multiply(a, g.constant(2)));
  EXPECT_EQ(g.multiply(g.constant(2), g.multiply(a, g.constant(3))), g.multiply(g.constant(6), a));
  EXPECT_EQ(g.power(c, 3), g.multiply(c, g.multiply(c, c)));
  EXPECT_EQ(g.power(c, 0.5), g.unary(Operation::sqrt, c));
  const int before = g.size();
  g.divide(b, c);
  EXPECT_EQ(before + 2, g.size());
  g.divide(a, c);  // the reciprocal is there already
  EXPECT_EQ(before + 3, g.size());
}

TEST(Graph, NeutralElementsLeaveNoNode) {
  Graph g(2, 100);
  const int one = g.constant(1);
  const int before = g.size();
  EXPECT_EQ(0, g.add(0, zero));
  EXPECT_EQ(0, g.multiply(0, one));
  EXPECT_EQ(zero, g.multiply(0, zero));
  EXPECT_EQ(zero, g.subtract(1, 1));
  EXPECT_EQ(0, g.negate(g.negate(0)) - 0);
  EXPECT_EQ(one, g.power(0, 0.0));
  EXPECT_EQ(before + 1, g.size());  // the one negation
}

TEST(Graph, GrowsAndKeepsItsNodes) {
  Graph g(1, 100000);
  int node = 0;
  for (int k = 1; k < 5000; ++k) node = g.add(g.multiply(node, 0), g.constant(k));
  const int size = g.size();
  int again = 0;
  for (int k = 1; k < 5000; ++k) again = g.add(g.multiply(again, 0), g.constant(k));
  EXPECT_EQ(node, again);
  EXPECT_EQ(size, g.size());
  EXPECT_FALSE(g.overflowed());
}

TEST(GraphBadInput, AnExceededCapacityIsTold) {
  Graph g(1, 10);
  int node = 0;
  for (int k = 0; k < 20; ++k) node = g.unary(Operation::sin, node);
  EXPECT_TRUE(g.overflowed());
  EXPECT_EQ(10, g.size());
}

TEST(Program, FusesProductsThatAreUsedOnce) {
  Graph g(3, 100);
  int outputs[] = {g.add(g.multiply(0, 1), 2)};
  EXPECT_EQ(1, finish(g, outputs, 1, nullptr, nullptr).operations);
  int shared[] = {g.add(g.multiply(0, 1), 2), g.multiply(0, 1)};
  EXPECT_EQ(2, finish(g, shared, 2, nullptr, nullptr).operations);
}

TEST(Program, DropsWhatItsOutputsDoNotNeed) {
  Graph g(3, 100);
  g.unary(Operation::exp, 0);
  int outputs[] = {g.unary(Operation::log, 1)};
  const Counts counts = finish(g, outputs, 1, nullptr, nullptr);
  EXPECT_EQ(1, counts.operations);
  EXPECT_EQ(2, counts.nodes);
}

struct Printed {
  static constexpr int input_count = 2, parameter_count = 1, output_count = 1;
  template <class S>
  static constexpr void evaluate(const S* x, const S* p, S* y) {
    const S r = x[0] * x[0] + x[1];
    const S power = pow(r, -1.5);  // compilers differ in the order in which they evaluate operands
    const S branch = select(x[0] < 1, -x[1], x[0] / (x[1] - 3));
    y[0] = p[0] / 2 * r * log(r) - branch + power;
  }
};

TEST(Formula, NamesWhatIsUsedTwiceAndReadsAsMathematics) {
  EXPECT_EQ(
      "t1 = y + x^2\n"
      "psi = t1^(-1.5) + 0.5 mu t1 log(t1) - select(x < 1, -y, x / (y - 3))\n",
      formula<Printed>({"x", "y", "mu"}, "psi"));
}

}  // namespace
}  // namespace holo::graph
