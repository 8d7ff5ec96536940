#include "holo/sim/contact/pairs/pair_distance.h"

#include <cmath>

#include "contact/pairs/pair_checks.h"
#include "contact/pairs/pair_functions.h"
#include "holo/diff/scalars/taylor.h"

namespace holo {
namespace {

// sqrt at a squared distance.
pairs::ScalarSeries distance_series(double squared_distance) {
  const Taylor<3> d = sqrt(Taylor<3>(Taylor<3>::variable(squared_distance)));
  return {d.value(), d.derivative(1), d.derivative(2), d.derivative(3)};
}

}  // namespace

double pair_squared_distance(const ClosestFeatures& features, const PairVector& x) {
  return pairs::finite(pairs::squared_distance_of(features, x.data()), features);
}

double pair_distance(const ClosestFeatures& features, const PairVector& x) {
  return std::sqrt(pair_squared_distance(features, x));
}

PairGradient pair_distance_gradient(const ClosestFeatures& features, const PairVector& x) {
  const auto s = pairs::squared_distance_first_order(features, x.data());
  return pairs::result_of(compose(distance_series(pairs::apart(s.value, features)), s));
}

PairHessian pair_distance_hessian(const ClosestFeatures& features, const PairVector& x) {
  const auto s = pairs::squared_distance_second_order(features, x.data());
  return pairs::result_of(compose(distance_series(pairs::apart(s.value, features)), s));
}

PairMatrix pair_distance_directional_hessian(const ClosestFeatures& features, const PairVector& x, const PairVector& y) {
  const auto s = pairs::squared_distance_second_order(features, pairs::along(x, y).data());
  return pairs::directional_hessian_of(compose(distance_series(pairs::apart(s.value.value(), features)), s));
}

}  // namespace holo
