#pragma once
// The energy of contact of two primitives, E = A m(x) B(d(x) - r) [J]: the barrier B of their distance [Shen2024] Eq 4, less
// the radius r of thick ones, for the area A that the pair stands for, and of two edges times their mollifier m. Positions in,
// numbers out; no state.
//
//   const ClosestFeatures features = closest_features(PairKind::point_triangle, x);
//   const PairHessian E = pair_energy_hessian({barrier, area}, features, x, Curvature::projected);
//
// Where the gap d - r is the barrier's activation distance or more, everything is 0. Where it is 0 or less the energy is
// +infinity; the derivatives of a distance of 0 throw as its own do (pair_distance.h). No function allocates.

#include "holo/opt/newton.h"
#include "holo/sim/contact/gap_energy.h"
#include "holo/sim/contact/pairs/edge_mollifier.h"

namespace holo {

struct PairBarrier {
  Barrier barrier;
  double area = 1;                // A [m^2]
  double parallel_threshold = 0;  // of two edges, edge_mollifier.h [m^4]; 0 of other pairs
  double radius = 0;              // r [m], >= 0
};

double pair_energy(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x);
PairGradient pair_energy_gradient(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x);
// The Hessian [N/m] is that of the energy, or for Curvature::projected the nearest one (Frobenius) without negative
// eigenvalues.
PairHessian pair_energy_hessian(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x,
                                Curvature curvature);
// The derivative of the exact Hessian along the direction y [12] of the positions.
PairMatrix pair_energy_directional_hessian(const PairBarrier& law, const ClosestFeatures& features, const PairVector& x,
                                           const PairVector& y);

}  // namespace holo
