#include "holo/sim/articulated/dynamics/articulated_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/sim/articulated/dynamics/step_jacobians.h"

namespace holo::articulated {

using Eigen::VectorXd;

ArticulatedStepper::ArticulatedStepper(const CharacterModel& model)
    : model_(model), memory_(model), factor_(model.dof_count()) {
  const int n = model.dof_count();
  for (VectorXd* vector : {&coordinates_, &residual_, &direction_, &trial_, &guess_, &followed_, &best_}) vector->setZero(n);
  for (auto& matrix : jacobians_) matrix.setZero(n, n);
}

// The norm of FD - controls, which is left in residual_ with the kinematics of the coordinates; infinity where it is not
// finite.
double ArticulatedStepper::evaluate(const StepConstants& step, const VectorXd& coordinates, const VectorXd& controls) {
  std::copy(coordinates.begin(), coordinates.end(), memory_.newest.coordinates.begin());
  memory_.newest.update(model_);
  step_residual(model_.data(), step, memory_.states(), memory_.workspace(), residual_.data());
  residual_ -= controls;
  const double norm = residual_.norm();
  return std::isfinite(norm) ? norm : std::numeric_limits<double>::infinity();
}

// Of a constant velocity and a rest in the current state, the one with the smaller residual. Coordinates of rotation vectors
// with different references do not extrapolate.
void ArticulatedStepper::choose_guess(const StepConstants& step, const CharacterPose& previous, const CharacterPose& current,
                                      const VectorXd& controls) {
  for (int j = 0; j < model_.dof_count(); ++j) {
    const std::size_t k = std::size_t(j);
    const int chart = model_.dofs()[k].chart;
    const bool same =
        chart < 0 || squared_norm(current.references[std::size_t(chart)] - previous.references[std::size_t(chart)]) == 0;
    coordinates_[j] = current.coordinates[k];
    trial_[j] = same ? 2 * current.coordinates[k] - previous.coordinates[k] : current.coordinates[k];
  }
  const double at_rest = evaluate(step, coordinates_, controls), moving = evaluate(step, trial_, controls);
  if (moving <= at_rest) coordinates_.swap(trial_);
  guess_ = coordinates_;
}

// Armijo's condition on the squared norm along Newton's direction, whose slope is -2 norm^2; the step is halved.
bool ArticulatedStepper::search(const StepConstants& step, const VectorXd& controls) {
  for (double length = 1; length > 1e-10; length /= 2) {
    trial_ = coordinates_ + length * direction_;
    const double norm = evaluate(step, trial_, controls);
    if (norm * norm <= (1 - 2e-4 * length) * norm_ * norm_) {
      coordinates_.swap(trial_);
      norm_ = norm;
      return true;
    }
  }
  evaluate(step, coordinates_, controls);
  return false;
}

// What rounding of positions does to the inertial forces: a unit of last place of the farthest point, times mass / dt^2, times
// the lever arm of the moments.
double ArticulatedStepper::rounding_error(const StepConstants& step) const {
  double reach = 0;
  for (const RigidFrame<double>& frame : memory_.newest.frames) reach = std::max(reach, norm(frame.origin));
  const double scale = model_.total_mass() / (step.time_step * step.time_step);
  return 100 * std::numeric_limits<double>::epsilon() * scale * (1 + reach) * (1 + reach);
}

// Newton's method from coordinates_.
StepResult ArticulatedStepper::iterate(const StepConstants& step, const VectorXd& controls, const StepOptions& options) {
  StepResult result;
  norm_ = evaluate(step, coordinates_, controls);
  if (!std::isfinite(norm_)) {
    result.status = StepStatus::not_finite;
    return result;
  }
  for (;; ++result.iterations) {
    result.residual = residual_.cwiseAbs().maxCoeff(&result.dof);
    if (result.residual <= options.tolerance) return result;
    if (result.iterations == options.max_iterations) {
      result.status = StepStatus::iteration_limit;
      return result;
    }
    step_jacobians(model_.data(), step, memory_.states(), memory_.workspace(), jacobians_[0].data(), jacobians_[1].data(),
                   jacobians_[2].data());
    factor_.compute(jacobians_[0]);
    direction_ = factor_.solve(-residual_);
    if (!direction_.allFinite()) {
      result.status = StepStatus::singular;
      return result;
    }
    if (!search(step, controls)) {
      result.status = result.residual <= rounding_error(step) ? StepStatus::rounding : StepStatus::stalled;
      return result;
    }
  }
}

// At an impact the friction of a large speed may be many times the normal force and turn Newton's direction away from the
// solution. Without friction the step is easy: from its solution the share of w_t grows to 1, each time from the solution of
// the share before. Steps of the share grow while they succeed and shrink where they fail.
StepResult ArticulatedStepper::follow_friction(const StepConstants& step, const VectorXd& controls, const StepOptions& options,
                                               const StepResult& failed) {
  constexpr double first_growth = 1e-3, least_growth = 1e-6;
  best_ = coordinates_;
  coordinates_ = guess_;
  StepConstants part = step;
  part.tangential_weight = 0;
  StepResult result = iterate(part, controls, options);
  int iterations = failed.iterations + result.iterations;
  for (double share = 0, growth = first_growth; result.solved() && share < 1;) {
    followed_ = coordinates_;
    const double next = std::min(1.0, share + growth);
    part.tangential_weight = next * step.tangential_weight;
    result = iterate(part, controls, options);
    iterations += result.iterations;
    if (result.solved()) {
      share = next;
      growth *= 3;
    } else if (growth > least_growth) {
      coordinates_ = followed_;
      growth /= 4;
      result.status = StepStatus::converged;  // of the share before
    }
  }
  if (!result.solved()) {
    coordinates_ = best_;
    return failed;
  }
  result.iterations = iterations;
  return result;
}

StepResult ArticulatedStepper::step(const StepConstants& step, const CharacterPose& previous, const CharacterPose& current,
                                    const VectorXd& controls, CharacterPose& newest, const StepOptions& options) {
  memory_.previous.set(model_, previous);
  memory_.current.set(model_, current);
  std::copy(current.references.begin(), current.references.end(), memory_.newest.references.begin());
  choose_guess(step, previous, current, controls);
  StepResult result = iterate(step, controls, options);
  if (!result.solved() && step.tangential_weight > 0 && step.obstacle_count > 0)
    result = follow_friction(step, controls, options, result);
  newest.coordinates.assign(coordinates_.begin(), coordinates_.end());
  newest.references = current.references;
  return result;
}

std::string describe(const CharacterModel& model, const StepResult& result) {
  const std::string worst = fmt::format("the residual of '{}' is {:.3g} N or N m", model.dof_name(result.dof), result.residual);
  switch (result.status) {
    case StepStatus::converged:
      return fmt::format("converged in {} iterations: {}", result.iterations, worst);
    case StepStatus::rounding:
      return fmt::format("converged in {} iterations to what rounding errors allow: {}", result.iterations, worst);
    case StepStatus::iteration_limit:
      return fmt::format("did not converge in {} iterations: {}; try a smaller time step, or softer contact", result.iterations,
                         worst);
    case StepStatus::stalled:
      return fmt::format(
          "stopped after {} iterations, since no step along Newton's direction reduces the residual: {}; try a smaller "
          "time step, softer contact, or `end` instead of `mid`",
          result.iterations, worst);
    case StepStatus::singular:
      return fmt::format(
          "stopped after {} iterations at a singular Jacobian: {}; a chart of rotations may be at its singularity (a "
          "rotation vector of length 2 pi, a pitch of 90 degrees): recenter it, or choose another one",
          result.iterations, worst);
    case StepStatus::not_finite:
      return "the residual of the first guess is not finite: check the states and the controls";
  }
  return "";
}

}  // namespace holo::articulated
