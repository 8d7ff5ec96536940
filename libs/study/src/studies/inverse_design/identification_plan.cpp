#include "studies/inverse_design/identification_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "holo/core/name_list.h"
#include "studies/body_energies.h"

namespace holo {

namespace {

// The numbers of the first body's material as the file gives them; others have their defaults.
std::vector<std::pair<std::string, double>> given_values(Configuration& scene, const MaterialPlugin& plugin) {
  std::vector<std::pair<std::string, double>> values;
  bool is_first = true;
  scene.each("bodies", [&](Configuration& body) {
    if (!is_first) return;
    is_first = false;
    Configuration material = body.section("material");
    for (const ParameterDescription& parameter : plugin.parameters())
      if (parameter.kind == "number" && material.has(parameter.path))
        values.emplace_back(parameter.path, material.number(parameter.path));
  });
  return values;
}

void check_designed(Configuration& entry, const IdentificationPlan& plan, DesignedParameter& parameter) {
  std::vector<std::string> known;
  for (const auto& [name, value] : plan.values) known.push_back(name);
  bool is_known = false;
  for (const auto& [name, value] : plan.values)
    if (name == parameter.name) {
      parameter.start = value;
      is_known = true;
    }
  if (!is_known)
    entry.problem(entry.location("name"),
                  fmt::format("the material of the scene's first body gives no number for '{}'.{} It gives: {}.",
                              parameter.name, suggestion(parameter.name, known), fmt::join(known, ", ")));
  else if (!(parameter.minimum <= parameter.start && parameter.start <= parameter.maximum) || parameter.start == 0)
    entry.problem(parameter.where,
                  fmt::format("the material begins with {} = {:g}, outside of the bounds {:g} to {:g}, or zero", parameter.name,
                              parameter.start, parameter.minimum, parameter.maximum));
}

// One of `recorded`, `recorded_file` and `losses`.
void read_objective(Configuration& experiment, const StudyContext& context, IdentificationPlan& plan,
                    std::vector<UsedPlugin>& plugins) {
  const bool recording = experiment.recording();
  std::vector<std::string> given;
  for (const char* key : {"recorded", "recorded_file", "losses"})
    if (experiment.has(key)) given.push_back(key);  // all of them, while a schema is recorded
  if (!recording && given.size() != 1) {
    experiment.problem(experiment.location(),
                       fmt::format("one of `recorded`, `recorded_file` and `losses` tells what is matched; "
                                   "found: {}",
                                   given.empty() ? "none" : fmt::format("{}", fmt::join(given, ", "))));
    return;
  }
  plan.recorded_location = recording ? Location{} : experiment.location(given.front());
  if (recording || given.front() == "recorded")
    plan.recorded = read_parameter_values(
        experiment, "recorded", "the deformation that is matched, of the same scene: a number for each of `parameters`",
        plan.parameters, false);
  if (recording || given.front() == "recorded_file")
    plan.recorded_file = experiment.file(
        "recorded_file",
        "a mesh of the deformed bodies, with the tetrahedra of the scene in their order, such as a frame of a run");
  if (recording || given.front() == "losses")
    plan.losses = read_elastic_losses(experiment, *context.plugins, plan.scene, plugins,
                                      "losses of the equilibrium at the end, whose sum is minimized");
}

}  // namespace

IdentificationPlan read_identification_plan(Configuration& experiment, const StudyContext& context,
                                            std::vector<UsedPlugin>& plugins) {
  IdentificationPlan plan;
  Configuration scene = experiment.section("scene", "bodies, gravity and time, which is that of the load");
  plan.scene = read_elastic_scene(scene, *context.plugins, element_differentiation(context.differentiation.elements));
  refuse_body_energies(experiment, plan.scene, "needs third derivatives, which they do not have");
  const bool is_known = !experiment.recording() && !experiment.has_problems();
  if (is_known) plan.values = given_values(scene, *plan.scene.bodies.front().plugin);
  experiment.each(
      "parameters",
      [&](Configuration& entry) {
        DesignedParameter parameter;
        parameter.where = entry.location();
        parameter.name = entry.text("name", {.documentation = "a parameter of the first body's material"});
        parameter.minimum = entry.number("minimum", {.documentation = "bound, in the parameter's unit"});
        parameter.maximum = entry.number("maximum", {.documentation = "bound, in the parameter's unit"});
        if (is_known) check_designed(entry, plan, parameter);
        plan.parameters.push_back(parameter);
      },
      "parameters that are sought", 1);
  read_objective(experiment, context, plan, plugins);
  plan.options = read_newton_options(experiment, 1e-13);
  return plan;
}

}  // namespace holo
