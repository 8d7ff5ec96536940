#pragma once
// Derivatives of a user's function of several numbers, to machine precision:
//
//   auto rosenbrock = [](const auto& x) {               // written once, for any scalar
//     auto a = 1.0 - x[0], b = x[1] - x[0] * x[0];
//     return a * a + 100.0 * b * b;
//   };
//   auto g = gradient(rosenbrock, std::array{1.5, 0.7});    // g.value, g.gradient
//   auto h = hessian(rosenbrock, std::vector{1.5, 0.7});    // h.value, h.gradient, h.hessian
//   auto d = directional(rosenbrock, x, v);                 // f and D f [v]
//   auto e = directional(rosenbrock, x, v, w);              // and D2 f [v, w]
//   auto p = hessian_vector_product(rosenbrock, x, v);      // p.product = H v
//   auto t = third_order_contraction(rosenbrock, x, u, v);  // t.contraction = D3 f [u, v, .]
//   if (!g.status.ok()) throw Error(Failure::internal, to_string(g.status, 2));
//
// If the point is a std::array, the function is called with a std::array<S, n>, and nothing is allocated; else with a
// std::span<const S>. Several directions run at once in the lanes of a register, with a scalar S that has one real part:
// comparisons and `if` work in the function, and its elementary functions are computed once for all of these directions.
//
// If a derivative is infinite or NaN, or the function chose a side at a tie (abs at 0, max of equal numbers, `if` at equality),
// the function is evaluated again in one-sided series (holo/diff/singular/one_sided.h). The status states the outcome: the
// derivatives exist nevertheless (sqrt(x^2 x^2) at 0), exist on one side, differ from side to side (sqrt(x^2)), or are infinite
// (sqrt(x)). DerivativeOptions selects the result; `singular` has both sides. A function that cannot be evaluated in that
// scalar, holo/diff/singular/puiseux.h, is passed as `without_one_sided(f)`.
//
// A derivative that is not finite is reported by the status, and by an exception, Error(input), only for
// NondifferentiableChoice::throw_error. Error(input) is also thrown for an empty point, for a point or direction that is not
// finite, and for a direction with another number of entries than the point.

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "holo/diff/derivative_status.h"
#include "holo/diff/driver_sweeps.h"
#include "holo/diff/singular/one_sided.h"

namespace holo {

// Vectors and matrices of a result are std::arrays where the point is one, else std::vectors.
template <class Vector>
struct GradientResult {
  static constexpr DerivativeEntries entries = DerivativeEntries::by_coordinates;
  double value = 0;
  Vector gradient{};  // [n]
  DerivativeStatus status;
  std::shared_ptr<const SingularPoint> singular;  // both sides, where one-sided series were needed; else null
};
template <class Vector, class Matrix>
struct HessianResult {
  static constexpr DerivativeEntries entries = DerivativeEntries::by_coordinates;
  double value = 0;
  Vector gradient{};  // [n]
  Matrix hessian{};   // [n][n] by rows, symmetric
  DerivativeStatus status;
  std::shared_ptr<const SingularPoint> singular;  // both sides, where one-sided series were needed; else null
};
template <int order>
struct DirectionalResult {
  static constexpr DerivativeEntries entries = DerivativeEntries::by_directions;
  double value = 0;
  double derivative = 0;  // along all directions
  // D^|S| f [v_k, k in S] at the mask S: [0] the value, [1] D f[v1], [2] D f[v2], [3] D2 f[v1, v2], [4] D f[v3] ...
  std::array<double, (1 << order)> coefficients{};
  DerivativeStatus status;
  std::shared_ptr<const SingularPoint> singular;  // both sides, where one-sided series were needed; else null
};

template <class Vector>
struct HessianVectorResult {
  static constexpr DerivativeEntries entries = DerivativeEntries::contracted;
  double value = 0;
  Vector gradient{};  // [n]
  Vector product{};   // [n] H v
  DerivativeStatus status;
  std::shared_ptr<const SingularPoint> singular;
};
template <class Vector>
struct ThirdOrderResult {
  static constexpr DerivativeEntries entries = DerivativeEntries::contracted;
  double value = 0;
  Vector gradient{};     // [n]
  Vector contraction{};  // [n] D3 f[u, v, e_i]
  DerivativeStatus status;
  std::shared_ptr<const SingularPoint> singular;
};

// The function f, never evaluated in one-sided series: for functions of some scalars only.
template <class F>
struct WithoutOneSided {
  static constexpr bool one_sided = false;
  F f;
  template <class X>
  decltype(auto) operator()(const X& x) const {
    return f(x);
  }
};
template <class F>
WithoutOneSided<F> without_one_sided(F f) {
  return {std::move(f)};
}

// Value and gradient.
template <class F, class Point, std::derived_from<DerivativeOptions> Options = DerivativeOptions>
auto gradient(F&& f, const Point& x, const Options& options = {}) {
  detail::check_point(x);
  const KinkCounters before = kink_counters();
  GradientResult<typename detail::PointTraits<Point>::Vector> result;
  detail::set_size(result.gradient, x.size());
  result.value = detail::fill_gradient(f, x, result.gradient);
  result.status = detail::judge(result.value, result.gradient, {}, before);
  detail::resolve_singular(f, x, options, result, result.gradient, {}, [](auto& sides) { return sides.gradient(); });
  return result;
}

// Value, gradient and Hessian, all exact; the Hessian costs about n^2 / (2 W) evaluations in W lanes.
template <class F, class Point, std::derived_from<DerivativeOptions> Options = DerivativeOptions>
auto hessian(F&& f, const Point& x, const Options& options = {}) {
  detail::check_point(x);
  const KinkCounters before = kink_counters();
  using Traits = detail::PointTraits<Point>;
  HessianResult<typename Traits::Vector, typename Traits::Matrix> result;
  detail::set_size(result.gradient, x.size());
  detail::set_size(result.hessian, x.size() * x.size());
  result.value = detail::fill_hessian(f, x, result.gradient, result.hessian);
  result.status = detail::judge(result.value, result.gradient, result.hessian, before);
  detail::resolve_singular(f, x, options, result, result.gradient, result.hessian, [](auto& sides) { return sides.hessian(); });
  return result;
}

// Value, gradient and the Hessian times v, at the cost of about n / W evaluations in W lanes.
template <class F, class Point, class Direction, std::derived_from<DerivativeOptions> Options = DerivativeOptions>
auto hessian_vector_product(F&& f, const Point& x, const Direction& v, const Options& options = {}) {
  detail::check_point(x);
  detail::check_direction(x, v, 1);
  const KinkCounters before = kink_counters();
  HessianVectorResult<typename detail::PointTraits<Point>::Vector> result;
  detail::set_size(result.gradient, x.size());
  detail::set_size(result.product, x.size());
  using S = Nilpotent<2, double, LaneBlock>;
  result.value = detail::fill_contraction<S>(f, x, result.gradient, result.product, v);
  result.status = detail::judge(result.value, result.gradient, result.product, before);
  detail::resolve_singular(f, x, options, result, result.gradient, result.product,
                           [&v](auto& sides) { return sides.hessian_vector_product(v); });
  return result;
}

// Value, gradient and the third derivative along u and v, D3 f[u, v, e_i].
template <class F, class Point, class Direction1, class Direction2,
          std::derived_from<DerivativeOptions> Options = DerivativeOptions>
auto third_order_contraction(F&& f, const Point& x, const Direction1& u, const Direction2& v, const Options& options = {}) {
  detail::check_point(x);
  detail::check_direction(x, u, 1);
  detail::check_direction(x, v, 2);
  const KinkCounters before = kink_counters();
  ThirdOrderResult<typename detail::PointTraits<Point>::Vector> result;
  detail::set_size(result.gradient, x.size());
  detail::set_size(result.contraction, x.size());
  using S = Nilpotent<3, double, LaneBlock>;
  result.value = detail::fill_contraction<S>(f, x, result.gradient, result.contraction, u, v);
  result.status = detail::judge(result.value, result.gradient, result.contraction, before);
  detail::resolve_singular(f, x, options, result, result.gradient, result.contraction,
                           [&](auto& sides) { return sides.third_order_contraction(u, v); });
  return result;
}

// The derivative along all of the directions v1, v2, v3 (one to three of them, as long as x), and all lower ones.
template <std::derived_from<DerivativeOptions> Options = DerivativeOptions, class F, class Point, class... Direction>
auto directional(F&& f, const Point& x, const Options& options, const Direction&... v) {
  constexpr int order = sizeof...(Direction);
  static_assert(order >= 1 && order <= 3,
                "directional() takes one, two or three directions; for higher orders evaluate the function in Nilpotent<n>");
  constexpr int units = order >= 1 && order <= 3 ? order : 1;
  using S = Nilpotent<units>;
  detail::check_point(x);
  const std::array<std::span<const double>, units> directions{std::span<const double>(v)...};
  for (int k = 0; k < units; ++k) detail::check_direction(x, directions[k], k + 1);
  const KinkCounters before = kink_counters();
  detail::Arguments<S, Point> arguments(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    double seeds[units];
    for (int k = 0; k < units; ++k) seeds[k] = directions[k][i];
    arguments.entries[i] = S::seed(x[i], seeds);
  }
  const S y = detail::call<S>(f, arguments);
  DirectionalResult<units> result;
  [&]<int... mask>(std::integer_sequence<int, mask...>) { ((result.coefficients[mask] = y.template coefficient<mask>()), ...); }
  (std::make_integer_sequence<int, S::coefficient_count>{});
  result.value = y.value();
  const auto derivatives = std::span<double>(result.coefficients).subspan(1);
  result.status = detail::judge(result.value, derivatives, {}, before);
  detail::resolve_singular(f, x, options, result, derivatives, {},
                           [&directions](auto& sides) { return sides.directional(directions); });
  result.coefficients[0] = result.value;
  result.derivative = result.coefficients.back();
  return result;
}
template <class F, class Point, class... Direction>
auto directional(F&& f, const Point& x, const Direction&... v) {
  return directional(f, x, DerivativeOptions(), v...);
}

}  // namespace holo
