#pragma once
// The evaluations behind the drivers (holo/diff/drivers.h): seeding, lanes, and one-sided series at points where derivatives
// are not finite.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "holo/diff/derivative_status.h"
#include "holo/diff/lanes/lane_group.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/singular/kinks.h"
#include "holo/diff/singular/one_sided.h"
#include "holo/diff/singular/singular_outcome.h"

namespace holo {

namespace detail {

// Throws Error(input) if the point is empty or has an entry that is not finite.
void check_point(std::span<const double> x);
// Throws Error(input) unless the direction has as many entries as the point, all finite. `number` names it in the message: v1.
void check_direction(std::span<const double> x, std::span<const double> v, int number);
// Throws Error(input) unless an array of the caller has as many entries as the result called `what`.
void check_size(const char* what, std::size_t found, std::size_t wanted);

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

// The status of a value with its derivatives. `before` has the counters of kinks before the evaluation.
DerivativeStatus judge(double value, std::span<const double> first, std::span<const double> second, const KinkCounters& before);

template <class S>
HOLO_INLINE void seed_lanes(std::span<S> x, double seed) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k].template set_coefficient<1 << (S::order - 1)>(unit_lane(int(k), seed));
  }
}

// Seeds the entries one group after the other, each entry of the group in a lane of its own: visit(first, count) evaluates.
template <class S, class Visit>
HOLO_INLINE void for_each_lane_group(std::span<S> entries, Visit visit) {
  constexpr std::size_t W = LaneBlock::width;
  for (std::size_t first = 0; first < entries.size(); first += W) {
    const auto active = entries.subspan(first, std::min(W, entries.size() - first));
    seed_lanes(active, 1.0);
    visit(first, active.size());
    seed_lanes(active, 0.0);
  }
}

// A few lane blocks hold the directions of all entries.
template <class Point>
inline constexpr int groups_of_all_entries = 0;
template <std::size_t n>
inline constexpr int groups_of_all_entries<std::array<double, n>> = n <= 3 * LaneBlock::width
                                                                        ? int((n + LaneBlock::width - 1) / LaneBlock::width)
                                                                        : 0;

// g = gradient by one evaluation: the real part of the function, its roots and powers, is computed once.
template <class F, std::size_t n>
double fill_gradient_at_once(F& f, const std::array<double, n>& x, std::span<double> g) {
  using Group = LaneGroup<groups_of_all_entries<std::array<double, n>>>;
  using S = Nilpotent<1, double, Group>;
  using Point = std::array<double, n>;
  Arguments<S, Point> arguments(x);
  for (std::size_t k = 0; k < n; ++k) arguments.entries[k] = S::seed_last(x[k], Group::unit(int(k), 1.0));
  const S y = call<S>(f, arguments);
  alignas(sizeof(LaneBlock)) double derivatives[Group::width];
  y.derivative().store(derivatives);
  std::copy_n(derivatives, n, g.begin());
  return y.value();
}

// g = gradient, W entries at a time.
template <class F, class Point>
double fill_gradient(F& f, const Point& x, std::span<double> g) {
  if constexpr (groups_of_all_entries < Point >> 0) return fill_gradient_at_once(f, x, g);
  using S = Nilpotent<1, double, LaneBlock>;
  Arguments<S, Point> arguments(x);
  double value = 0;
  for_each_lane_group(std::span<S>(arguments.entries), [&](std::size_t first, std::size_t count) HOLO_INLINE_LAMBDA {
    const S y = call<S>(f, arguments);
    value = y.value();
    for (std::size_t k = 0; k < count; ++k) g[first + k] = y.derivative()[int(k)];
  });
  return value;
}

// h = Hessian [n][n]: one row and W columns at a time, upper half alone, mirrored.
template <class F, class Point>
double fill_hessian(F& f, const Point& x, std::span<double> g, std::span<double> h) {
  using S = Nilpotent<2, double, LaneBlock>;
  Arguments<S, Point> arguments(x);
  const std::size_t n = g.size();
  double value = 0;
  for_each_lane_group(std::span<S>(arguments.entries), [&](std::size_t first, std::size_t count) HOLO_INLINE_LAMBDA {
    for (std::size_t row = 0; row < first + count; ++row) {
      arguments.entries[row].template set_coefficient<1>(1.0);
      const S y = call<S>(f, arguments);
      arguments.entries[row].template set_coefficient<1>(0.0);
      value = y.value();
      g[row] = y.template coefficient<1>();
      for (std::size_t k = 0; k < count; ++k)
        if (row <= first + k) h[row * n + first + k] = h[(first + k) * n + row] = y.derivative()[int(k)];
    }
  });
  return value;
}

// gradient and product = D2 f[v, e_i], W entries at a time; by Nilpotent<3>, gradient and D3 f[u, v, e_i].
template <class S, class F, class Point, class... Direction>
double fill_contraction(F& f, const Point& x, std::span<double> g, std::span<double> product, const Direction&... v) {
  Arguments<S, Point> arguments(x);
  for (std::size_t i = 0; i < g.size(); ++i) {
    arguments.entries[i].template set_coefficient<1>(std::get<0>(std::tie(v...))[i]);
    if constexpr (sizeof...(v) > 1) arguments.entries[i].template set_coefficient<2>(std::get<1>(std::tie(v...))[i]);
  }
  double value = 0;
  for_each_lane_group(std::span<S>(arguments.entries), [&](std::size_t first, std::size_t count) HOLO_INLINE_LAMBDA {
    const S y = call<S>(f, arguments);
    value = y.value();
    for (std::size_t k = 0; k < count; ++k) {
      g[first + k] = y.template coefficient<1 << (S::order - 1)>()[int(k)];
      product[first + k] = y.derivative()[int(k)];
    }
  });
  return value;
}

template <class F>
concept TakesSeries = !requires {
  requires !std::remove_cvref_t<F>::one_sided;
};

// f as a function of one-sided series, with arguments of the same container as in the other scalars.
template <class F, class Point>
SeriesFunction series_function(F& f) {
  const auto call = [](void* object, std::span<const Puiseux> x) -> Puiseux {
    F& function = *static_cast<F*>(object);
    if constexpr (std::same_as<typename PointTraits<Point>::Vector, std::vector<double>>) {
      return function(x);
    } else {
      std::array<Puiseux, std::tuple_size_v<Point>> entries;
      std::copy(x.begin(), x.end(), entries.begin());
      return function(std::as_const(entries));
    }
  };
  return {const_cast<void*>(static_cast<const void*>(std::addressof(f))), call};
}

[[noreturn]] void throw_nondifferentiable(const DerivativeStatus& status, std::size_t dimension, DerivativeEntries entries);

template <class Point, class Result, class Evaluate>
void resolve_by_series(const SeriesFunction& series, const Point& x, const DerivativeOptions& options, Result& result,
                       std::span<double> first, std::span<double> second, Evaluate evaluate) {
  using Kind = DerivativeStatus::Kind;
  const bool kink = result.status.kind == Kind::kink;
  OneSidedDerivatives derivatives(series, x);
  const auto point = std::make_shared<const SingularPoint>(evaluate(derivatives));
  std::vector<double> ordinary(first.begin(), first.end());
  ordinary.insert(ordinary.end(), second.begin(), second.end());
  double value = result.value;
  const DerivativeStatus status = resolve(*point, options, value, first, second, kink ? std::span<double>() : ordinary);
  if (kink && !status.usable()) {  // ordinary evaluation gave finite derivatives, and the series did not
    std::copy_n(ordinary.begin(), first.size(), first.begin());
    std::copy(ordinary.begin() + std::ptrdiff_t(first.size()), ordinary.end(), second.begin());
    return;
  }
  result.value = value;
  result.singular = point;
  result.status = status;
  if (status.kind == Kind::nondifferentiable && options.nondifferentiable == NondifferentiableChoice::throw_error)
    throw_nondifferentiable(status, x.size(), Result::entries);
}

// Called after an evaluation without finite derivatives, or one that chose a side: replaces the result by that of
// evaluate(OneSidedDerivatives&), the derivatives from both sides.
template <class F, class Point, class Options, class Result, class Evaluate>
void resolve_singular(F& f, const Point& x, const Options& options, Result& result, std::span<double> first,
                      std::span<double> second, Evaluate evaluate) {
  using Kind = DerivativeStatus::Kind;
  const bool kink = result.status.kind == Kind::kink;
  if (result.status.kind != Kind::not_finite && !kink) return;
  if constexpr (!std::same_as<Options, DerivativeOptions>) {
    if (!kink) full_step(options, f, x, result, first, second, evaluate);
    return;
  } else if constexpr (TakesSeries<F>) {
    if (options.singular == SingularRule::one_sided) {
      resolve_by_series(series_function<F, Point>(f), x, options, result, first, second, evaluate);
      return;
    }
  }
  result.status.without_one_sided = !kink;
}

}  // namespace detail

}  // namespace holo
