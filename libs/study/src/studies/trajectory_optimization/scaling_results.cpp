// Metrics and tables of the study `trajectory_scaling`.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "studies/fitted_exponent.h"
#include "studies/trajectory_optimization/scaling_study.h"

namespace holo {

using ScalingKind = ScalingRun::Kind;

std::string ScalingRun::name() const {
  switch (kind) {
    case ScalingKind::motion:
      return "the motion";
    case ScalingKind::steps:
      return fmt::format("{} steps", size);
    case ScalingKind::links:
      return fmt::format("{} links", size);
    case ScalingKind::whole:
      return "whole duration";
    case ScalingKind::receding:
      return "receding horizon";
  }
  return "";
}

namespace {

double scaling_metric(const std::vector<Metric>& metrics, const std::string& name) {
  for (const Metric& metric : metrics)
    if (metric.name == name) return metric.value;
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<Quantity> share_metrics() {
  return {{"dynamics_share", "1", "of an iteration's time: residuals, losses, Jacobians of the residuals", true},
          {"collision_share", "1", "distances, contact forces and their derivatives", true},
          {"products_share", "1", "H, A, and products with them", true},
          {"factorization_share", "1", "factorizations and solutions", true},
          {"named_share", "1", "sum of the four", true},
          {"iterations", "1", "of the motion's optimization"}};
}

std::vector<Quantity> horizon_metrics() {
  return {{"whole_objective", "1", "E of the whole duration at once, its steps one by one"},
          {"whole_iterations", "1", "of that optimization"},
          {"whole_violation", "N or N m", "its largest constraint at the end"},
          {"whole_full_violation", "N or N m", "largest violated equation of motion of a step"},
          {"whole_displacement_x", "m", "of the center of mass"},
          {"receding_objective", "1", "E of the motion by a receding horizon"},
          {"receding_windows", "1", "number of windows"},
          {"receding_converged", "1", "part of the windows that converged"},
          {"receding_iterations", "1", "of all windows"},
          {"receding_violation", "N or N m", "largest constraint at the end of a window"},
          {"receding_full_violation", "N or N m", "largest violated equation of motion of a step"},
          {"receding_displacement_x", "m", "of the center of mass"},
          {"work_ratio", "1", "iterations times steps of a receding horizon over those of the whole duration"},
          {"objective_ratio", "1", "E by a receding horizon over E of the whole duration"}};
}

std::vector<Quantity> exponent_metrics(const ScalingPlan& plan) {
  const auto has = [&](ScalingKind kind) {
    return std::any_of(plan.runs.begin(), plan.runs.end(), [&](const ScalingRun& run) { return run.kind == kind; });
  };
  std::vector<Quantity> metrics = {{"iteration_time", "s", "of the motion's optimization", true}};
  if (has(ScalingKind::steps)) metrics.push_back({"steps_exponent", "1", "of the time of an iteration in N", true});
  if (has(ScalingKind::links)) {
    metrics.push_back({"links_exponent", "1", "of the time of factorizations and solutions in the degrees of freedom", true});
    metrics.push_back({"rows_exponent", "1", "of the same time in the rows of a point", true});
    metrics.push_back({"links_iteration_exponent", "1", "of the time of an iteration in the degrees of freedom", true});
  }
  if (!plan.horizon) return metrics;
  metrics.push_back({"whole_time", "s", "of the whole duration at once", true});
  metrics.push_back({"receding_time", "s", "of a receding horizon", true});
  metrics.push_back({"time_ratio", "1", "the latter over the former", true});
  return metrics;
}

std::vector<Metric> share_values(const IterationTimes& times) {
  return {{"dynamics_share", times.dynamics / times.total}, {"collision_share", times.collision / times.total},
          {"products_share", times.products / times.total}, {"factorization_share", times.factorization / times.total},
          {"named_share", times.named() / times.total},     {"iterations", double(times.iterations)}};
}

std::vector<Metric> horizon_values(const HorizonResult& whole, const HorizonResult& receding) {
  return {{"whole_objective", whole.values.objective()},
          {"whole_iterations", double(whole.iterations)},
          {"whole_violation", whole.violation},
          {"whole_full_violation", whole.values.full_violation},
          {"whole_displacement_x", whole.motion.displacement.x()},
          {"receding_objective", receding.values.objective()},
          {"receding_windows", double(receding.windows)},
          {"receding_converged", double(receding.converged_windows) / double(receding.windows)},
          {"receding_iterations", double(receding.iterations)},
          {"receding_violation", receding.violation},
          {"receding_full_violation", receding.values.full_violation},
          {"receding_displacement_x", receding.motion.displacement.x()},
          {"work_ratio", receding.work / whole.work},
          {"objective_ratio", receding.values.objective() / whole.values.objective()}};
}

}  // namespace

std::vector<Quantity> scaling_metrics(const ScalingPlan& plan) {
  std::vector<Quantity> metrics = share_metrics();
  const auto add = [&](const std::vector<Quantity>& more) { metrics.insert(metrics.end(), more.begin(), more.end()); };
  if (plan.horizon) add(horizon_metrics());
  add(exponent_metrics(plan));
  return metrics;
}

const TrajectoryScaling::Result* TrajectoryScaling::result_of(ScalingKind kind) const {
  for (std::size_t i = 0; i < results_.size(); ++i)
    if (plan_.runs[i].kind == kind) return &results_[i];
  return nullptr;
}

// Of the time of a part over a size, in the runs of a kind.
double TrajectoryScaling::exponent(ScalingKind kind, double IterationTimes::*time, int IterationTimes::*size) const {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (plan_.runs[i].kind != kind) continue;
    x.push_back(results_[i].times.*size);
    y.push_back(results_[i].times.*time);
  }
  return fitted_exponent(x, y);
}

std::vector<Metric> TrajectoryScaling::finish() {
  std::vector<Metric> values = share_values(result_of(ScalingKind::motion)->times);
  const auto add = [&](const std::vector<Metric>& more) { values.insert(values.end(), more.begin(), more.end()); };
  add({{"iteration_time", result_of(ScalingKind::motion)->times.total},
       {"steps_exponent", exponent(ScalingKind::steps, &IterationTimes::total, &IterationTimes::steps)},
       {"links_exponent", exponent(ScalingKind::links, &IterationTimes::factorization, &IterationTimes::dofs)},
       {"rows_exponent", exponent(ScalingKind::links, &IterationTimes::factorization, &IterationTimes::point_rows)},
       {"links_iteration_exponent", exponent(ScalingKind::links, &IterationTimes::total, &IterationTimes::dofs)}});
  if (plan_.horizon) {
    const HorizonResult &whole = result_of(ScalingKind::whole)->horizon, &receding = result_of(ScalingKind::receding)->horizon;
    add(horizon_values(whole, receding));
    add({{"whole_time", whole.time}, {"receding_time", receding.time}, {"time_ratio", receding.time / whole.time}});
  }
  const std::vector<Quantity> of_times = exponent_metrics(plan_);
  const auto is_judged = [&](const Quantity& quantity) {
    return plan_.judges_times ||
           std::none_of(of_times.begin(), of_times.end(), [&](const Quantity& other) { return other.name == quantity.name; });
  };
  std::vector<Metric> metrics;
  for (const Quantity& quantity : scaling_metrics(plan_))
    if (is_judged(quantity)) metrics.push_back({quantity.name, scaling_metric(values, quantity.name)});
  return metrics;
}

Table TrajectoryScaling::times_table() const {
  Table table{
      "Times of an iteration",
      "Means over the iterations of one optimization on one thread. `dynamics` are residuals, losses and the Jacobians of "
      "the residuals without collision; `products` make H and A",
      {},
      {}};
  table.columns = {{"run"},
                   {"N"},
                   {"n"},
                   {"rows of a point"},
                   {"iterations"},
                   {"time", "ms"},
                   {"dynamics", "%"},
                   {"collision", "%"},
                   {"products", "%"},
                   {"factorization", "%"},
                   {"rest", "%"}};
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (plan_.runs[i].is_of_horizon()) continue;
    const IterationTimes& times = results_[i].times;
    const auto percent = [&](double part) { return 100 * part / times.total; };
    table.rows.push_back({plan_.runs[i].name(), double(times.steps), double(times.dofs), double(times.point_rows),
                          double(times.iterations), 1e3 * times.total, percent(times.dynamics), percent(times.collision),
                          percent(times.products), percent(times.factorization), percent(times.total - times.named())});
  }
  return table;
}

Table TrajectoryScaling::horizon_table() const {
  Table table{
      "Whole duration and receding horizon",
      "Work is the sum of iterations times steps; E, C_full and the displacement are those of the motion's single steps",
      {},
      {}};
  table.columns = {{"method"}, {"windows"},     {"converged"},        {"iterations"},        {"work"},
                   {"E"},      {"C", "N, N m"}, {"C_full", "N, N m"}, {"displacement", "m"}, {"time", "s"}};
  for (const ScalingKind kind : {ScalingKind::whole, ScalingKind::receding}) {
    const HorizonResult& horizon = result_of(kind)->horizon;
    table.rows.push_back({kind == ScalingKind::whole ? "whole duration" : "receding horizon", double(horizon.windows),
                          double(horizon.converged_windows), double(horizon.iterations), horizon.work,
                          horizon.values.objective(), horizon.violation, horizon.values.full_violation,
                          horizon.motion.displacement.x(), horizon.time});
  }
  return table;
}

std::vector<Table> TrajectoryScaling::tables() {
  std::vector<Table> tables{times_table()};
  if (plan_.horizon) tables.push_back(horizon_table());
  return tables;
}

}  // namespace holo
