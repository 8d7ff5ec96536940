#pragma once
// A multicomplex number in its Cauchy-Riemann form [Luo2019, Eq 30]: a real matrix of 2^n rows, so that nothing but real
// arithmetic of matrices is done. Products are matrix products, quotients are solutions of linear systems, and a function is
// its power series in the matrix about the real part:
//
//   CR(z1 + i_n z2) = [CR(z1), -CR(z2); CR(z2), CR(z1)]        f(X) = sum_k f^(k)(x) (X - x I)^k / k!,  k <= n
//
// The step is so small that the terms left out vanish beside rounding. Costs 8^n where multicomplex numbers cost 4^n: a
// reference for holo/diff/scalars/multicomplex.h. For matrices with solves: holo/diff/tensor/cauchy_riemann.h.
//
//   using C = CauchyRiemannNumber<2>;
//   f(C::seed(2.0, {1, 1})).derivative();            // f''(2)

#include <utility>

#include "holo/diff/derivative_functions.h"
#include "holo/diff/scalars/complex_step_number.h"

namespace holo {

template <int n>
class CauchyRiemannNumber : public StaysItself<CauchyRiemannNumber<n>> {
  static_assert(n >= 1, "CauchyRiemannNumber needs at least one unit");

 public:
  using Real = double;
  using Full = CauchyRiemannNumber;
  static constexpr bool carries_derivatives = true, has_its_own_quotient = true;
  static constexpr int order = n, size = 1 << n;

  CauchyRiemannNumber() = default;  // zero
  template <class T>
  requires detail::PlainNumber<T, double> CauchyRiemannNumber(const T& real) {  // NOLINT: a real number
    for (int i = 0; i < size; ++i) at(i, i) = double(real);
  }
  // value + step sum_k directions[k] i_(k+1).
  static CauchyRiemannNumber seed(double value, const double (&directions)[n], double step = complex_step) {
    CauchyRiemannNumber x(value);
    for (int row = 0; row < size; ++row)
      for (int k = 0; k < n; ++k) {
        const int unit = 1 << k;  // above the diagonal -z2, below z2
        x.at(row, row ^ unit) = (row & unit ? 1 : -1) * directions[k] * step;
      }
    return x;
  }

  const double& value() const { return entries_[0]; }
  // Along all directions: the last entry of the first column over the step's power.
  double derivative(double step = complex_step) const {
    double result = at(size - 1, 0);
    for (int k = 0; k < n; ++k) result /= step;
    return result;
  }
  CauchyRiemannNumber with_value(double value) const {
    CauchyRiemannNumber result = *this;
    for (int i = 0; i < size; ++i) result.at(i, i) = value;
    return result;
  }
  template <class F>
  CauchyRiemannNumber map(F f) const {
    CauchyRiemannNumber result;
    for (int k = 0; k < size * size; ++k) result.entries_[k] = f(entries_[k]);
    return result;
  }
  template <class F>
  static CauchyRiemannNumber zip(const CauchyRiemannNumber& a, const CauchyRiemannNumber& b, F f) {
    CauchyRiemannNumber result;
    for (int k = 0; k < size * size; ++k) result.entries_[k] = f(a.entries_[k], b.entries_[k]);
    return result;
  }
  // f of this number, from its derivatives d[0 .. n] at the real part.
  CauchyRiemannNumber compose(const double* d) const {
    const CauchyRiemannNumber imaginary = with_value(0.0);
    CauchyRiemannNumber result(d[0]), power(1.0);
    double factorial = 1;
    for (int k = 1; k <= n; ++k) {
      power = power * imaginary;
      factorial *= k;
      const double factor = d[k] / factorial;
      result = zip(result, power, [factor](double sum, double term) { return sum + factor * term; });
    }
    return result;
  }

  friend CauchyRiemannNumber operator+(const CauchyRiemannNumber& a, const CauchyRiemannNumber& b) {
    return zip(a, b, [](double x, double y) { return x + y; });
  }
  friend CauchyRiemannNumber operator-(const CauchyRiemannNumber& a, const CauchyRiemannNumber& b) {
    return zip(a, b, [](double x, double y) { return x - y; });
  }
  friend CauchyRiemannNumber operator*(const CauchyRiemannNumber& a, const CauchyRiemannNumber& b) {
    CauchyRiemannNumber result;
    for (int i = 0; i < size; ++i)
      for (int k = 0; k < size; ++k)
        for (int j = 0; j < size; ++j) result.at(i, j) += a.at(i, k) * b.at(k, j);
    return result;
  }
  friend CauchyRiemannNumber operator/(const CauchyRiemannNumber& a, const CauchyRiemannNumber& b) { return solve(b, a); }

  friend bool isfinite(const CauchyRiemannNumber& a) {
    for (double x : a.entries_)
      if (!(x - x == 0.0)) return false;
    return true;
  }
  friend bool isnan(const CauchyRiemannNumber& a) {
    for (double x : a.entries_)
      if (x != x) return true;
    return false;
  }

 private:
  double& at(int row, int column) { return entries_[row * size + column]; }
  const double& at(int row, int column) const { return entries_[row * size + column]; }

  // X with B X = A, by elimination with row exchanges.
  static CauchyRiemannNumber solve(CauchyRiemannNumber B, CauchyRiemannNumber A) {
    for (int k = 0; k < size; ++k) {
      int pivot = k;
      for (int i = k + 1; i < size; ++i)
        if (abs(B.at(i, k)) > abs(B.at(pivot, k))) pivot = i;
      for (int j = 0; j < size; ++j) {
        std::swap(B.at(k, j), B.at(pivot, j));
        std::swap(A.at(k, j), A.at(pivot, j));
      }
      for (int i = 0; i < size; ++i) {
        if (i == k) continue;
        const double factor = B.at(i, k) / B.at(k, k);
        for (int j = 0; j < size; ++j) {
          B.at(i, j) -= factor * B.at(k, j);
          A.at(i, j) -= factor * A.at(k, j);
        }
      }
    }
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) A.at(i, j) /= B.at(i, i);
    return A;
  }

  double entries_[size * size]{};
};

}  // namespace holo
