#pragma once
// Derivatives, from graph to graph: both sweeps append nodes to the graph that they differentiate, so that they compose to any
// order. Nothing else knows a derivative rule. A node that is not there (`zero`) stands for a derivative that vanishes.

#include "holo/diff/graph/graph.h"

namespace holo::graph {

struct Range {
  int begin, end;
  constexpr int size() const { return end - begin; }
  constexpr bool contains(int i) const { return begin <= i && i < end; }
};

// d node / d (its only operand), for functions of one argument.
constexpr int slope(Graph& g, int node) {
  const Node n = g[node];
  const int one = g.constant(1.0);
  switch (n.operation) {
    case Operation::reciprocal:
      return g.negate(g.multiply(node, node));
    case Operation::square_root:
      return g.multiply(g.constant(0.5), g.reciprocal(node));
    case Operation::exp:
      return node;
    case Operation::expm1:
      return g.add(node, one);
    case Operation::log:
      return g.reciprocal(n.a);
    case Operation::log1p:
      return g.reciprocal(g.add(one, n.a));
    case Operation::sin:
      return g.unary(Operation::cos, n.a);
    case Operation::cos:
      return g.negate(g.unary(Operation::sin, n.a));
    case Operation::tan:
      return g.add(one, g.multiply(node, node));
    case Operation::asin:
    case Operation::acos: {
      // (1 - a)(1 + a): 1 - a^2 would cancel near the ends.
      const int root = g.unary(Operation::square_root, g.multiply(g.subtract(one, n.a), g.add(one, n.a)));
      return n.operation == Operation::asin ? g.reciprocal(root) : g.negate(g.reciprocal(root));
    }
    case Operation::atan:
      return g.reciprocal(g.add(one, g.multiply(n.a, n.a)));
    case Operation::sinh:
      return g.unary(Operation::cosh, n.a);
    case Operation::cosh:
      return g.unary(Operation::sinh, n.a);
    case Operation::tanh:
      return g.subtract(one, g.multiply(node, node));
    case Operation::cbrt:
      return g.multiply(g.constant(1.0 / 3.0), g.divide(node, n.a));
    case Operation::power_constant:
      return g.multiply(g.constant(n.value), g.divide(node, n.a));  // of the same power, which is known already
    default:
      return zero;
  }
}

// d node / da and d node / db of functions of two arguments.
struct Slopes {
  int a, b;
};
constexpr Slopes slopes(Graph& g, int node) {
  const Node n = g[node];
  if (n.operation == Operation::power)
    return {g.multiply(n.b, g.divide(node, n.a)), g.multiply(node, g.unary(Operation::log, n.a))};
  if (n.operation == Operation::hypot) return {g.divide(n.a, node), g.divide(n.b, node)};
  const int reciprocal = g.reciprocal(g.add(g.multiply(n.a, n.a), g.multiply(n.b, n.b)));  // atan2
  return {g.multiply(n.b, reciprocal), g.negate(g.multiply(n.a, reciprocal))};
}

// d targets[i] / d (the direction that `seeds` gives the leaves), to results[i]. seeds[leaf] is a node, or `zero`.
constexpr void tangent(Graph& g, const Scratch<int>& seeds, const int* targets, int target_count, int* results) {
  int last = zero;
  for (int i = 0; i < target_count; ++i) last = targets[i] > last ? targets[i] : last;
  Scratch<bool> needed(last + 1, false);
  for (int i = 0; i < target_count; ++i)
    if (targets[i] != zero) needed[targets[i]] = true;
  for (int k = last; k >= 0; --k)
    if (const Node& n = g[k]; needed[k] && n.operation != Operation::leaf) {
      if (n.a != zero) needed[n.a] = true;
      if (n.b != zero) needed[n.b] = true;
      if (n.c != zero) needed[n.c] = true;
    }

  Scratch<int> dots(last + 1, zero);
  const auto dot = [&dots](int operand) { return operand == zero ? zero : dots[operand]; };
  for (int k = 0; k <= last && !g.overflowed(); ++k) {
    if (!needed[k]) continue;
    const Node n = g[k];
    switch (n.operation) {
      case Operation::leaf:
        dots[k] = n.a < seeds.size() ? seeds[n.a] : zero;
        break;
      case Operation::constant:
        break;
      case Operation::negate:
        dots[k] = g.negate(dot(n.a));
        break;
      case Operation::add:
        dots[k] = g.add(dot(n.a), dot(n.b));
        break;
      case Operation::subtract:
        dots[k] = g.subtract(dot(n.a), dot(n.b));
        break;
      case Operation::multiply:
        dots[k] = g.add(g.multiply(dot(n.a), n.b), g.multiply(n.a, dot(n.b)));
        break;
      case Operation::select:
        dots[k] = g.select(n.a, dot(n.b), dot(n.c));
        break;
      case Operation::power:
      case Operation::atan2:
      case Operation::hypot:
        if (dot(n.a) != zero || dot(n.b) != zero) {
          const Slopes s = slopes(g, k);
          dots[k] = g.add(g.multiply(s.a, dot(n.a)), g.multiply(s.b, dot(n.b)));
        }
        break;
      default:
        if (!is_condition(n.operation) && dot(n.a) != zero) dots[k] = g.multiply(slope(g, k), dot(n.a));
    }
  }
  for (int i = 0; i < target_count; ++i) results[i] = dot(targets[i]);
}

// d output / d leaf for the leaves in the range, to results[leaf - range.begin].
constexpr void reverse(Graph& g, int output, Range leaves, int* results) {
  for (int i = 0; i < leaves.size(); ++i) results[i] = zero;
  if (output == zero) return;
  Scratch<bool> active(output + 1, false);  // depends on one of the leaves
  const auto is_active = [&active](int operand) { return operand != zero && active[operand]; };
  for (int k = 0; k <= output; ++k) {
    const Node& n = g[k];
    active[k] = n.operation == Operation::leaf ? leaves.contains(n.a) : is_active(n.a) || is_active(n.b) || is_active(n.c);
  }

  Scratch<int> adjoints(output + 1, zero);
  adjoints[output] = g.constant(1.0);
  const auto accumulate = [&](int operand, int contribution) {
    if (is_active(operand)) adjoints[operand] = g.add(adjoints[operand], contribution);
  };
  for (int k = output; k >= 0 && !g.overflowed(); --k) {
    const int adjoint = adjoints[k];
    if (adjoint == zero || !active[k]) continue;
    const Node n = g[k];
    switch (n.operation) {
      case Operation::leaf:
        results[n.a - leaves.begin] = adjoint;
        break;
      case Operation::constant:
        break;
      case Operation::negate:
        accumulate(n.a, g.negate(adjoint));
        break;
      case Operation::add:
        accumulate(n.a, adjoint);
        accumulate(n.b, adjoint);
        break;
      case Operation::subtract:
        accumulate(n.a, adjoint);
        accumulate(n.b, g.negate(adjoint));
        break;
      case Operation::multiply:
        if (is_active(n.a)) accumulate(n.a, g.multiply(adjoint, n.b));
        if (is_active(n.b)) accumulate(n.b, g.multiply(adjoint, n.a));
        break;
      case Operation::select:
        if (is_active(n.b)) accumulate(n.b, g.select(n.a, adjoint, zero));
        if (is_active(n.c)) accumulate(n.c, g.select(n.a, zero, adjoint));
        break;
      case Operation::power:
      case Operation::atan2:
      case Operation::hypot: {
        const Slopes s = slopes(g, k);
        accumulate(n.a, g.multiply(adjoint, s.a));
        accumulate(n.b, g.multiply(adjoint, s.b));
        break;
      }
      default:
        if (!is_condition(n.operation)) accumulate(n.a, g.multiply(adjoint, slope(g, k)));
    }
  }
}

}  // namespace holo::graph
