#pragma once
// Distances of a point and a triangle, and of two edges, with a plane that separates them.

#include <Eigen/Core>

#include "holo/sim/contact/detection/candidate_pairs.h"

namespace holo {

// A direction n for which n . (a - b) >= distance holds for all points a of the first and b of the second primitive, up to the
// rounding errors of these products. Since the primitives are convex, the largest such distance is theirs.
struct Separation {
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // unit, from the second to the first primitive
  double distance = 0;                                  // [m]; 0: nothing separates them, they touch or intersect
};

// The distance of a pair, never more than it up to rounding errors of the coordinates' size, also of degenerate primitives and
// parallel edges. Columns as columns_of() returns [m]. Plain values: energies of contact differentiate their own distances.
Separation point_triangle_separation(const PairColumns& x);
Separation edge_edge_separation(const PairColumns& x);

}  // namespace holo
