#pragma once
// The fallback: the same graph, built when the program runs and interpreted node by node, over any scalar. For functions that
// are not constexpr or too large for the compiler; correct, and 1.2 to 13 times slower than the compiled
// graph (docs/derivative-modes.md).

#include <vector>

#include "holo/diff/graph/program.h"
#include "holo/diff/scalars/elementary.h"

namespace holo::graph {

class Interpreter {
 public:
  Interpreter(const Graph& g, const std::vector<int>& outputs) : nodes_(g.size()), outputs_(outputs.size()) {
    counts_ = finish(g, outputs.data(), int(outputs.size()), nodes_.data(), outputs_.data());
    nodes_.resize(counts_.nodes);
  }

  const Counts& counts() const { return counts_; }
  int output_count() const { return int(outputs_.size()); }

  // `values` is scratch memory of counts().nodes scalars; load(k) gives leaf k, store(i, value) takes output i.
  template <class S, class Load, class Store>
  void run(S* values, const Load& load, const Store& store) const {
    for (std::size_t k = 0; k < nodes_.size(); ++k) values[k] = compute(nodes_[k], values, load);
    for (std::size_t i = 0; i < outputs_.size(); ++i) store(int(i), operand(values, outputs_[i]));
  }

 private:
  template <class S>
  static S operand(const S* values, int k) {
    return k == zero ? S(0.0) : values[k];
  }

  // A truth value is kept as 1 or 0.
  template <class S, class Load>
  static S compute(const Node& n, const S* values, const Load& load) {
    const auto truth = [](const auto& condition) { return select(condition, S(1.0), S(0.0)); };
    const S a = n.operation == Operation::leaf ? S(0.0) : operand(values, n.a);
    const S b = operand(values, n.b);
    switch (n.operation) {
      case Operation::leaf:
        return load(n.a);
      case Operation::constant:
        return S(n.value);
      case Operation::negate:
        return -a;
      case Operation::add:
        return a + b;
      case Operation::subtract:
        return a - b;
      case Operation::multiply:
        return a * b;
      case Operation::multiply_add:
        return a * b + operand(values, n.c);
      case Operation::multiply_subtract:
        return a * b - operand(values, n.c);
      case Operation::subtract_multiply:
        return operand(values, n.c) - a * b;
      case Operation::reciprocal:
        return S(1.0) / a;
      case Operation::power_constant:
        return pow(a, n.value);
      case Operation::power:
        return pow(a, b);
      case Operation::atan2:
        return atan2(a, b);
      case Operation::hypot:
        return hypot(a, b);
      case Operation::direction_cosine:
        return a / hypot(a, b);
      case Operation::minimum:
        return min(a, b);
      case Operation::maximum:
        return max(a, b);
      case Operation::less:
        return truth(a < b);
      case Operation::less_equal:
        return truth(a <= b);
      case Operation::equal:
        return truth(a == b);
      case Operation::logical_and:
        return a * b;
      case Operation::logical_or:
        return max(a, b);
      case Operation::logical_not:
        return S(1.0) - a;
      case Operation::select:
        return select(a != S(0.0), b, operand(values, n.c));
      default:
        return function(n.operation, a);
    }
  }

  template <class S>
  static S function(Operation operation, const S& a) {
    switch (operation) {
#define HOLO_CASE(name, ...) \
  case Operation::name:      \
    return name(a);
      HOLO_UNARY_FUNCTIONS(HOLO_CASE)
#undef HOLO_CASE
      case Operation::squared_sech:
        return square(S(S(1.0) / cosh(a)));
      default:  // arcsine_slope
        return S(1.0) / sqrt(S((S(1.0) - a) * (S(1.0) + a)));
    }
  }

  std::vector<Node> nodes_;
  std::vector<int> outputs_;
  Counts counts_;
};

// The interpreter of a function's derivative.
template <class Function>
Interpreter interpret(Derivative derivative) {
  constexpr int largest = 1 << 24;
  Graph g(Leaves<Function>::count, largest);
  std::vector<int> outputs(output_count<Function>(derivative));
  differentiate<Function>(g, derivative, outputs.data());
  return Interpreter(g, outputs);
}

}  // namespace holo::graph
