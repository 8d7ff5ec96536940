// Metrics of the study's methods, and their table.
#include <algorithm>
#include <cmath>

#include "studies/trajectory_optimization/formulations.h"

namespace holo {

std::vector<Quantity> formulation_metrics(const std::vector<Formulation>& formulations) {
  std::vector<Quantity> metrics;
  for (const Formulation& formulation : formulations) {
    const std::string& name = formulation.name;
    metrics.push_back({name + "_objective", "1", "E at the end"});
    metrics.push_back({name + "_violation", "N or N m", "largest constraint at the end"});
    metrics.push_back({name + "_full_violation", "N or N m", "largest violated equation of motion of a step"});
    if (formulation.is_contact_invariant()) {
      metrics.push_back({name + "_interactions", "1", "energy of the contacts at the end"});
      metrics.push_back({name + "_smooth_violation", "N or N m",
                         "largest constraint at the end with the forces of the smooth contact model instead of the method's"});
      metrics.push_back({name + "_smooth_full_violation", "N or N m", "the same of a step"});
    }
    metrics.push_back({name + "_iterations", "1", "of the method"});
    metrics.push_back({name + "_time", "s", "of the method", true});
    metrics.push_back({name + "_penetration", "m", "largest of a contact"});
    metrics.push_back({name + "_mean_penetration", "m", "mean over contacts, weighted with their normal forces"});
    metrics.push_back({name + "_mean_slip_speed", "m/s", "the same mean"});
    if (formulation.has_own_contact()) {
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
    if (formulations_[i].is_contact_invariant()) {
      metrics.push_back({name + "_interactions", result.interactions});
      metrics.push_back({name + "_smooth_violation", result.smooth.reduced_violation});
      metrics.push_back({name + "_smooth_full_violation", result.smooth.full_violation});
    }
    metrics.push_back({name + "_iterations", double(result.iterations.size())});
    metrics.push_back({name + "_time", result.time});
    metrics.push_back({name + "_penetration", result.motion.largest_penetration});
    metrics.push_back({name + "_mean_penetration", result.motion.mean_penetration});
    metrics.push_back({name + "_mean_slip_speed", result.motion.mean_slip_speed});
    if (const FormulationResult* from = result_of(formulations_[i].from); from && formulations_[i].has_own_contact()) {
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
  Table table{
      "Methods",
      "E, the largest constraint and the largest violated equation of motion of a step, at the end. C smooth and C_full "
      "smooth are those of the same motion with the forces of the smooth contact model; contact-invariant optimization has "
      "forces of its own.",
      {},
      {}};
  table.columns = {{"method"},
                   {"status"},
                   {"iterations"},
                   {"E"},
                   {"C", "N, N m"},
                   {"C_full", "N, N m"},
                   {"C smooth", "N, N m"},
                   {"C_full smooth", "N, N m"},
                   {"depth", "m"},
                   {"slip speed", "m/s"},
                   {"time", "s"}};
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const FormulationResult& result = results_[i];
    table.rows.push_back({formulations_[i].name, result.status, double(result.iterations.size()), result.values.objective(),
                          result.values.reduced_violation, result.values.full_violation, result.smooth.reduced_violation,
                          result.smooth.full_violation, result.motion.mean_penetration, result.motion.mean_slip_speed,
                          result.time});
  }
  return {table};
}

}  // namespace holo
