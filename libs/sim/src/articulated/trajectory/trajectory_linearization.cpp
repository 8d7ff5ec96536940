// Derivatives of a trajectory's problem as blocks of points, and as a gradient alone.
#include "articulated/trajectory/point_columns.h"
#include "articulated/trajectory/segment_derivatives.h"
#include "articulated/trajectory/step_gradients.h"
#include "articulated/trajectory/transition_blocks.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/articulated/trajectory/trajectory_problem.h"

namespace holo::articulated {

using Eigen::VectorXd;

void TrajectoryProblem::linearize(const VectorXd& point, const VectorXd&, VectorXd& gradient) {
  update(point);
  parallel_for(segments_.size(), basis_.components() == 1 ? 8 : 1, [&](std::size_t begin, std::size_t end) {
    WorkspacePool<SegmentScratch>::Lease scratch(segment_scratch_);
    for (std::size_t z = begin; z < end; ++z)
      scratch->differentiate(states_, residuals_, basis_.segments()[z], loss_scale_, segments_[z]);
  });
  system_->set_zero();
  gradient.setZero();
  for (std::size_t z = 0; z < segments_.size(); ++z) {
    columns_->add_segment(basis_.segments()[z], segments_[z].gradient, segments_[z].hessian, gradient);
    add_constraints(z);
  }
  if (transitions_ != nullptr) transitions_->add(coefficients_, *columns_, gradient);
}

// Adds a segment's part of A to its unknown columns.
void TrajectoryProblem::add_constraints(std::size_t number) {
  const TrajectorySegment& segment = basis_.segments()[number];
  const Eigen::Index n = coefficients_.rows(), tests = Eigen::Index(model_.unactuated().size());
  const int components = basis_.components(), first = segment.first_point * components;
  const int first_test = segment.first_test_point * components, last = (segment.last_point + 1) * components;
  columns_->visit_unknown(segment, [&](int column) {
    for (int test = first_test; test < last; ++test)
      system_->jacobian_block(test / components - 1, columns_->point_of(column))
          .block((test % components) * tests, columns_->in_point(column), tests, n) +=
          segments_[number].jacobian.block(Eigen::Index(test - first_test) * tests, Eigen::Index(column - first) * n, tests, n);
  });
}

// Of w' |u|^2 + multipliers . C by the residuals of a step.
void TrajectoryProblem::weigh_residuals(int step, const VectorXd& multipliers, VectorXd& weights) const {
  const auto first = Eigen::Index(basis_.components()), count = Eigen::Index(model_.unactuated().size());
  for (const int dof : model_.character().actuated()) weights[dof] = 2 * model_.effort_factor() * residuals_(dof, step - 1);
  for (Eigen::Index k = 0; k < count; ++k) {
    double& weight = weights[model_.unactuated()[std::size_t(k)]];
    weight = 0;
    for (const BasisWeight& test : basis_.weights(step))
      if (test.column >= first) weight += test.weight * multipliers[(test.column - first) * count + k];
  }
}

bool TrajectoryProblem::differentiate(const VectorXd& point, const VectorXd& multipliers, VectorXd& gradient) {
  if (transitions_ != nullptr) return false;
  update(point);
  step_gradients_.setZero();
  parallel_for(std::size_t(model_.steps()), 2 * HOLO_LANE_WIDTH, [&](std::size_t begin, std::size_t end) {
    WorkspacePool<StepGradientScratch>::Lease scratch(gradient_scratch_);
    for (int step = int(begin) + 1; step <= int(end); ++step) {
      scratch->differentiate(states_, step);
      weigh_residuals(step, multipliers, scratch->weights());
      scratch->add_residual(step, scratch->weights(), step_gradients_);
    }
    scratch->add_losses(states_, int(begin) + 1, int(end), loss_scale_, step_gradients_);
  });
  sum_columns(basis_, step_gradients_, column_gradients_);
  columns_->to_unknowns(column_gradients_, gradient);
  return true;
}

}  // namespace holo::articulated
