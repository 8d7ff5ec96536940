#include "studies/trajectory_optimization/horizon_comparison.h"

#include <algorithm>
#include <cmath>

#include "holo/core/numerics/stopwatch.h"
#include "studies/trajectory_optimization/ready_trajectory.h"

namespace holo {

using articulated::RecedingHorizon, articulated::RecedingHorizonOptions, articulated::RecedingHorizonWindow,
    articulated::TrajectoryBasis, articulated::TrajectoryModel, articulated::TrajectoryProblem, articulated::TrajectoryStates;

namespace {

// Losses are 1 at rest, for the whole motion and in all windows.
double common_loss_scale(const TrajectoryModel& model) {
  TrajectoryProblem problem(model, TrajectoryBasis::nodal(model.steps()));
  problem.scale_losses(problem.point());
  return problem.loss_scale();
}

// Windows of the whole duration are the optimization of all of it.
RecedingHorizonOptions horizon_options(const TrajectoryPlan& plan, const HorizonPlan& horizon, double scale, bool is_whole) {
  RecedingHorizonOptions options;
  const double in_steps = std::min(horizon.window / plan.scene.time_step, double(plan.scene.step_count));
  const int wanted = int(std::lround(in_steps));
  options.segment_length = horizon.is_of_spline ? plan.stages.segment_length : 1;
  options.window_steps = is_whole ? plan.scene.step_count : std::max(wanted, 1);
  options.executed_steps = is_whole                        ? plan.scene.step_count
                           : horizon.executes_single_steps ? 1
                                                           : std::min(plan.stages.segment_length, options.window_steps);
  options.solver = plan.stages.spline_solver;
  options.solver.max_iterations = is_whole ? horizon.whole_iterations : horizon.window_iterations;
  options.solver.stop_at_small_step = horizon.stops_at_small_steps;
  options.linear_algebra = plan.stages.linear_algebra;
  options.recentering = plan.stages.recentering;
  options.loss_scale = scale;
  return options;
}

void measure_horizon(const TrajectoryModel& model, const TrajectoryStates& states, double scale, HorizonResult& result) {
  TrajectoryProblem problem(model, TrajectoryBasis::nodal(model.steps()));
  Eigen::MatrixXd coefficients(model.character().dof_count(), model.steps() + 1);
  for (int i = 0; i <= model.steps(); ++i)
    coefficients.col(i) = Eigen::Map<const Eigen::VectorXd>(states.coordinates(i), coefficients.rows());
  problem.set_coefficients(coefficients);
  problem.set_references(states);
  problem.set_loss_scale(scale);
  const Eigen::VectorXd point = problem.point();
  result.values = problem.values(point);
  result.motion = measure_motion(model, problem.states(point), problem.residuals(point));
}

HorizonResult optimize_horizon(const TrajectoryPlan& plan, const HorizonPlan& horizon, bool is_whole) {
  const ReadyTrajectory ready(plan);
  const double scale = common_loss_scale(ready.model());
  RecedingHorizon windows(ready.model(), horizon_options(plan, horizon, scale, is_whole));
  HorizonResult result;
  Stopwatch watch;
  while (windows.advance()) {
    const RecedingHorizonWindow& window = windows.windows().back();
    ++result.windows;
    const bool has_converged =
        window.status == TrustRegionSqpStatus::converged || window.status == TrustRegionSqpStatus::small_step;
    result.converged_windows += has_converged ? 1 : 0;
    result.iterations += window.iterations;
    result.violation = std::max(result.violation, window.values.reduced_violation);
  }
  result.time = watch.lap();
  result.work = double(windows.work());
  measure_horizon(ready.model(), windows.states(), scale, result);
  return result;
}

}  // namespace

HorizonResult optimize_whole(const TrajectoryPlan& plan, const HorizonPlan& horizon) {
  return optimize_horizon(plan, horizon, true);
}

HorizonResult optimize_windows(const TrajectoryPlan& plan, const HorizonPlan& horizon) {
  return optimize_horizon(plan, horizon, false);
}

}  // namespace holo
