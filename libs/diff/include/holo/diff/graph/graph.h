#pragma once
// The graph of a function: every operation that it consists of, once. It is built inside the compiler (from a constexpr
// function) or at run time by the same code. Equal nodes are one node (value numbering), and the smart constructors keep the
// graph small: constants are folded, + 0, x 1 and x 0 dropped, operands ordered, signs pulled outwards (a - b and b - a are one
// node) and a / b is a x (1 / b), so that one reciprocal serves all.

#include <bit>
#include <cstdint>
#include <limits>

#include "holo/diff/scalars/elementary_slopes.h"

namespace holo::graph {

enum class Operation : std::uint8_t {
  leaf,      // an input, number a
  constant,  // value, positive
  negate,
  add,
  subtract,
  multiply,
  reciprocal,
// clang-format off
#define HOLO_ENUMERATOR(name, ...) name,
  HOLO_UNARY_FUNCTIONS(HOLO_ENUMERATOR)
#undef HOLO_ENUMERATOR
  // clang-format on
  squared_sech,    // 1 / cosh(a)^2, the slope of tanh
  arcsine_slope,   // 1 / sqrt((1 - a)(1 + a))
  power_constant,  // a to the power of value
  power,
  atan2,
  hypot,
  direction_cosine,  // a / hypot(a, b), the slope of hypot along a
  minimum,           // a tie takes a, a NaN is kept whichever operand it is
  maximum,
  less,  // conditions: these seven...
  less_equal,
  equal,
  logical_and,
  logical_or,
  logical_not,  // ...as far as here have a truth value
  select,       // b where the condition a holds, c elsewhere
  // Made when a program is finished, from a product that is used once.
  multiply_add,       // a b + c
  multiply_subtract,  // a b - c
  subtract_multiply   // c - a b
};

constexpr bool is_condition(Operation operation) { return operation >= Operation::less && operation <= Operation::logical_not; }

// Functions whose only operand is a.
constexpr bool is_function(Operation operation) {
  return operation >= Operation::reciprocal && operation <= Operation::arcsine_slope;
}

// The number of a node that is not there: the constant 0. Derivatives vanish without a trace this way.
constexpr int zero = -1;

struct Node {
  Operation operation;
  int a, b, c;  // operands: earlier nodes, or `zero`
  double value;

  friend constexpr bool operator==(const Node& x, const Node& y) {
    return x.operation == y.operation && x.a == y.a && x.b == y.b && x.c == y.c &&
           std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
  }
};

// An array that a constant expression may use, too.
template <class T>
class Scratch {
 public:
  constexpr explicit Scratch(int size) : entries_(new T[size]), size_(size) {}
  constexpr Scratch(int size, T value) : Scratch(size) {
    for (int i = 0; i < size; ++i) entries_[i] = value;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  constexpr ~Scratch() { delete[] entries_; }

  constexpr T& operator[](int i) { return entries_[i]; }
  constexpr const T& operator[](int i) const { return entries_[i]; }
  constexpr int size() const { return size_; }
  constexpr void swap(Scratch& other) {
    T* entries = entries_;
    int size = size_;
    entries_ = other.entries_;
    size_ = other.size_;
    other.entries_ = entries;
    other.size_ = size;
  }

 private:
  T* entries_;
  int size_;
};

class Graph {
 public:
  // The leaves are the first nodes: leaf k is node k. At most `maximum` nodes are made. Beyond it the graph is invalid
  // (`overflowed`) and every new node is `zero`; the caller must then use another kernel.
  constexpr Graph(int leaves, int maximum) : nodes_(1024), table_(2048, zero), maximum_(maximum) {
    for (int k = 0; k < leaves; ++k) make({Operation::leaf, k, zero, zero, 0.0});
  }

  constexpr int size() const { return count_; }
  constexpr bool overflowed() const { return overflowed_; }
  constexpr const Node& operator[](int node) const { return nodes_[node]; }

  constexpr int constant(double value) {
    if (value == 0.0) return zero;
    if (value < 0.0) return make({Operation::negate, constant(-value), zero, zero, 0.0});
    return make({Operation::constant, zero, zero, zero, value});
  }

  constexpr int negate(int a) {
    if (a == zero) return zero;
    if (is(a, Operation::negate)) return nodes_[a].a;
    return make({Operation::negate, a, zero, zero, 0.0});
  }

  constexpr int add(int a, int b) {
    if (a == zero) return b;
    if (b == zero) return a;
    if (is(a, Operation::negate) && is(b, Operation::negate)) return negate(add(nodes_[a].a, nodes_[b].a));
    if (is(a, Operation::negate)) return subtract(b, nodes_[a].a);
    if (is(b, Operation::negate)) return subtract(a, nodes_[b].a);
    if (is(a, Operation::constant) && is(b, Operation::constant) && sum_is_finite(nodes_[a].value, nodes_[b].value))
      return constant(nodes_[a].value + nodes_[b].value);
    if (base(a) == base(b) && sum_is_finite(factor(a), factor(b))) return multiply(constant(factor(a) + factor(b)), base(a));
    return a < b ? make({Operation::add, a, b, zero, 0.0}) : make({Operation::add, b, a, zero, 0.0});
  }

  constexpr int subtract(int a, int b) {
    if (b == zero) return a;
    if (a == zero) return negate(b);
    if (is(a, Operation::negate) && is(b, Operation::negate)) return subtract(nodes_[b].a, nodes_[a].a);
    if (is(a, Operation::negate)) return negate(add(nodes_[a].a, b));
    if (is(b, Operation::negate)) return add(a, nodes_[b].a);
    if (is(a, Operation::constant) && is(b, Operation::constant) && both_finite(nodes_[a].value, nodes_[b].value))
      return constant(nodes_[a].value - nodes_[b].value);
    if (base(a) == base(b) && both_finite(factor(a), factor(b))) return multiply(constant(factor(a) - factor(b)), base(a));
    return a < b ? make({Operation::subtract, a, b, zero, 0.0}) : negate(make({Operation::subtract, b, a, zero, 0.0}));
  }

  constexpr int multiply(int a, int b) {
    if (a == zero || b == zero) return zero;
    if (is(a, Operation::negate)) return negate(multiply(nodes_[a].a, b));
    if (is(b, Operation::negate)) return negate(multiply(a, nodes_[b].a));
    if (is(b, Operation::constant) || (a > b && !is(a, Operation::constant))) return multiply_ordered(b, a);
    return multiply_ordered(a, b);
  }

  constexpr int reciprocal(int a) {
    if (a != zero) {
      if (is(a, Operation::negate)) return negate(reciprocal(nodes_[a].a));
      if (is(a, Operation::constant) && nodes_[a].value >= least && nodes_[a].value <= 1 / least)
        return constant(1.0 / nodes_[a].value);
      if (is(a, Operation::reciprocal)) return nodes_[a].a;
    }
    return make({Operation::reciprocal, a, zero, zero, 0.0});
  }

  constexpr int divide(int a, int b) { return multiply(a, reciprocal(b)); }

  // A function of one argument that has no constructor of its own.
  constexpr int unary(Operation operation, int a) { return make({operation, a, zero, zero, 0.0}); }
  constexpr int binary(Operation operation, int a, int b) { return make({operation, a, b, zero, 0.0}); }

  constexpr int power(int a, double exponent) {
    if (exponent == 0.0) return constant(1.0);
    if (exponent >= -64.0 && exponent <= 64.0 && exponent == double(int(exponent))) return integer_power(a, int(exponent));
    if (exponent == 0.5) return unary(Operation::sqrt, a);
    return make({Operation::power_constant, a, zero, zero, exponent});
  }

  constexpr int direction_cosine(int a, int b) { return a == zero ? zero : binary(Operation::direction_cosine, a, b); }

  constexpr int select(int condition, int a, int b) { return a == b ? a : make({Operation::select, condition, a, b, 0.0}); }

 private:
  constexpr bool is(int node, Operation operation) const { return nodes_[node].operation == operation; }

  // A node is factor(node) x base(node), with a constant factor.
  constexpr bool is_scaled(int node) const { return is(node, Operation::multiply) && is(nodes_[node].a, Operation::constant); }
  constexpr int base(int node) const { return is_scaled(node) ? nodes_[node].b : node; }
  constexpr double factor(int node) const { return is_scaled(node) ? nodes_[nodes_[node].a].value : 1.0; }

  // Whether positive constants may be folded: where the result would leave the range of normal numbers, the operation stays a
  // node. (a constant expression may not overflow, and (1e-200 x)(1e-200 y) is not 0.)
  static constexpr double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::min();
  static constexpr bool both_finite(double a, double b) { return a <= most && b <= most; }
  static constexpr bool sum_is_finite(double a, double b) { return both_finite(a, b) && a <= most - b; }
  static constexpr bool product_is_normal(double a, double b) {
    return both_finite(a, b) && (b <= 1 || a <= most / b) && a * b >= least;
  }

  // A constant operand, if any, is a.
  constexpr int multiply_ordered(int a, int b) {
    if (is(a, Operation::constant)) {
      const double value = nodes_[a].value;
      if (value == 1.0) return b;
      if (is(b, Operation::constant) && product_is_normal(value, nodes_[b].value)) return constant(value * nodes_[b].value);
      if (is_scaled(b) && product_is_normal(value, factor(b))) return multiply(constant(value * factor(b)), base(b));
    } else if ((is_scaled(a) || is_scaled(b)) && product_is_normal(factor(a), factor(b))) {
      return multiply(constant(factor(a) * factor(b)), multiply(base(a), base(b)));
    }
    return make({Operation::multiply, a, b, zero, 0.0});
  }

  constexpr int integer_power(int a, int exponent) {
    if (exponent < 0) return reciprocal(integer_power(a, -exponent));
    int result = constant(1.0), square = a;
    for (int left = exponent; left != 0; left /= 2) {
      if (left % 2 != 0) result = multiply(result, square);
      if (left > 1) square = multiply(square, square);
    }
    return result;
  }

  static constexpr unsigned hash(const Node& node) {
    std::uint64_t h = std::uint64_t(node.operation) + 1;
    h = h * 0x9E3779B97F4A7C15u + std::uint64_t(node.a + 1);
    h = h * 0x9E3779B97F4A7C15u + std::uint64_t(node.b + 1);
    h = h * 0x9E3779B97F4A7C15u + std::uint64_t(node.c + 1);
    h = (h ^ std::bit_cast<std::uint64_t>(node.value)) * 0x9E3779B97F4A7C15u;
    return unsigned(h >> 32);
  }

  // The equal node that there is already, or a new one.
  constexpr int make(const Node& node) {
    int slot = int(hash(node) % unsigned(table_.size()));
    while (table_[slot] != zero) {
      if (nodes_[table_[slot]] == node) return table_[slot];
      slot = slot + 1 == table_.size() ? 0 : slot + 1;
    }
    if (count_ == maximum_) {
      overflowed_ = true;
      return zero;  // a node that is no constant would be scaled by constants again and again
    }
    if (count_ == nodes_.size()) {
      grow();
      return make(node);
    }
    nodes_[count_] = node;
    table_[slot] = count_;
    return count_++;
  }

  constexpr void grow() {
    Scratch<Node> nodes(2 * nodes_.size());
    Scratch<int> table(2 * table_.size(), zero);
    for (int k = 0; k < count_; ++k) {
      nodes[k] = nodes_[k];
      int slot = int(hash(nodes[k]) % unsigned(table.size()));
      while (table[slot] != zero) slot = slot + 1 == table.size() ? 0 : slot + 1;
      table[slot] = k;
    }
    nodes_.swap(nodes);
    table_.swap(table);
  }

  Scratch<Node> nodes_;
  Scratch<int> table_;
  int maximum_;
  int count_ = 0;
  bool overflowed_ = false;
};

}  // namespace holo::graph
