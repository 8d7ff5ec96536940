#include "holo/sim/dynamics/quasi_statics.h"

#include <algorithm>

#include "dynamics/handle_drag.h"
#include "elastic/element/forced_element.h"

namespace holo {

QuasiStatics::QuasiStatics(const ElasticScene& scene, const QuasiStaticOptions& options)
    : scene_(scene),
      options_(options),
      potential_(scene.model, static_terms(scene)),
      drag_(std::make_unique<HandleDrag>(potential_)) {}

QuasiStatics::~QuasiStatics() = default;

void QuasiStatics::begin(const ElasticState& state, double end_time) {
  // A length of time that is not 0; nothing of an equilibrium depends on it.
  const double time_step = std::max(end_time - state.time, scene_.integration.time_step * options_.smallest_increment);
  potential_.begin_step({state.positions, state.velocities, time_step, state.time, end_time}, scene_.schedule);
}

// The equilibrium at a time, from the one of the state: first the handles move, and the body follows by its tangent.
NewtonResult QuasiStatics::find_equilibrium(const ElasticState& state, double end_time, NewtonWorkspace& workspace,
                                            QuasiStaticResult& result) {
  workspace.forget_factor();  // nothing depends on what was solved before, so that a resumed run has the same bits
  begin(state, end_time);
  x_ = state.positions;
  NewtonResult newton;
  if (drag_->run(Curvature::exact, x_, workspace, result.factorizations)) {
    newton = minimize(potential_, x_, options_.newton, workspace);
  } else {
    newton.status = NewtonStatus::infeasible_start;
    potential_.apply_targets(x_);
    const std::string forced = forced_element(scene_, potential_, x_);
    newton.diagnosis = forced.empty() ? "the handles do not reach their targets without leaving the domain of the energy."
                                      : "the energy is not finite where the handles are: " + forced + ".";
  }
  potential_.place_obstacles(1);
  result.iterations += static_cast<int>(newton.iterations.size());
  result.factorizations += newton.factorizations;
  const SingularElementCounts singular = potential_.elasticity().singular_counts();
  result.singular_points += static_cast<int>(singular.total());
  result.kinks += static_cast<int>(singular.nondifferentiable);
  return newton;
}

QuasiStaticResult QuasiStatics::step(ElasticState& state, NewtonWorkspace& workspace) {
  QuasiStaticResult result;
  const double end = scene_.integration.time_at(state.step + 1);
  const double whole = end - scene_.integration.time_at(state.step);
  double increment = end - state.time;
  while (state.time < end) {
    const double left = end - state.time;
    const double target = increment >= left ? end : state.time + increment;
    result.newton = find_equilibrium(state, target, workspace, result);
    if (result.newton.status == NewtonStatus::converged) {
      state.positions.swap(x_);
      state.time = target;
      ++result.increments;
      increment *= 2;
      continue;
    }
    ++result.refused;
    increment = std::min(increment, left) / 2;
    if (increment < options_.smallest_increment * whole) return result;
  }
  ++state.step;
  return result;
}

Eigen::VectorXd QuasiStatics::forces(const ElasticState& state) {
  begin(state, state.time);
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(state.positions.size());
  for (const std::unique_ptr<PotentialTerm>& term : potential_.potential_terms()) term->add_gradient(state.positions, gradient);
  return gradient;
}

double QuasiStatics::energy(const ElasticState& state) {
  begin(state, state.time);
  return potential_.energy(state.positions);
}

}  // namespace holo
