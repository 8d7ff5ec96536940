#include <fmt/format.h>

#include <algorithm>

#include "studies/body_energies.h"
#include "studies/elastic_solver.h"
#include "studies/elastic_solver_runs.h"
#include "studies/studies.h"

namespace holo {

namespace {

// Materials that lack the mode of a run.
void require_modes(Configuration& entry, const ElasticSceneDefinition& scene, ElementDifferentiation mode) {
  for (const ElasticBodyDefinition& body : scene.bodies) {
    if (!body.material) continue;
    try {
      require_element_mode(mode, *body.material, body.reference);
    } catch (const Error& error) {
      entry.problem(entry.location("elements"), fmt::format("body '{}': {}", body.name, error.what()));
    }
  }
}

SolverRunDefinition read_run(Configuration& entry, const ElasticSceneDefinition& scene,
                             const std::vector<SolverRunDefinition>& others) {
  SolverRunDefinition run;
  run.name = entry.text("name", {.documentation = "name of the run; its metrics are NAME_METRIC"});
  run.elements =
      element_differentiation(entry.text("elements", {.choices = element_mode_names(),
                                                      .default_value = "compiled",
                                                      .documentation = "mode of differentiation of the elements' energies"}));
  run.solver = read_step_solver(entry, scene, run.elements);
  if (entry.recording()) return run;
  if (std::any_of(others.begin(), others.end(), [&](const SolverRunDefinition& other) { return other.name == run.name; }))
    entry.problem(entry.location("name"), fmt::format("two runs are named '{}'", run.name));
  require_modes(entry, scene, run.elements);
  return run;
}

StudyPlan read_elastic_solvers(Configuration& experiment, const StudyContext& context) {
  SolverComparison comparison;
  StudyPlan plan;
  const std::size_t problems = experiment.problem_count();
  Configuration section = experiment.section("scene", "bodies, gravity and time");
  comparison.scene = read_elastic_scene(section, *context.plugins, ElementDifferentiation::compiled);
  refuse_body_energies(experiment, comparison.scene, "compares minimizers of the elements' energies alone");
  comparison.frames_per_second = context.frames_per_second;
  comparison.stagnation = experiment.number(
      "stagnation", {.minimum = 1,
                     .default_value = comparison.stagnation,
                     .documentation = "a run's residual has stagnated where it is larger than this times that "
                                      "of the first run"});
  experiment.each(
      "runs", [&](Configuration& entry) { comparison.runs.push_back(read_run(entry, comparison.scene, comparison.runs)); },
      "minimizers that simulate the scene; the others are compared with the first", 2);
  if (!comparison.runs.empty()) comparison.scene.differentiation = comparison.runs.front().elements;
  plan.metrics = ElasticSolvers::scene_metrics();
  for (const SolverRunDefinition& run : comparison.runs)
    for (const Quantity& metric : ElasticSolvers::run_metrics())
      plan.metrics.push_back({run.name + "_" + metric.name, metric.unit, metric.documentation, metric.by_clock});
  plan.metrics_are_known = experiment.problem_count() == problems;
  for (const ElasticBodyDefinition& body : comparison.scene.bodies)
    if (body.plugin) plan.plugins.push_back(body.plugin);
  plan.build = [comparison]() -> std::unique_ptr<Study> { return std::make_unique<ElasticSolvers>(comparison); };
  return plan;
}

}  // namespace

StudyKind elastic_solvers() {
  return {
      "one scene of elastic bodies, simulated by several minimizers and modes of differentiation next to each other",
      "Each run goes its own way from the common start. Positions, iterations, residuals and times of each are compared with "
      "those of the first run; residuals are gradients by the first run's derivatives. A run whose minimizer fails stops "
      "there, and the others go on.",
      {},
      {},
      read_elastic_solvers};
}

}  // namespace holo
