#pragma once
// Lag of friction of a contact pair: its normal force, the normal, and the weights of the closest points, as numbers with
// derivatives in the positions of the pair's nodes.

#include "holo/sim/contact/pairs/pair_energy.h"

namespace holo {

// N [N], the unit normal n from the second primitive to the first, and the weights g [node] of the closest points.
struct FrictionLag {
  static constexpr int count = 8;
  static constexpr int force = 0, normal = 1, weights = 4;  // of these numbers, the first ones
};
using FrictionLagVector = Eigen::Matrix<double, FrictionLag::count, 1>;
using FrictionLagJacobian = Eigen::Matrix<double, FrictionLag::count, 12>;

// N = -A m B'(d - r). Throws Error(internal) where the features are points, or a point and an edge, that coincide.
FrictionLagVector friction_lag(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x);
FrictionLagJacobian friction_lag_jacobian(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x);
// The second derivatives of factors . lag.
PairMatrix friction_lag_curvature(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x,
                                  const FrictionLagVector& factors);

}  // namespace holo
