#include "studies/elastic_control/control_reader.h"

#include <fmt/format.h>

#include "studies/elastic_control/phase_reader.h"

namespace holo {

namespace {

DenseMethod dense_method(const std::string& name) {
  for (const DenseMethod method : {DenseMethod::gauss_newton, DenseMethod::l_bfgs, DenseMethod::gradient_descent})
    if (to_string(method) == name) return method;
  return DenseMethod::newton;
}

int read_count(Configuration& section, const char* key, int least, int default_value, const char* documentation) {
  return static_cast<int>(section.integer(
      key, {.minimum = least, .maximum = 100'000, .default_value = default_value, .documentation = documentation}));
}

double read_weight(Configuration& section, const char* key, double default_value, const char* documentation) {
  return section.number(key, {.minimum = 0, .default_value = default_value, .documentation = documentation});
}

struct RegularizationWeights {
  double magnitude = 0, change = 0;
};

ControlDefinition read_control_section(Configuration& experiment, RegularizationWeights& weights) {
  Configuration section = experiment.section("control", "how the activations of each frame are found", false);
  ControlDefinition control;
  DenseOptions& options = control.frame.minimization;
  options.method = dense_method(section.text("method", {.choices = {"newton", "gauss_newton", "l_bfgs", "gradient_descent"},
                                                        .default_value = "newton",
                                                        .documentation = "how the loss of a frame is minimized"}));
  options.trust_radius = InverseStep::trust_radius;
  options.max_iterations = read_count(section, "max_iterations", 1, 15, "limit of the iterations of one minimization");
  options.tolerance = read_weight(section, "tolerance", 1e-4,
                                  "largest entry of the gradient that ends a minimization; activations in shear moduli");
  options.least_decrease =
      read_weight(section, "least_decrease", 1e-4, "relative decrease of the loss below which an iteration is the last one");
  control.frame.warm_start = read_count(section, "warm_start", 0, 3, "iterations of gradient descent before the method's own");
  control.frame.lag_passes =
      read_count(section, "lag_passes", 1, 3, "minimizations of a frame, each with the normal forces of the one before");
  const std::string linear_solver =
      section.text("linear_solver", {.choices = {"factorize", "reuse"},
                                     .default_value = "factorize",
                                     .documentation = "of directions of forward solves: a factorization each, or conjugate "
                                                      "gradients with the last factorization"});
  control.linear_solver = linear_solver == "reuse" ? NewtonLinearSolver::reuse : NewtonLinearSolver::factorize;
  control.least_volume = section.number(
      "least_volume",
      {.minimum = 0,
       .maximum = 0.9,
       .default_value = 0.05,
       .documentation = "least volume of an element over that at rest; activations that compress one further are refused"});
  control.certificate = section.boolean("certificate", true,
                                        "whether gradient and Hessian of the frame with the most contacts are compared with "
                                        "differences at the end");
  Configuration section_of_weights =
      section.section("regularization", "weights of losses of all muscles' activations, in every frame", false);
  weights.magnitude = read_weight(section_of_weights, "magnitude", 1e-2, "of the loss activation_energy");
  weights.change = read_weight(section_of_weights, "change", 1e-3, "of the loss activation_change");
  return control;
}

// One loss for each segment of all muscles.
std::vector<NamedLoss> regularization_losses(const RegularizationWeights& weights, const LossSources& sources,
                                             std::vector<UsedPlugin>& plugins) {
  std::vector<NamedLoss> losses;
  for (const auto& [type, weight] :
       {std::pair("activation_energy", weights.magnitude), {"activation_change", weights.change}}) {
    if (weight == 0) continue;
    ConfigurationFile file =
        ConfigurationFile::parse(fmt::format("{{type: {}, muscle: all, weight: {}}}", type, weight), "control.regularization");
    Configuration entry = file.root();
    read_loss(entry, sources, plugins, losses);
    file.finish();
  }
  return losses;
}

void require_free_muscles(Configuration& experiment, const ElasticSceneDefinition& scene) {
  bool has_muscles = false;
  for (const ElasticBodyDefinition& body : scene.bodies) {
    if (!body.muscles) continue;
    has_muscles = true;
    for (const MuscleDefinition& muscle : body.muscles->list)
      if (!muscle.activation.signal.empty())
        experiment.problem(muscle.activation.location,
                           "the muscle '" + muscle.name +
                               "' follows a signal, but this study finds the activations; a number is the one before the first "
                               "frame");
  }
  if (!has_muscles && !experiment.has_problems())
    experiment.problem(experiment.location("scene"), "a control needs muscles, and no body has any");
}

}  // namespace

std::vector<NamedLoss> ControlPlan::all_losses() const {
  std::vector<NamedLoss> all = common.losses;
  for (const std::vector<NamedLoss>& losses : phase_losses) all.insert(all.end(), losses.begin(), losses.end());
  return all;
}

ControlPlan read_control(Configuration& experiment, const PluginHost& host, const ElasticSceneDefinition& scene,
                         std::vector<UsedPlugin>& plugins) {
  if (!experiment.recording()) require_free_muscles(experiment, scene);
  RegularizationWeights weights;
  ControlPlan plan{.control = read_control_section(experiment, weights),
                   .common = read_elastic_losses(
                       experiment, host, scene, plugins,
                       "losses that are minimized in every frame; t in their signals counts from the beginning of the phase")};
  const bool known = !experiment.has_problems() && !experiment.recording();
  const ElasticNames names(scene);
  const LossSources sources{host, known ? &names : nullptr, &plan.common.signals.store};
  read_phases(experiment, sources, plugins, plan);
  if (known) plan.regularization = regularization_losses(weights, sources, plugins);
  if (!experiment.recording() && !experiment.has_problems() && plan.all_losses().empty())
    experiment.problem(experiment.location(), "nothing is to be minimized: give `losses`, or `phases` with losses");
  return plan;
}

}  // namespace holo
