#pragma once
// The arithmetic of Puiseux series. Included by holo/diff/singular/puiseux.h.

#include "holo/diff/singular/puiseux.h"

namespace holo {

// Drops what is zero, and widens the step where every other term is: the same number in fewer terms.
inline void Puiseux::normalize() {
  if (!is_known()) return;
  for (int k = 0; k < size_; ++k)
    if (!(c_[k] - c_[k] == 0)) {
      state_ = State::undefined;
      return;
    }
  int first = 0, divisor = 0;
  while (first < size_ && c_[first] == 0) ++first;
  while (size_ > first && c_[size_ - 1] == 0) --size_;
  size_ -= first;
  lead_ += first * step_;
  if (size_ <= 0) {
    size_ = 0, lead_ = 0, step_ = denominator;
    return;
  }
  for (int k = 1; k < size_; ++k)
    if (c_[first + k] != 0) divisor = std::gcd(divisor, k);
  divisor = std::gcd(divisor, denominator / step_);
  const int stride = size_ == 1 ? 1 : divisor;
  step_ = size_ == 1 ? denominator : step_ * divisor;
  size_ = (size_ - 1) / stride + 1;
  if (first > 0 || stride > 1)
    for (int k = 0; k < size_; ++k) c_[k] = c_[first + k * stride];
  if (lead_ > largest_exponent || lead_ < -largest_exponent) state_ = State::unrepresentable;
}

inline Puiseux Puiseux::plus(const Puiseux& b, double sign) const {
  Puiseux result;
  if (!result.prepare(*this, b)) return result;
  result.end_ = std::min(end_, b.end_);
  if (size_ == 0 && b.size_ == 0) return result;
  const int lead_a = size_ > 0 ? lead_ : b.lead_, lead_b = b.size_ > 0 ? b.lead_ : lead_;
  result.step_ = std::gcd(std::gcd(step_, b.step_), lead_a - lead_b);
  const int last_a = lead_a + (size_ - 1) * step_, last_b = lead_b + (b.size_ - 1) * b.step_;
  result.make_room(std::min(lead_a, lead_b), std::max(last_a, last_b));
  const auto add = [&result](const Puiseux& x, double factor) {
    for (int k = 0; k < x.size_; ++k) {
      const int place = (x.lead_ + k * x.step_ - result.lead_) / result.step_;
      if (place < result.size_) result.c_[place] += factor * x.c_[k];
    }
  };
  add(*this, 1.0);
  add(b, sign);
  result.normalize();
  return result;
}

inline Puiseux Puiseux::times(const Puiseux& b) const {
  Puiseux result;
  if (!result.prepare(*this, b) || is_zero() || b.is_zero()) return result;
  if (!is_exact() || !b.is_exact()) {
    const int end_a = is_exact() ? exact : end_ + b.lead(), end_b = b.is_exact() ? exact : b.end_ + lead();
    result.end_ = std::min(end_a, end_b);
  }
  if (size_ == 0 || b.size_ == 0) return result;
  result.step_ = std::gcd(step_, b.step_);
  result.make_room(lead_ + b.lead_, lead_ + (size_ - 1) * step_ + b.lead_ + (b.size_ - 1) * b.step_);
  const int stride_a = step_ / result.step_, stride_b = b.step_ / result.step_;
  for (int i = 0; i < size_ && i * stride_a < result.size_; ++i)
    for (int j = 0; j < b.size_ && i * stride_a + j * stride_b < result.size_; ++j)
      result.c_[i * stride_a + j * stride_b] += c_[i] * b.c_[j];
  result.normalize();
  return result;
}

inline Puiseux Puiseux::over(const Puiseux& b) const {
  Puiseux result;
  if (!result.prepare(*this, b)) return result;
  if (b.size_ == 0) {
    result.state_ = b.is_exact() ? State::undefined : State::more_terms;
    return result;
  }
  if (is_zero()) return result;
  if (!is_exact()) result.end_ = end_ - b.lead_;
  if (!b.is_exact()) result.end_ = std::min(result.end_, b.end_ + lead() - 2 * b.lead_);
  if (size_ == 0) return result;
  result.step_ = b.size_ > 1 ? std::gcd(step_, b.step_) : step_;
  const int last = lead_ + (size_ - 1) * step_ - b.lead_;  // of a polynomial over a single term
  result.make_room(lead_ - b.lead_, b.size_ > 1 ? lead_ - b.lead_ + most_terms * denominator : last);
  const int stride_a = step_ / result.step_, stride_b = b.step_ / result.step_;
  for (int k = 0; k < result.size_; ++k) {
    double sum = k % stride_a == 0 && k / stride_a < size_ ? c_[k / stride_a] : 0.0;
    for (int j = 1; j < b.size_ && j * stride_b <= k; ++j) sum -= b.c_[j] * result.c_[k - j * stride_b];
    result.c_[k] = sum / b.c_[0];
  }
  result.normalize();
  return result;
}

// (c_0 d^lead (1 + u))^p = c_0^p d^(p lead) (1 + u)^p, the last by Miller's recurrence.
template <class Value>
Puiseux Puiseux::power(double p, int negative_root, Value value) const {
  Puiseux result;
  if (!result.prepare(*this, *this)) return result;
  if (size_ == 0) {
    if (p < 0) return failed(is_exact() ? State::undefined : State::more_terms);
    if (!is_exact()) result.end_ = static_cast<int>(std::floor(end_ * p));
    return result;
  }
  if (c_[0] < 0 && negative_root == 0) return failed(State::no_real_value);
  const double exponent = lead_ * p, rounded = std::round(exponent);
  if (!(std::abs(exponent - rounded) <= 1e-9) || std::abs(rounded) > largest_exponent) return failed(State::unrepresentable);
  result.step_ = step_;
  const int lead = static_cast<int>(rounded);
  if (!is_exact()) result.end_ = end_ - lead_ + lead;
  result.make_room(lead, size_ > 1 ? lead + most_terms * denominator : lead);
  if (result.size_ == 0) return result;
  const double root = value(std::abs(c_[0]));
  result.c_[0] = c_[0] < 0 ? negative_root * root : root;
  for (int k = 1; k < result.size_; ++k) {
    double sum = 0;
    for (int j = 1; j <= k && j < size_; ++j) sum += (p * j - (k - j)) * (c_[j] / c_[0]) * result.c_[k - j];
    result.c_[k] = sum / k;
  }
  result.normalize();
  return result;
}

inline Puiseux::Regular Puiseux::regular() const {
  Regular result;
  result.state = state_;
  result.terms = terms_;
  if (!is_known()) return result;
  result.end = end_;
  if (size_ > 0 && lead_ < 0) {
    result.state = State::unrepresentable;
  } else if (end_ <= 0) {
    result.state = State::more_terms;
  } else if (is_exact() && (size_ == 0 || (size_ == 1 && lead_ == 0))) {  // a constant
    result.size = 1;
    result.c[0] = coefficient(0);
  } else {
    result.step = size_ > 0 ? std::gcd(step_, lead_) : denominator;
    result.size = terms_;
    if (!is_exact()) result.size = std::min(terms_, (end_ + result.step - 1) / result.step);
    result.end = std::min(end_, result.size * result.step);
    for (int k = 0; k < result.size; ++k) result.c[k] = coefficient(k * result.step);
  }
  return result;
}

inline Puiseux Puiseux::with_constant(double value) const {
  Regular u = regular();
  if (u.state != State::known) return failed(u.state);
  u.c[0] = value;
  return u.series(u.c);
}

}  // namespace holo
