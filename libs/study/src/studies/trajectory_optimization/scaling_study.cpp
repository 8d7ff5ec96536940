#include "studies/trajectory_optimization/scaling_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "holo/core/runs/archive.h"
#include "studies/trajectory_optimization/ready_trajectory.h"

namespace holo {

namespace {

constexpr std::string_view scaling_kind = "trajectory_scaling";
constexpr double no_scaling_value = std::numeric_limits<double>::quiet_NaN();

void visit(Archive& archive, IterationTimes& times) {
  for (int* count : {&times.steps, &times.dofs, &times.point_rows, &times.iterations, &times.linearizations})
    archive.visit(*count, 1e9);
  for (double* value : {&times.objective, &times.violation, &times.total, &times.dynamics, &times.collision, &times.products,
                        &times.factorization})
    archive.visit(*value);
}

void visit(Archive& archive, HorizonResult& horizon) {
  for (std::int64_t* count : {&horizon.windows, &horizon.converged_windows, &horizon.iterations}) archive.visit(*count, 1e12);
  articulated::TrajectoryValues& values = horizon.values;
  for (double* value : {&horizon.work, &horizon.violation, &horizon.time, &values.losses, &values.effort,
                        &values.reduced_violation, &values.full_violation, &horizon.motion.displacement.x()})
    archive.visit(*value);
}

}  // namespace

TrajectoryScaling::TrajectoryScaling(ScalingPlan plan) : plan_(std::move(plan)) {
  for (const ScalingRun& run : plan_.runs) ReadyTrajectory(run.plan);
}

std::vector<Quantity> TrajectoryScaling::columns() const {
  return {{"run", "1", "its number, from 0"},
          {"steps", "1", "N"},
          {"dofs", "1", "n, degrees of freedom"},
          {"point_rows", "1", "unknowns and constraints of a point of the spline"},
          {"iterations", "1", "of the optimization, or of all windows"},
          {"linearizations", "1", "iterations after a step that was taken, with their factorizations"},
          {"objective", "1", "E at the end"},
          {"violation", "N or N m", "largest constraint at the end"}};
}

std::vector<Quantity> TrajectoryScaling::timing_columns() const {
  return {{"run", "1", "its number, from 0"},
          {"varied_steps", "1", "N of runs of several lengths"},
          {"varied_dofs", "1", "n of runs with several numbers of links"},
          {"time", "s", "of an iteration, or of all windows"},
          {"dynamics", "s", "of an iteration: residuals, losses, Jacobians of the residuals"},
          {"collision", "s", "of an iteration: distances, contact forces and their derivatives"},
          {"products", "s", "of an iteration: H, A, and products with them"},
          {"factorization", "s", "of an iteration: factorizations and solutions"}};
}

std::vector<ColumnPlot> TrajectoryScaling::plots() const {
  const std::vector<std::string> parts{"time", "dynamics", "collision", "products", "factorization"};
  std::vector<ColumnPlot> plots;
  const auto add = [&](ScalingRun::Kind kind, const char* title, const char* x) {
    if (std::none_of(plan_.runs.begin(), plan_.runs.end(), [&](const ScalingRun& run) { return run.kind == kind; })) return;
    ColumnPlot plot{title, x, parts, true};
    plot.logarithmic_x = plot.timings = plot.points = true;
    plot.label = "time of an iteration [s]";
    plots.push_back(plot);
  };
  add(ScalingRun::Kind::steps, "Time of an iteration by the number of time steps", "varied_steps");
  add(ScalingRun::Kind::links, "Time of an iteration by the degrees of freedom of the chain", "varied_dofs");
  return plots;
}

StepResult TrajectoryScaling::step(StudyOutput& output) {
  const ScalingRun& run = plan_.runs[results_.size()];
  Result result;
  if (run.kind == ScalingRun::Kind::whole)
    result.horizon = optimize_whole(run.plan, *plan_.horizon);
  else if (run.kind == ScalingRun::Kind::receding)
    result.horizon = optimize_windows(run.plan, *plan_.horizon);
  else
    result.times = measure_iterations(run.plan, plan_.iterations);
  write(run, result, output);
  results_.push_back(result);
  return {};
}

void TrajectoryScaling::write(const ScalingRun& run, const Result& result, StudyOutput& output) const {
  const auto number = double(results_.size());
  const IterationTimes& times = result.times;
  const HorizonResult& horizon = result.horizon;
  if (run.is_of_horizon()) {
    output.row({number, double(run.plan.scene.step_count), double(run.plan.scene.character.model->dof_count()),
                no_scaling_value, double(horizon.iterations), no_scaling_value, horizon.values.objective(), horizon.violation});
    output.timings({number, no_scaling_value, no_scaling_value, horizon.time, no_scaling_value, no_scaling_value,
                    no_scaling_value, no_scaling_value});
  } else {
    output.row({number, double(times.steps), double(times.dofs), double(times.point_rows), double(times.iterations),
                double(times.linearizations), times.objective, times.violation});
    output.timings({number, run.kind == ScalingRun::Kind::steps ? times.steps : no_scaling_value,
                    run.kind == ScalingRun::Kind::links ? times.dofs : no_scaling_value, times.total, times.dynamics,
                    times.collision, times.products, times.factorization});
  }
  output.log("run", {{"name", run.name()},
                     {"iterations", run.is_of_horizon() ? horizon.iterations : std::int64_t(times.iterations)},
                     {"windows", horizon.windows}});
}

std::string TrajectoryScaling::serialize() const {
  Archive archive(scaling_kind, 1);
  std::size_t count = results_.size();
  archive.visit(count, double(plan_.runs.size()));
  for (Result result : results_) {
    visit(archive, result.times);
    visit(archive, result.horizon);
  }
  return archive.take_bytes();
}

void TrajectoryScaling::deserialize(std::string_view bytes) {
  Archive archive(scaling_kind, 1, bytes);
  std::size_t count = 0;
  archive.visit(count, double(plan_.runs.size()));
  results_.assign(count, {});
  for (Result& result : results_) {
    visit(archive, result.times);
    visit(archive, result.horizon);
  }
  archive.require_end();
}

}  // namespace holo
