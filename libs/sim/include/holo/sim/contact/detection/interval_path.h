#pragma once
// A test with certainty whether a pair, or a whole surface, stays apart during a motion, by interval arithmetic. It is slower
// than the additive method (time_of_impact.h), shares none of its code, and checks its steps.

#include <Eigen/Core>
#include <cstddef>

#include "holo/sim/contact/detection/candidate_pairs.h"

namespace holo {

struct IntervalBisection {
  double resolution = 0;   // pairs closer than this may count as touching [m], >= 0; 0: by rounding errors alone
  int box_limit = 100000;  // boxes of (t, u, v) examined for a pair, > 0; the rest then counts as a possible collision
};

// The result for a motion. Until the time `first` there is certainly no collision, and none at all if it is clear.
struct PathCheck {
  bool is_clear = true;
  double first = 0, last = 0;  // if not clear: the earliest interval in which a collision was not excluded
  std::size_t boxes = 0;       // examined
};

// Examines x + t p for 0 <= t <= end, with the rounding errors of positions that are computed so. `end` is in (0, 1]. Input
// that is not finite may collide from 0 on. Columns as columns_of() returns [m].
PathCheck check_point_triangle_path(const PairColumns& x, const PairColumns& p, double end = 1,
                                    const IntervalBisection& bisection = {});
PathCheck check_edge_edge_path(const PairColumns& x, const PairColumns& p, double end = 1,
                               const IntervalBisection& bisection = {});

// The check of all candidates, which have to be those of the motion (CandidateSearch::swept), with the earliest of their
// intervals. x and direction are [3 * vertex] [m]. The result does not depend on the number of threads.
PathCheck check_path(const CollisionMesh& mesh, const Eigen::VectorXd& x, const Eigen::VectorXd& direction,
                     const CandidatePairs& candidates, double end = 1, const IntervalBisection& bisection = {});

// Throws Error(internal), with the interval of time, where that check is not clear.
void require_clear_path(const CollisionMesh& mesh, const Eigen::VectorXd& x, const Eigen::VectorXd& direction,
                        const CandidatePairs& candidates, double end);

}  // namespace holo
