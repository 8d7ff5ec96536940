#pragma once
// The speed at which surfaces with friction slide on each other: it tells whether a scene sticks.

#include <memory>
#include <vector>

#include "holo/sim/dynamics/potential_terms.h"

namespace holo {

class SlidingSpeed {
 public:
  // The scene lives longer; its barrier is that of now.
  explicit SlidingSpeed(const ElasticScene& scene);

  // For each two bodies, a body and an obstacle, or a body and itself, the mean of |u_c|/dt over their contacts c, weighted by
  // the normal forces at the end of the step; the largest of these means [m/s]. u_c is the tangential displacement in the step
  // from `before` to `after`, as in friction. Without contacts that have friction it is 0.
  double of_step(const ElasticState& before, const ElasticState& after);

 private:
  const ElasticScene& scene_;
  PotentialTerms frictions_;  // of points (ContactSurface::points)
};

}  // namespace holo
