#pragma once
// Reverse differentiation of one small function by operator overloading: each operation is recorded on the tape of its
// arguments, and a reverse sweep computes the derivatives by all inputs. The header has no matrices and needs no library, as
// plugins' reference libraries require; large functions use holo/diff/tape/.
//
//   ReverseTape tape;                                  // outlives its numbers
//   ReverseNumber x = tape.variable(2.0), y = tape.variable(3.0);
//   ReverseNumber f = x * x * exp(y);
//   tape.sweep(f);
//   tape.adjoint(x);                                   // df/dx
//
// Second derivatives: Nilpotent<1, ReverseNumber> along a direction, then a sweep from its derivative() gives the Hessian's
// product with that direction.

#include <vector>

#include "holo/diff/derivative_functions.h"

namespace holo {

class ReverseNumber;

// An operation must not combine numbers of two tapes.
class ReverseTape {
 public:
  ReverseTape() = default;
  ReverseTape(const ReverseTape&) = delete;
  ReverseTape& operator=(const ReverseTape&) = delete;

  ReverseNumber variable(double value);
  // Removes all numbers and keeps the memory. Numbers of this tape are invalid afterwards.
  void clear() { nodes_.clear(); }
  // Computes the derivatives of `result` by all numbers of the tape.
  void sweep(const ReverseNumber& result);
  // The derivative of the last sweep's result by x; 0 for a constant and for a number of another tape.
  double adjoint(const ReverseNumber& x) const;

 private:
  friend class ReverseNumber;
  struct Node {
    int parents[2];  // -1: none
    double partials[2];
  };
  int record(const Node& node) {
    nodes_.push_back(node);
    return int(nodes_.size()) - 1;
  }

  std::vector<Node> nodes_;
  std::vector<double> adjoints_;
};

class ReverseNumber : public StaysItself<ReverseNumber> {
 public:
  using Real = double;
  using Full = ReverseNumber;
  static constexpr bool carries_derivatives = true;
  static constexpr int order = 1;

  ReverseNumber() = default;  // zero
  template <class T>
  requires detail::PlainNumber<T, double> ReverseNumber(const T& value)  // NOLINT: a constant is not recorded
      : value_(double(value)) {}

  const double& value() const { return value_; }
  ReverseNumber with_value(double value) const { return {value, node_, tape_}; }

  // f of this number, from f and f' at its value.
  ReverseNumber compose(const double* d) const { return recorded(d[0], *this, d[1], ReverseNumber(), 0); }
  // A linear f.
  template <class F>
  ReverseNumber map(F f) const {
    return recorded(f(value_), *this, f(1.0), ReverseNumber(), 0);
  }
  // An f that is linear in both.
  template <class F>
  static ReverseNumber zip(const ReverseNumber& a, const ReverseNumber& b, F f) {
    return recorded(f(a.value_, b.value_), a, f(1.0, 0.0), b, f(0.0, 1.0));
  }

  friend ReverseNumber operator+(const ReverseNumber& a, const ReverseNumber& b) {
    return recorded(a.value_ + b.value_, a, 1, b, 1);
  }
  friend ReverseNumber operator-(const ReverseNumber& a, const ReverseNumber& b) {
    return recorded(a.value_ - b.value_, a, 1, b, -1);
  }
  friend ReverseNumber operator*(const ReverseNumber& a, const ReverseNumber& b) {
    return recorded(a.value_ * b.value_, a, b.value_, b, a.value_);
  }
  friend ReverseNumber operator/(const ReverseNumber& a, const ReverseNumber& b) {
    const double quotient = a.value_ / b.value_;
    return recorded(quotient, a, 1 / b.value_, b, -quotient / b.value_);
  }
  friend bool isfinite(const ReverseNumber& a) { return std::isfinite(a.value_); }
  friend bool isnan(const ReverseNumber& a) { return std::isnan(a.value_); }

 private:
  friend class ReverseTape;
  ReverseNumber(double value, int node, ReverseTape* tape) : value_(value), node_(node), tape_(tape) {}
  static ReverseNumber recorded(double value, const ReverseNumber& a, double da, const ReverseNumber& b, double db) {
    ReverseTape* tape = a.tape_ != nullptr ? a.tape_ : b.tape_;
    if (tape == nullptr) return value;
    return {value, tape->record({{a.node_, b.node_}, {da, db}}), tape};
  }

  double value_ = 0;
  int node_ = -1;                // on the tape
  ReverseTape* tape_ = nullptr;  // null: a constant
};

inline ReverseNumber ReverseTape::variable(double value) { return {value, record({{-1, -1}, {0, 0}}), this}; }

inline void ReverseTape::sweep(const ReverseNumber& result) {
  adjoints_.assign(nodes_.size(), 0.0);
  if (result.tape_ != this) return;
  adjoints_[std::size_t(result.node_)] = 1;
  for (std::size_t i = std::size_t(result.node_) + 1; i-- > 0;) {
    if (adjoints_[i] == 0) continue;  // the result does not depend on node i, whose slopes may be infinite (0 * inf is NaN)
    for (int k = 0; k < 2; ++k)
      if (const int parent = nodes_[i].parents[k]; parent >= 0)
        adjoints_[std::size_t(parent)] += adjoints_[i] * nodes_[i].partials[k];
  }
}

inline double ReverseTape::adjoint(const ReverseNumber& x) const {
  return x.tape_ != this || std::size_t(x.node_) >= adjoints_.size() ? 0.0 : adjoints_[std::size_t(x.node_)];
}

}  // namespace holo
