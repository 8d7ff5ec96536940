#pragma once
// The drivers with the full multicomplex step of [Luo2019] at singular points, instead of one-sided series:
//
//   auto g = gradient(f, x, FullStep());    // include holo/diff/drivers.h too
//
// As published, the whole expression is evaluated again in full multicomplex arithmetic with a step of 2^-133. It returns a
// finite number nearly always, and a wrong one at many singular points (the sign of f'' of sqrt(sin^4 x) at 0, say): the status
// is `uncertified`.

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "holo/diff/derivative_status.h"
#include "holo/diff/driver_sweeps.h"
#include "holo/diff/scalars/multicomplex.h"

namespace holo {

struct FullStep : DerivativeOptions {};

// The value and the derivatives of a full multicomplex step, with entries as in SingularPoint.
struct FullStepPoint {
  double value = 0;
  std::vector<double> entries;
};

template <class F, class Point>
class FullStepDerivatives {
 public:
  FullStepDerivatives(F& f, const Point& x) : f_(f), x_(x) {}

  FullStepPoint gradient() {
    FullStepPoint result;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const auto y = along<1>({unit(i)});
      result.value = y.value();
      result.entries.push_back(y.derivative());
    }
    return result;
  }
  FullStepPoint hessian() {
    FullStepPoint result = gradient();
    for (std::size_t i = 0; i < x_.size(); ++i)
      for (std::size_t j = 0; j < x_.size(); ++j) result.entries.push_back(along<2>({unit(i), unit(j)}).derivative());
    return result;
  }
  FullStepPoint hessian_vector_product(std::span<const double> v) {
    FullStepPoint result = gradient();
    for (std::size_t i = 0; i < x_.size(); ++i) result.entries.push_back(along<2>({vector(v), unit(i)}).derivative());
    return result;
  }
  FullStepPoint third_order_contraction(std::span<const double> u, std::span<const double> v) {
    FullStepPoint result = gradient();
    for (std::size_t i = 0; i < x_.size(); ++i)
      result.entries.push_back(along<3>({vector(u), vector(v), unit(i)}).derivative());
    return result;
  }
  template <std::size_t order>
  FullStepPoint directional(const std::array<std::span<const double>, order>& v) {
    std::array<Vector, order> directions;
    for (std::size_t k = 0; k < order; ++k) directions[k] = vector(v[k]);
    const auto y = along<int(order)>(directions);
    FullStepPoint result{y.value(), {}};
    for (int mask = 1; mask < 1 << order; ++mask) result.entries.push_back(y.derivative(mask));
    return result;
  }

 private:
  using Vector = std::vector<double>;

  static Vector vector(std::span<const double> v) { return Vector(v.begin(), v.end()); }
  Vector unit(std::size_t i) const {
    Vector v(x_.size(), 0.0);
    v[i] = 1;
    return v;
  }
  template <int n>
  Multicomplex<n> along(const std::array<Vector, n>& v) {
    using S = Multicomplex<n>;
    detail::Arguments<S, Point> arguments(x_);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      double seeds[n];
      for (int k = 0; k < n; ++k) seeds[k] = v[k][i];
      arguments.entries[i] = S::seed(x_[i], seeds);
    }
    return detail::call<S>(f_, arguments);
  }

  F& f_;
  const Point& x_;
};

// Found by the drivers through the type of the options.
template <class F, class Point, class Result, class Evaluate>
void full_step(const FullStep&, F& f, const Point& x, Result& result, std::span<double> first, std::span<double> second,
               Evaluate evaluate) {
  FullStepDerivatives<F, Point> derivatives(f, x);
  const FullStepPoint point = evaluate(derivatives);
  result.status = {DerivativeStatus::Kind::singular_resolved};
  if (std::isnan(result.value)) result.value = point.value;
  if (std::isnan(result.value)) result.status = {DerivativeStatus::Kind::not_finite};
  for (std::size_t k = 0; k < point.entries.size(); ++k) {
    (k < first.size() ? first[k] : second[k - first.size()]) = point.entries[k];
    if (!std::isfinite(point.entries[k]) && result.status.usable())
      result.status = {DerivativeStatus::Kind::not_finite, static_cast<std::ptrdiff_t>(k)};
  }
  result.status.uncertified = true;
}

}  // namespace holo
