#include "articulated/trajectory/contact_invariant_derivatives.h"

#include <algorithm>
#include <cmath>

#include "holo/sim/articulated/dynamics/step_jacobians.h"

namespace holo::articulated {

namespace {

constexpr int interaction_rows = ContactInteraction::rows;

Eigen::Index contact_columns(const TrajectoryBasis& basis, const TrajectorySegment& segment, int dofs) {
  return Eigen::Index(segment.last_point - segment.first_point + 1) * basis.components() * dofs;
}

Vector3<double> force_of(const double* forces, int pair) {
  return {forces[3 * pair], forces[3 * pair + 1], forces[3 * pair + 2]};
}

void set_rows(RowMajorMatrix& matrix, int pair, int column, const ContactInteraction::Row& row) {
  for (int i = 0; i < interaction_rows; ++i) matrix(interaction_rows * pair + i, column) = row[std::size_t(i)];
}

}  // namespace

ContactInvariantScratch::ContactInvariantScratch(const TrajectoryModel& model, const TrajectoryBasis& basis,
                                                 const StepConstants& without_contact)
    : model_(model),
      basis_(basis),
      constants_(without_contact),
      pairs_(model),
      weight_(model.weight()),
      step_(model, without_contact),
      losses_(model, basis) {
  const int n = model.character().dof_count(), rows = interaction_rows * pairs_.count, forces = pairs_.forces();
  const auto controls = Eigen::Index(model.character().actuated().size());
  Eigen::Index columns = 0;
  for (const TrajectorySegment& segment : basis.segments()) columns = std::max(columns, contact_columns(basis, segment, n));
  interactions_.setZero(rows);
  for (RowMajorMatrix* matrix : {&by_newest_, &by_current_}) matrix->setZero(rows, n);
  by_force_.setZero(rows, forces);
  residual_force_.setZero(n, forces);
  by_column_.setZero(n, columns);
  left_.setZero(controls + rows, columns);
  right_.setZero(controls + rows, forces);
  values_.setZero(controls + rows);
  inertial_.resize(std::size_t(n));
  applied_.resize(std::size_t(n));
}

void ContactInvariantScratch::resize(const TrajectorySegment& segment, ContactInvariantDerivatives& result) const {
  const int n = model_.character().dof_count();
  const Eigen::Index columns = contact_columns(basis_, segment, n), forces = pairs_.forces();
  const Eigen::Index steps = segment.last_step - segment.first_step + 1;
  const Eigen::Index rows = steps * Eigen::Index(model_.unactuated().size());
  result.losses.resize(basis_, segment, n, 0);
  result.gradient.setZero(columns);
  result.force_gradient.setZero(forces, steps);
  result.hessian.setZero(columns, columns);
  result.mixed.setZero(columns, steps * forces);
  result.force_hessian.setZero(forces, steps * forces);
  result.jacobian.setZero(rows, columns);
  result.force_jacobian.setZero(rows, forces);
}

// FD = FD without contact - sum of J_P^T f.
double ContactInvariantScratch::evaluate(const TrajectoryStates& states, int step, const double* forces, double* residual) {
  const StepStates<double> at = states.step_states(step);
  const CharacterData data = model_.character().data();
  step_residual(data, constants_, at, {inertial_.data(), applied_.data(), nullptr, nullptr, nullptr}, residual);
  double energy = 0;
  for (int pair = 0; pair < pairs_.count; ++pair) {
    const ContactPoint& sphere = pairs_.sphere(model_, pair);
    const Vector3<double> force = force_of(forces, pair);
    const ContactInteraction contact(constants_, sphere, pairs_.obstacle(model_, pair), at, force);
    for (const double value : contact.values()) energy += value * value;
    for (int a = sphere.dof; a >= 0; a = data.dofs[a].parent)
      residual[a] -= weight_ * dot(velocity_at(at.newest.kinematics.twists[a], contact.point()), force);
  }
  return energy;
}

// The wrench of a constant force turns with the degrees of freedom, and its point moves over the body.
void ContactInvariantScratch::differentiate_pair(const TrajectoryStates& states, int step, int pair,
                                                 const Vector3<double>& force) {
  const StepStates<double> at = states.step_states(step);
  const CharacterData data = model_.character().data();
  const ContactPoint& sphere = pairs_.sphere(model_, pair);
  const ContactInteraction contact(constants_, sphere, pairs_.obstacle(model_, pair), at, force);
  const Twist<double>*newest = at.newest.kinematics.twists, *current = at.current.kinematics.twists;
  const Vector3<double> newtons = weight_ * force;
  WrenchMatrix<double> wrench{};
  add_force(-newtons, contact.point(), wrench);
  for (int i = 0; i < interaction_rows; ++i) interactions_[interaction_rows * pair + i] = contact.values()[std::size_t(i)];
  for (int k = 0; k < 3; ++k) set_rows(by_force_, pair, 3 * pair + k, contact.by_force(k));
  RowMajorMatrix& D0 = step_.by_state(0);
  for (int b = sphere.dof; b >= 0; b = data.dofs[b].parent) {
    set_rows(by_newest_, pair, b, contact.by_newest(newest[b]));
    set_rows(by_current_, pair, b, contact.by_current(current[b]));
    const Vector3<double> relative = contact.relative(newest[b]), velocity = velocity_at(newest[b], contact.point());
    for (int k = 0; k < 3; ++k) residual_force_(b, 3 * pair + k) = -weight_ * velocity[k];
    for (int a = sphere.dof; a >= 0; a = data.dofs[a].parent)
      D0(a, b) += detail::second_order_force(data, at.newest, std::min(a, b), std::max(a, b), wrench) -
                  dot(newtons, cross(newest[a].angular, relative));
  }
}

void ContactInvariantScratch::differentiate_step(const TrajectoryStates& states, int step, const double* forces) {
  step_.differentiate(states, step);
  for (int pair = 0; pair < pairs_.count; ++pair) differentiate_pair(states, step, pair, force_of(forces, pair));
}

template <class Rows>
void ContactInvariantScratch::to_columns(const TrajectorySegment& segment, int state, const Rows& by_state,
                                         Eigen::Ref<RowMajorMatrix> result) const {
  if (state < 0) return;  // x_-1 is given
  const int n = model_.character().dof_count(), first = segment.first_point * basis_.components();
  for (const BasisWeight& entry : basis_.weights(state))
    result.middleCols(Eigen::Index(entry.column - first) * n, n) += entry.weight * by_state;
}

void ContactInvariantScratch::differentiate(const TrajectoryStates& states, const Eigen::MatrixXd& residuals,
                                            const Eigen::MatrixXd& forces, const TrajectorySegment& segment, double loss_scale,
                                            ContactInvariantDerivatives& result) {
  losses_.differentiate_losses(states, segment, loss_scale, result.losses);
  result.gradient = result.losses.gradient;
  result.hessian = result.losses.hessian;
  result.force_gradient.setZero();
  result.mixed.setZero();
  result.force_hessian.setZero();
  for (int step = segment.first_step; step <= segment.last_step; ++step) {
    differentiate_step(states, step, forces.col(step - 1).data());
    add_step(residuals, segment, step, result);
  }
}

// E has the squares of `values_`, with the derivatives left_ by columns and right_ by the forces of the step.
void ContactInvariantScratch::add_step(const Eigen::MatrixXd& residuals, const TrajectorySegment& segment, int step,
                                       ContactInvariantDerivatives& result) {
  const Eigen::Index columns = result.gradient.size(), forces = pairs_.forces(), number = step - segment.first_step;
  const auto controls = Eigen::Index(model_.character().actuated().size()), rows = interactions_.size();
  const auto unactuated = Eigen::Index(model_.unactuated().size());
  Eigen::Ref<RowMajorMatrix> by_column = by_column_.leftCols(columns), left = left_.leftCols(columns);
  by_column.setZero();
  left.setZero();
  for (int back = 0; back < 3; ++back) to_columns(segment, step - back, step_.by_state(back), by_column);
  to_columns(segment, step, by_newest_, left.bottomRows(rows));
  to_columns(segment, step - 1, by_current_, left.bottomRows(rows));
  right_.bottomRows(rows) = by_force_;
  values_.tail(rows) = interactions_;
  const double root = std::sqrt(model_.effort_factor());
  for (Eigen::Index k = 0; k < controls; ++k) {
    const int dof = model_.character().actuated()[std::size_t(k)];
    left.row(k) = root * by_column.row(dof);
    right_.row(k) = root * residual_force_.row(dof);
    values_[k] = root * residuals(dof, step - 1);
  }
  result.gradient.noalias() += 2 * left.transpose() * values_;
  result.force_gradient.col(number).noalias() += 2 * right_.transpose() * values_;
  result.hessian.noalias() += 2 * left.transpose() * left;
  result.mixed.middleCols(number * forces, forces).noalias() += 2 * left.transpose() * right_;
  result.force_hessian.middleCols(number * forces, forces).noalias() += 2 * right_.transpose() * right_;
  for (Eigen::Index k = 0; k < unactuated; ++k) {
    const int dof = model_.unactuated()[std::size_t(k)];
    result.jacobian.row(number * unactuated + k) = by_column.row(dof);
    result.force_jacobian.row(number * unactuated + k) = residual_force_.row(dof);
  }
}

void ContactInvariantScratch::add_gradient(const TrajectoryStates& states, int step, const double* forces,
                                           StepGradients& by_step, double* by_force) {
  differentiate_step(states, step, forces);
  step_.add_residual(step, weights(), by_step);
  by_step.col(3 * (step - 1)).noalias() += 2 * by_newest_.transpose() * interactions_;
  by_step.col(3 * (step - 1) + 1).noalias() += 2 * by_current_.transpose() * interactions_;
  Eigen::Map<Eigen::VectorXd> force_gradient(by_force, pairs_.forces());
  force_gradient.noalias() += residual_force_.transpose() * weights();
  force_gradient.noalias() += 2 * by_force_.transpose() * interactions_;
}

}  // namespace holo::articulated
