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

}  // namespace holo
