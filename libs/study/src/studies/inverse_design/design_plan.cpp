#include "studies/inverse_design/design_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/name_list.h"

namespace holo {

namespace {

NumberSpec positive_number(const char* unit, const char* documentation, std::optional<double> standard = {}) {
  return {.unit = unit, .minimum = 0, .minimum_excluded = true, .default_value = standard, .documentation = documentation};
}

void read_parameters_of(const ShapeFamily& family, Configuration& section, std::vector<double>& values) {
  for (const ShapeParameter& parameter : family.parameters())
    values.push_back(section.number(parameter.name, positive_number(parameter.unit, "of the shape", parameter.value)));
}

// The shape with its parameters, and the material.
VibratingBody read_vibrating_body(Configuration& section) {
  VibratingBody body;
  std::vector<Configuration::Branch> branches;
  for (const auto& family : shape_families())
    branches.push_back({family->name(), family->documentation(), [&body, family](Configuration& p) {
                          if (!p.recording()) body.family = family;
                          read_parameters_of(*family, p, body.parameters);
                        }});
  section.branch("shape", branches, {}, "a shape with parameters");
  body.elements = int(section.integer(
      "elements", {.minimum = 6, .maximum = 10'000'000, .default_value = 2000, .documentation = "tetrahedra, about"}));
  const double E = section.number("youngs_modulus", positive_number("Pa", "of linear elasticity"));
  const double nu = section.number("poissons_ratio", {.minimum = -1,
                                                      .maximum = 0.5,
                                                      .minimum_excluded = true,
                                                      .maximum_excluded = true,
                                                      .default_value = 0.3,
                                                      .documentation = "of linear elasticity"});
  const double rho = section.number("density", positive_number("kg/m^3", "", 1000.0));
  body.parameters.insert(body.parameters.end(), {E, nu, rho});
  return body;
}

DesignedParameter read_designed_parameter(Configuration& entry, const DesignPlan& plan) {
  DesignedParameter parameter;
  parameter.where = entry.location();
  parameter.name = entry.text("name", {.documentation = "a parameter of the body"});
  parameter.minimum = entry.number("minimum", {.documentation = "bound, in the parameter's unit"});
  parameter.maximum = entry.number("maximum", {.documentation = "bound, in the parameter's unit"});
  if (entry.recording() || plan.body.family == nullptr) return parameter;
  const auto names = parameter_names(*plan.body.family);
  std::vector<std::string> known;
  for (std::size_t k = 0; k < names.size(); ++k) {
    known.push_back(names[k].first);
    if (names[k].first != parameter.name) continue;
    parameter.number = int(k);
    parameter.unit = names[k].second;
    parameter.start = plan.body.parameters[k];
  }
  const auto is_same = [&](const DesignedParameter& other) { return other.name == parameter.name; };
  if (!contains(known, parameter.name))
    entry.problem(entry.location("name"), fmt::format("the body has no parameter '{}'.{} It has: {}.", parameter.name,
                                                      suggestion(parameter.name, known), fmt::join(known, ", ")));
  else if (std::any_of(plan.parameters.begin(), plan.parameters.end(), is_same))
    entry.problem(entry.location("name"), fmt::format("the parameter '{}' is designed twice", parameter.name));
  else if (!(parameter.minimum <= parameter.start && parameter.start <= parameter.maximum))
    entry.problem(parameter.where,
                  fmt::format("the body begins with {} = {:g} {}, outside of the bounds {:g} to {:g}", parameter.name,
                              parameter.start, parameter.unit, parameter.minimum, parameter.maximum));
  return parameter;
}

void read_target(Configuration& experiment, DesignPlan& plan) {
  Configuration section = experiment.section("target", "the frequency that the body shall have");
  plan.target_location = section.location();
  section.branch_on_key(
      {{"frequency", "a number",
        [&](Configuration& p) { plan.frequency = p.number("frequency", positive_number("Hz", "of the target")); }},
       {"body", "that of another body under the same acceleration",
        [&](Configuration& p) {
          Configuration body = p.section("body", "a body as the designed one");
          plan.target = read_vibrating_body(body);
        }}},
      "a frequency, or a body that has it");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parameter_names(const ShapeFamily& family) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const ShapeParameter& parameter : family.parameters()) names.emplace_back(parameter.name, parameter.unit);
  names.insert(names.end(), {{"youngs_modulus", "Pa"}, {"poissons_ratio", "1"}, {"density", "kg/m^3"}});
  return names;
}

DesignPlan read_design_plan(Configuration& experiment) {
  DesignPlan plan;
  Configuration body = experiment.section("body", "the designed body, held at both ends along x");
  plan.body_location = body.location();
  plan.body = read_vibrating_body(body);
  plan.body.acceleration = experiment.vector3(
      "acceleration", {.unit = "m/s^2", .documentation = "of all vertices, under which the bodies oscillate: a wind"});
  if (!experiment.recording() && plan.body.acceleration == std::array<double, 3>{0, 0, 0})
    experiment.problem(experiment.location("acceleration"), "without an acceleration nothing oscillates; give one");
  experiment.each(
      "parameters", [&](Configuration& entry) { plan.parameters.push_back(read_designed_parameter(entry, plan)); },
      "parameters that are designed", 1);
  read_target(experiment, plan);
  if (plan.target) plan.target->acceleration = plan.body.acceleration;
  Configuration solver = experiment.section("solver", "Newton's method within bounds", false);
  plan.options.max_iterations = int(solver.integer(
      "max_iterations", {.minimum = 1, .maximum = 10'000, .default_value = 50, .documentation = "of Newton's method"}));
  plan.options.tolerance = solver.number("tolerance", positive_number("1", "of the gradient in relative parameters", 1e-11));
  Configuration motion = experiment.section("motion", "the motion of the designed body and of the target's", false);
  plan.periods = motion.number(
      "periods", {.minimum = 0, .maximum = 10'000, .default_value = 20, .documentation = "of the target; 0: no motion"});
  plan.steps_per_period = int(motion.integer(
      "steps_per_period", {.minimum = 8, .maximum = 10'000, .default_value = 40, .documentation = "of the trapezoidal rule"}));
  return plan;
}

}  // namespace holo
