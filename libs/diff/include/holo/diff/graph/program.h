#pragma once
// A finished graph: only what its outputs need, products fused into sums, in order of creation. One `constexpr` variable for
// each derivative of a function, of exactly its size; or the same at run time.

#include <algorithm>

#include "holo/diff/graph/derivative.h"

namespace holo::graph {

struct Counts {
  int nodes = 0;       // with leaves and constants
  int operations = 0;  // without leaves, constants and negations of constants
  int conditions = 0;
};

// Marks the nodes that the outputs need, fuses a product that is used once with its sum into a multiply-add, and writes the
// remaining nodes to nodes[k], k < capacity (null: only counts), with operands and outputs renumbered. A condition's c is its
// number among the conditions. Returns the counts, also for more nodes than the capacity.
constexpr Counts finish(const Graph& g, const int* outputs, int output_count, Node* nodes, int* renumbered_outputs,
                        int capacity = 1 << 30) {
  const int size = g.size();
  Scratch<Node> kept(size);
  Scratch<int> uses(size, 0), number(size, zero);
  for (int i = 0; i < output_count; ++i)
    if (outputs[i] != zero) ++uses[outputs[i]];

  const auto use = [&uses](int operand, int change) {
    if (operand != zero) uses[operand] += change;
  };
  for (int k = size - 1; k >= 0; --k) {
    kept[k] = g[k];
    if (uses[k] == 0 || g[k].operation == Operation::leaf) continue;
    use(g[k].a, 1), use(g[k].b, 1), use(g[k].c, 1);
  }

  const auto is_single_product = [&](int k) { return g[k].operation == Operation::multiply && uses[k] == 1; };
  for (int k = 0; k < size; ++k) {
    const Node n = g[k];
    if (uses[k] == 0 || (n.operation != Operation::add && n.operation != Operation::subtract)) continue;
    const bool sum = n.operation == Operation::add;
    if (is_single_product(n.b)) {
      kept[k] = {sum ? Operation::multiply_add : Operation::subtract_multiply, g[n.b].a, g[n.b].b, n.a, 0.0};
      uses[n.b] = 0;
    } else if (is_single_product(n.a)) {
      kept[k] = {sum ? Operation::multiply_add : Operation::multiply_subtract, g[n.a].a, g[n.a].b, n.b, 0.0};
      uses[n.a] = 0;
    }
  }

  Counts counts;
  const auto renumber = [&number](int operand) { return operand == zero ? zero : number[operand]; };
  for (int k = 0; k < size; ++k) {
    if (uses[k] == 0) continue;
    Node n = kept[k];
    if (n.operation != Operation::leaf) {
      const bool constant =
          n.operation == Operation::constant || (n.operation == Operation::negate && g[n.a].operation == Operation::constant);
      counts.operations += !constant;
      n.a = renumber(n.a), n.b = renumber(n.b), n.c = renumber(n.c);
      if (is_condition(n.operation)) n.c = counts.conditions++;
    }
    number[k] = counts.nodes;
    if (nodes != nullptr && counts.nodes < capacity) nodes[counts.nodes] = n;
    ++counts.nodes;
  }
  for (int i = 0; i < output_count && renumbered_outputs != nullptr; ++i) renumbered_outputs[i] = renumber(outputs[i]);
  return counts;
}

template <int NodeCount, int OutputCount>
struct Program {
  static constexpr int output_count = OutputCount;
  Counts counts;
  Node nodes[std::max(NodeCount, 1)];
  int outputs[std::max(OutputCount, 1)];
};

// Programs of more nodes than this are left to the interpreter: compilers take long over them. A function may set its own,
// `static constexpr int graph_capacity`. Before unneeded nodes are removed, the graph may have several times as many.
inline constexpr int default_graph_capacity = 4096;
inline constexpr int nodes_before_dropping = 4;

template <class Function>
constexpr int graph_capacity() {
  if constexpr (requires { Function::graph_capacity; }) {
    return Function::graph_capacity;
  } else {
    return default_graph_capacity;
  }
}

namespace detail {

template <class Function>
constexpr int recorded_size() {
  Graph g(Leaves<Function>::count, 1 << 20);
  int values[Function::output_count];
  record<Function>(g, values);
  return g.size();
}

template <class Function, int = (recorded_size<Function>(), 0)>
constexpr bool is_constexpr(int) {
  return true;
}
template <class Function>
constexpr bool is_constexpr(...) {
  return false;
}

template <class Function, Derivative derivative>
struct Padded {
  bool overflowed = true;
  Program<graph_capacity<Function>(), output_count<Function>(derivative)> program{};
};

template <class Function, Derivative derivative>
constexpr Padded<Function, derivative> padded() {
  Padded<Function, derivative> result;
  constexpr int count = output_count<Function>(derivative);
  int outputs[count > 0 ? count : 1];
  constexpr int capacity = graph_capacity<Function>();
  Graph g(Leaves<Function>::count, nodes_before_dropping * capacity);
  differentiate<Function>(g, derivative, outputs);
  if (!g.overflowed()) {
    result.program.counts = finish(g, outputs, count, result.program.nodes, result.program.outputs, capacity);
    result.overflowed = result.program.counts.nodes > capacity;
  }
  return result;
}

template <class Function, Derivative derivative>
struct Nothing {
  static constexpr bool overflowed = true;
};

template <class Function, Derivative derivative>
constexpr auto trimmed() {
  if constexpr (is_constexpr<Function>(0)) {
    constexpr auto all = padded<Function, derivative>();
    if constexpr (!all.overflowed) {
      Program<all.program.counts.nodes, output_count<Function>(derivative)> result{};
      result.counts = all.program.counts;
      for (int k = 0; k < result.counts.nodes; ++k) result.nodes[k] = all.program.nodes[k];
      for (int i = 0; i < result.output_count; ++i) result.outputs[i] = all.program.outputs[i];
      return result;
    } else {
      return nullptr;
    }
  } else {
    return nullptr;
  }
}

}  // namespace detail

// The derivative's program, made by the compiler; `compiled` is false where that cannot be done (the function is not constexpr,
// or the graph is larger than its capacity), and then there is no `program`.
template <class Function_, Derivative derivative_>
struct Compiled {
  using Function = Function_;
  static constexpr Derivative derivative = derivative_;
  static constexpr auto program = detail::trimmed<Function, derivative>();
  static constexpr bool compiled = !std::is_same_v<decltype(program), const std::nullptr_t>;
};

}  // namespace holo::graph
