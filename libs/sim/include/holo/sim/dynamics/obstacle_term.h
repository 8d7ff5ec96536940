#pragma once
// Interface of terms with obstacles that move by script, beside that of a term of the potential.

#include <Eigen/Core>

namespace holo {

// In a time step each obstacle goes from its place at the step's start to that at its end. A step is minimized with the
// obstacles at its end, where they are after PotentialTerm::begin_step. The lag of its start is that of obstacles at its start.
// Bodies that would be hit must be taken along before: obstacles may be put anywhere on their way, and
// PotentialTerm::feasible_step(x, d) then tells how far x may go along d while they go the same share of the rest of their way.
class ObstacleTerm {
 public:
  virtual ~ObstacleTerm() = default;

  // Puts the obstacles to a share in [0, 1] of their way in the step.
  virtual void place_obstacles(double progress) = 0;
  // gradient [3 * vertex] += what the rest of the obstacles' way adds to it in first order, with the derivatives of the
  // projected Hessian [N]. It is 0 at the end of the way.
  virtual void add_obstacle_gradient(const Eigen::VectorXd&, Eigen::VectorXd&) {}
};

}  // namespace holo
