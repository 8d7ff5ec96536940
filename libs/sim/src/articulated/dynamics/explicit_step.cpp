#include "holo/sim/articulated/dynamics/explicit_step.h"

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/sim/articulated/dynamics/mass_matrix.h"

namespace holo::articulated {

ExplicitStepper::ExplicitStepper(const CharacterModel& model)
    : model_(model),
      ahead_(model),
      current_(model),
      previous_(model),
      before_(model),
      inertial_(std::size_t(model.dof_count())),
      applied_(inertial_.size()),
      moments_(inertial_.size()),
      factor_(model.dof_count()) {
  mass_.setZero(model.dof_count(), model.dof_count());
  forces_.setZero(model.dof_count());
}

void ExplicitStepper::set_states(const CharacterPose& previous, const CharacterPose& current) {
  for (std::size_t c = 0; c < current.references.size(); ++c)
    if (squared_norm(current.references[c] - previous.references[c]) != 0)
      throw Error(Failure::internal, "an explicit time step needs two poses with the same reference rotations.");
  for (StateMemory<double>* state : {&ahead_, &current_, &previous_, &before_})
    std::copy(current.references.begin(), current.references.end(), state->references.begin());
  for (std::size_t j = 0; j < current.coordinates.size(); ++j) {
    const double q = current.coordinates[j], change = q - previous.coordinates[j];
    ahead_.coordinates[j] = q + change;
    current_.coordinates[j] = q;
    previous_.coordinates[j] = q - change;
    before_.coordinates[j] = q - 2 * change;
  }
  for (StateMemory<double>* state : {&ahead_, &current_, &previous_}) state->update(model_);
}

// The residual at a constant velocity of the coordinates: inertia, which is what the velocity's change of direction takes, less
// gravity, contact, springs, dampers and limits, all at the current state. The coordinates have no acceleration, so that rotors
// take no part.
void ExplicitStepper::find_forces(const StepConstants& step) {
  const CharacterData data = model_.data();
  StepConstants at_current = step;
  at_current.inertia = InertiaRule::mid;
  const StepStates<double> moving{ahead_.view(), current_.view(), previous_.view()};
  const StepStates<double> now{current_.view(), previous_.view(), before_.view()};
  for (int k = 0; k < data.dof_count; ++k) {
    const auto frame = std::size_t(k);
    inertial_[frame] = applied_[frame] = WrenchMatrix<double>{};
    if (data.dofs[k].has_mass) inertial_[frame] = detail::inertial_wrench(data, at_current, moving, k);
  }
  add_contact_wrenches(data, step, now, applied_.data());
  add_self_collision_wrenches(data, step, now, applied_.data());
  detail::sum_subtrees(data, inertial_.data());
  detail::sum_subtrees(data, applied_.data());
  for (int j = 0; j < data.dof_count; ++j) {
    const auto dof = std::size_t(j);
    forces_[j] =
        generalized_force(current_.twists[dof], inertial_[dof]) + generalized_force(current_.twists[dof], applied_[dof]);
  }
  add_joint_forces(data, step, now, forces_.data());
}

bool ExplicitStepper::step(const StepConstants& step, const CharacterPose& previous, const CharacterPose& current,
                           const Eigen::VectorXd& controls, CharacterPose& newest) {
  set_states(previous, current);
  find_forces(step);
  mass_matrix(model_.data(), current_.view(), moments_.data(), mass_.data());
  forces_ = controls - forces_;
  factor_.compute(mass_);
  if (factor_.info() != Eigen::Success) return false;
  factor_.solveInPlace(forces_);
  newest.references = current.references;
  newest.coordinates.resize(current.coordinates.size());
  const double squared_step = step.time_step * step.time_step;
  for (std::size_t j = 0; j < newest.coordinates.size(); ++j)
    newest.coordinates[j] = ahead_.coordinates[j] + squared_step * forces_[Eigen::Index(j)];
  return std::all_of(newest.coordinates.begin(), newest.coordinates.end(), [](double q) { return std::isfinite(q); });
}

}  // namespace holo::articulated
