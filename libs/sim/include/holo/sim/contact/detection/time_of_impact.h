#pragma once
// The narrow phase of collision detection: how far primitives can move along straight lines without touching.

#include <Eigen/Core>

#include "holo/sim/contact/detection/candidate_pairs.h"
#include "holo/sim/contact/plane.h"

namespace holo {

// Of the distance beyond the slack, a fraction 1 - safety is kept: a pair stops when it has lost more than the fraction
// `safety` of its first distance.
struct AdditiveAdvance {
  double safety = 0.9;         // in (0, 1)
  double slack = 0;            // distance below which a pair counts as touching [m], >= 0
  int iteration_limit = 1000;  // > 0; a pair that needs more stops where it is
};

struct TimeOfImpact {
  double time = 0;     // in [0, latest]
  int iterations = 0;  // distances computed, at most the limit
};

// A time until which a pair at x + t p stays apart, by more than the slack. At the time itself, if that is below `latest` (> 0)
// and the iterations sufficed, the distance d is at most slack + (1 - safety) (d(0) - slack). 0: at the start the pair is
// closer than the slack and the rounding errors of the coordinates, or the input is not finite.
//
// This is the additive method of conservative advancement [Li2021] Alg 1: a step is so short that the distance cannot vanish in
// it. There the largest displacements bound it; here the displacements along the direction of the distance do, so that no step
// is shorter, and a pair that moves in parallel or apart takes one. Columns as columns_of() returns: positions x and
// displacements p [m].
TimeOfImpact point_triangle_time_of_impact(const PairColumns& x, const PairColumns& p, const AdditiveAdvance& advance = {},
                                           double latest = 1);
TimeOfImpact edge_edge_time_of_impact(const PairColumns& x, const PairColumns& p, const AdditiveAdvance& advance = {},
                                      double latest = 1);

// The time in [0, 1] at which a point x + t p reaches a plane that moves by `plane_displacement` [m] along its normal until
// t = 1, and is `slack` [m] from it; 1: it does not. Exact up to rounding; 0 for a point that is there at the start.
double plane_time_of_impact(const Plane& plane, double plane_displacement, const Eigen::Vector3d& x, const Eigen::Vector3d& p,
                            double slack = 0);

// The smallest time of impact of all candidates during x + t direction, with the bodies' radii as slack beside that of
// `advance`: a step in [0, 1] without a collision, and 0 only if a pair touches at x. The candidates have to be those of the
// motion (CandidateSearch::swept). x and direction are [3 * vertex] [m]. The result does not depend on the number of threads.
double longest_step(const CollisionMesh& mesh, const Eigen::VectorXd& x, const Eigen::VectorXd& direction,
                    const CandidatePairs& candidates, const AdditiveAdvance& advance = {});

}  // namespace holo
