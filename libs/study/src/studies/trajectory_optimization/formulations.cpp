#include "studies/trajectory_optimization/formulations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/core/numerics/stopwatch.h"
#include "holo/core/runs/archive.h"
#include "holo/opt/trajectory/lbfgs.h"
#include "holo/opt/trajectory/levenberg_marquardt.h"

namespace holo {

using articulated::TrajectoryBasis, articulated::TrajectoryProblem;

namespace {

constexpr double reached_objective = 1.1;  // of the reference's objective
constexpr std::string_view formulations_kind = "trajectory_formulations";

void take(const TrustRegionSqpResult& solved, FormulationResult& result) {
  result.status = to_string(solved.status);
  for (const TrustRegionSqpIteration& iteration : solved.iterations)
    result.iterations.push_back(
        {iteration.iteration, iteration.objective, iteration.constraint_largest, iteration.stationarity});
}

void take(const UnconstrainedResult& solved, FormulationResult& result) {
  result.status = to_string(solved.status);
  for (const UnconstrainedIteration& iteration : solved.iterations)
    result.iterations.push_back({iteration.iteration, iteration.value, iteration.constraint_largest, iteration.stationarity});
}

void visit(Archive& archive, FormulationResult& result) {
  archive.visit(result.status, 1000);
  std::size_t count = result.iterations.size();
  archive.visit(count, 1e7);
  result.iterations.resize(count);
  for (FormulationIteration& iteration : result.iterations) {
    archive.visit(iteration.number, 1e9);
    for (double* value : {&iteration.objective, &iteration.violation, &iteration.stationarity}) archive.visit(*value);
  }
  articulated::TrajectoryValues& values = result.values;
  for (double* value : {&values.losses, &values.effort, &values.reduced_violation, &values.full_violation, &result.objective,
                        &result.time, &result.iterations_to_reach, &result.normal_weight})
    archive.visit(*value);
  archive.visit(values.worst_step, 1e9);
  archive.visit(values.worst_dof, 1e9, -1);
  MotionMeasures& motion = result.motion;
  for (double* value : {&motion.largest_penetration, &motion.mean_penetration, &motion.mean_slip_speed}) archive.visit(*value);
  std::int64_t rows = result.coefficients.rows(), columns = result.coefficients.cols();
  archive.visit(rows, 1e6);
  archive.visit(columns, 1e9);
  result.coefficients.resize(rows, columns);
  archive.visit(result.coefficients);
}

}  // namespace

TrajectoryFormulations::TrajectoryFormulations(TrajectoryPlan plan, std::vector<Formulation> formulations)
    : plan_(std::move(plan)),
      formulations_(std::move(formulations)),
      obstacles_(plan_.scene.obstacles, largest_contact_radius(*plan_.scene.character.model)) {
  ComputedSignals signals = compute_signals(plan_.signals, plan_.scene.time_step);
  signals.store.require_bounds();
  signals_ = signals.store.values();
  for (const Formulation& formulation : formulations_) make_trajectory_model(plan_of(formulation), obstacles_, signals_);
}

TrajectoryPlan TrajectoryFormulations::plan_of(const Formulation& formulation) const {
  TrajectoryPlan plan = plan_;
  const articulated::ContactWeights scene = standing_contact(plan.scene, *plan.scene.character.model).weights;
  const double normal = formulation.normal_weight > 0 ? formulation.normal_weight : scene.normal;
  const double ratio = formulation.slip_ratio > 0 ? formulation.slip_ratio : scene.tangential / scene.normal;
  if (formulation.normal_weight > 0 || formulation.slip_ratio > 0)
    plan.scene.contact.weights = articulated::ContactWeights{normal, ratio * normal};
  return plan;
}

const FormulationResult* TrajectoryFormulations::result_of(const std::string& name) const {
  for (std::size_t i = 0; i < results_.size(); ++i)
    if (formulations_[i].name == name) return &results_[i];
  return nullptr;
}

// The point from which a method starts: the result of another one, with all positions moved by what the start has moved, since
// the character stands at another depth.
Eigen::VectorXd TrajectoryFormulations::start_of(const Formulation& formulation, TrajectoryProblem& problem) const {
  const Eigen::VectorXd at_rest = problem.point();
  const FormulationResult* from = result_of(formulation.from);
  if (from == nullptr) return at_rest;
  Eigen::MatrixXd coefficients = from->coefficients;
  const Eigen::VectorXd shift = problem.coefficients(at_rest).col(0) - coefficients.col(0);
  for (Eigen::Index column = 0; column < coefficients.cols(); column += problem.basis().components())
    coefficients.col(column) += shift;
  problem.set_coefficients(coefficients);
  return problem.point();
}

FormulationResult TrajectoryFormulations::run(const Formulation& formulation) const {
  FormulationResult result;
  Stopwatch watch;
  const std::unique_ptr<articulated::TrajectoryModel> model = make_trajectory_model(plan_of(formulation), obstacles_, signals_);
  TrajectoryProblem problem(*model,
                            formulation.is_of_spline && plan_.stages.segment_length > 1
                                ? TrajectoryBasis::spline(model->steps(), plan_.stages.segment_length, plan_.stages.end)
                                : TrajectoryBasis::nodal(model->steps(), plan_.stages.end),
                            plan_.stages.linear_algebra);
  problem.scale_losses(problem.point());
  Eigen::VectorXd point = start_of(formulation, problem);
  if (formulation.method == Formulation::Method::trust_region) {
    TrustRegionSqpOptions options = plan_.stages.spline_solver;
    options.max_iterations = formulation.iterations;
    take(TrustRegionSqp(problem, options).solve(point), result);
  } else {
    PenalizedProblem soft(problem, formulation.weight);
    if (formulation.method == Formulation::Method::levenberg_marquardt) {
      LevenbergMarquardtOptions options;
      options.max_iterations = formulation.iterations;
      options.stationarity_tolerance = plan_.stages.spline_solver.stationarity_tolerance;
      take(LevenbergMarquardt(soft, options).solve(point), result);
    } else {
      LbfgsOptions options;
      options.max_iterations = formulation.iterations;
      options.stationarity_tolerance = plan_.stages.spline_solver.stationarity_tolerance;
      take(Lbfgs(soft, options).solve(point), result);
    }
  }
  result.time = watch.lap();
  result.values = problem.values(point);
  result.motion = measure_motion(*model, problem.states(point), problem.residuals(point));
  result.coefficients = problem.coefficients(point);
  result.normal_weight = model->step().normal_weight;
  result.objective = result.iterations.empty() ? result.values.objective() : result.iterations.back().objective;
  return result;
}

// The first iteration whose objective is at most 1.1 of the last one of the reference.
double TrajectoryFormulations::reach(const Formulation& formulation, const FormulationResult& result) const {
  const FormulationResult* reference = result_of(formulation.reference);
  for (const FormulationIteration& iteration : result.iterations)
    if (reference != nullptr && iteration.objective <= reached_objective * reference->objective) return iteration.number;
  return std::numeric_limits<double>::infinity();
}

std::vector<Quantity> TrajectoryFormulations::columns() const {
  std::vector<Quantity> columns = {{"iteration", "1", "of the method"}};
  for (const Formulation& formulation : formulations_)
    columns.push_back({formulation.name + "_objective", "1", "E of hard constraints, E + w |C|^2 of soft ones"});
  for (const Formulation& formulation : formulations_)
    columns.push_back({formulation.name + "_violation", "N or N m", "largest constraint"});
  return columns;
}

std::vector<Quantity> TrajectoryFormulations::timing_columns() const {
  return {{"method", "1", "number of the method, from 0"}, {"time", "s", "of the whole method"}};
}

std::vector<ColumnPlot> TrajectoryFormulations::plots() const {
  ColumnPlot objective{"Objective by iteration", "iteration", {}, true},
      violation{"Violation by iteration", "iteration", {}, true};
  for (const Formulation& formulation : formulations_) {
    objective.y.push_back(formulation.name + "_objective");
    violation.y.push_back(formulation.name + "_violation");
  }
  for (ColumnPlot* plot : {&objective, &violation}) {
    plot->own_names = true;
    plot->logarithmic_x = true;
    plot->points = true;
  }
  return {objective, violation};
}

StepResult TrajectoryFormulations::step(StudyOutput& output) {
  const std::size_t number = results_.size(), count = formulations_.size();
  const Formulation& formulation = formulations_[number];
  FormulationResult result = run(formulation);
  result.iterations_to_reach = reach(formulation, result);
  for (const FormulationIteration& iteration : result.iterations) {
    std::vector<double> row(1 + 2 * count, std::numeric_limits<double>::quiet_NaN());
    row[0] = iteration.number;
    row[1 + number] = iteration.objective;
    row[1 + count + number] = iteration.violation;
    output.row(row);
  }
  output.timings({double(number), result.time});
  output.log("method", {{"name", formulation.name},
                        {"status", result.status},
                        {"iterations", std::int64_t(result.iterations.size())},
                        {"objective", result.objective},
                        {"reduced_violation", result.values.reduced_violation},
                        {"full_violation", result.values.full_violation}});
  results_.push_back(std::move(result));
  return {};
}

std::string TrajectoryFormulations::serialize() const {
  Archive archive(formulations_kind, 1);
  std::size_t count = results_.size();
  archive.visit(count, double(formulations_.size()));
  for (FormulationResult result : results_) visit(archive, result);
  return archive.take_bytes();
}

void TrajectoryFormulations::deserialize(std::string_view bytes) {
  Archive archive(formulations_kind, 1, bytes);
  std::size_t count = 0;
  archive.visit(count, double(formulations_.size()));
  results_.assign(count, {});
  for (FormulationResult& result : results_) visit(archive, result);
  archive.require_end();
}

std::vector<Quantity> formulation_metrics(const std::vector<Formulation>& formulations) {
  std::vector<Quantity> metrics;
  for (const Formulation& formulation : formulations) {
    const std::string& name = formulation.name;
    metrics.push_back({name + "_objective", "1", "E at the end"});
    metrics.push_back({name + "_violation", "N or N m", "largest constraint at the end"});
    metrics.push_back({name + "_full_violation", "N or N m", "largest violated equation of motion of a step"});
    metrics.push_back({name + "_iterations", "1", "of the method"});
    metrics.push_back({name + "_time", "s", "of the method"});
    metrics.push_back({name + "_penetration", "m", "largest of a contact"});
    metrics.push_back({name + "_mean_penetration", "m", "mean over contacts, weighted with their normal forces"});
    metrics.push_back({name + "_mean_slip_speed", "m/s", "the same mean"});
    if (!formulation.from.empty()) {
      metrics.push_back({name + "_penetration_exponent", "1",
                         "change of log(mean penetration) over that of log(normal weight), from the method before"});
      metrics.push_back({name + "_slip_speed_ratio", "1", "mean slip speed over that of the method before"});
    }
    if (!formulation.reference.empty()) {
      metrics.push_back({name + "_iterations_to_reach", "1", "until 1.1 of the reference's last objective; infinite: never"});
      metrics.push_back({name + "_iterations_ratio", "1", "the same over the iterations of the reference"});
      metrics.push_back({name + "_violation_ratio", "1", "largest constraint at the end over that of the reference"});
      metrics.push_back({name + "_objective_ratio", "1", "E at the end over that of the reference"});
    }
  }
  return metrics;
}

std::vector<Metric> TrajectoryFormulations::finish() {
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < formulations_.size(); ++i) {
    const std::string& name = formulations_[i].name;
    const FormulationResult& result = results_[i];
    metrics.push_back({name + "_objective", result.values.objective()});
    metrics.push_back({name + "_violation", result.values.reduced_violation});
    metrics.push_back({name + "_full_violation", result.values.full_violation});
    metrics.push_back({name + "_iterations", double(result.iterations.size())});
    metrics.push_back({name + "_time", result.time});
    metrics.push_back({name + "_penetration", result.motion.largest_penetration});
    metrics.push_back({name + "_mean_penetration", result.motion.mean_penetration});
    metrics.push_back({name + "_mean_slip_speed", result.motion.mean_slip_speed});
    if (const FormulationResult* from = result_of(formulations_[i].from)) {
      metrics.push_back(
          {name + "_penetration_exponent", std::log(result.motion.mean_penetration / from->motion.mean_penetration) /
                                               std::log(result.normal_weight / from->normal_weight)});
      metrics.push_back({name + "_slip_speed_ratio", result.motion.mean_slip_speed / from->motion.mean_slip_speed});
    }
    const FormulationResult* reference = result_of(formulations_[i].reference);
    if (reference == nullptr) continue;
    metrics.push_back({name + "_iterations_to_reach", result.iterations_to_reach});
    metrics.push_back(
        {name + "_iterations_ratio", result.iterations_to_reach / std::max(double(reference->iterations.size()), 1.0)});
    metrics.push_back({name + "_violation_ratio", result.values.reduced_violation / reference->values.reduced_violation});
    metrics.push_back({name + "_objective_ratio", result.values.objective() / reference->values.objective()});
  }
  return metrics;
}

std::vector<Table> TrajectoryFormulations::tables() {
  Table table{"Methods", "E, the largest constraint and the largest violated equation of motion of a step, at the end", {}, {}};
  table.columns = {{"method"},           {"status"},     {"iterations"},        {"E"},        {"C", "N, N m"},
                   {"C_full", "N, N m"}, {"depth", "m"}, {"slip speed", "m/s"}, {"time", "s"}};
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const FormulationResult& result = results_[i];
    table.rows.push_back({formulations_[i].name, result.status, double(result.iterations.size()), result.values.objective(),
                          result.values.reduced_violation, result.values.full_violation, result.motion.mean_penetration,
                          result.motion.mean_slip_speed, result.time});
  }
  return {table};
}

}  // namespace holo
