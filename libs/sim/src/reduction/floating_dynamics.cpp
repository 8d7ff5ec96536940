#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "holo/core/error.h"
#include "reduction/floating_step.h"

namespace holo {

FloatingDynamics::FloatingDynamics(std::shared_ptr<const FloatingBody> body,
                                   std::shared_ptr<const ReducedElasticity> elasticity, const FloatingOptions& options)
    : body_(std::move(body)), elasticity_(std::move(elasticity)), options_(options) {
  if (elasticity_->size() != body_->size())
    throw Error(Failure::input,
                fmt::format("a floating body of {} amplitudes got an energy of {}.", body_->size(), elasticity_->size()));
  if (!(options.time_step > 0) || !(options.mass_damping >= 0) || !(options.stiffness_damping >= 0) ||
      !(options.tolerance > 0) || options.max_iterations < 1 || !options.gravity.allFinite())
    throw Error(Failure::input,
                fmt::format("a floating body got the time step {} s, the damping {} 1/s and {} s, the tolerance {}, {} "
                            "iterations and a gravity of {} m/s^2; allowed are above 0, from 0, above 0, from 1, and finite.",
                            options.time_step, options.mass_damping, options.stiffness_damping, options.tolerance,
                            options.max_iterations, options.gravity.norm()));
  if (options.stiffness_damping > 0) stiffness_ = elasticity_->hessian(Eigen::VectorXd::Zero(body_->size()));
}

FloatingResult FloatingDynamics::step(FloatingState& state) {
  FloatingStep potential(*body_, *elasticity_, stiffness_, options_, state);
  DenseOptions minimization;
  minimization.tolerance = std::max(options_.tolerance * potential.scale(), std::numeric_limits<double>::min());
  minimization.max_iterations = options_.max_iterations;
  Eigen::VectorXd z = potential.guess();
  FloatingResult result;
  for (int update = 0; update <= body_->contact().lag_updates; ++update) {
    if (update > 0) potential.update_lag(z);
    const DenseResult found = minimize(potential, {}, z, minimization, workspace_);
    result.status = found.status;
    result.diagnosis = found.diagnosis;
    result.iterations += static_cast<int>(found.iterations.size());
    for (const DenseIteration& iteration : found.iterations) result.evaluations += iteration.evaluations;
    result.converged = found.converged();
    if (!result.converged) return result;
  }
  state.before = std::move(state.now);
  state.now = potential.pose(z);
  return result;
}

}  // namespace holo
