#pragma once
// The scalar that records its operations: a function template that is called with it leaves its graph of operations.

#include <concepts>
#include <type_traits>

#include "holo/diff/graph/graph.h"
#include "holo/diff/scalars/elementary.h"

namespace holo::graph {

// The truth value of a comparison. It is known while recording only if both sides are constants.
class Condition {
 public:
  constexpr Condition(bool value) : value_(value) {}  // NOLINT: constants mix with conditions
  constexpr Condition(Graph* graph, int node) : graph_(graph), node_(node) {}

  template <class Bool>
  requires std::same_as<Bool, bool>
  constexpr explicit operator Bool() const {
    static_assert(
        !std::same_as<Bool, bool>,
        "A condition on a scalar differs from element to element: write select(condition, a, b) instead of if, while or ?:.");
    return false;
  }

  constexpr bool is_constant() const { return graph_ == nullptr; }
  constexpr bool value() const { return value_; }
  constexpr Graph* graph() const { return graph_; }
  constexpr int node() const { return node_; }

  friend constexpr Condition operator!(const Condition& a) {
    if (a.is_constant()) return !a.value_;
    return {a.graph_, a.graph_->unary(Operation::logical_not, a.node_)};
  }
  friend constexpr Condition operator&(const Condition& a, const Condition& b) {
    if (a.is_constant()) return a.value_ ? b : a;
    if (b.is_constant()) return b.value_ ? a : b;
    return {a.graph_, a.graph_->binary(Operation::logical_and, a.node_, b.node_)};
  }
  // Both sides are evaluated, as everywhere in a graph.
  friend constexpr Condition operator&&(const Condition& a, const Condition& b) { return a & b; }
  friend constexpr Condition operator||(const Condition& a, const Condition& b) { return a | b; }
  friend constexpr Condition operator|(const Condition& a, const Condition& b) {
    if (a.is_constant()) return a.value_ ? a : b;
    if (b.is_constant()) return b.value_ ? b : a;
    return {a.graph_, a.graph_->binary(Operation::logical_or, a.node_, b.node_)};
  }

 private:
  Graph* graph_ = nullptr;
  int node_ = zero;
  bool value_ = false;
};

// A node of a graph, or a constant that belongs to none.
class Recorded {
 public:
  constexpr Recorded() = default;
  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr Recorded(T value) : value_(double(value)) {}  // NOLINT: constants mix with scalars
  constexpr Recorded(Graph* graph, int node) : graph_(graph), node_(node) {}

  constexpr bool is_constant() const { return graph_ == nullptr; }
  constexpr double value() const { return value_; }
  constexpr Graph* graph() const { return graph_; }
  constexpr int node_in(Graph& graph) const { return is_constant() ? graph.constant(value_) : node_; }

  friend constexpr Recorded operator+(const Recorded& a) { return a; }
  friend constexpr Recorded operator-(const Recorded& a) {
    return a.is_constant() ? Recorded(-a.value_) : Recorded(a.graph_, a.graph_->negate(a.node_));
  }
  friend constexpr Recorded operator+(const Recorded& a, const Recorded& b) {
    if (a.is_constant() && b.is_constant()) return a.value_ + b.value_;
    Graph* g = shared(a, b);
    return {g, g->add(a.node_in(*g), b.node_in(*g))};
  }
  friend constexpr Recorded operator-(const Recorded& a, const Recorded& b) {
    if (a.is_constant() && b.is_constant()) return a.value_ - b.value_;
    Graph* g = shared(a, b);
    return {g, g->subtract(a.node_in(*g), b.node_in(*g))};
  }
  friend constexpr Recorded operator*(const Recorded& a, const Recorded& b) {
    if (a.is_constant() && b.is_constant()) return a.value_ * b.value_;
    Graph* g = shared(a, b);
    return {g, g->multiply(a.node_in(*g), b.node_in(*g))};
  }
  friend constexpr Recorded operator/(const Recorded& a, const Recorded& b) {
    if (a.is_constant() && b.is_constant()) return a.value_ / b.value_;
    Graph* g = shared(a, b);
    return {g, g->divide(a.node_in(*g), b.node_in(*g))};
  }
  constexpr Recorded& operator+=(const Recorded& b) { return *this = *this + b; }
  constexpr Recorded& operator-=(const Recorded& b) { return *this = *this - b; }
  constexpr Recorded& operator*=(const Recorded& b) { return *this = *this * b; }
  constexpr Recorded& operator/=(const Recorded& b) { return *this = *this / b; }

  friend constexpr Condition operator<(const Recorded& a, const Recorded& b) {
    return a.is_constant() && b.is_constant() ? Condition(a.value_ < b.value_) : compare(Operation::less, a, b);
  }
  friend constexpr Condition operator<=(const Recorded& a, const Recorded& b) {
    return a.is_constant() && b.is_constant() ? Condition(a.value_ <= b.value_) : compare(Operation::less_equal, a, b);
  }
  friend constexpr Condition operator==(const Recorded& a, const Recorded& b) {
    return a.is_constant() && b.is_constant() ? Condition(a.value_ == b.value_) : compare(Operation::equal, a, b);
  }
  friend constexpr Condition operator>(const Recorded& a, const Recorded& b) { return b < a; }
  friend constexpr Condition operator>=(const Recorded& a, const Recorded& b) { return b <= a; }
  friend constexpr Condition operator!=(const Recorded& a, const Recorded& b) { return !(a == b); }

  friend constexpr Recorded select(const Condition& condition, const Recorded& a, const Recorded& b) {
    if (condition.is_constant()) return condition.value() ? a : b;
    Graph* g = condition.graph();
    return {g, g->select(condition.node(), a.node_in(*g), b.node_in(*g))};
  }
  // A tie takes the first argument; a NaN is kept, whichever argument it is.
  friend constexpr Recorded min(const Recorded& a, const Recorded& b) {
    if (a.is_constant() && b.is_constant()) return b.value_ < a.value_ || b.value_ != b.value_ ? b : a;
    return binary(Operation::minimum, a, b);
  }
  friend constexpr Recorded max(const Recorded& a, const Recorded& b) {
    if (a.is_constant() && b.is_constant()) return a.value_ < b.value_ || b.value_ != b.value_ ? b : a;
    return binary(Operation::maximum, a, b);
  }
  friend constexpr Recorded abs(const Recorded& a) { return select(a < Recorded(0.0), -a, a); }

  friend constexpr Recorded pow(const Recorded& a, double exponent) {
    return a.is_constant() ? Recorded(std::pow(a.value_, exponent)) : Recorded(a.graph_, a.graph_->power(a.node_, exponent));
  }
  friend constexpr Recorded pow(const Recorded& a, int exponent) { return pow(a, double(exponent)); }
  friend constexpr Recorded pow(const Recorded& a, const Recorded& b) {
    if (b.is_constant()) return pow(a, b.value_);
    return {b.graph_, b.graph_->binary(Operation::power, a.node_in(*b.graph_), b.node_)};
  }
  friend constexpr Recorded atan2(const Recorded& y, const Recorded& x) {
    if (y.is_constant() && x.is_constant()) return std::atan2(y.value_, x.value_);
    return binary(Operation::atan2, y, x);
  }
  friend constexpr Recorded hypot(const Recorded& x, const Recorded& y) {
    if (x.is_constant() && y.is_constant()) return std::hypot(x.value_, y.value_);
    return binary(Operation::hypot, x, y);
  }

#define HOLO_RECORDED_FUNCTION(name, ...)                                                                                   \
  friend constexpr Recorded name(const Recorded& a) {                                                                       \
    return a.is_constant() ? Recorded(std::name(a.value_)) : Recorded(a.graph_, a.graph_->unary(Operation::name, a.node_)); \
  }
  HOLO_UNARY_FUNCTIONS(HOLO_RECORDED_FUNCTION)
#undef HOLO_RECORDED_FUNCTION

 private:
  static constexpr Graph* shared(const Recorded& a, const Recorded& b) { return a.is_constant() ? b.graph_ : a.graph_; }
  static constexpr Recorded binary(Operation operation, const Recorded& a, const Recorded& b) {
    Graph* g = shared(a, b);
    return {g, g->binary(operation, a.node_in(*g), b.node_in(*g))};
  }
  static constexpr Condition compare(Operation operation, const Recorded& a, const Recorded& b) {
    Graph* g = shared(a, b);
    return {g, g->binary(operation, a.node_in(*g), b.node_in(*g))};
  }

  Graph* graph_ = nullptr;
  int node_ = zero;
  double value_ = 0.0;
};

}  // namespace holo::graph
