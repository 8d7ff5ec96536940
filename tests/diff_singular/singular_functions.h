#pragma once
// The functions of the table of singular points, each with its point, its derivatives from both sides, and what the full
// multicomplex step and the accelerated rule of [Luo2019] make of it: docs/differentiation-claims.md#singular-points.

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "holo/diff/derivative_status.h"
#include "holo/diff/scalars/elementary.h"

namespace holo::singular_table {

// [Luo2019] 4.1 as printed: log^2(1 - sqrt(x - 1)).
struct Printed {
  template <class S>
  static S evaluate(const S& x) {
    const S l = log(1.0 - sqrt(x - 1.0));
    return l * l;
  }
};
// As its printed derivatives have it: log^2(1 - sqrt((x - 1)^2)).
struct Intended {
  template <class S>
  static S evaluate(const S& x) {
    const S t = x - 1.0, l = log(1.0 - sqrt(t * t));
    return l * l;
  }
};
struct RootOfSquare {
  template <class S>
  static S evaluate(const S& x) {
    return sqrt(x * x);
  }
};
// [Luo2019] Eq 39, whose radicand lost its square: either the root of 1 - cos^2, or that of (cos^2 - 1)^2.
struct VariantA {
  template <class S>
  static S evaluate(const S& J) {
    const S c = cos(4.0 * (J - 1.0));
    return sqrt(1.0 - c * c);
  }
};
struct VariantB {
  template <class S>
  static S evaluate(const S& J) {
    const S c = cos(4.0 * (J - 1.0)), g = c * c - 1.0;
    return sqrt(g * g);
  }
};
struct ThreeHalves {
  template <class S>
  static S evaluate(const S& x) {
    return x * sqrt(x);
  }
};
struct FourthPowerOfRoot {
  template <class S>
  static S evaluate(const S& x) {
    return pow(sqrt(x), 4);
  }
};

inline constexpr double none = std::numeric_limits<double>::quiet_NaN();  // no real value on this side
inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct Row {
  const char* name;
  int function;  // in the order of Functions
  double x;
  int order;
  double left, right;
  double exponent;  // of an infinite derivative
  DerivativeStatus::Kind status;
  bool nilpotent_is_nan;    // the table's column: NaN throughout
  bool full_step_is_right;  // "MC double" is marked as right
  bool accelerated_is_right;
};

using Kind = DerivativeStatus::Kind;
inline const std::vector<Row> rows = {
    {"printed", 0, 1, 1, none, 1, 0, Kind::one_sided, true, false, false},
    {"printed", 0, 1, 2, none, infinity, 1.5, Kind::not_finite, true, false, false},
    {"intended", 1, 1, 1, 0, 0, 0, Kind::singular_resolved, true, true, true},
    {"intended", 1, 1, 2, 2, 2, 0, Kind::singular_resolved, true, true, false},
    {"intended", 1, 1, 3, -6, 6, 0, Kind::nondifferentiable, true, false, false},
    {"root of square", 2, 0, 1, -1, 1, 0, Kind::nondifferentiable, true, false, false},
    {"root of square", 2, 0, 2, 0, 0, 0, Kind::nondifferentiable, true, false, false},
    {"root of square", 2, 0, 3, 0, 0, 0, Kind::nondifferentiable, true, false, false},
    {"variant A", 3, 1, 1, -4, 4, 0, Kind::nondifferentiable, true, false, false},
    {"variant A", 3, 1, 2, 0, 0, 0, Kind::nondifferentiable, true, false, false},
    {"variant A", 3, 1, 3, 64, -64, 0, Kind::nondifferentiable, true, false, false},
    {"variant B", 4, 1, 1, 0, 0, 0, Kind::singular_resolved, true, true, true},
    {"variant B", 4, 1, 2, 32, 32, 0, Kind::singular_resolved, true, false, false},
    {"x sqrt(x)", 5, 0, 1, none, 0, 0, Kind::one_sided, true, false, false},
    {"sqrt(x)^4", 6, 0, 2, none, 2, 0, Kind::one_sided, true, true, false},
    {"sqrt(x)^4", 6, 0, 3, none, 0, 0, Kind::one_sided, true, false, false},
};

// Calls f with the function of the row.
template <class F>
auto with_function(const Row& row, F f) {
  switch (row.function) {
    case 0:
      return f(Printed());
    case 1:
      return f(Intended());
    case 2:
      return f(RootOfSquare());
    case 3:
      return f(VariantA());
    case 4:
      return f(VariantB());
    case 5:
      return f(ThreeHalves());
    default:
      return f(FourthPowerOfRoot());
  }
}

}  // namespace holo::singular_table
