#include "holo/sim/muscle/muscle_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "muscle/muscle_types.h"

namespace holo {
namespace {

MuscleLaw read_muscle_law(Configuration& parameters) {
  const std::string text =
      parameters.text("law", {.choices = {"fiber", "fiber_squared", "paper"},
                              .default_value = "fiber",
                              .documentation = "energy a w |F d|, a w |F d|^2/2, or the stress of a force without an energy"});
  return text == "paper" ? MuscleLaw::paper : text == "fiber_squared" ? MuscleLaw::fiber_squared : MuscleLaw::fiber;
}

void read_activation(Configuration& parameters, MuscleDefinition& muscle) {
  const Configuration::NumbersOrName value = parameters.numbers_or_name(
      "activation", 1, "a signal",
      {.unit = "Pa", .default_value = 0.0, .documentation = "of each piece: positive contracts, negative extends"});
  if (!value.numbers.empty()) muscle.activation.value = value.numbers.front();
  muscle.activation.signal = value.name;
  muscle.activation.location = parameters.location("activation");
}

void require_lengths(const MuscleDefinition& muscle) {
  for (const Polyline& fiber : muscle.curves.fibers)
    for (std::size_t i = 1; i < fiber.size(); ++i)
      if (!((fiber[i] - fiber[i - 1]).norm() > 0))
        throw Error(Failure::input, fmt::format("piece {} begins and ends at [{:.6g}, {:.6g}, {:.6g}]: it has no length.", i,
                                                fiber[i].x(), fiber[i].y(), fiber[i].z()));
}

MuscleDefinition read_muscle(Configuration& parameters) {
  MuscleDefinition muscle;
  muscle.location = parameters.location();
  muscle.name = parameters.text("name", {.documentation = "unique name of the muscle"});
  CurveMaker make;
  std::vector<Configuration::Branch> types;
  for (const auto& [name, type] : muscle_types())
    types.push_back({name, type.summary, [&make, read = type.read](Configuration& p) { make = read(p); }});
  parameters.branch("type", types, {}, "shape of the muscle");
  read_activation(parameters, muscle);
  if (parameters.recording() || parameters.has_problems() || !make) return muscle;
  try {
    muscle.curves = make();
    require_lengths(muscle);
  } catch (const Error& error) {
    parameters.problem(muscle.location, fmt::format("muscle '{}': {}", muscle.name, error.what()));
  }
  return muscle;
}

// Of the muscle and of its fibers, which may have a number appended.
void require_new_names(Configuration& parameters, const MuscleDefinition& muscle, std::set<std::string>& names) {
  std::vector<std::string> own = {muscle.name};
  if (muscle.curves.numbered)
    for (std::size_t k = 0; k < muscle.curves.fibers.size(); ++k) own.push_back(fiber_name(muscle, k));
  for (const std::string& name : own)
    if (!names.insert(name).second)
      parameters.problem(parameters.location("name"), fmt::format("two muscles are named '{}'; names must differ.", name));
}

// 0.6 of the mean spacing of neighboring parallel fibers; 0 without such fibers.
double default_width(const std::vector<MuscleDefinition>& list) {
  double sum = 0, fibers = 0;
  for (const MuscleDefinition& muscle : list) {
    if (!std::isfinite(muscle.curves.spacing)) continue;
    const double count = static_cast<double>(muscle.curves.fibers.size());
    sum += count * muscle.curves.spacing;
    fibers += count;
  }
  return fibers > 0 ? 0.6 * sum / fibers : 0;
}

}  // namespace

std::string fiber_name(const MuscleDefinition& muscle, std::size_t number) {
  return muscle.curves.numbered ? fmt::format("{}_{}", muscle.name, number + 1) : muscle.name;
}

std::shared_ptr<const MusclesDefinition> read_muscles(Configuration& body) {
  if (!body.has("muscles")) return nullptr;
  Configuration parameters = body.section("muscles", "muscles of the body", false);
  auto muscles = std::make_shared<MusclesDefinition>();
  muscles->law = read_muscle_law(parameters);
  const bool has_width = parameters.has("width");
  if (has_width)
    muscles->width =
        parameters.number("width", {.unit = "m",
                                    .minimum = 0,
                                    .minimum_excluded = true,
                                    .documentation = "c of the weights exp(-g^2/c^2) at the distance g; without it "
                                                     "0.6 of the mean spacing of parallel fibers"});
  muscles->normalize = parameters.boolean("normalize", false, "scale the weights so that their largest sum in an element is 1");
  muscles->activation_limit =
      parameters.number("activation_limit", {.minimum = 0,
                                             .minimum_excluded = true,
                                             .default_value = 3.0,
                                             .documentation = "of activations that are sought, over the shear modulus"});
  std::set<std::string> names;
  parameters.each(
      "list",
      [&](Configuration& p) {
        muscles->list.push_back(read_muscle(p));
        if (!p.recording()) require_new_names(p, muscles->list.back(), names);
      },
      "muscles, each of one or more fibers", 1);
  if (has_width || body.recording() || body.has_problems()) return muscles;
  muscles->width = default_width(muscles->list);
  if (muscles->width == 0)
    parameters.problem(parameters.location(), "muscles need a width [m], > 0: no parallel fibers give one.");
  return muscles;
}

}  // namespace holo
