#include "studies/articulated_dynamics/time_step_study.h"

#include <algorithm>
#include <limits>

#include "holo/core/runs/archive.h"
#include "runs/at_place.h"
#include "studies/fitted_exponent.h"

namespace holo {

namespace {

constexpr std::string_view time_steps_kind = "articulated_time_steps";
constexpr double no_time_step_value = std::numeric_limits<double>::quiet_NaN();

void visit(Archive& archive, TimeStepResult& result) {
  archive.visit(result.steps, 1e9);
  archive.visit(result.is_finite, 1);
  for (double* value : {&result.energy_gain, &result.error, &result.final_error, &result.iterations, &result.penetration})
    archive.visit(*value);
}

const char* name_of(IntegrationMethod method) { return method == IntegrationMethod::implicit ? "implicit" : "explicit forces"; }

}  // namespace

ArticulatedTimeSteps::ArticulatedTimeSteps(TimeStepPlan plan)
    : plan_(std::move(plan)), reference_(at_place(plan_.where, [this] { return reference_motion(plan_.scene); })) {}

bool ArticulatedTimeSteps::is_stable(const TimeStepResult& result) const {
  return result.is_finite && result.energy_gain <= plan_.energy_tolerance;
}

// The largest time step that is stable with all smaller ones; 0 if there is none.
double ArticulatedTimeSteps::largest_stable_step(IntegrationMethod method) const {
  double least_unstable = std::numeric_limits<double>::infinity(), largest = 0;
  for (std::size_t i = 0; i < results_.size(); ++i)
    if (plan_.runs[i].method == method && !is_stable(results_[i]))
      least_unstable = std::min(least_unstable, plan_.runs[i].time_step);
  for (const TimeStepRun& run : plan_.runs)
    if (run.method == method && run.time_step < least_unstable) largest = std::max(largest, run.time_step);
  return largest;
}

// Of the error of stable motions over the time step.
double ArticulatedTimeSteps::error_exponent(IntegrationMethod method) const {
  std::vector<double> steps, errors;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (plan_.runs[i].method != method || !is_stable(results_[i]) || !(results_[i].error > 0)) continue;
    steps.push_back(plan_.runs[i].time_step);
    errors.push_back(results_[i].error);
  }
  return fitted_exponent(steps, errors);
}

std::vector<Quantity> ArticulatedTimeSteps::columns() const {
  return {{"time_step", "s", "length of a time step"},
          {"implicit_error", "m", "largest distance of the center of mass from the reference"},
          {"explicit_error", "m", "the same with forces at the start of a step"},
          {"implicit_energy_gain", "1", "largest energy above the start's, over weight times radius of gyration"},
          {"explicit_energy_gain", "1", "the same with forces at the start of a step"}};
}

std::vector<ColumnPlot> ArticulatedTimeSteps::plots() const {
  ColumnPlot error{"Error by the time step", "time_step", {"implicit_error", "explicit_error"}, true};
  ColumnPlot energy{"Gain of energy by the time step", "time_step", {"implicit_energy_gain", "explicit_energy_gain"}, true};
  for (ColumnPlot* plot : {&error, &energy}) plot->logarithmic_x = plot->points = true;
  return {error, energy};
}

StepResult ArticulatedTimeSteps::step(StudyOutput& output) {
  const TimeStepRun& run = plan_.runs[results_.size()];
  const TimeStepResult result = run_time_steps(plan_.scene, run, reference_);
  const bool is_implicit = run.method == IntegrationMethod::implicit;
  const double gain = result.is_finite ? result.energy_gain : no_time_step_value;
  const double error = result.is_finite ? result.error : no_time_step_value;
  output.row({run.time_step, is_implicit ? error : no_time_step_value, is_implicit ? no_time_step_value : error,
              is_implicit ? gain : no_time_step_value, is_implicit ? no_time_step_value : gain});
  output.log("run", {{"method", name_of(run.method)},
                     {"time_step", run.time_step},
                     {"steps", std::int64_t(result.steps)},
                     {"stable", is_stable(result)}});
  results_.push_back(result);
  return {};
}

std::string ArticulatedTimeSteps::serialize() const {
  Archive archive(time_steps_kind, 1);
  std::size_t count = results_.size();
  archive.visit(count, double(plan_.runs.size()));
  for (TimeStepResult result : results_) visit(archive, result);
  return archive.take_bytes();
}

void ArticulatedTimeSteps::deserialize(std::string_view bytes) {
  Archive archive(time_steps_kind, 1, bytes);
  std::size_t count = 0;
  archive.visit(count, double(plan_.runs.size()));
  results_.assign(count, {});
  for (TimeStepResult& result : results_) visit(archive, result);
  archive.require_end();
}

const std::vector<Quantity>& time_step_metrics() {
  static const std::vector<Quantity> metrics = {
      {"implicit_stable_step", "s", "largest time step that is stable with all smaller ones; 0: none"},
      {"explicit_stable_step", "s", "the same with forces at the start of a step"},
      {"implicit_error_exponent", "1", "of the error of stable motions in the time step"},
      {"explicit_error_exponent", "1", "the same with forces at the start of a step"},
      {"implicit_largest_error", "m", "with the largest stable time step"},
      {"implicit_largest_gain", "1", "of energy, of all time steps"},
      {"implicit_iterations", "1", "of Newton's method for a step, the mean of the longest time steps"}};
  return metrics;
}

std::vector<Metric> ArticulatedTimeSteps::finish() {
  double error = 0, gain = 0, iterations = 0, longest = 0;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (plan_.runs[i].method != IntegrationMethod::implicit) continue;
    const TimeStepResult& result = results_[i];
    gain = std::max(gain, result.is_finite ? result.energy_gain : std::numeric_limits<double>::infinity());
    if (is_stable(result)) error = std::max(error, result.error);
    if (plan_.runs[i].time_step > longest) iterations = result.iterations;
    longest = std::max(longest, plan_.runs[i].time_step);
  }
  return {{"implicit_stable_step", largest_stable_step(IntegrationMethod::implicit)},
          {"explicit_stable_step", largest_stable_step(IntegrationMethod::explicit_forces)},
          {"implicit_error_exponent", error_exponent(IntegrationMethod::implicit)},
          {"explicit_error_exponent", error_exponent(IntegrationMethod::explicit_forces)},
          {"implicit_largest_error", error},
          {"implicit_largest_gain", gain},
          {"implicit_iterations", iterations}};
}

std::vector<Table> ArticulatedTimeSteps::tables() {
  Table table{
      "Time steps",
      "Error: largest and last distance of the center of mass from the reference, whose time step is that of the scene. "
      "Gain: largest energy above that of the start, over weight times radius of gyration",
      {{"method"},
       {"time step", "s"},
       {"stable"},
       {"error", "m"},
       {"error at the end", "m"},
       {"gain"},
       {"largest depth", "m"},
       {"iterations of a step"}},
      {}};
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const TimeStepResult& result = results_[i];
    table.rows.push_back({name_of(plan_.runs[i].method), plan_.runs[i].time_step,
                          is_stable(result) ? "yes" : (result.is_finite ? "no" : "lost"), result.error, result.final_error,
                          result.energy_gain, result.penetration, result.iterations});
  }
  return {table};
}

}  // namespace holo
