#include "dynamics/handle_drag.h"

#include <cmath>

namespace holo {
namespace {

constexpr int max_drags = 30;              // directions
constexpr double smallest_advance = 1e-4;  // of the way that is left, below which a drag is stuck

}  // namespace

bool HandleDrag::find_direction(Curvature curvature, const Eigen::VectorXd& x, NewtonWorkspace& workspace,
                                int& factorizations) {
  // What is left of the way of prescribed vertices, 0 for all others.
  left_ = x;
  potential_.apply_targets(left_);
  left_ -= x;
  potential_.free_derivatives(x, curvature, gradient_, hessian_);
  // With d = left + free part, H d = -g: the known part moves to the right-hand side, then its rows are eliminated.
  gradient_ += hessian_.selfadjointView<Eigen::Lower>() * left_;
  potential_.add_obstacle_gradient(x, gradient_);
  potential_.eliminate_prescribed(gradient_, hessian_);
  if (!newton_direction(hessian_, gradient_, direction_, workspace)) return false;
  ++factorizations;
  direction_ += left_;
  return true;
}

bool HandleDrag::run(Curvature curvature, Eigen::VectorXd& x, NewtonWorkspace& workspace, int& factorizations) {
  double progress = 0;  // of the obstacles
  potential_.place_obstacles(progress);
  if (!std::isfinite(potential_.energy(x))) return false;
  for (int drag = 0; drag < max_drags; ++drag) {
    if (!find_direction(curvature, x, workspace, factorizations) &&
        (curvature == Curvature::projected || !find_direction(Curvature::projected, x, workspace, factorizations)))
      return false;
    // At the whole way the targets are written exactly, without the rounding of x + d.
    double length = potential_.feasible_step(x, direction_);
    for (;; length /= 2) {
      if (length < smallest_advance) return false;
      trial_ = x + length * direction_;
      if (length == 1) potential_.apply_targets(trial_);
      potential_.place_obstacles(length == 1 ? 1 : progress + length * (1 - progress));
      if (std::isfinite(potential_.energy(trial_))) break;
    }
    x.swap(trial_);
    progress += length * (1 - progress);
    if (length == 1) return true;
  }
  return false;
}

}  // namespace holo
