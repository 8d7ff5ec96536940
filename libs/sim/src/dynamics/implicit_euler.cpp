#include "holo/sim/dynamics/implicit_euler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/handle_drag.h"
#include "elastic/element/forced_element.h"
#include "holo/sim/dynamics/body_energy_term.h"

namespace holo {
ImplicitEuler::ImplicitEuler(const ElasticScene& scene, const NewtonOptions& options, SparseLibrary library)
    : scene_(scene), potential_(scene.model, implicit_euler_terms(scene)), workspace_(library) {
  solver_.newton = options;
}

void ImplicitEuler::use(const StepSolver& solver) {
  matrix_free_.reset();
  if (solver.method != StepMethod::newton)
    matrix_free_ = std::make_unique<MatrixFreePotential>(potential_, solver.method == StepMethod::newton_pcg);
  solver_ = solver;
}

bool ImplicitEuler::advances(const NewtonResult& newton) const {
  return newton.status == NewtonStatus::converged ||
         (solver_.accepts_iteration_limit && newton.status == NewtonStatus::iteration_limit);
}

NewtonResult ImplicitEuler::minimize_step() {
  switch (solver_.method) {
    case StepMethod::newton_pcg:
      return minimize_by_pcg(potential_, *matrix_free_, x_,
                             {solver_.newton, solver_.linear_tolerance, solver_.max_linear_iterations}, matrix_free_workspace_);
    case StepMethod::gradient_descent:
      return minimize_by_descent(potential_, *matrix_free_, x_, solver_.newton, matrix_free_workspace_);
    case StepMethod::newton:
      break;
  }
  return minimize(potential_, x_, solver_.newton, workspace_);
}

ElasticStepResult ImplicitEuler::step(ElasticState& state) {
  ElasticStepResult result;
  begin_step(state);
  const bool started = find_start(state, result);
  if (!started) potential_.apply_targets(x_);  // Newton meets the infeasible start and says so
  // x_ is the start of the minimization and becomes its result.
  if (!started && (scene_.contact.obstacles_move() || (scene_.contact.mesh && std::isfinite(potential_.energy(x_))))) {
    result.newton.status = NewtonStatus::infeasible_start;
    result.newton.diagnosis =
        "on their way to the end of the step, handles take their body through another surface or through its own, or obstacles "
        "go through a body that cannot give way. Try slower motions, or a way that is free.";
  } else {
    result.newton = minimize_step();
  }
  iterate_lag(result.newton);
  // Handles that turn an element inside out by themselves are named: no solver can help then.
  if (result.newton.status == NewtonStatus::infeasible_start)
    if (const std::string forced = forced_element(scene_, potential_, x_); !forced.empty())
      result.newton.diagnosis = "the energy is not finite at the starting point: " + forced + ".";
  result.projected_elements = potential_.elasticity().projected_elements();
  result.singular = potential_.elasticity().singular_counts();
  result.advanced = advances(result.newton);
  if (result.advanced) {
    potential_.gradient(x_, gradient_);
    result.residual = gradient_.norm();
    advance(state, x_);
  }
  result.energies = energies(*scene_.model, scene_.gravity, state);
  result.energies.bodies = body_energies(scene_.model, state.positions);
  const ElasticDeterminants found = determinants(*scene_.model, state.positions);
  result.minimum_determinant = found.minimum;
  result.inverted_elements = found.inverted_elements;
  return result;
}

// A step depends on its state alone, so that a motion that is continued from a checkpoint has the same bits: its first
// direction has a factor of its own.
void ImplicitEuler::begin_step(const ElasticState& state) {
  workspace_.forget_factor();
  potential_.begin_step(scene_.step_from(state), scene_.schedule);
}

bool ImplicitEuler::begin(const ElasticState& state, Eigen::VectorXd& x) {
  ElasticStepResult ignored;
  begin_step(state);
  const bool found = find_start(state, ignored);
  if (!found) potential_.apply_targets(x_);
  x = x_;
  return found;
}

void ImplicitEuler::advance(ElasticState& state, Eigen::VectorXd& x) const {
  const Eigen::VectorXd velocities = scene_.step_from(state).velocities_at(x);
  if (formula_of(scene_.integration.scheme).uses_previous()) {
    state.previous_positions = state.positions;
    state.previous_velocities = state.velocities;
  }
  // Copied, so that the state's arrays stay where they are: a caller may look at them over many steps.
  state.velocities = velocities;
  state.positions = x;
  ++state.step;
  state.time = scene_.integration.time_at(state.step);
}

// Minimizes again with normal forces of the step's end, as often as the scene asks for.
void ImplicitEuler::iterate_lag(NewtonResult& newton) {
  for (int pass = 0; pass < scene_.contact.lag_updates && advances(newton); ++pass) {
    if (!potential_.update_lag_of_end(x_)) return;
    NewtonResult again = minimize_step();
    again.factorizations += newton.factorizations;
    again.back_substitutions += newton.back_substitutions;
    again.products += newton.products;
    again.iterations.insert(again.iterations.begin(), newton.iterations.begin(), newton.iterations.end());
    newton = std::move(again);
  }
}

double ImplicitEuler::reachable_energy(const ElasticState& state, const Eigen::VectorXd& x) {
  if (!scene_.contact.mesh) return potential_.energy(x);
  potential_.place_obstacles(0);
  const double way = potential_.feasible_step(state.positions, x - state.positions);
  potential_.place_obstacles(1);
  return way < 1 ? std::numeric_limits<double>::infinity() : potential_.energy(x);
}

// Either the free motion goes on or everything stays, with handles and obstacles put to their targets; the one of lower energy.
bool ImplicitEuler::find_start(const ElasticState& state, ElasticStepResult& result) {
  candidate_ = scene_.integration.time_step * state.velocities;
  x_ = state.positions + candidate_;
  potential_.apply_targets(x_);
  double moving = reachable_energy(state, x_);
  if (!std::isfinite(moving) && scene_.contact.surface) {  // as far as the obstacles
    // Of surfaces a little less: at the longest step itself the way counts as left, up to rounding.
    const double part = scene_.contact.mesh ? 0.9 : 1;
    potential_.place_obstacles(0);
    x_ = state.positions + part * potential_.feasible_step(state.positions, candidate_) * candidate_;
    potential_.place_obstacles(1);
    potential_.apply_targets(x_);
    moving = reachable_energy(state, x_);
  }
  candidate_ = state.positions;
  potential_.apply_targets(candidate_);
  const double resting = reachable_energy(state, candidate_);
  if (resting < moving) x_.swap(candidate_);
  if (std::isfinite(std::min(resting, moving))) return true;
  x_ = state.positions;
  const bool dragged = HandleDrag(potential_).run(Curvature::projected, x_, workspace_, result.start_factorizations);
  potential_.place_obstacles(1);
  return dragged;
}

}  // namespace holo
