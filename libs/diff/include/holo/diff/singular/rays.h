#pragma once
// The series of a function along rays from a point, both sides of it, and the derivatives that they hold.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "holo/diff/derivative_status.h"
#include "holo/diff/singular/puiseux.h"

namespace holo {

// A function of several numbers in the scalar Puiseux, called through a pointer: what follows is compiled once.
struct SeriesFunction {
  void* object;
  Puiseux (*call)(void* object, std::span<const Puiseux> x);
};

namespace detail {

inline OneSidedDerivative::Kind kind_of(Puiseux::State state) {
  using Kind = OneSidedDerivative::Kind;
  switch (state) {
    case Puiseux::State::known:
      return Kind::finite;
    case Puiseux::State::unrepresentable:
      return Kind::unrepresentable;
    case Puiseux::State::undefined:
      return Kind::undefined;
    case Puiseux::State::no_real_value:
      return Kind::no_real_value;
    case Puiseux::State::more_terms:
      break;
  }
  return Kind::unresolved;
}

inline OneSidedDerivative missing(OneSidedDerivative::Kind kind) { return {kind, std::numeric_limits<double>::quiet_NaN(), 0}; }

// d^order/dt^order f(x + t v) at t = 0, from the series of f(x + side d v), side = 1 or -1.
inline OneSidedDerivative derivative_of(const Puiseux& y, int order, int side) {
  using Kind = OneSidedDerivative::Kind;
  if (!y.is_known()) return missing(kind_of(y.state()));
  constexpr int one = Puiseux::denominator;
  const double orientation = side < 0 && order % 2 == 1 ? -1.0 : 1.0;
  for (int k = 0; k < y.size(); ++k) {
    const int sixths = y.lead() + k * y.step();
    if (sixths >= order * one && sixths >= 0) break;
    if (y[k] == 0 || (sixths >= 0 && sixths % one == 0)) continue;
    const double exponent = sixths / double(one);
    double slope = orientation * y[k];
    for (int i = 0; i < order; ++i) slope *= exponent - i;
    return {Kind::infinite, std::copysign(std::numeric_limits<double>::infinity(), slope), exponent};
  }
  if (y.end() <= order * one) return missing(Kind::unresolved);
  double value = orientation * y.coefficient(order * one);
  for (int i = 2; i <= order; ++i) value *= i;
  return {Kind::finite, value, 0};
}

// A difference of numbers of the size `size`, by rounding of numbers of the size `scale`.
inline bool negligible(double difference, double size, double scale) {
  return std::abs(difference) <= std::max(1e-10 * size, 64 * std::numeric_limits<double>::epsilon() * scale);
}
inline bool close(double a, double b, double scale) { return negligible(a - b, std::max(std::abs(a), std::abs(b)), scale); }

}  // namespace detail

// The series of a function along one direction v, at x - d v and x + d v.
struct Ray {
  static constexpr int left = 0, right = 1;
  Puiseux side[2];

  // d^order/dt^order f(x + t v) at t = 0 from one side.
  OneSidedDerivative derivative(int which, int order) const {
    return detail::derivative_of(side[which], order, which == left ? -1 : 1);
  }
};

// Rays of one function at one point. What they say of its values goes to `point`.
class Rays {
 public:
  using Vector = std::vector<double>;

  Rays(SeriesFunction function, std::span<const double> x) : function_(function), x_(x), arguments_(x.size()) {}

  // Along v, known up to `order` <= 3. A zero direction has zero derivatives.
  Ray along(std::span<const double> v, int order) {
    if (is_zero(v)) return {};
    Ray ray = evaluate(v, order);
    if (ray.side[0].state() == Puiseux::State::undefined && ray.side[1].state() == Puiseux::State::undefined && v.size() > 1)
      ray = beside(v, order);
    for (int side : {0, 1}) {
      for (int k = 0; k <= order; ++k) note_scale(ray.derivative(side, k));
      note_value(side, ray.derivative(side, 0));
    }
    return ray;
  }

  std::size_t dimension() const { return x_.size(); }
  SingularPoint& point() { return point_; }
  const SingularPoint& point() const { return point_; }

  void mark_inconsistent(std::ptrdiff_t index) {
    if (point_.consistent) point_.inconsistent_index = index;
    point_.consistent = false;
  }

  static bool is_zero(std::span<const double> v) {
    return std::all_of(v.begin(), v.end(), [](double entry) { return entry == 0; });
  }
  static Vector to_vector(std::span<const double> v) { return Vector(v.begin(), v.end()); }
  Vector unit(std::size_t i) const {
    Vector v(x_.size(), 0.0);
    v[i] = 1;
    return v;
  }
  static Vector sum(const Vector& a, double factor, const Vector& b) {
    Vector result = a;
    for (std::size_t i = 0; i < a.size(); ++i) result[i] += factor * b[i];
    return result;
  }

  // None of its entries and, but for chance, no combination of them is special.
  Vector general_direction() const {
    Vector v(x_.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double golden = 0.6180339887498949 * double(i + 1);
      v[i] = 0.5 + golden - std::floor(golden);
    }
    return v;
  }

 private:
  // With more terms as long as some are missing.
  Puiseux series(std::span<const double> v, int side, int order) {
    for (int terms = Puiseux::least_terms;; terms *= 2) {
      puiseux_events() = {};
      for (std::size_t i = 0; i < x_.size(); ++i) arguments_[i] = Puiseux::seed(x_[i], side * v[i], terms);
      const Puiseux y = function_.call(function_.object, arguments_);
      if (puiseux_events().unrepresentable && y.is_known()) return Puiseux::failed(Puiseux::State::unrepresentable);
      const bool enough = y.is_known() && y.end() > order * Puiseux::denominator && !puiseux_events().undecided;
      if (terms == Puiseux::most_terms || enough || (!y.is_known() && y.state() != Puiseux::State::more_terms)) return y;
    }
  }

  Ray evaluate(std::span<const double> v, int order) { return {{series(v, -1, order), series(v, 1, order)}}; }

  // The limit of the series for directions close to v, for an f that divides by zero everywhere along v, as sin(x0 x1)/x0 does
  // along x1. The coefficient of d^k is a polynomial of degree k in the direction, so four rays beside v give it up to k = 3.
  Ray beside(std::span<const double> v, int order) {
    Ray result;
    for (const auto [step, weight] : {std::array{-2.0, -1.0}, {-1.0, 4.0}, {1.0, 4.0}, {2.0, -1.0}}) {
      const Ray ray = evaluate(sum(to_vector(v), step, general_direction()), order);
      for (int side : {0, 1}) result.side[side] += weight / 6 * ray.side[side];
    }
    return result;
  }

  void note_value(int side, const OneSidedDerivative& value) {
    OneSidedDerivative& known = side == Ray::left ? point_.left_value : point_.right_value;
    if (!values_known_[side] || (!known.finite() && value.finite())) {
      known = value;
    } else if (known.finite() && value.finite() && !detail::close(known.value, value.value, point_.scale)) {
      mark_inconsistent(DerivativeStatus::value_index);
    }
    values_known_[side] = true;
  }
  void note_scale(const OneSidedDerivative& derivative) {
    if (derivative.finite()) point_.scale = std::max(point_.scale, std::abs(derivative.value));
  }

  SeriesFunction function_;
  std::span<const double> x_;
  std::vector<Puiseux> arguments_;
  SingularPoint point_;
  bool values_known_[2] = {};
};

}  // namespace holo
