#include <cmath>

#include "holo/sim/elastic/element_differentiation.h"
#include "studies/body_energies.h"
#include "studies/elastic_control/control_study.h"
#include "studies/elastic_drawing/elastic_preview.h"
#include "studies/studies.h"

namespace holo {

namespace {

// Activations are measured in shear moduli.
void require_shear_moduli(const ElasticSceneDefinition& scene, const ElasticModel& model) {
  for (std::size_t i = 0; i < model.bodies().size(); ++i)
    if (model.bodies()[i].muscles && !std::isfinite(model.bodies()[i].shear_modulus))
      throw_input_error(
          scene.bodies[i].location,
          "the body '" + model.bodies()[i].name +
              "' has muscles to be controlled, but its material has no shear modulus at rest, which is their unit");
}

StudyPlan read_elastic_control(Configuration& experiment, const StudyContext& context) {
  const ElementDifferentiation mode = element_differentiation(context.differentiation.elements);
  Configuration section = experiment.section("scene", "bodies, gravity and time");
  ElasticSceneDefinition scene = read_elastic_scene(section, *context.plugins, mode);
  refuse_body_energies(experiment, scene, "needs third derivatives, which they do not have");
  StudyPlan plan;
  plan.metrics = quantities_of(control_metrics());
  const std::size_t problems = experiment.problem_count();
  const ControlPlan control = read_control(experiment, *context.plugins, scene, plan.plugins);
  if (control.control.certificate)
    for (const Quantity& metric : quantities_of(certificate_metrics())) plan.metrics.push_back(metric);
  for (const Quantity& metric : quantities_of(body_motion_metrics(control.phases))) plan.metrics.push_back(metric);
  if (!scene.contact.planes.empty())
    for (const Quantity& metric : quantities_of(contact_metrics())) plan.metrics.push_back(metric);
  for (const Quantity& metric : quantities_of(loss_metrics(control.all_losses()))) plan.metrics.push_back(metric);
  plan.metrics_are_known = experiment.problem_count() == problems;
  for (const ElasticBodyDefinition& body : scene.bodies)
    if (body.plugin) plan.plugins.push_back(body.plugin);
  plan.build = [scene, control, pictures = context.frames_per_second]() -> std::unique_ptr<Study> {
    const SignalStore signals = compute_signals(control.common, scene);
    ElasticSceneDefinition moved = scene;
    follow_signals(signals, moved);
    require_shear_moduli(moved, ElasticModel(moved));
    return std::make_unique<ElasticControl>(moved, control, signals, pictures);
  };
  plan.preview = [scene, control] {
    const SignalStore signals = compute_signals(control.common, scene);
    ElasticSceneDefinition moved = scene;
    follow_signals(signals, moved);
    std::vector<NamedLoss> losses = control.common.losses;
    losses.insert(losses.end(), control.phase_losses.front().begin(), control.phase_losses.front().end());
    return elastic_preview(moved, signals, losses);
  };
  return plan;
}

}  // namespace

StudyKind elastic_control() {
  return {
      "activations of muscles, frame by frame, that make elastic bodies follow targets",
      "Each frame minimizes the losses of the state at its end over the activations, through a step of implicit Euler or BDF2 "
      "with "
      "contact and friction, by Newton's method with the exact Hessian or by others. Normal forces of friction are constant "
      "in a minimization and are taken from its result for the next one.",
      {"compiled"},
      {"none"},
      read_elastic_control};
}

}  // namespace holo
