#include "holo/sim/articulated/trajectory/receding_horizon.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"

namespace holo::articulated {

using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

constexpr int window_recentering_interval = 10;  // iterations

// Columns of the states from `first` on; what is constant stays.
MatrixXd columns_from(const MatrixXd& values, int first, int states) {
  return values.cols() == 1 ? values : MatrixXd(values.middleCols(first, states));
}

}  // namespace

RecedingHorizon::RecedingHorizon(const TrajectoryModel& model, const RecedingHorizonOptions& options)
    : model_(model),
      options_(options),
      states_(model.character(), model.steps(), model.definition().start),
      plan_{TrajectoryStates(model.character(), 1, model.definition().start), {}} {
  if (options.window_steps < 1 || options.executed_steps < 1 || options.executed_steps > options.window_steps ||
      options.segment_length < 1)
    throw Error(
        Failure::internal,
        fmt::format("a receding horizon has windows of {} steps, of which {} are executed, with segments of {}; windows "
                    "and segments need at least 1, and from 1 to all steps of a window are executed.",
                    options.window_steps, options.executed_steps, options.segment_length));
  states_.set_pose(-1, model.definition().before);
  states_.update(-1, -1);
}

// The model of the next `steps`: its signals and controls at the start are those of the whole motion from the present state on.
TrajectoryModel RecedingHorizon::window_model(int steps) const {
  TrajectoryModel::Definition definition = model_.definition();
  definition.steps = steps;
  definition.start = states_.pose(executed_);
  definition.before = states_.pose(executed_ - 1);
  definition.end = {};
  for (MatrixXd& signal : definition.data.signals) signal = columns_from(signal, executed_, steps + 1);
  definition.data.initial_controls = columns_from(definition.data.initial_controls, executed_, steps + 1);
  return TrajectoryModel(std::move(definition));
}

// Makes the problem's start from the rest of the last window. The character stays in the last state of that, where the new
// window goes beyond it.
void RecedingHorizon::continue_plan(TrajectoryProblem& problem) const {
  const TrajectoryStates& last = plan_.states;
  const int shift = windows_.back().executed_steps, steps = problem.model().steps(), components = problem.basis().components();
  const auto place = [&](int state) { return std::min(shift + state, last.steps()); };
  TrajectoryStates references(model_.character(), steps, problem.model().definition().start);
  // The state before the start is the executed one, whose chart the window may have moved in its plan alone.
  std::copy_n(problem.model().definition().before.references.begin(), model_.character().rest().references.size(),
              references.references(-1));
  for (int i = 0; i <= steps; ++i)
    std::copy_n(last.references(place(i)), model_.character().rest().references.size(), references.references(i));
  const Eigen::Index n = model_.character().dof_count();
  MatrixXd coefficients = MatrixXd::Zero(n, problem.basis().columns());
  for (int point = 0; point < problem.basis().point_count(); ++point) {
    const int step = problem.basis().step_of(point);
    coefficients.col(point * components) = Eigen::Map<const VectorXd>(last.coordinates(place(step)), n);
    if (components > 1 && shift + step <= last.steps())
      coefficients.col(point * components + 1) = plan_.tangents.col(shift + step);
  }
  problem.set_references(references);
  problem.set_coefficients(coefficients);
}

TrustRegionSqpResult RecedingHorizon::solve(TrajectoryProblem& problem, VectorXd& point, int& iterations) const {
  problem.recenter(point, options_.recentering);
  TrustRegionSqp solver(problem, options_.solver);
  TrustRegionSqpState state = solver.begin();
  TrustRegionSqpResult result = solver.advance(point, state, window_recentering_interval);
  while (result.status == TrustRegionSqpStatus::unfinished) {
    problem.recenter(point, options_.recentering);
    result = solver.advance(point, state, window_recentering_interval);
  }
  iterations = state.iteration;
  return result;
}

// Keeps the window's plan, and its first states.
void RecedingHorizon::execute(TrajectoryProblem& problem, const VectorXd& point, RecedingHorizonWindow& window) {
  plan_.states = problem.states(point);
  const TrajectoryBasis& basis = problem.basis();
  if (basis.components() > 1) {
    const MatrixXd coefficients = problem.coefficients(point);
    plan_.tangents.setZero(coefficients.rows(), window.steps + 1);
    for (int i = 0; i <= window.steps; ++i)
      for (const BasisWeight& entry : basis.tangent_weights(i))
        plan_.tangents.col(i) += entry.weight * coefficients.col(entry.column);
  }
  const MatrixXd& residuals = problem.residuals(point);
  for (int i = 1; i <= window.executed_steps; ++i) {
    states_.set_pose(window.start + i, plan_.states.pose(i));
    for (const int dof : model_.unactuated())
      window.executed_violation = std::max(window.executed_violation, std::abs(residuals(dof, i - 1)));
  }
  executed_ += window.executed_steps;
  states_.update(window.start + 1, executed_);
}

bool RecedingHorizon::advance() {
  if (executed_ >= model_.steps()) return false;
  RecedingHorizonWindow window;
  window.start = executed_;
  window.steps = std::min(options_.window_steps, model_.steps() - executed_);
  window.executed_steps = executed_ + window.steps == model_.steps() ? window.steps : options_.executed_steps;
  const TrajectoryModel model = window_model(window.steps);
  TrajectoryProblem problem(model, TrajectoryBasis::of_length(window.steps, options_.segment_length), options_.linear_algebra);
  problem.set_loss_scale(options_.loss_scale);
  if (!windows_.empty()) continue_plan(problem);
  VectorXd point = problem.point();
  window.start_values = problem.values(point);
  const TrustRegionSqpResult result = solve(problem, point, window.iterations);
  window.status = result.status;
  window.diagnosis = result.diagnosis;
  window.values = problem.values(point);
  execute(problem, point, window);
  windows_.push_back(std::move(window));
  return true;
}

std::int64_t RecedingHorizon::work() const {
  std::int64_t sum = 0;
  for (const RecedingHorizonWindow& window : windows_) sum += std::int64_t(window.iterations) * window.steps;
  return sum;
}

}  // namespace holo::articulated
