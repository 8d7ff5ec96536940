#include "holo/sim/contact/pairs/pair_energy.h"

#include <cmath>

#include "contact/pairs/pair_checks.h"
#include "contact/pairs/pair_functions.h"
#include "contact/pairs/pair_projection.h"
#include "holo/diff/scalars/taylor.h"

namespace holo {
namespace {

// A B(sqrt(s) - r) at a squared distance s.
pairs::ScalarSeries pair_barrier_series(const PairBarrier& law, double squared_distance) {
  const Taylor<3> d = sqrt(Taylor<3>(Taylor<3>::variable(squared_distance)));
  const ScalarDerivatives B = barrier_energy(law.barrier, d.value() - law.radius);
  const double derivatives[] = {law.area * B.value, law.area * B.first, law.area * B.second, law.area * B.third};
  const Taylor<3> energy = d.compose(derivatives);
  return {energy.value(), energy.derivative(1), energy.derivative(2), energy.derivative(3)};
}

bool pair_is_active(const PairBarrier& law, double squared_distance) {
  const double reach = law.barrier.distance + law.radius;
  return squared_distance < reach * reach;
}

// The derivatives of energies of one stratum, with numbers S for positions.
template <class S>
pairs::SecondOrder<S> energy_second_order(const PairBarrier& law, const ClosestFeatures& features, const PairVector& at,
                                          const S* x, double squared_distance) {
  const auto barrier = compose(pair_barrier_series(law, pairs::apart(squared_distance, features)),
                               pairs::squared_distance_second_order(features, x));
  if (!pairs::is_mollified(law.parallel_threshold, at.data())) return barrier;
  return product(barrier, pairs::mollifier_second_order(law.parallel_threshold, x));
}

}  // namespace

double pair_energy(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x) {
  const double squared_distance = pair_squared_distance(features, x);
  if (!pair_is_active(law, squared_distance)) return 0;
  const ScalarDerivatives B = barrier_energy(law.barrier, std::sqrt(squared_distance) - law.radius);
  if (!std::isfinite(B.value)) return B.value;  // whatever the mollifier is
  return law.area * edge_mollifier(law.parallel_threshold, x) * B.value;
}

PairGradient pair_energy_gradient(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x) {
  const double squared_distance = pair_squared_distance(features, x);
  if (!pair_is_active(law, squared_distance)) return {0, PairVector::Zero()};
  const auto barrier = compose(pair_barrier_series(law, pairs::apart(squared_distance, features)),
                               pairs::squared_distance_first_order(features, x.data()));
  if (!pairs::is_mollified(law.parallel_threshold, x.data())) return pairs::result_of(barrier);
  return pairs::result_of(product(barrier, pairs::mollifier_first_order(law.parallel_threshold, x.data())));
}

PairHessian pair_energy_hessian(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x,
                                Curvature curvature) {
  const double squared_distance = pair_squared_distance(features, x);
  if (!pair_is_active(law, squared_distance)) return {0, PairVector::Zero(), PairMatrix::Zero()};
  PairHessian result = pairs::result_of(energy_second_order(law, features, x, x.data(), squared_distance));
  if (curvature == Curvature::projected)
    result.hessian = pairs::is_mollified(law.parallel_threshold, x.data())
                         ? pairs::positive_part(result.hessian)
                         : pairs::positive_part_by_frame(result.hessian, features, x);
  return result;
}

PairMatrix pair_energy_directional_hessian(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x,
                                           const PairVector& y) {
  const double squared_distance = pair_squared_distance(features, x);
  if (!pair_is_active(law, squared_distance)) return PairMatrix::Zero();
  return pairs::directional_hessian_of(energy_second_order(law, features, x, pairs::along(x, y).data(), squared_distance));
}

}  // namespace holo
