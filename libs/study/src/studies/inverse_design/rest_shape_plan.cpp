#include "studies/inverse_design/rest_shape_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace holo {

namespace {

SaggingBody read_sagging_body(Configuration& section, const StudyContext& context) {
  SaggingBody body;
  body.family = read_shape(section, body.parameters, body.elements);
  body.body.name = "body";
  body.body.location = section.location();
  body.body.density = section.number(
      "density", {.unit = "kg/m^3", .minimum = 0, .minimum_excluded = true, .default_value = 1000.0, .documentation = ""});
  read_body_material(section, *context.plugins, element_differentiation(context.differentiation.elements), body.body);
  return body;
}

std::vector<BodyParameter> parameters_of(const SaggingBody& body) {
  std::vector<BodyParameter> result;
  if (body.family == nullptr) return result;
  const std::vector<ShapeParameter> parameters = body.family->parameters();
  for (std::size_t k = 0; k < parameters.size(); ++k)
    result.push_back({parameters[k].name, parameters[k].unit, body.parameters[k]});
  return result;
}

}  // namespace

RestShapePlan read_rest_shape_plan(Configuration& experiment, const StudyContext& context) {
  constexpr const char* numbers = "a number for each of `parameters`";
  RestShapePlan plan;
  Configuration body = experiment.section("body", "the designed body, held where x = 0");
  plan.body_location = body.location();
  plan.body = read_sagging_body(body, context);
  plan.body.gravity = Vector3d(experiment.vector3(
      "gravity", {.unit = "m/s^2", .default_value = std::array<double, 3>{0, 0, -9.81}, .documentation = ""}));
  experiment.each(
      "parameters",
      [&](Configuration& entry) {
        plan.parameters.push_back(read_designed_parameter(entry, parameters_of(plan.body), plan.parameters));
        plan.body.free.push_back(plan.parameters.back().number);
        if (!entry.recording() && !(plan.parameters.back().minimum < plan.parameters.back().maximum))
          entry.problem(entry.location(), "the bounds of a designed parameter differ");
      },
      "parameters of the shape that are designed", 1);
  Configuration target = experiment.section("target", "the shape that the body shall hang in, vertex by vertex");
  plan.target_location = target.location();
  target.branch_on_key(
      {{"sagged", "where a body with these parameters hangs",
        [&](Configuration& p) { plan.target = read_parameter_values(p, "sagged", numbers, plan.parameters, true); }},
       {"shape", "the shape with these parameters, not deformed",
        [&](Configuration& p) {
          plan.is_sagged = false;
          plan.target = read_parameter_values(p, "shape", numbers, plan.parameters, true);
        }}},
      "where another body hangs, or a shape of the family");
  plan.options = read_newton_options(experiment, 1e-12);
  return plan;
}

}  // namespace holo
