#pragma once
// The methods on a function of one number. T is the arithmetic: double or long double.

#include <cmath>

#include "holo/diff/scalars/accelerated_paper.h"
#include "holo/diff/scalars/complex.h"
#include "holo/diff/scalars/derivative_sequences.h"
#include "holo/diff/scalars/multicomplex.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo::comparison {

// [Luo2019] Eq 1, and its iterates.
template <class T, class F>
T forward_difference(const F& f, int order, T x, T h) {
  T sum = 0;
  for (int k = 0; k <= order; ++k) sum += ((order - k) % 2 == 0 ? 1 : -1) * T(detail::binomial(order, k)) * f(x + k * h);
  return sum / std::pow(h, order);
}

// [Luo2019] Eqs 5 and 18. Odd orders step by 2 h.
template <class T, class F>
T central_difference(const F& f, int order, T x, T h) {
  const T spacing = order % 2 == 0 ? h : 2 * h;
  T sum = 0;
  for (int k = 0; k <= order; ++k)
    sum += (k % 2 == 0 ? 1 : -1) * T(detail::binomial(order, k)) * f(x + (T(order) / 2 - k) * spacing);
  return sum / std::pow(spacing, order);
}

// The accelerated multicomplex step of [Luo2019] Eqs 26 to 28, without its terms of order h^2: the step is kept to show that it
// cancels.
template <int order, class F>
double accelerated_step(const F& f, double x, double h) {
  double directions[order];
  for (double& d : directions) d = h;
  return f(Nilpotent<order>::seed(x, directions)).derivative() / std::pow(h, order);
}

// [Luo2019] Eq 7.
template <class F>
double complex_step_derivative(const F& f, double x, double h) {
  return f(Complex<double>(x, h)).imaginary() / h;
}

// [Luo2019] Eqs 10 and 17.
template <class F>
double accelerated_paper_derivative(const F& f, double x, double h) {
  return f(AcceleratedPaper<double>(x, h)).imaginary() / h;
}

// [Luo2019] Eq 26, in full arithmetic.
template <int order, class F>
double multicomplex_step_derivative(const F& f, double x, double h) {
  double directions[order];
  for (double& d : directions) d = 1;
  using Number = Multicomplex<order>;
  return f(Number::seed(x, directions, h)).derivative(Number::coefficient_count - 1, h);
}

// [Luo2019] Eq 19, of second order.
template <class F>
double real_part_difference(const F& f, double x, double h) {
  return 2 * (f(x) - f(Complex<double>(x, h)).value()) / (h * h);
}

// [Luo2019] Eq 21, of second order: Eq 20 at the angles pi/4 and 5 pi/4.
template <class F>
double fourier_differentiation(const F& f, double x, double h) {
  const double part = h * std::sqrt(0.5);
  const auto sum = f(Complex<double>(x + part, part)) + f(Complex<double>(x - part, -part));
  return sum.imaginary() / (h * h);
}

}  // namespace holo::comparison
