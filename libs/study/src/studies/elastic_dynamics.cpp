#include "studies/elastic_drawing/elastic_preview.h"
#include "studies/elastic_dynamics_quantities.h"
#include "studies/elastic_dynamics_steps.h"
#include "studies/studies.h"

namespace holo {

namespace {

NewtonOptions read_newton(Configuration& experiment) {
  Configuration solver = experiment.section("solver", "solver of each time step", false);
  NewtonOptions options;
  solver.text("type", {.choices = {"newton"}, .default_value = "newton", .documentation = "line-search Newton"});
  options.tolerance =
      solver.number("tolerance", {.minimum = 0,
                                  .minimum_excluded = true,
                                  .default_value = options.tolerance,
                                  .documentation = "largest full step that ends the iterations, over the scene's length"});
  options.max_iterations =
      static_cast<int>(solver.integer("max_iterations", {.minimum = 1,
                                                         .maximum = 1'000'000,
                                                         .default_value = options.max_iterations,
                                                         .documentation = "limit of the iterations of a time step"}));
  const std::string linear_solver =
      solver.text("linear_solver", {.choices = {"reuse", "factorize"},
                                    .default_value = "reuse",
                                    .documentation = "of each direction after the first of a step: conjugate gradients with "
                                                     "the last factorization, or a factorization"});
  options.linear_solver = linear_solver == "reuse" ? NewtonLinearSolver::reuse : NewtonLinearSolver::factorize;
  return options;
}

StudyPlan read_elastic_dynamics(Configuration& experiment, const StudyContext& context) {
  const ElementDifferentiation mode = element_differentiation(context.differentiation.elements);
  Configuration section = experiment.section("scene", "bodies, gravity and time");
  ElasticSceneDefinition scene = read_elastic_scene(section, *context.plugins, mode);
  Configuration differentiation = experiment.section("differentiation", "how derivatives are taken", false);
  scene.singular_choice = read_singular_choice(differentiation);
  NewtonOptions options = read_newton(experiment);
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
  for (const ElasticBodyDefinition& body : scene.bodies)
    if (body.plugin) plan.plugins.push_back(body.plugin);
  plan.build = [scene, losses, options, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    const SignalStore signals = compute_signals(losses, scene);
    ElasticSceneDefinition moved = scene;
    follow_signals(signals, moved);
    return std::make_unique<ElasticDynamics>(moved, losses.losses, signals, options, frames);
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
      "semidefinite ones.",
      element_mode_names(),
      {"none"},
      read_elastic_dynamics};
}

}  // namespace holo
