#pragma once
// The elementary functions of Puiseux series. Included by holo/diff/singular/puiseux.h. Most follow from theta f(y) = f'(y)
// theta y with theta = d d/dd, which holds at branch points too: asin(1 - d) has the slope d^(-1/2) and comes out as pi/2 -
// sqrt(2 d) ...

#include "holo/diff/scalars/derivative_sequences.h"
#include "holo/diff/singular/puiseux.h"
#include "holo/diff/singular/removable_singularities.h"

namespace holo {

namespace detail {

// f(y) with the value f0 at the constant part, and f'(y) = slope.
inline Puiseux integrate(const Puiseux& y, const Puiseux& slope, double f0) {
  if (y.theta().is_zero()) return Puiseux(f0);  // a constant, at a branch point perhaps
  return (slope * y.theta()).theta_inverse() + f0;
}

// The constant part of a number without negative exponents; inf of its sign with them.
inline double limit(const Puiseux& y) {
  if (y.size() > 0 && y.lead() < 0)
    return y[0] > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  return y.coefficient(0);
}

// The pair (even, odd) with odd' = even y', even' = sign odd y': cos and sin (-1), cosh and sinh (1).
struct CirclePair {
  Puiseux even, odd;
};
inline CirclePair circle_pair(const Puiseux& y, double sign, double even0, double odd0) {
  const Puiseux::Regular u = y.regular();
  if (u.state != Puiseux::State::known) return {Puiseux::failed(u.state), Puiseux::failed(u.state)};
  double even[Puiseux::most_terms], odd[Puiseux::most_terms];
  even[0] = even0, odd[0] = odd0;
  for (int k = 1; k < u.size; ++k) {
    double a = 0, b = 0;
    for (int j = 1; j <= k; ++j) {
      a += j * u.c[j] * odd[k - j];
      b += j * u.c[j] * even[k - j];
    }
    even[k] = sign * a / k;
    odd[k] = b / k;
  }
  return {u.series(even), u.series(odd)};
}
inline CirclePair circle_pair(const Puiseux& y) { return circle_pair(y, -1.0, std::cos(limit(y)), std::sin(limit(y))); }
inline CirclePair hyperbola_pair(const Puiseux& y) { return circle_pair(y, 1.0, std::cosh(limit(y)), std::sinh(limit(y))); }

}  // namespace detail

inline Puiseux exp(const Puiseux& y) {
  const Puiseux::Regular u = y.regular();
  if (u.state != Puiseux::State::known) return Puiseux::failed(u.state);
  double b[Puiseux::most_terms];
  b[0] = std::exp(u.c[0]);
  for (int k = 1; k < u.size; ++k) {
    double sum = 0;
    for (int j = 1; j <= k; ++j) sum += j * u.c[j] * b[k - j];
    b[k] = sum / k;
  }
  return u.series(b);
}
inline Puiseux expm1(const Puiseux& y) {
  const Puiseux e = exp(y);
  return e.is_known() ? e.with_constant(std::expm1(detail::limit(y))) : e;
}

namespace detail {

// log of y, whose constant part has the logarithm f0.
inline Puiseux logarithm(const Puiseux& y, double f0) {
  if (!y.is_known()) return y;
  if (y.size() == 0) return Puiseux::failed(y.is_exact() ? Puiseux::State::undefined : Puiseux::State::more_terms);
  if (y[0] < 0) return Puiseux::failed(Puiseux::State::no_real_value);
  if (y.lead() != 0) return Puiseux::failed(Puiseux::State::unrepresentable);
  return (y.theta() / y).theta_inverse() + f0;
}

}  // namespace detail

inline Puiseux log(const Puiseux& y) { return detail::logarithm(y, std::log(detail::limit(y))); }
inline Puiseux log1p(const Puiseux& y) { return detail::logarithm(1.0 + y, std::log1p(detail::limit(y))); }

inline Puiseux sin(const Puiseux& y) { return detail::circle_pair(y).odd; }
inline Puiseux cos(const Puiseux& y) { return detail::circle_pair(y).even; }
inline Puiseux tan(const Puiseux& y) {
  const detail::CirclePair pair = detail::circle_pair(y);
  const Puiseux t = pair.odd / pair.even;
  return t.is_known() && t.lead() >= 0 ? t.with_constant(std::tan(detail::limit(y))) : t;
}
inline Puiseux sinh(const Puiseux& y) { return detail::hyperbola_pair(y).odd; }
inline Puiseux cosh(const Puiseux& y) { return detail::hyperbola_pair(y).even; }
inline Puiseux tanh(const Puiseux& y) {
  const double y0 = detail::limit(y);
  if (std::abs(y0) < 1) {
    const detail::CirclePair pair = detail::hyperbola_pair(y);
    return pair.odd / pair.even;
  }
  const double side = y0 < 0 ? -1.0 : 1.0;
  const Puiseux e = exp(-2.0 * side * y);  // does not overflow
  const Puiseux t = side * (1.0 - e) / (1.0 + e);
  return t.is_known() ? t.with_constant(std::tanh(y0)) : t;
}

inline Puiseux sqrt(const Puiseux& y) {
  return y.power(0.5, 0, [](double c) { return std::sqrt(c); });
}
inline Puiseux cbrt(const Puiseux& y) {
  return y.power(1.0 / 3, -1, [](double c) { return std::cbrt(c); });
}

// By multiplication of the whole number, as for nilpotent numbers; 0^0 = 1.
inline Puiseux pow(const Puiseux& y, int exponent) {
  unsigned left = exponent < 0 ? 0u - unsigned(exponent) : unsigned(exponent);
  if (left == 0) return Puiseux(1.0);
  Puiseux power = y;
  for (; (left & 1u) == 0; left >>= 1) power = power * power;
  Puiseux result = power;
  for (left >>= 1; left != 0; left >>= 1) {
    power = power * power;
    if (left & 1u) result = result * power;
  }
  return exponent < 0 ? 1.0 / result : result;
}
template <std::floating_point T>
Puiseux pow(const Puiseux& y, T exponent) {
  const double p = exponent;
  constexpr double largest_product = 1 << 16;
  if (p >= -largest_product && p <= largest_product && p == double(int(p))) return pow(y, int(p));
  return y.power(p, 0, [p](double c) { return std::pow(c, p); });
}
inline Puiseux pow(const Puiseux& x, const Puiseux& y) {
  if (y.is_known() && y.is_exact() && y.size() <= 1 && y.lead() <= 0) return pow(x, y.coefficient(0));
  if (!y.is_known()) return y;
  const Puiseux power = exp(y * log(x));
  const double value = std::pow(detail::limit(x), detail::limit(y));
  return power.is_known() && power.lead() == 0 ? power.with_constant(value) : power;
}
template <class T>
requires std::is_arithmetic_v<T> Puiseux pow(const T& x, const Puiseux& y) { return pow(Puiseux(x), y); }

// x^(q/m); an odd m takes the real root of a negative x.
template <int q, int m>
Puiseux rational_pow(const Puiseux& y) {
  static_assert(m > 0, "the denominator of the exponent is positive");
  constexpr int divisor = std::gcd(q, m), numerator = q / divisor, denominator = m / divisor;
  if constexpr (denominator == 1) {
    return pow(y, numerator);
  } else if constexpr (denominator == 2) {
    return pow(sqrt(y), numerator);
  } else if constexpr (denominator == 3) {
    return pow(cbrt(y), numerator);
  } else {
    constexpr double p = double(numerator) / denominator;
    constexpr int negative_root = denominator % 2 == 0 ? 0 : numerator % 2 == 0 ? 1 : -1;
    return y.power(p, negative_root, [](double c) { return std::pow(c, p); });
  }
}

inline Puiseux asin(const Puiseux& y) {
  return detail::integrate(y, 1.0 / sqrt((1.0 - y) * (1.0 + y)), std::asin(detail::limit(y)));
}
inline Puiseux acos(const Puiseux& y) {
  return detail::integrate(y, -1.0 / sqrt((1.0 - y) * (1.0 + y)), std::acos(detail::limit(y)));
}
// Also for an infinite number: +-pi/2 and a series.
inline Puiseux atan(const Puiseux& y) { return detail::integrate(y, 1.0 / (1.0 + y * y), std::atan(detail::limit(y))); }
inline Puiseux erf(const Puiseux& y) {
  return detail::integrate(y, 1.1283791670955126 * exp(-(y * y)), std::erf(detail::limit(y)));
}

// In (-pi, pi]. At the origin too, along a ray.
inline Puiseux atan2(const Puiseux& y, const Puiseux& x) {
  const Puiseux square = x * x + y * y;
  const Puiseux slope = (x * y.theta() - y * x.theta()) / square;
  if (!slope.is_known()) return slope;
  const int lead = std::min(x.lead(), y.lead());
  const auto at_lead = [lead](const Puiseux& z) { return z.size() > 0 && z.lead() == lead ? z[0] : 0.0; };
  const double cosine = at_lead(x);
  double sine = at_lead(y);
  if (sine == 0 && y.sign_of_lead() < 0) sine = -0.0;  // below the cut
  return slope.with_constant(0.0).theta_inverse() + std::atan2(sine, cosine);
}

inline Puiseux hypot(const Puiseux& x, const Puiseux& y) { return sqrt(x * x + y * y); }
inline Puiseux hypot(const Puiseux& x, const Puiseux& y, const Puiseux& z) { return sqrt(x * x + y * y + z * z); }

namespace detail {

// sum_j c_j y^(2j), for the functions with a removable singularity.
inline Puiseux even_polynomial(const std::array<double, series_terms>& c, const Puiseux& y) {
  const Puiseux square = y * y;
  Puiseux sum(0.0);
  for (int j = series_terms - 1; j >= 0; --j) sum = sum * square + c[j];
  return sum;
}

}  // namespace detail

inline Puiseux sinc(const Puiseux& y) {
  static constexpr auto series = detail::even_series(1, -1);
  return std::abs(detail::limit(y)) < detail::series_radius<3> ? detail::even_polynomial(series, y) : sin(y) / y;
}
inline Puiseux sinhc(const Puiseux& y) {
  static constexpr auto series = detail::even_series(1, 1);
  return std::abs(detail::limit(y)) < detail::series_radius<3> ? detail::even_polynomial(series, y) : sinh(y) / y;
}
inline Puiseux one_minus_cos_over_square(const Puiseux& y) {
  static constexpr auto series = detail::even_series(2, -1);
  if (std::abs(detail::limit(y)) < detail::series_radius<3>) return detail::even_polynomial(series, y);
  const Puiseux s = sin(0.5 * y);
  return 2.0 * s * s / (y * y);
}

inline Puiseux abs(const Puiseux& y) { return y.is_known() && y.sign_of_lead() < 0 ? -y : y; }

// If an argument is not known, it is the result, for either argument. A tie selects the first argument.
inline Puiseux min(const Puiseux& a, const Puiseux& b) {
  if (b.state() > a.state()) return b;
  return a.is_known() && b < a ? b : a;
}
inline Puiseux max(const Puiseux& a, const Puiseux& b) {
  if (b.state() > a.state()) return b;
  return a.is_known() && a < b ? b : a;
}
// Better matches than the templates for plainly comparable scalars (holo/diff/scalars/elementary.h), which would lose the
// unknown.
template <class T>
requires std::is_arithmetic_v<T> Puiseux min(const Puiseux& a, const T& b) { return min(a, Puiseux(b)); }
template <class T>
requires std::is_arithmetic_v<T> Puiseux min(const T& a, const Puiseux& b) { return min(Puiseux(a), b); }
template <class T>
requires std::is_arithmetic_v<T> Puiseux max(const Puiseux& a, const T& b) { return max(a, Puiseux(b)); }
template <class T>
requires std::is_arithmetic_v<T> Puiseux max(const T& a, const Puiseux& b) { return max(Puiseux(a), b); }
inline Puiseux clamp(const Puiseux& x, const Puiseux& low, const Puiseux& high) { return min(max(x, low), high); }
inline Puiseux select(bool condition, const Puiseux& a, const Puiseux& b) { return condition ? a : b; }

namespace detail {

// Whether y has a constant part, and on which side of it y lies: -1, 0, 1.
struct Side {
  Puiseux::State state;
  double constant;
  int side;
};
inline Side side_of_constant(const Puiseux& y) {
  if (!y.is_known()) return {y.state(), 0, 0};
  if (y.size() > 0 && y.lead() < 0) return {Puiseux::State::unrepresentable, 0, 0};
  if (y.end() <= 0) return {Puiseux::State::more_terms, 0, 0};
  return {Puiseux::State::known, y.coefficient(0), (y - y.coefficient(0)).sign_of_lead()};
}

}  // namespace detail

// Piecewise constant: on a step, the value of the side on which the number lies.
inline Puiseux floor(const Puiseux& y) {
  const detail::Side at = detail::side_of_constant(y);
  if (at.state != Puiseux::State::known) return Puiseux::failed(at.state);
  const double below = std::floor(at.constant);
  return Puiseux(at.constant == below && at.side < 0 ? below - 1 : below);
}
inline Puiseux ceil(const Puiseux& y) { return -floor(-y); }
inline Puiseux round(const Puiseux& y) {
  const detail::Side at = detail::side_of_constant(y);
  if (at.state != Puiseux::State::known) return Puiseux::failed(at.state);
  const double below = std::floor(at.constant);
  if (at.constant - below != 0.5 || at.side == 0) return Puiseux(std::round(at.constant));
  return Puiseux(at.side > 0 ? below + 1 : below);
}
inline Puiseux sign(const Puiseux& y) {
  if (!y.is_known()) return y;
  return Puiseux(y.sign_of_lead());
}

// Operations that are not analytic.
#define HOLO_PUISEUX_FORBIDDEN(name, instead)                                                                           \
  template <std::same_as<Puiseux> P>                                                                                    \
  P name(const P&) {                                                                                                    \
    static_assert(!std::same_as<P, Puiseux>, #name " is not analytic and would destroy the derivatives: " instead "."); \
    return P();                                                                                                         \
  }
HOLO_PUISEUX_FORBIDDEN(conj, "leave it out, the derivative types need no conjugate")
HOLO_PUISEUX_FORBIDDEN(real, "read coefficients at the very end of the computation")
HOLO_PUISEUX_FORBIDDEN(imag, "read coefficients at the very end of the computation")
HOLO_PUISEUX_FORBIDDEN(arg, "use atan2(y, x)")
HOLO_PUISEUX_FORBIDDEN(norm, "use x * x or hypot(x, y)")
HOLO_PUISEUX_FORBIDDEN(proj, "leave it out")
#undef HOLO_PUISEUX_FORBIDDEN

inline bool isfinite(const Puiseux& y) { return y.is_known() && y.lead() >= 0; }
inline bool isnan(const Puiseux& y) {
  return y.state() == Puiseux::State::no_real_value || y.state() == Puiseux::State::undefined;
}

}  // namespace holo
