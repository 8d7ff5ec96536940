#include "holo/sim/contact/gap_energy.h"

#include <cmath>
#include <limits>

#include "holo/diff/scalars/taylor.h"

namespace holo {
namespace {

template <class S>
S barrier_of(const Barrier& barrier, const S& d) {
  const double k = barrier.stiffness, D = barrier.distance;
  switch (barrier.shape) {
    case BarrierShape::logarithmic:
      return -k * (d - D) * (d - D) * log(d / D);
    case BarrierShape::smooth:
      return k / D * (d - D) * (d - D) * (d - D) * log(d / D);
    case BarrierShape::squared:
      break;
  }
  const S change = d * d - D * D;
  return -k / (4 * D * D) * change * change * log(d / D);
}

// In t = s/e^2 < 1.
template <class S>
S quintic_length(double e, const S& t) {
  return e * (((0.5 * t - 2.5) * t + 7.5) * t / 8 + (1 - 5.5 / 8));
}

// In s > 0.
template <class S>
S quadratic_length(double e, const S& s) {
  return s / e - s * sqrt(s) / (3 * e * e) + e / 3;
}

// The integral of q f' from 0 to a = t e > 0 (gap_energy.h), for t < 1. The forces of `quintic` are q themselves.
template <class S>
S directed_part(FrictionLaw law, double e, const S& t) {
  const S t2 = t * t, t3 = t * t2;
  if (law == FrictionLaw::quintic)
    return e / 64 * t3 * (75.0 + t2 * (-60.0 + t2 * (190.0 / 7 + t2 * (-20.0 / 3 + 9.0 / 11 * t2))));
  return e / 8 * t3 * (10.0 - 15.0 / 4 * t + t2 * (-4.0 + 5.0 / 3 * t + t2 * (6.0 / 7 - 3.0 / 8 * t)));
}

// f of a length a = t e, for t < 1.
template <class S>
S length_part(FrictionLaw law, double e, const S& t) {
  const S t2 = t * t;
  return law == FrictionLaw::quintic ? quintic_length(e, t2) : e * (t2 - t * t2 / 3.0 + 1.0 / 3);
}

ScalarDerivatives derivatives_of(const Taylor<3>& y) { return {y.value(), y.derivative(1), y.derivative(2), y.derivative(3)}; }

}  // namespace

ScalarDerivatives barrier_energy(const Barrier& barrier, double gap) {
  if (gap >= barrier.distance) return {};
  if (!(gap > 0)) return {std::numeric_limits<double>::infinity()};
  return derivatives_of(barrier_of(barrier, Taylor<3>(Taylor<3>::variable(gap))));
}

ScalarDerivatives smoothed_length(FrictionLaw law, double e, double squared_length) {
  if (squared_length >= e * e) return derivatives_of(sqrt(Taylor<3>(Taylor<3>::variable(squared_length))));
  if (law == FrictionLaw::quintic)
    return derivatives_of(quintic_length(e, Taylor<3>(Taylor<3>::seed(squared_length / (e * e), 1 / (e * e)))));
  // Without displacement the higher derivatives are infinite, but their products with u vanish.
  if (squared_length == 0) return {e / 3, 1 / e, 0, 0};
  return derivatives_of(quadratic_length(e, Taylor<3>(Taylor<3>::variable(squared_length))));
}

ScalarDerivatives smoothed_directed_length(FrictionLaw law, double e, double forward, double backward, double y) {
  const double side = y < 0 ? -1 : 1, length = std::abs(y);
  const double mean = (forward + backward) / 2, directed = side * (forward - backward) / 2;
  if (length >= e) {
    const double slope = y < 0 ? backward : forward;
    return {mean * length + directed * (directed_part(law, e, 1.0) + length - e), side * slope, 0, 0};
  }
  const Taylor<3> t = Taylor<3>::seed(length / e, 1 / e);
  const ScalarDerivatives f = derivatives_of(mean * length_part(law, e, t) + directed * directed_part(law, e, t));
  return {f.value, side * f.first, f.second, side * f.third};
}

// Of `quadratic` the smallest ratio of the slopes of f' and q f' over 0 < t < 1 is 0.5872, at t = 0.647.
double largest_directed_ratio(FrictionLaw law) { return law == FrictionLaw::quintic ? 3 : 3.84; }

}  // namespace holo
