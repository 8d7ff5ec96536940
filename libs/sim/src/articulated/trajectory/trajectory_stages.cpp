#include "holo/sim/articulated/trajectory/trajectory_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/core/error.h"

namespace holo::articulated {

using Eigen::MatrixXd, Eigen::VectorXd;

std::string to_string(TrajectoryStage stage) {
  switch (stage) {
    case TrajectoryStage::spline:
      return "spline";
    case TrajectoryStage::spline_restoration:
      return "spline_restoration";
    case TrajectoryStage::restoration:
      return "restoration";
    case TrajectoryStage::polish:
      return "polish";
    case TrajectoryStage::final_restoration:
      return "final_restoration";
  }
  return "unknown";
}

std::vector<TrajectoryStage> TrajectoryStages::stages_of(const TrajectoryStagesOptions& options) {
  const bool has_spline = options.segment_length > 1;
  std::vector<TrajectoryStage> stages;
  if (has_spline) stages = {TrajectoryStage::spline, TrajectoryStage::spline_restoration};
  if (has_spline && options.polish) stages.push_back(TrajectoryStage::restoration);
  if (!has_spline || options.polish) stages.push_back(TrajectoryStage::polish);
  if (options.polish) stages.push_back(TrajectoryStage::final_restoration);
  return stages;
}

TrajectoryStages::TrajectoryStages(const TrajectoryModel& model, const TrajectoryStagesOptions& options)
    : model_(model), options_(options), stages_(stages_of(options)) {}

TrajectoryStages::~TrajectoryStages() = default;

namespace {

constexpr int recentering_interval = 10;  // iterations

bool is_of_spline(TrajectoryStage stage) {
  return stage == TrajectoryStage::spline || stage == TrajectoryStage::spline_restoration;
}

}  // namespace

const TrustRegionSqpOptions& TrajectoryStages::solver_options(const TrajectoryStagesState& state) const {
  return is_of_spline(stages_[std::size_t(state.stage)]) ? options_.spline_solver : options_.polish_solver;
}

// Makes the problem of the state's stage, with the state's given coefficients and reference rotations.
void TrajectoryStages::load(const TrajectoryStagesState& state) {
  const int last = int(stages_.size()) - 1, stage = std::min(state.stage, last);
  const bool is_spline = is_of_spline(stages_[std::size_t(stage)]);
  const bool was_spline = loaded_stage_ >= 0 && is_of_spline(stages_[std::size_t(loaded_stage_)]);
  if (loaded_stage_ < 0 || is_spline != was_spline)
    problem_ = std::make_unique<TrajectoryProblem>(
        model_, TrajectoryBasis::of_length(model_.steps(), is_spline ? options_.segment_length : 1, options_.end),
        options_.linear_algebra);
  loaded_stage_ = stage;
  if (state.coefficients.size() == 0) return;
  TrajectoryStates references(model_.character(), model_.steps(), model_.definition().start);
  const std::size_t charts = model_.character().rest().references.size();
  if (const std::size_t wanted = charts * std::size_t(model_.steps() + 2); state.references.size() != wanted)
    throw Error(Failure::internal, fmt::format("the state of a trajectory has {} reference rotations; the trajectory has {}.",
                                               state.references.size(), wanted));
  for (int i = -1; i <= model_.steps(); ++i)
    std::copy_n(state.references.begin() + std::ptrdiff_t(std::size_t(i + 1) * charts), charts, references.references(i));
  problem_->set_coefficients(state.coefficients);
  problem_->set_references(references);
  problem_->set_loss_scale(state.loss_scale);
  solver_ = std::make_unique<TrustRegionSqp>(*problem_, stage == state.stage ? solver_options(state) : options_.polish_solver);
}

namespace {

// What the problem has beside its point.
void store(TrajectoryProblem& problem, TrajectoryStagesState& state) {
  state.coefficients = problem.coefficients(state.point);
  const TrajectoryStates& states = problem.states(state.point);
  const std::size_t charts = states.model().rest().references.size();
  state.references.clear();
  for (int i = -1; i <= states.steps(); ++i)
    state.references.insert(state.references.end(), states.references(i), states.references(i) + charts);
}

}  // namespace

TrajectoryStagesState TrajectoryStages::begin() {
  TrajectoryStagesState state;
  loaded_stage_ = -1;
  load(state);
  state.point = problem_->point();
  problem_->scale_losses(state.point);
  state.loss_scale = problem_->loss_scale();
  store(*problem_, state);
  VectorXd gradient(problem_->unknown_count());
  problem_->linearize(state.point, VectorXd::Zero(problem_->constraint_count()), gradient);
  VectorXd curvature(gradient.size());
  problem_->system().hessian_diagonal(curvature);
  if (gradient.isZero(0) && curvature.isZero(0))
    throw Error(Failure::input,
                "the objective does not depend on the trajectory at its start: its gradient and its curvature are zero. Give a "
                "loss with a weight above 0 at some step, or an effort.");
  load(state);
  state.solver = solver_->begin();
  return state;
}

TrajectoryProblem& TrajectoryStages::problem(const TrajectoryStagesState& state) {
  load(state);
  return *problem_;
}

bool TrajectoryStages::advance(TrajectoryStagesState& state, int iterations) {
  state.iterations.clear();
  if (state.stage >= int(stages_.size())) return false;
  load(state);
  const TrajectoryStage stage = stages_[std::size_t(state.stage)];
  if (stage == TrajectoryStage::spline || stage == TrajectoryStage::polish)
    advance_solver(state, iterations);
  else
    restore(state);
  return state.stage < int(stages_.size());
}

// Charts are moved at multiples of `recentering_interval`, so that results do not depend on how many iterations a call makes.
// At the end of a stage they stay, since C of a spline would change.
void TrajectoryStages::advance_solver(TrajectoryStagesState& state, int iterations) {
  TrustRegionSqpResult result;
  result.status = TrustRegionSqpStatus::unfinished;
  while (iterations > 0 && result.status == TrustRegionSqpStatus::unfinished) {
    const int part = std::min(iterations, recentering_interval - state.solver.iteration % recentering_interval);
    result = solver_->advance(state.point, state.solver, part);
    iterations -= part;
    state.iterations.insert(state.iterations.end(), result.iterations.begin(), result.iterations.end());
    if (result.status == TrustRegionSqpStatus::unfinished && state.solver.iteration % recentering_interval == 0)
      recenter(state);
  }
  store(*problem_, state);
  if (result.status == TrustRegionSqpStatus::unfinished) return;
  const bool is_converged =
      result.status == TrustRegionSqpStatus::converged || result.status == TrustRegionSqpStatus::small_step;
  end_stage(state, {stages_[std::size_t(state.stage)],
                    to_string(result.status),
                    result.diagnosis,
                    is_converged,
                    state.solver.iteration,
                    {},
                    0});
}

void TrajectoryStages::recenter(TrajectoryStagesState& state) {
  if (problem_->recenter(state.point, options_.recentering)) ++state.recenterings;
}

void TrajectoryStages::restore(TrajectoryStagesState& state) {
  const RestorationResult result = restore_constraints(*problem_, state.point, options_.restoration);
  store(*problem_, state);
  end_stage(state, {stages_[std::size_t(state.stage)],
                    to_string(result.status),
                    result.diagnosis,
                    result.status == RestorationStatus::converged,
                    int(result.iterations.size()),
                    {},
                    0});
}

// The largest entry of the gradient of the Lagrangian with least-squares multipliers: that of the first iteration of the
// stage's solver, in the metric that it has there. NaN where that fails.
double TrajectoryStages::stationarity(const TrajectoryStagesState& state) {
  TrustRegionSqpOptions options = solver_options(state);
  options.max_iterations = 1;
  VectorXd copy = state.point;
  const TrustRegionSqpResult result = TrustRegionSqp(*problem_, options).solve(copy);
  const bool has_failed = result.status == TrustRegionSqpStatus::outside_the_domain ||
                          result.status == TrustRegionSqpStatus::not_finite || result.status == TrustRegionSqpStatus::singular;
  return has_failed ? std::numeric_limits<double>::quiet_NaN() : result.stationarity;
}

// Of the states for the next stage, whose unknowns they are if the stage was the spline's.
void TrajectoryStages::end_stage(TrajectoryStagesState& state, TrajectoryStageResult result) {
  result.values = problem_->values(state.point);
  result.stationarity = stationarity(state);
  state.results.push_back(result);
  const bool was_spline = is_of_spline(stages_[std::size_t(state.stage)]);
  if (++state.stage >= int(stages_.size())) return;
  if (was_spline && !is_of_spline(stages_[std::size_t(state.stage)])) {
    const TrajectoryStates& states = problem_->states(state.point);
    MatrixXd coefficients(state.coefficients.rows(), model_.steps() + 1);
    for (int i = 0; i <= model_.steps(); ++i)
      coefficients.col(i) = Eigen::Map<const VectorXd>(states.coordinates(i), coefficients.rows());
    state.coefficients = coefficients;
  }
  load(state);
  state.point = problem_->point();
  if (!is_of_spline(stages_[std::size_t(state.stage)])) recenter(state);
  store(*problem_, state);
  state.solver = solver_->begin();
}

}  // namespace holo::articulated
