#include "studies/inverse_design/design_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/name_list.h"
#include "holo/sim/motion/formula.h"

namespace holo {

namespace {

NumberSpec positive_number(const char* unit, const char* documentation, std::optional<double> standard = {}) {
  return {.unit = unit, .minimum = 0, .minimum_excluded = true, .default_value = standard, .documentation = documentation};
}

// The shape with its parameters, and the material.
VibratingBody read_vibrating_body(Configuration& section) {
  VibratingBody body;
  body.family = read_shape(section, body.parameters, body.elements);
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

std::vector<BodyParameter> parameters_of(const VibratingBody& body) {
  std::vector<BodyParameter> result;
  if (body.family == nullptr) return result;
  const auto names = parameter_names(*body.family);
  for (std::size_t k = 0; k < names.size(); ++k) result.push_back({names[k].first, names[k].second, body.parameters[k]});
  return result;
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

// The factor of the acceleration at a place of the unit cube that the shape is mapped from.
std::function<double(const std::array<double, 3>&)> read_profile(Configuration& experiment) {
  if (!experiment.has("acceleration_profile")) return {};
  const std::string text =
      experiment.text("acceleration_profile", {.default_value = "1",
                                               .documentation = "factor of the acceleration: a formula of the coordinates x, y "
                                                                "and z in the unit cube; x is 0 and 1 at the ends"});
  const Location where = experiment.location("acceleration_profile");
  if (experiment.recording()) return {};
  try {
    const auto formula = std::make_shared<Formula>(text, std::vector<std::string>{"x", "y", "z"}, where);
    return [formula](const std::array<double, 3>& unit) { return (*formula)(unit); };
  } catch (const Error& error) {
    experiment.problem(where, error.what());
    return {};
  }
}

constexpr double most_model_nodes = 2000;

void check_model(Configuration& model, const DesignPlan& plan) {
  const double nodes = std::pow(double(plan.model_points), double(plan.parameters.size()));
  if (nodes > most_model_nodes)
    model.problem(model.location("points"), fmt::format("{} points of {} parameters are {:g} bodies; at most {:g} are computed",
                                                        plan.model_points, plan.parameters.size(), nodes, most_model_nodes));
  for (const DesignedParameter& parameter : plan.parameters)
    if (!(parameter.minimum < parameter.maximum))
      model.problem(parameter.where, fmt::format("a slider for '{}' needs bounds that differ", parameter.name));
}

}  // namespace

std::shared_ptr<const ShapeFamily> read_shape(Configuration& section, std::vector<double>& parameters, int& elements) {
  std::shared_ptr<const ShapeFamily> result;
  std::vector<Configuration::Branch> branches;
  for (const auto& family : shape_families())
    branches.push_back({family->name(), family->documentation(), [&, family](Configuration& p) {
                          if (!p.recording()) result = family;
                          for (const ShapeParameter& parameter : family->parameters()) {
                            NumberSpec spec{
                                .unit = parameter.unit, .default_value = parameter.value, .documentation = "of the shape"};
                            if (parameter.is_positive) spec = positive_number(parameter.unit, "of the shape", parameter.value);
                            parameters.push_back(p.number(parameter.name, spec));
                          }
                        }});
  section.branch("shape", branches, {}, "a shape with parameters");
  elements = int(section.integer(
      "elements", {.minimum = 6, .maximum = 10'000'000, .default_value = 2000, .documentation = "tetrahedra, about"}));
  return result;
}

DesignedParameter read_designed_parameter(Configuration& entry, const std::vector<BodyParameter>& body,
                                          const std::vector<DesignedParameter>& before) {
  DesignedParameter parameter;
  parameter.where = entry.location();
  parameter.name = entry.text("name", {.documentation = "a parameter of the body"});
  parameter.minimum = entry.number("minimum", {.documentation = "bound, in the parameter's unit"});
  parameter.maximum = entry.number("maximum", {.documentation = "bound, in the parameter's unit"});
  if (entry.recording() || body.empty()) return parameter;
  std::vector<std::string> known;
  for (std::size_t k = 0; k < body.size(); ++k) {
    known.push_back(body[k].name);
    if (body[k].name != parameter.name) continue;
    parameter.number = int(k);
    parameter.unit = body[k].unit;
    parameter.start = body[k].value;
  }
  const auto is_same = [&](const DesignedParameter& other) { return other.name == parameter.name; };
  if (!contains(known, parameter.name))
    entry.problem(entry.location("name"), fmt::format("the body has no parameter '{}'.{} It has: {}.", parameter.name,
                                                      suggestion(parameter.name, known), fmt::join(known, ", ")));
  else if (std::any_of(before.begin(), before.end(), is_same))
    entry.problem(entry.location("name"), fmt::format("the parameter '{}' is designed twice", parameter.name));
  else if (!(parameter.minimum <= parameter.start && parameter.start <= parameter.maximum))
    entry.problem(parameter.where,
                  fmt::format("the body begins with {} = {:g} {}, outside of the bounds {:g} to {:g}", parameter.name,
                              parameter.start, parameter.unit, parameter.minimum, parameter.maximum));
  return parameter;
}

std::vector<double> read_parameter_values(Configuration& section, const char* key, const char* documentation,
                                          const std::vector<DesignedParameter>& parameters, bool required) {
  const std::vector<Configuration::Entry> given = section.entries(key, documentation, required);
  std::vector<double> values;
  if (section.recording()) return values;
  const Location where = section.location(key);
  for (const DesignedParameter& parameter : parameters) {
    const auto found =
        std::find_if(given.begin(), given.end(), [&](const auto& entry) { return entry.name == parameter.name; });
    if (found != given.end() && found->number)
      values.push_back(*found->number);
    else
      section.problem(where, fmt::format("`{}` needs a number for '{}'", key, parameter.name));
  }
  if (given.size() > parameters.size())
    section.problem(where, fmt::format("`{}` has more entries than there are `parameters`", key));
  return values;
}

DenseOptions read_newton_options(Configuration& experiment, double tolerance) {
  DenseOptions options;
  Configuration solver = experiment.section("solver", "Newton's method within bounds", false);
  options.max_iterations = int(solver.integer(
      "max_iterations", {.minimum = 1, .maximum = 10'000, .default_value = 50, .documentation = "of Newton's method"}));
  options.tolerance = solver.number("tolerance", positive_number("1", "of the gradient in relative parameters", tolerance));
  return options;
}

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
  plan.body.profile = read_profile(experiment);
  if (!experiment.recording() && plan.body.acceleration == std::array<double, 3>{0, 0, 0})
    experiment.problem(experiment.location("acceleration"), "without an acceleration nothing oscillates; give one");
  experiment.each(
      "parameters",
      [&](Configuration& entry) {
        plan.parameters.push_back(read_designed_parameter(entry, parameters_of(plan.body), plan.parameters));
      },
      "parameters that are designed", 1);
  read_target(experiment, plan);
  if (plan.target) plan.target->acceleration = plan.body.acceleration;
  if (plan.target) plan.target->profile = plan.body.profile;
  plan.options = read_newton_options(experiment, 1e-11);
  Configuration motion = experiment.section("motion", "the motion of the designed body and of the target's", false);
  plan.periods = motion.number(
      "periods", {.minimum = 0, .maximum = 10'000, .default_value = 20, .documentation = "of the target; 0: no motion"});
  plan.steps_per_period = int(motion.integer(
      "steps_per_period", {.minimum = 8, .maximum = 10'000, .default_value = 40, .documentation = "of the trapezoidal rule"}));
  if (experiment.has("reduced_model")) {
    Configuration model = experiment.section("reduced_model", "a model for sliders in the report", false);
    plan.model_points = int(model.integer("points", {.minimum = 2,
                                                     .maximum = 30,
                                                     .default_value = 5,
                                                     .documentation = "of each parameter, at each of whose "
                                                                      "combinations the frequency is computed"}));
    plan.model_samples =
        int(model.integer("samples", {.minimum = 1,
                                      .maximum = 10'000,
                                      .default_value = 20,
                                      .documentation = "between the points, at which the model's errors are measured"}));
    if (!experiment.recording()) check_model(model, plan);
  }
  return plan;
}

}  // namespace holo
