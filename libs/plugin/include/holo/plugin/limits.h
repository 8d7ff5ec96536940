#pragma once
// Barriers for losses that keep a quantity within limits.

#include <stdexcept>

#include "holo/diff/scalars/elementary.h"
#include "holo/plugin/observer.h"

namespace holo {

// -ln(z)^3 of the relative distance z = distance / width to a limit, 0 where z >= 1: convex, twice continuously differentiable,
// unbounded at the limit. Closer than a thousandth of the width, and beyond the limit, it is continued by its quadratic Taylor
// polynomial, so that an optimization may start outside. [Maloisel2023] Eq 16; the cube is of the logarithm.
template <class S>
constexpr S limit_barrier(const S& distance, double width) {
  constexpr double nearest = 1e-3;
  const double l = -6.907755278982137;  // ln(nearest)
  const S z = distance / width, past = min(z - nearest, S(0.0)), log_z = log(max(z, S(nearest)));
  const double slope = -3 * l * l / nearest, curvature = 3 * l * (l - 2) / (nearest * nearest);
  const S barrier = -log_z * log_z * log_z + past * (slope + 0.5 * curvature * past);
  return select(z < S(1.0), barrier, S(0.0));
}

// The range of a quantity, with a barrier at each end.
struct Limits {
  double minimum, maximum;  // in the quantity's unit
  double width;             // the distance from an end at which its barrier begins, in the same unit
  double weight;            // >= 0

  // Reads minimum, maximum, margin (the width as a part of the range, between 0 and 0.5) and weight. Throws
  // std::invalid_argument unless minimum < maximum.
  static Limits read(const LossReader& p, const char* unit, double default_margin) {
    const double minimum = p.number("minimum", unit), maximum = p.number("maximum", unit);
    const double margin = p.in_range(
        "margin", "1", 0, 0.5,
        {.default_value = default_margin, .documentation = "Part of the range, before each end, in which the barrier acts"});
    const double weight = p.non_negative("weight", "1", {.default_value = 1e-4});
    if (!(minimum < maximum)) throw std::invalid_argument("minimum must be below maximum");
    return {minimum, maximum, margin * (maximum - minimum), weight};
  }

  // Adds the barriers of both ends, and the distances to them, which the steps of a solver keep positive.
  template <class S>
  void add_barriers(const S& value, LossResiduals<S>& residuals) const {
    const S above = maximum - value, below = value - minimum;
    residuals.add_value(weight * (limit_barrier(above, width) + limit_barrier(below, width)));
    residuals.keep_positive(above);
    residuals.keep_positive(below);
  }
  // The distance of the value to the nearer end; negative outside of the range.
  template <class S>
  S margin(const S& value) const {
    return min(maximum - value, value - minimum);
  }
};

}  // namespace holo
