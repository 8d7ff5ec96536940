#pragma once
// Derivatives of a user's function of several numbers, to machine precision:
//
//   auto rosenbrock = [](const auto& x) {               // any scalar: write it once, without a thought of derivatives
//     auto a = 1.0 - x[0], b = x[1] - x[0] * x[0];
//     return a * a + 100.0 * b * b;
//   };
//   auto g = gradient(rosenbrock, std::array{1.5, 0.7});    // g.value, g.gradient
//   auto h = hessian(rosenbrock, std::vector{1.5, 0.7});    // h.value, h.gradient, h.hessian
//   auto d = directional(rosenbrock, x, v);                 // f and D f [v]
//   auto e = directional(rosenbrock, x, v, w);              // and D2 f [v, w]
//   if (!g.status.ok()) throw Error(Failure::internal, to_string(g.status, 2));
//
// The function is called with a std::array<S, n> where the point is a std::array, and nothing is allocated; else with a
// std::span<const S>. Several directions run at once in the lanes of a register, with a scalar S that has one real part:
// comparisons and `if` work in the function, and its elementary functions are computed once for all of these directions.
//
// A derivative that is not finite is a status, never an exception. Throws Error(input) for an empty point, a point or direction
// that is not finite, and a direction of another length than the point's.

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "holo/diff/lanes.h"
#include "holo/diff/nilpotent.h"

namespace holo {

struct DerivativeStatus {
  enum class Kind {
    ok,
    kink,        // finite, but the function chose a side at a tie or a step: the derivatives are one-sided
    infeasible,  // the value is +inf or -inf, as of a barrier outside its domain
    not_finite   // the value is NaN, or a derivative is not finite
  };
  static constexpr std::ptrdiff_t value_index = -1;

  Kind kind = Kind::ok;
  // What is not finite: value_index, or the first infinite (else NaN) entry of the gradient, then of the Hessian counted on by
  // rows (n + i n + j), or of DirectionalResult::coefficients without the value. Where one derivative is infinite, others are
  // NaN.
  std::ptrdiff_t index = value_index;

  bool ok() const { return kind == Kind::ok; }
  // Whether value and derivatives are finite numbers.
  bool usable() const { return kind == Kind::ok || kind == Kind::kink; }
};

// A sentence, such as "the derivative with respect to x[3] is not finite"; for gradient() and hessian() at a point [dimension].
std::string to_string(const DerivativeStatus& status, std::size_t dimension);

// Vectors and matrices of a result are std::arrays where the point is one, else std::vectors.
template <class Vector>
struct GradientResult {
  double value = 0;
  Vector gradient{};  // [n]
  DerivativeStatus status;
};
template <class Vector, class Matrix>
struct HessianResult {
  double value = 0;
  Vector gradient{};  // [n]
  Matrix hessian{};   // [n][n] by rows, symmetric
  DerivativeStatus status;
};
template <int order>
struct DirectionalResult {
  double value = 0;
  double derivative = 0;  // along all directions
  // D^|S| f [v_k, k in S] at the mask S: [0] the value, [1] D f[v1], [2] D f[v2], [3] D2 f[v1, v2].
  std::array<double, (1 << order)> coefficients{};
  DerivativeStatus status;
};

namespace detail {

void check_point(std::span<const double> x);
void check_direction(std::span<const double> x, std::span<const double> v, int number);

template <class Point>
struct PointTraits {
  using Vector = std::vector<double>;
  using Matrix = std::vector<double>;
};
template <std::size_t n>
struct PointTraits<std::array<double, n>> {
  using Vector = std::array<double, n>;
  using Matrix = std::array<double, n * n>;
};

template <class Vector>
void set_size(Vector& vector, std::size_t size) {
  if constexpr (requires { vector.resize(size); }) vector.resize(size);
}

// The arguments of the function in the scalar S: on the stack for a std::array.
template <class S, class Point>
struct Arguments {
  std::vector<S> entries;
  explicit Arguments(std::span<const double> x) : entries(x.begin(), x.end()) {}
  std::span<const S> get() const { return entries; }
};
template <class S, std::size_t n>
struct Arguments<S, std::array<double, n>> {
  std::array<S, n> entries;
  explicit Arguments(const std::array<double, n>& x) {
    for (std::size_t i = 0; i < n; ++i) entries[i] = x[i];
  }
  const std::array<S, n>& get() const { return entries; }
};

template <class S, class F, class Point>
S call(F& f, const Arguments<S, Point>& x) {
  using Result = std::remove_cvref_t<decltype(f(x.get()))>;
  static_assert(
      std::same_as<Result, S> || PlainNumber<Result, double>,
      "The function must return the scalar type of its arguments (`const auto& x` and one return type), or a constant.");
  return f(x.get());
}

// The status from the value and the derivatives; `before`: the counters before the evaluation.
DerivativeStatus judge(double value, std::span<const double> first, std::span<const double> second, const KinkCounters& before);

template <class S>
HOLO_INLINE void seed_lanes(std::span<S> x, double seed) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    LaneBlock unit(0.0);
    unit.set(int(k), seed);
    x[k].template set_coefficient<1 << (S::order - 1)>(unit);
  }
}

// g = gradient, W entries at a time.
template <class F, class Point>
double fill_gradient(F& f, const Point& x, std::span<double> g) {
  constexpr int W = LaneBlock::width;
  using S = Nilpotent<1, double, LaneBlock>;
  Arguments<S, Point> arguments(x);
  const std::size_t n = g.size();
  double value = 0;
  for (std::size_t first = 0; first < n; first += W) {
    const std::size_t count = std::min<std::size_t>(W, n - first);
    const auto active = std::span<S>(arguments.entries).subspan(first, count);
    detail::seed_lanes(active, 1.0);
    const S y = call<S>(f, arguments);
    value = y.value();
    for (std::size_t k = 0; k < count; ++k) g[first + k] = y.derivative()[int(k)];
    detail::seed_lanes(active, 0.0);
  }
  return value;
}

// h = Hessian [n][n]: one row and W columns at a time, upper half alone, mirrored.
template <class F, class Point>
double fill_hessian(F& f, const Point& x, std::span<double> g, std::span<double> h) {
  constexpr int W = LaneBlock::width;
  using S = Nilpotent<2, double, LaneBlock>;
  Arguments<S, Point> arguments(x);
  const std::size_t n = g.size();
  double value = 0;
  for (std::size_t first = 0; first < n; first += W) {
    const std::size_t count = std::min<std::size_t>(W, n - first);
    const auto active = std::span<S>(arguments.entries).subspan(first, count);
    detail::seed_lanes(active, 1.0);
    for (std::size_t row = 0; row < first + count; ++row) {
      arguments.entries[row].template set_coefficient<1>(1.0);
      const S y = call<S>(f, arguments);
      arguments.entries[row].template set_coefficient<1>(0.0);
      value = y.value();
      g[row] = y.template coefficient<1>();
      for (std::size_t k = 0; k < count; ++k)
        if (row <= first + k) h[row * n + first + k] = h[(first + k) * n + row] = y.derivative()[int(k)];
    }
    detail::seed_lanes(active, 0.0);
  }
  return value;
}

}  // namespace detail

// Value and gradient.
template <class F, class Point>
auto gradient(F&& f, const Point& x) {
  detail::check_point(x);
  const KinkCounters before = kink_counters();
  GradientResult<typename detail::PointTraits<Point>::Vector> result;
  detail::set_size(result.gradient, x.size());
  result.value = detail::fill_gradient(f, x, result.gradient);
  result.status = detail::judge(result.value, result.gradient, {}, before);
  return result;
}

// Value, gradient and Hessian, all exact; the Hessian costs about n^2 / (2 W) evaluations in W lanes.
template <class F, class Point>
auto hessian(F&& f, const Point& x) {
  detail::check_point(x);
  const KinkCounters before = kink_counters();
  using Traits = detail::PointTraits<Point>;
  HessianResult<typename Traits::Vector, typename Traits::Matrix> result;
  detail::set_size(result.gradient, x.size());
  detail::set_size(result.hessian, x.size() * x.size());
  result.value = detail::fill_hessian(f, x, result.gradient, result.hessian);
  result.status = detail::judge(result.value, result.gradient, result.hessian, before);
  return result;
}

// The derivative along each of the directions v1, v2 (one or two of them, as long as x), mixed, and all lower ones.
template <class F, class Point, class... Direction>
auto directional(F&& f, const Point& x, const Direction&... v) {
  constexpr int order = sizeof...(Direction);
  static_assert(order == 1 || order == 2, "directional() takes one or two directions");
  using S = Nilpotent<order>;
  detail::check_point(x);
  const std::array<std::span<const double>, order> directions{std::span<const double>(v)...};
  for (int k = 0; k < order; ++k) detail::check_direction(x, directions[k], k + 1);
  const KinkCounters before = kink_counters();
  detail::Arguments<S, Point> arguments(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    double seeds[order];
    for (int k = 0; k < order; ++k) seeds[k] = directions[k][i];
    arguments.entries[i] = S::seed(x[i], seeds);
  }
  const S y = detail::call<S>(f, arguments);
  DirectionalResult<order> result;
  for (int s = 0; s < S::coefficient_count; ++s) result.coefficients[s] = y.coefficient(s);
  result.value = y.value();
  result.derivative = y.derivative();
  result.status = detail::judge(result.value, std::span<const double>(result.coefficients).subspan(1), {}, before);
  return result;
}

}  // namespace holo
