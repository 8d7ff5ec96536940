#pragma once
// The factor that takes the energy of two edges to 0 as they become parallel, where the direction of their distance would jump
// [Li2020]: m = (2 - c/e)(c/e) for c = |e1 x e2|^2 < e, and 1 beyond. It is continuously differentiable; its second derivatives
// jump at c = e. e is of the edges at rest, so that it does not change with the positions.

#include "holo/sim/contact/pairs/pair_distance.h"

namespace holo {

// e = |e1|^2 |e2|^2 / 1000 of two edges at rest [m^4]: m < 1 where the sine of the angle is below 0.03. 0 of an edge without
// length.
double parallel_threshold(const PairVector& rest);
double parallel_threshold(double first_length, double second_length);  // of the edges at rest [m]

// m at the positions x of two edges, for a threshold e >= 0 [m^4]; 0: m is 1. The derivatives are in x.
double edge_mollifier(double threshold, const PairVector& x);
PairGradient edge_mollifier_gradient(double threshold, const PairVector& x);
PairHessian edge_mollifier_hessian(double threshold, const PairVector& x);
PairMatrix edge_mollifier_directional_hessian(double threshold, const PairVector& x, const PairVector& y);

}  // namespace holo
