#pragma once
// The positive part of the Hessian of a contact pair: the nearest matrix (Frobenius) without negative eigenvalues. Allocates
// nothing.

#include "holo/sim/contact/pairs/closest_features.h"

namespace holo::pairs {

// Of a symmetric matrix whose product with a translation of all nodes is 0.
PairMatrix positive_part(const PairMatrix& hessian);

// The same of the Hessian of a function of the distance of the features at x, which is faster. The gradient of such a function
// is f'(d) g (x) n with the weights g and the normal n. In any direction n changes by a tangent, and g by weights with the sum
// 0, which its own is, too. So the range of the Hessian lies in the five vectors g (x) t_1, g (x) t_2 and w (x) n, where the
// three w are a basis of such weights. The matrix is checked for it, and has all its rows decomposed if rounding has led it out
// (flat triangles, nearly parallel edges).
PairMatrix positive_part_by_frame(const PairMatrix& hessian, const ClosestFeatures& features, const PairVector& x);

}  // namespace holo::pairs
