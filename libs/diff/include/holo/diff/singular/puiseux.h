#pragma once
// A one-sided Puiseux series: a number with an infinitesimal d > 0,
//
//   y = sum_k c_k d^((lead + k step)/6) + O(d^(end/6)),
//
// in powers of a sixth, which square and cube roots need. A function evaluated at x + d v has the coefficient of d^n times n!
// as its n-th derivative at x along v from that side, whether or not it is differentiable there: sqrt(d^2) is d, log^2(1 -
// sqrt(d)) is d + d^(3/2) + ..., sin(d)/d is 1 - d^2/6 + ... Where nilpotent numbers (holo/diff/scalars/nilpotent.h) meet 0/0
// or an infinite slope, the whole expression is evaluated again in this type (holo/diff/singular/one_sided.h); it is slow, and
// holds no memory of its own.
//
// Comparisons depend on the leading coefficient of the difference, so branches, abs, min and max choose the side of the series.
// state() reports results without a series: a logarithm of d is no power of d, an even root of a negative number is not real.
// Rounding errors are not removed: a coefficient that should cancel to 0 and leaves 1e-17 counts as 1e-17.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <numeric>
#include <type_traits>

#include "holo/diff/scalars/elementary.h"

namespace holo {

// Failed comparisons of this thread since the last reset; they are recorded here because a truth value has no state.
struct PuiseuxEvents {
  bool undecided = false;        // the numbers agree in all known terms: compared as equal
  bool unrepresentable = false;  // one of them is unrepresentable: compared as false
};
inline PuiseuxEvents& puiseux_events() {
  thread_local PuiseuxEvents events;
  return events;
}

class Puiseux {
 public:
  static constexpr int denominator = 6;  // exponents count in sixths
  static constexpr int least_terms = 8, most_terms = 64;

  enum class State {  // an operation on numbers of several states has the last of them in this list
    known,
    unrepresentable,  // no power series: log(d), exp(1/d), d^(1/7)
    undefined,        // not finite along the direction: a division by exactly zero, an overflow
    no_real_value,    // sqrt of a negative number, ...
    more_terms        // the known terms canceled; evaluate again with more terms
  };

  Puiseux() {}  // zero
  template <class T>
  requires(std::is_arithmetic_v<T> && !std::same_as<T, bool>) Puiseux(const T& value) {  // NOLINT: a constant
    set_constant(static_cast<double>(value));
  }
  Puiseux(const Puiseux& other) { *this = other; }
  Puiseux& operator=(const Puiseux& other) {
    lead_ = other.lead_, step_ = other.step_, size_ = other.size_, terms_ = other.terms_, end_ = other.end_;
    state_ = other.state_;
    for (int k = 0; k < size_; ++k) c_[k] = other.c_[k];
    return *this;
  }

  // value + slope d. All results computed from it have at most `terms` terms (least_terms ... most_terms).
  static Puiseux seed(double value, double slope, int terms) {
    Puiseux x;
    x.terms_ = terms;
    x.size_ = 2;
    x.c_[0] = value;
    x.c_[1] = slope;
    x.normalize();
    return x;
  }
  static Puiseux failed(State state) {
    Puiseux x;
    x.state_ = state;
    return x;
  }

  State state() const { return state_; }
  bool is_known() const { return state_ == State::known; }
  bool is_zero() const { return is_known() && size_ == 0 && is_exact(); }
  bool is_exact() const { return end_ == exact; }
  int end() const { return end_; }                       // sixths
  int lead() const { return size_ > 0 ? lead_ : end_; }  // sixths: exponent of the first term, or of the first unknown one
  int size() const { return size_; }                     // known terms, lead() + k step()
  int step() const { return step_; }                     // sixths between terms
  int terms() const { return terms_; }
  double operator[](int k) const { return c_[k]; }
  // The coefficient of d^(exponent/6); exponent < end().
  double coefficient(int exponent) const {
    const int k = exponent - lead_;
    return size_ > 0 && k >= 0 && k % step_ == 0 && k / step_ < size_ ? c_[k / step_] : 0.0;
  }

  friend Puiseux operator+(const Puiseux& a) { return a; }
  friend Puiseux operator-(const Puiseux& a) {
    Puiseux result = a;
    for (int k = 0; k < result.size_; ++k) result.c_[k] = -result.c_[k];
    return result;
  }
  friend Puiseux operator+(const Puiseux& a, const Puiseux& b) { return a.plus(b, 1.0); }
  friend Puiseux operator-(const Puiseux& a, const Puiseux& b) { return a.plus(b, -1.0); }
  friend Puiseux operator*(const Puiseux& a, const Puiseux& b) { return a.times(b); }
  friend Puiseux operator/(const Puiseux& a, const Puiseux& b) { return a.over(b); }
  template <class T>
  Puiseux& operator+=(const T& b) {
    return *this = *this + b;
  }
  template <class T>
  Puiseux& operator-=(const T& b) {
    return *this = *this - b;
  }
  template <class T>
  Puiseux& operator*=(const T& b) {
    return *this = *this * b;
  }
  template <class T>
  Puiseux& operator/=(const T& b) {
    return *this = *this / b;
  }

  friend bool operator<(const Puiseux& a, const Puiseux& b) { return compare(a, b) == -1; }
  friend bool operator>(const Puiseux& a, const Puiseux& b) { return compare(a, b) == 1; }
  friend bool operator==(const Puiseux& a, const Puiseux& b) { return compare(a, b) == 0; }
  friend bool operator!=(const Puiseux& a, const Puiseux& b) { return compare(a, b) != 0; }
  friend bool operator<=(const Puiseux& a, const Puiseux& b) {
    const int order = compare(a, b);
    return order == -1 || order == 0;
  }
  friend bool operator>=(const Puiseux& a, const Puiseux& b) {
    const int order = compare(a, b);
    return order == 1 || order == 0;
  }

  // -1, 0 or 1, the sign of a - b for every small d; incomparable if a or b is not known.
  static constexpr int incomparable = 2;
  static int compare(const Puiseux& a, const Puiseux& b) { return (a - b).sign_of_lead(); }
  int sign_of_lead() const {
    if (!is_known()) {
      puiseux_events().undecided |= state_ == State::more_terms;
      puiseux_events().unrepresentable |= state_ == State::unrepresentable;
      return incomparable;
    }
    if (size_ > 0) return c_[0] > 0 ? 1 : -1;
    puiseux_events().undecided |= !is_exact();
    return 0;
  }

  // This series with another constant part, for one without negative exponents. A function's value is more accurate than the
  // constant of the sum by which its series is computed.
  Puiseux with_constant(double value) const;

  // The operator theta = d d/dd, in sixths: each term is multiplied by its exponent.
  Puiseux theta() const {
    Puiseux result = *this;
    for (int k = 0; k < size_; ++k) result.c_[k] *= lead_ + k * step_;
    result.normalize();
    return result;
  }
  // The inverse of theta, without a constant. The inverse of a term d^0 is a logarithm, which is unrepresentable.
  Puiseux theta_inverse() const {
    if (!is_known()) return *this;
    if (end_ <= 0) return failed(State::more_terms);
    if (coefficient(0) != 0) return failed(State::unrepresentable);
    Puiseux result = *this;
    for (int k = 0; k < size_; ++k)
      if (result.c_[k] != 0) result.c_[k] /= lead_ + k * step_;
    result.normalize();
    return result;
  }

  // this^power, with value(c) = c^power for c > 0. The power of -c is negative_root value(c): 1 or -1 for odd roots, 0 if it is
  // not real.
  template <class Value>
  Puiseux power(double power, int negative_root, Value value) const;

  // The terms with the exponents k step, k = 0 ... size - 1, of a series without negative exponents, for recurrences.
  struct Regular {
    State state = State::known;
    int step = denominator, size = 0, end = exact, terms = least_terms;
    double c[most_terms];
    Puiseux series(const double* coefficients) const {
      Puiseux result;
      result.step_ = step, result.size_ = size, result.end_ = end, result.terms_ = terms;
      for (int k = 0; k < size; ++k) result.c_[k] = coefficients[k];
      result.normalize();
      return result;
    }
  };
  Regular regular() const;

 private:
  static constexpr int exact = std::numeric_limits<int>::max() / 8;  // no unknown terms
  static constexpr int largest_exponent = 1 << 20;

  void set_constant(double value) {
    size_ = value != 0;
    c_[0] = value;
    if (!(value - value == 0)) state_ = std::isnan(value) ? State::no_real_value : State::undefined;
  }
  void normalize();
  // A result of the operands' number of terms; returns whether both are known.
  bool prepare(const Puiseux& a, const Puiseux& b) {
    state_ = std::max(a.state_, b.state_);
    terms_ = a.terms_ > b.terms_ ? a.terms_ : b.terms_;
    return is_known();
  }
  // Room for the terms from lead to last (an exponent), as far as they are known and wanted.
  void make_room(int lead, int last) {
    lead_ = lead;
    const int before_end = end_ == exact ? last + 1 : end_;
    const int count = last < lead ? 0 : (last - lead) / step_ + 1;
    size_ = count;
    if (size_ > (before_end - lead + step_ - 1) / step_) size_ = (before_end - lead + step_ - 1) / step_;
    if (size_ < 0) size_ = 0;
    if (size_ > terms_) {
      size_ = terms_;
      end_ = std::min(end_, lead + terms_ * step_);
    }
    for (int k = 0; k < size_; ++k) c_[k] = 0;
  }
  Puiseux plus(const Puiseux& b, double sign) const;
  Puiseux times(const Puiseux& b) const;
  Puiseux over(const Puiseux& b) const;

  int lead_ = 0, step_ = denominator, size_ = 0, terms_ = least_terms, end_ = exact;
  State state_ = State::known;
  double c_[most_terms];  // NOLINT: only `size_` of them are read
};

}  // namespace holo

#include "holo/diff/singular/puiseux_arithmetic.h"
#include "holo/diff/singular/puiseux_functions.h"
