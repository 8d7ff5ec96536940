#pragma once
// Derivatives, from graph to graph: both sweeps append nodes to the graph that they differentiate, so that they compose to any
// order. The rules of elementary functions are in elementary_slopes.h; nothing else knows a derivative rule. A node that is not
// there (`zero`) stands for a derivative that vanishes.

#include "holo/diff/graph/recorded.h"
#include "holo/diff/lanes/cube_root.h"

namespace holo::graph {

struct Range {
  int begin, end;
  constexpr int size() const { return end - begin; }
  constexpr bool contains(int i) const { return begin <= i && i < end; }
};

// p - 1, a third where p is one: thirds have a faster and more accurate power.
constexpr double exponent_of_slope(double p) {
  const int thirds = vector_math::thirds_of(p);
  return thirds != 0 ? (thirds - 3) / 3.0 : p - 1;
}

// d node / d (its only operand), for functions of one argument.
constexpr int slope(Graph& g, int node) {
  const Node n = g[node];
  const Recorded x(&g, n.a), z(&g, node);
  switch (n.operation) {
    case Operation::reciprocal:
      return g.negate(g.multiply(node, node));
#define HOLO_SLOPE(name, ...) \
  case Operation::name:       \
    return name##_slope(x, z).node_in(g);
      HOLO_UNARY_SLOPES(HOLO_SLOPE)
#undef HOLO_SLOPE
    // Slopes that have an operation of their own, whose slope is a product: nothing cancels at any order, neither near 0 nor
    // near 1 or infinity.
    case Operation::asin:
      return g.unary(Operation::arcsine_slope, n.a);
    case Operation::acos:
      return g.negate(g.unary(Operation::arcsine_slope, n.a));
    case Operation::arcsine_slope:
      return g.multiply(n.a, g.multiply(node, g.multiply(node, node)));
    case Operation::tanh:
      return g.unary(Operation::squared_sech, n.a);
    case Operation::squared_sech:
      return g.multiply(g.constant(-2.0), g.multiply(g.unary(Operation::tanh, n.a), node));
    case Operation::power_constant:
      // A negative power serves its slope too. A positive one may underflow where the slope does not.
      return g.multiply(g.constant(n.value), n.value > 0 ? g.power(n.a, exponent_of_slope(n.value)) : g.divide(node, n.a));
    default:
      return zero;
  }
}

// d node / da and d node / db of functions of two arguments.
struct Slopes {
  int a, b;
};
// 0^b is 0 for all b > 0, where log 0 is none of its business; b = 0 and below have no slope. -(0^(b - [b <= 0])) is 0 and -inf
// there, and its own slopes too.
constexpr int slope_of_power_of_zero(Graph& g, int b) {
  const int below = g.select(g.binary(Operation::less, zero, b), zero, g.constant(1.0));
  return g.negate(g.binary(Operation::power, zero, g.subtract(b, below)));
}
constexpr Slopes slopes(Graph& g, int node) {
  const Node n = g[node];
  if (n.operation == Operation::power) {
    if (n.a == zero) return {zero, slope_of_power_of_zero(g, n.b)};
    return {g.multiply(n.b, g.divide(node, n.a)), g.multiply(node, g.unary(Operation::log, n.a))};
  }
  // By direction cosines c = a/h, s = b/h with h = hypot(a, b): dh = c da + s db, dc = s (s da - c db) / h. The slopes of a/h
  // by the rule for quotients would cancel for a >> b, and squares of a and b overflow or vanish.
  const int c = g.direction_cosine(n.a, n.b), s = g.direction_cosine(n.b, n.a);
  if (n.operation == Operation::hypot) return {c, s};
  const int inverse = g.reciprocal(g.binary(Operation::hypot, n.a, n.b));
  if (n.operation == Operation::direction_cosine) {
    const int turn = g.multiply(s, inverse);
    return {g.multiply(s, turn), g.negate(g.multiply(c, turn))};
  }
  return {g.multiply(s, inverse), g.negate(g.multiply(c, inverse))};  // atan2
}

// Whether b is the operand that a minimum or maximum hands on.
constexpr int second_is_chosen(Graph& g, const Node& n) {
  return n.operation == Operation::minimum ? g.binary(Operation::less, n.b, n.a) : g.binary(Operation::less, n.a, n.b);
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
      case Operation::minimum:
      case Operation::maximum:
        if (dot(n.a) != dot(n.b))
          dots[k] = g.select(second_is_chosen(g, n), dot(n.b), dot(n.a));
        else
          dots[k] = dot(n.a);
        break;
      case Operation::power:
      case Operation::atan2:
      case Operation::hypot:
      case Operation::direction_cosine:
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
      case Operation::minimum:
      case Operation::maximum: {
        const int second = second_is_chosen(g, n);
        if (is_active(n.a)) accumulate(n.a, g.select(second, zero, adjoint));
        if (is_active(n.b)) accumulate(n.b, g.select(second, adjoint, zero));
        break;
      }
      case Operation::power:
      case Operation::atan2:
      case Operation::hypot:
      case Operation::direction_cosine: {
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
