#include "studies/trajectory_optimization/formulations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/core/numerics/stopwatch.h"
#include "holo/core/runs/archive.h"
#include "holo/sim/articulated/trajectory/contact_invariant_problem.h"

namespace holo {

namespace {

constexpr double reached_objective = 1.1;  // of the reference's objective
constexpr std::string_view formulations_kind = "trajectory_formulations";

void visit(Archive& archive, FormulationResult& result) {
  archive.visit(result.status, 1000);
  std::size_t count = result.iterations.size();
  archive.visit_length(count, 4);
  result.iterations.resize(count);
  for (FormulationIteration& iteration : result.iterations) {
    archive.visit(iteration.number, 1e9);
    for (double* value : {&iteration.objective, &iteration.violation, &iteration.stationarity}) archive.visit(*value);
  }
  for (articulated::TrajectoryValues* values : {&result.values, &result.smooth}) {
    for (double* value : {&values->losses, &values->effort, &values->reduced_violation, &values->full_violation})
      archive.visit(*value);
    archive.visit(values->worst_step, 1e9);
    archive.visit(values->worst_dof, 1e9, -1);
  }
  for (double* value :
       {&result.interactions, &result.objective, &result.time, &result.iterations_to_reach, &result.normal_weight})
    archive.visit(*value);
  MotionMeasures& motion = result.motion;
  for (double* value : {&motion.largest_penetration, &motion.mean_penetration, &motion.mean_slip_speed}) archive.visit(*value);
  archive.visit_sized(result.coefficients);
}

void require_contact(const Formulation& formulation, const articulated::TrajectoryModel& model) {
  try {
    articulated::ContactInvariantProblem::require_contact(model);
  } catch (const Error& error) {
    throw_input_error(formulation.where, error.what());
  }
}

}  // namespace

TrajectoryFormulations::TrajectoryFormulations(TrajectoryPlan plan, std::vector<Formulation> formulations,
                                               std::vector<std::string> notes)
    : plan_(std::move(plan)),
      formulations_(std::move(formulations)),
      notes_(std::move(notes)),
      obstacles_(plan_.scene.obstacles, largest_contact_radius(*plan_.scene.character.model)) {
  ComputedSignals signals = compute_signals(plan_.signals, plan_.scene.time_step);
  signals.store.require_bounds();
  signals_ = signals.store.values();
  for (const Formulation& formulation : formulations_) {
    const auto model = make_trajectory_model(plan_of(formulation), obstacles_, signals_);
    if (formulation.is_contact_invariant()) require_contact(formulation, *model);
  }
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

FormulationResult TrajectoryFormulations::run(const Formulation& formulation) const {
  Stopwatch watch;
  const std::unique_ptr<articulated::TrajectoryModel> model = make_trajectory_model(plan_of(formulation), obstacles_, signals_);
  FormulationInput input{formulation, *model, plan_.stages};
  for (std::size_t i = 0; i < results_.size(); ++i)
    if (formulations_[i].name == formulation.from) {
      input.from = &results_[i].coefficients;
      input.is_from_spline = formulations_[i].is_of_spline;
    }
  FormulationResult result = run_formulation(input);
  result.time = watch.lap();
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
  return {{"method", "1", "number of the method, from 0"},
          {"iteration", "1", "of the method"},
          {"objective", "1", "E of hard constraints, the whole minimized function of soft ones"},
          {"violation", "N or N m", "largest constraint"},
          {"stationarity", "1", "largest entry of the gradient of the Lagrangian, or of the minimized function"}};
}

std::vector<Quantity> TrajectoryFormulations::timing_columns() const {
  return {{"method", "1", "number of the method, from 0"}, {"time", "s", "of the whole method"}};
}

// The histories of all methods in each plot.
std::vector<ColumnPlot> TrajectoryFormulations::plots() const {
  std::vector<ColumnPlot> plots = {{"Objective by iteration", "iteration", {"objective"}, true},
                                   {"Violation by iteration", "iteration", {"violation"}, true},
                                   {"Stationarity by iteration", "iteration", {"stationarity"}, true}};
  for (ColumnPlot& plot : plots) {
    plot.logarithmic_x = true;
    plot.series_column = "method";
    for (const Formulation& formulation : formulations_) plot.names.push_back(formulation.name);
  }
  return plots;
}

StepResult TrajectoryFormulations::step(StudyOutput& output) {
  const std::size_t number = results_.size();
  const Formulation& formulation = formulations_[number];
  FormulationResult result = run(formulation);
  result.iterations_to_reach = reach(formulation, result);
  for (const FormulationIteration& iteration : result.iterations)
    output.row({double(number), double(iteration.number), iteration.objective, iteration.violation, iteration.stationarity});
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
  Archive archive(formulations_kind, 2);
  std::size_t count = results_.size();
  archive.visit(count, double(formulations_.size()));
  for (FormulationResult result : results_) visit(archive, result);
  return archive.take_bytes();
}

void TrajectoryFormulations::deserialize(std::string_view bytes) {
  Archive archive(formulations_kind, 2, bytes);
  std::size_t count = 0;
  archive.visit(count, double(formulations_.size()));
  results_.assign(count, {});
  for (FormulationResult& result : results_) visit(archive, result);
  archive.require_end();
}

}  // namespace holo
