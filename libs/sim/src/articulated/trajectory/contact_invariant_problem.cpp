#include "holo/sim/articulated/trajectory/contact_invariant_problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "articulated/trajectory/contact_invariant_derivatives.h"
#include "articulated/trajectory/point_columns.h"
#include "articulated/trajectory/residual_tests.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/articulated/dynamics/contact_forces.h"

namespace holo::articulated {

using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

// Unknowns of a point are its coefficients and the forces of the steps of the segment that it ends; its constraints are the
// equations of motion of these steps.
BandedSaddleShape contact_invariant_shape(const TrajectoryModel& model, const TrajectoryBasis& basis) {
  BandedSaddleShape shape;
  const int n = model.character().dof_count(), forces = ContactPairs(model).forces();
  for (std::size_t z = 0; z < basis.segments().size(); ++z) {
    const TrajectorySegment& segment = basis.segments()[z];
    const int steps = segment.last_step - segment.first_step + 1;
    shape.unknowns.push_back(basis.unknown_columns(int(z) + 1) * n + steps * forces);
    shape.constraints.push_back(steps * int(model.unactuated().size()));
  }
  shape.hessian_reach = 2;
  shape.jacobian_before = 2;
  shape.jacobian_after = 0;
  return shape;
}

}  // namespace

void ContactInvariantProblem::require_contact(const TrajectoryModel& model) {
  const int points = model.character().data().contact_point_count, obstacles = model.step().obstacle_count;
  if (points == 0 || obstacles == 0)
    throw Error(Failure::input,
                fmt::format("contact-invariant optimization seeks the forces of contact points on obstacles, and "
                            "there are {} contact points and {} obstacles; it needs at least one of each.",
                            points, obstacles));
  if (!(model.weight() > 0))
    throw Error(Failure::input,
                "contact-invariant optimization measures forces in the character's weight, which is 0; give it gravity.");
}

ContactInvariantProblem::ContactInvariantProblem(const TrajectoryModel& model, TrajectoryBasis basis,
                                                 const BlockTridiagonalOptions& linear_algebra)
    : model_((require_contact(model), model)),
      basis_(basis),
      motion_(model, std::move(basis), linear_algebra),
      without_contact_(model.step()),
      interactions_(std::size_t(model.steps())),
      system_(std::make_unique<BandedSaddlePoint>(contact_invariant_shape(model, basis_), linear_algebra)),
      columns_(std::make_unique<PointColumns>(basis_, model.character().dof_count(), *system_)),
      segments_(basis_.segments().size()),
      scratch_([this] { return std::make_unique<ContactInvariantScratch>(model_, basis_, without_contact_); }) {
  without_contact_.obstacles = nullptr;
  without_contact_.obstacle_count = 0;
  scratch_.fill();
  {
    WorkspacePool<ContactInvariantScratch>::Lease scratch(scratch_);
    for (std::size_t z = 0; z < segments_.size(); ++z) scratch->resize(basis_.segments()[z], segments_[z]);
  }
  const int n = model.character().dof_count(), forces = ContactPairs(model).forces(), steps = model.steps();
  motion_point_.setZero(motion_.unknown_count());
  forces_.setZero(forces, steps);
  residuals_.setZero(n, steps);
  step_gradients_.setZero(n, 3 * steps);
  column_gradients_.setZero(n, basis_.columns());
  force_gradients_.setZero(forces, steps);
}

ContactInvariantProblem::~ContactInvariantProblem() = default;

int ContactInvariantProblem::coefficient_count(int point) const {
  return basis_.unknown_columns(point + 1) * model_.character().dof_count();
}

namespace {

// Calls visit(first unknown of the motion, first unknown of all, count) for the coefficients of each point, and for the forces
// of each step visit_forces(step, first unknown).
template <class Visit, class VisitForces>
void visit_unknowns(const TrajectoryBasis& basis, const BandedBlocks& blocks, int dofs, int forces, const Visit& visit,
                    const VisitForces& visit_forces) {
  int in_motion = 0;
  for (std::size_t z = 0; z < basis.segments().size(); ++z) {
    const TrajectorySegment& segment = basis.segments()[z];
    const int count = basis.unknown_columns(int(z) + 1) * dofs, first = blocks.first_unknown(int(z));
    visit(in_motion, first, count);
    in_motion += count;
    for (int step = segment.first_step; step <= segment.last_step; ++step)
      visit_forces(step, first + count + (step - segment.first_step) * forces);
  }
}

}  // namespace

VectorXd ContactInvariantProblem::motion_point(const VectorXd& point) const {
  VectorXd result(motion_.unknown_count());
  visit_unknowns(
      basis_, system_->blocks(), model_.character().dof_count(), int(forces_.rows()),
      [&](int in_motion, int first, int count) { result.segment(in_motion, count) = point.segment(first, count); },
      [](int, int) {});
  return result;
}

MatrixXd ContactInvariantProblem::forces(const VectorXd& point) const {
  MatrixXd result(forces_.rows(), forces_.cols());
  visit_unknowns(
      basis_, system_->blocks(), model_.character().dof_count(), int(forces_.rows()), [](int, int, int) {},
      [&](int step, int first) { result.col(step - 1) = point.segment(first, result.rows()); });
  return result;
}

VectorXd ContactInvariantProblem::point_of(const VectorXd& motion_point) {
  VectorXd result = VectorXd::Zero(unknown_count());
  const TrajectoryStates& states = motion_.states(motion_point);
  const ContactPairs pairs(model_);
  const auto set_forces = [&](int step, int first) {
    ContactForce<double> contact{};
    for (int pair = 0; pair < pairs.count; ++pair)
      if (contact_force(model_.step(), pairs.sphere(model_, pair), pairs.obstacle(model_, pair), states.step_states(step),
                        contact))
        for (int k = 0; k < 3; ++k) result[first + 3 * pair + k] = contact.force[k] / model_.weight();
  };
  visit_unknowns(
      basis_, system_->blocks(), model_.character().dof_count(), pairs.forces(),
      [&](int in_motion, int first, int count) { result.segment(first, count) = motion_point.segment(in_motion, count); },
      set_forces);
  return result;
}

// Residuals and energies of the point, unless they are known.
void ContactInvariantProblem::update(const VectorXd& point) {
  if (point_.size() == point.size() && point_ == point) {
    states_ = &motion_.states(motion_point_);  // the motion may have been evaluated elsewhere
    return;
  }
  visit_unknowns(
      basis_, system_->blocks(), model_.character().dof_count(), int(forces_.rows()),
      [&](int in_motion, int first, int count) { motion_point_.segment(in_motion, count) = point.segment(first, count); },
      [&](int step, int first) { forces_.col(step - 1) = point.segment(first, forces_.rows()); });
  states_ = &motion_.states(motion_point_);
  parallel_for(std::size_t(model_.steps()), 8, [&](std::size_t begin, std::size_t end) {
    WorkspacePool<ContactInvariantScratch>::Lease scratch(scratch_);
    for (std::size_t i = begin; i < end; ++i)
      interactions_[i] =
          scratch->evaluate(*states_, int(i) + 1, forces_.col(Eigen::Index(i)).data(), residuals_.col(Eigen::Index(i)).data());
  });
  point_ = point;
}

const MatrixXd& ContactInvariantProblem::residuals(const VectorXd& point) {
  update(point);
  return residuals_;
}

double ContactInvariantProblem::interactions(const VectorXd& point) {
  update(point);
  double sum = 0;
  for (const double energy : interactions_) sum += energy;
  return sum;
}

TrajectoryValues ContactInvariantProblem::values(const VectorXd& point) {
  TrajectoryValues result;
  update(point);
  result.losses = motion_.losses(motion_point_);
  result.effort = effort_of(model_, residuals_);
  measure_violation(model_, basis_, residuals_, result);
  return result;
}

double ContactInvariantProblem::evaluate(const VectorXd& point, VectorXd& constraints) {
  update(point);
  const std::vector<int>& unactuated = model_.unactuated();
  Eigen::Index k = 0;
  for (int step = 1; step <= model_.steps(); ++step)
    for (const int dof : unactuated) constraints[k++] = residuals_(dof, step - 1);
  return motion_.losses(motion_point_) + effort_of(model_, residuals_) + interactions(point);
}

std::string ContactInvariantProblem::constraint_name(int constraint) const {
  const int unactuated = int(model_.unactuated().size()), step = constraint / unactuated + 1;
  return fmt::format("the equation of motion of '{}' at {:g} s",
                     model_.character().dof_name(model_.unactuated()[std::size_t(constraint % unactuated)]),
                     step * model_.step().time_step);
}

}  // namespace holo::articulated
