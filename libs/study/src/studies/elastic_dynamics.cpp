#include "studies/body_energies.h"
#include "studies/elastic_drawing/elastic_preview.h"
#include "studies/elastic_dynamics_quantities.h"
#include "studies/elastic_dynamics_steps.h"
#include "studies/elastic_solver.h"
#include "studies/studies.h"

namespace holo {

namespace {

StudyPlan read_elastic_dynamics(Configuration& experiment, const StudyContext& context) {
  const ElementDifferentiation mode = element_differentiation(context.differentiation.elements);
  Configuration section = experiment.section("scene", "bodies, gravity and time");
  ElasticSceneDefinition scene = read_elastic_scene(section, *context.plugins, mode);
  Configuration differentiation = experiment.section("differentiation", "how derivatives are taken", false);
  scene.singular_choice = read_singular_choice(differentiation);
  const StepSolver solver = read_step_solver(experiment, scene, mode);
  StudyPlan plan;
  plan.metrics = quantities_of(elastic_metrics());
  if (!scene.contact.planes.empty() || has_mesh_contact(scene)) {
    for (const Quantity& metric : quantities_of(contact_metrics())) plan.metrics.push_back(metric);
    for (const Quantity& metric : quantities_of(sticking_metrics())) plan.metrics.push_back(metric);
  }
  const std::size_t problems = experiment.problem_count();
  const ElasticLossPlan losses = read_elastic_losses(experiment, *context.plugins, scene, plan.plugins);
  for (const Quantity& metric : quantities_of(loss_metrics(losses.losses))) plan.metrics.push_back(metric);
  plan.metrics_are_known = experiment.problem_count() == problems;
  add_scene_plugins(scene, plan.plugins);
  plan.build = [scene, losses, solver, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    const SignalStore signals = compute_signals(losses, scene);
    ElasticSceneDefinition moved = scene;
    follow_signals(signals, moved);
    return std::make_unique<ElasticDynamics>(moved, losses.losses, signals, solver, frames);
  };
  plan.preview = [scene, losses] {
    const SignalStore signals = compute_signals(losses, scene);
    ElasticSceneDefinition moved = scene;
    follow_signals(signals, moved);
    return elastic_preview(moved, signals, losses.losses);
  };
  return plan;
}

}  // namespace

StudyKind elastic_dynamics() {
  return {
      "elastic bodies with dragged handles, loads and contact with obstacles over time, by implicit steps and Newton's method",
      "Each time step minimizes the incremental potential of implicit Euler, or of BDF2, by line-search Newton. An iteration "
      "tries the "
      "exact Hessian first; if its step is no descent direction, the element Hessians are projected to positive "
      "semidefinite ones. Two minimizers without a matrix take its place where `solver.type` asks for them.",
      element_mode_names(),
      {"none"},
      read_elastic_dynamics};
}

}  // namespace holo
