// Derivatives of contact-invariant optimization as blocks of points, and as a gradient alone.
#include "articulated/trajectory/contact_invariant_derivatives.h"
#include "articulated/trajectory/point_columns.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/articulated/trajectory/contact_invariant_problem.h"

namespace holo::articulated {

using Eigen::VectorXd;

void ContactInvariantProblem::linearize(const VectorXd& point, const VectorXd&, VectorXd& gradient) {
  update(point);
  parallel_for(segments_.size(), basis_.components() == 1 ? 8 : 1, [&](std::size_t begin, std::size_t end) {
    WorkspacePool<ContactInvariantScratch>::Lease scratch(scratch_);
    for (std::size_t z = begin; z < end; ++z)
      scratch->differentiate(*states_, residuals_, forces_, basis_.segments()[z], motion_.loss_scale(), segments_[z]);
  });
  system_->set_zero();
  gradient.setZero();
  for (std::size_t z = 0; z < segments_.size(); ++z) {
    gather_coefficients(z, gradient);
    gather_forces(z, gradient);
  }
}

// Adds a segment's derivatives by coefficients, columns of unknowns alone.
void ContactInvariantProblem::gather_coefficients(std::size_t number, VectorXd& gradient) {
  const TrajectorySegment& segment = basis_.segments()[number];
  const ContactInvariantDerivatives& from = segments_[number];
  columns_->add_segment(segment, from.gradient, from.hessian, gradient);
  const Eigen::Index n = model_.character().dof_count(), forces = from.mixed.cols();
  const int first = segment.first_point * basis_.components(), own = int(number);
  columns_->visit_unknown(segment, [&](int column) {
    const int point = columns_->point_of(column), in_point = columns_->in_point(column);
    const Eigen::Index local = Eigen::Index(column - first) * n;
    system_->hessian_block(own, point).block(coefficient_count(own), in_point, forces, n) +=
        from.mixed.middleRows(local, n).transpose();
    system_->jacobian_block(own, point).middleCols(in_point, n) += from.jacobian.middleCols(local, n);
  });
}

// Those by the forces of the segment's steps, which are unknowns of its last point.
void ContactInvariantProblem::gather_forces(std::size_t number, VectorXd& gradient) {
  const ContactInvariantDerivatives& from = segments_[number];
  const int own = int(number), coefficients = coefficient_count(own);
  const Eigen::Index forces = from.force_gradient.rows(), unactuated = Eigen::Index(model_.unactuated().size());
  BlockReference hessian = system_->hessian_block(own, own), jacobian = system_->jacobian_block(own, own);
  for (Eigen::Index step = 0; step < from.force_gradient.cols(); ++step) {
    const Eigen::Index at = coefficients + step * forces;
    gradient.segment(system_->blocks().first_unknown(own) + at, forces) += from.force_gradient.col(step);
    hessian.block(at, at, forces, forces) += from.force_hessian.middleCols(step * forces, forces);
    jacobian.block(step * unactuated, at, unactuated, forces) += from.force_jacobian.middleRows(step * unactuated, unactuated);
  }
}

// Of the steps begin + 1 ... end.
void ContactInvariantProblem::differentiate_steps(int begin, int end, const VectorXd& multipliers) {
  WorkspacePool<ContactInvariantScratch>::Lease scratch(scratch_);
  VectorXd& weights = scratch->weights();
  const auto unactuated = Eigen::Index(model_.unactuated().size());
  for (Eigen::Index i = begin; i < end; ++i) {
    for (const int dof : model_.character().actuated()) weights[dof] = 2 * model_.effort_factor() * residuals_(dof, i);
    for (Eigen::Index k = 0; k < unactuated; ++k)
      weights[model_.unactuated()[std::size_t(k)]] = multipliers[i * unactuated + k];
    scratch->add_gradient(*states_, int(i) + 1, forces_.col(i).data(), step_gradients_, force_gradients_.col(i).data());
  }
  scratch->add_losses(*states_, begin + 1, end, motion_.loss_scale(), step_gradients_);
}

bool ContactInvariantProblem::differentiate(const VectorXd& point, const VectorXd& multipliers, VectorXd& gradient) {
  update(point);
  step_gradients_.setZero();
  force_gradients_.setZero();
  parallel_for(std::size_t(model_.steps()), 2 * HOLO_LANE_WIDTH,
               [&](std::size_t begin, std::size_t end) { differentiate_steps(int(begin), int(end), multipliers); });
  sum_columns(basis_, step_gradients_, column_gradients_);
  columns_->to_unknowns(column_gradients_, gradient);
  for (std::size_t z = 0; z < segments_.size(); ++z) {
    const TrajectorySegment& segment = basis_.segments()[z];
    int first = system_->blocks().first_unknown(int(z)) + coefficient_count(int(z));
    for (int step = segment.first_step; step <= segment.last_step; ++step, first += int(forces_.rows()))
      gradient.segment(first, forces_.rows()) = force_gradients_.col(step - 1);
  }
  return true;
}

}  // namespace holo::articulated
