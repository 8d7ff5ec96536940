#include "holo/sim/mechanism/design/mechanism_designer.h"

#include <limits>

#include "holo/core/error.h"

namespace holo {

MechanismDesigner::MechanismDesigner(MechanismProblem problem, const StagedPoint& start, const StagedSqpOptions& solver,
                                     const EliminationMonitorOptions& monitor)
    : options_(solver), monitor_(monitor), problem_(std::make_unique<MechanismProblem>(std::move(problem))) {
  state_.point = start;
  state_.sqp = StagedSqp(*problem_, options_).begin(start);
}

StagedSqpResult MechanismDesigner::advance() {
  new_elimination_.reset();
  refusal_.clear();
  const bool monitors = monitor_.every > 0;
  if (monitors) check_equations();
  // Each part has a new solver, without pivots of earlier parts, and linearizes the design's constraints anew, so that it
  // depends on the state only.
  problem_->linearize(state_.point);
  StagedSqpResult result = StagedSqp(*problem_, options_)
                               .advance(state_.point, state_.sqp, monitors ? monitor_.every : std::numeric_limits<int>::max());
  // A failure may come from equations that are singular at the point: then a new elimination lets the optimization continue.
  const bool has_failed = result.status != StagedSqpStatus::converged && result.status != StagedSqpStatus::unfinished &&
                          result.status != StagedSqpStatus::iteration_limit;
  if (monitors && has_failed && check_equations()) result.status = StagedSqpStatus::unfinished;
  return result;
}

bool MechanismDesigner::check_equations() {
  try {
    std::optional<NewElimination> better = eliminate_anew(*problem_, state_.point, monitor_);
    if (!better) return false;
    take_equations(better->equations);
    new_elimination_ = std::move(better);
    return true;
  } catch (const Error& error) {  // no equations determine the states there
    refusal_ = error.what();
    return false;
  }
}

void MechanismDesigner::take_equations(std::shared_ptr<const ConstraintEquations> equations) {
  // The optimization continues at the same poses: multipliers and point are converted to the new layout.
  auto problem = std::make_unique<MechanismProblem>(problem_->with_equations(std::move(equations)));
  state_.sqp.multipliers = mapped_multipliers(state_.sqp.multipliers, state_.point, *problem_, *problem);
  state_.point =
      rearranged(state_.point, problem_->equations().layout(), problem->equations().layout(), problem->layout().time_step);
  problem_ = std::move(problem);
}

DesignerState MechanismDesigner::state() const {
  DesignerState state = state_;
  state.elimination = problem_->equations().layout().elimination();
  state.regularizer_center = problem_->data().initial_parameters;
  return state;
}

void MechanismDesigner::restore(const DesignerState& state) {
  state_ = state;
  const auto model = problem_->equations().layout().shared_model();
  const auto equations =
      std::make_shared<const ConstraintEquations>(std::make_shared<const MechanismLayout>(model, state.elimination));
  problem_ = std::make_unique<MechanismProblem>(problem_->with_equations(equations));
  problem_->set_regularizer_center(state.regularizer_center);
}

}  // namespace holo
