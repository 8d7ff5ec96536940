#pragma once
// The distance of two primitives of surfaces, with its derivatives in the positions of their four nodes. They are derived from
// the squared distance of each kind of features, which is written once for any scalar (docs/elastic-dynamics.md#contact):
//
//   const ClosestFeatures features = closest_features(PairKind::edge_edge, x);
//   const PairHessian d = pair_distance_hessian(features, x);          // d.value [m], d.gradient, d.hessian [1/m]
//
// Derivatives keep the features fixed. The functions throw Error(internal) if a squared distance is not finite (positions that
// are not, or beyond 1e50 m), and those of derivatives where the features are closer than 1e-40 m: they touch, and the distance
// has no derivatives. No function allocates.

#include "holo/sim/contact/pairs/closest_features.h"

namespace holo {

// A function of the positions x of a pair with its derivatives, in its unit over powers of m.
struct PairGradient {
  double value = 0;
  PairVector gradient;
};
struct PairHessian {
  double value = 0;
  PairVector gradient;
  PairMatrix hessian;  // symmetric to the last bit
};

double pair_squared_distance(const ClosestFeatures& features, const PairVector& x);  // [m^2]; derivatives exist at 0, too
double pair_distance(const ClosestFeatures& features, const PairVector& x);          // [m]
PairGradient pair_distance_gradient(const ClosestFeatures& features, const PairVector& x);
PairHessian pair_distance_hessian(const ClosestFeatures& features, const PairVector& x);
// The derivative of the Hessian along the direction y [12] of the positions: d/dt of that at x + t y, at t = 0.
PairMatrix pair_distance_directional_hessian(const ClosestFeatures& features, const PairVector& x, const PairVector& y);

}  // namespace holo
