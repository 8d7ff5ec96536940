#include "holo/sim/mechanism/design/mechanism_designer.h"

#include <limits>

#include "holo/core/error.h"

namespace holo {

MechanismDesigner::MechanismDesigner(MechanismProblem problem, const StagedPoint& start, const StagedSqpOptions& solver,
                                     const RowMonitorOptions& monitor)
    : options_(solver), monitor_(monitor), problem_(std::make_unique<MechanismProblem>(std::move(problem))) {
  state_.point = start;
  state_.sqp = StagedSqp(*problem_, options_).begin(start);
}

StagedSqpResult MechanismDesigner::advance() {
  reselection_.reset();
  refusal_.clear();
  const bool monitors = monitor_.every > 0;
  if (monitors) check_rows();
  // Without a memory of pivots, so that each part follows from the state alone.
  StagedSqpResult result = StagedSqp(*problem_, options_)
                               .advance(state_.point, state_.sqp, monitors ? monitor_.every : std::numeric_limits<int>::max());
  const bool has_failed = result.status != StagedSqpStatus::converged && result.status != StagedSqpStatus::unfinished &&
                          result.status != StagedSqpStatus::iteration_limit;
  if (monitors && has_failed && check_rows()) result.status = StagedSqpStatus::unfinished;
  return result;
}

bool MechanismDesigner::check_rows() {
  try {
    std::optional<RowReselection> better = reselect_rows(*problem_, state_.point, monitor_);
    if (!better) return false;
    take_rows(better->rows);
    reselection_ = std::move(better);
    return true;
  } catch (const Error& error) {  // no rows determine the states there
    refusal_ = error.what();
    return false;
  }
}

void MechanismDesigner::take_rows(std::shared_ptr<const MechanismRows> rows) {
  auto problem = std::make_unique<MechanismProblem>(problem_->with_rows(std::move(rows)));
  state_.sqp.multipliers = mapped_multipliers(state_.sqp.multipliers, state_.point, *problem_, *problem);
  state_.point = rearranged(state_.point, problem_->rows().layout(), problem->rows().layout(), problem->layout().time_step);
  problem_ = std::move(problem);
}

DesignerState MechanismDesigner::state() const {
  DesignerState state = state_;
  state.selection = problem_->rows().layout().selection();
  state.regularizer_center = problem_->data().initial_parameters;
  return state;
}

void MechanismDesigner::restore(const DesignerState& state) {
  state_ = state;
  const auto model = problem_->rows().layout().shared_model();
  const auto rows = std::make_shared<const MechanismRows>(std::make_shared<const MechanismLayout>(model, state.selection));
  problem_ = std::make_unique<MechanismProblem>(problem_->with_rows(rows));
  problem_->set_regularizer_center(state.regularizer_center);
}

}  // namespace holo
