#include "holo/sim/contact/contact_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elastic/scene_numbers.h"

namespace holo {
namespace {

// A number whose default value depends on the scene: none without the key.
std::optional<double> optional_number(Configuration& parameters, const char* key, const NumberSpec& spec) {
  if (!parameters.has(key)) return {};
  return parameters.number(key, spec);
}

template <class Enum>
Enum choice(Configuration& parameters, const char* key, const std::vector<std::string>& names, const char* documentation) {
  const std::string name = parameters.text(key, {.choices = names, .default_value = names[0], .documentation = documentation});
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

PlaneDefinition read_plane(Configuration& parameters, std::string name) {
  PlaneDefinition plane;
  plane.name = std::move(name);
  plane.location = parameters.location();
  plane.point =
      parameters.vector3("point", {.unit = "m", .default_value = Vector3d{}, .documentation = "a point of the plane"});
  plane.normal = parameters.vector3(
      "normal", {.default_value = Vector3d{0, 0, 1}, .documentation = "out of the obstacle; any length but 0"});
  const double length = std::hypot(plane.normal[0], plane.normal[1], plane.normal[2]);
  if (length > 0 && std::isfinite(length))
    for (double& entry : plane.normal) entry /= length;
  else if (!parameters.recording())
    parameters.problem(parameters.location("normal"), "normal is [0, 0, 0]; a direction is needed.");
  plane.friction =
      parameters.number("friction", {.minimum = 0, .default_value = 0.0, .documentation = "coefficient of friction"});
  return plane;
}

}  // namespace

ContactDefinition read_contact(Configuration& scene) {
  ContactDefinition contact;
  Configuration section = scene.section("contact", "contact with obstacles", false);
  contact.location = section.location();
  contact.activation_distance = optional_number(
      section, "activation_distance", positive("m", "gap from which on surfaces repel; default: 1/1000 of the scene's length"));
  contact.stiffness = optional_number(
      section, "stiffness",
      positive("Pa/m", "of the barrier; default: half the distance carries half of Young's modulus or three times the weight"));
  contact.shape =
      choice<BarrierShape>(section, "barrier", {"logarithmic", "smooth", "squared"}, "shape of the barrier's energy");
  Configuration friction = section.section("friction", "friction on obstacles", false);
  contact.friction_law =
      choice<FrictionLaw>(friction, "law", {"quintic", "quadratic"}, "how the force grows up to stick_speed");
  contact.stick_speed = optional_number(
      friction, "stick_speed",
      positive("m/s", "sliding speed from which on friction is complete; default: 1/1000 of the scene's length per second"));
  contact.lag_updates =
      static_cast<int>(friction.integer("lag_updates", {.minimum = 0,
                                                        .maximum = 100,
                                                        .default_value = 0,
                                                        .documentation = "how often a time step is solved again "
                                                                         "with the normal forces at its end"}));
  scene.each(
      "obstacles",
      [&](Configuration& p) {
        const std::string name = p.text("name", {.documentation = "unique name of the obstacle"});
        p.branch("type",
                 {{"plane", "the half space below a plane",
                   [&](Configuration& plane) { contact.planes.push_back(read_plane(plane, name)); }}},
                 {}, "kind of the obstacle");
        const auto same = [&](const PlaneDefinition& plane) { return plane.name == name; };
        if (!p.recording() && std::count_if(contact.planes.begin(), contact.planes.end(), same) > 1)
          p.problem(p.location("name"), fmt::format("two obstacles are named '{}'; names must differ.", name));
      },
      "what bodies collide with");
  return contact;
}

}  // namespace holo
