#include "holo/sim/contact/contact_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elastic/placement.h"
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

MotionDefinition read_obstacle_motion(Configuration& parameters) {
  Configuration motion = parameters.section("motion", "rigid motion over time of the placed obstacle", false);
  return read_prescribed_motion(motion);
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
  plane.motion = read_obstacle_motion(parameters);
  return plane;
}

// Of the type `mesh`, or of another one that has a shape.
MeshObstacleDefinition read_shaped_obstacle(Configuration& parameters, std::string name, const ObstacleType* type) {
  MeshObstacleDefinition obstacle;
  obstacle.name = std::move(name);
  obstacle.location = parameters.location();
  if (type) {
    obstacle.shape = type->read(parameters);
  } else {
    Configuration mesh = parameters.section("mesh", "mesh of tetrahedra whose boundary is the obstacle");
    obstacle.mesh = read_mesh_source(mesh);
  }
  const Placement placement = read_placement(parameters, "placement of the obstacle: first the rotation, then the translation");
  obstacle.translation = placement.translation;
  obstacle.rotation_axis = placement.rotation_axis;
  obstacle.rotation_angle = placement.rotation_angle;
  obstacle.friction = parameters.number("friction", not_negative("1", 0, "coefficient of friction"));
  obstacle.motion = read_obstacle_motion(parameters);
  return obstacle;
}

void read_friction(Configuration& section, ContactDefinition& contact) {
  Configuration friction = section.section("friction", "friction on obstacles and between bodies", false);
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
  friction.each(
      "pairs",
      [&](Configuration& p) {
        PairFriction pair;
        pair.location = p.location();
        const std::vector<std::string> names =
            p.texts("between", 2, 2, {.documentation = "names of two bodies, or of a body and an obstacle of type mesh"});
        pair.names = {names[0], names[1]};
        pair.coefficient = p.number("coefficient", {.minimum = 0, .documentation = "coefficient of friction"});
        contact.pair_friction.push_back(pair);
      },
      "coefficients that hold instead of those of two surfaces");
}

void read_obstacles(Configuration& scene, ContactDefinition& contact) {
  std::vector<std::string> names;
  scene.each(
      "obstacles",
      [&](Configuration& p) {
        const std::string name = p.text("name", {.documentation = "unique name of the obstacle"});
        std::vector<Configuration::Branch> kinds = {
            {"plane", "the half space below a plane",
             [&](Configuration& plane) { contact.planes.push_back(read_plane(plane, name)); }},
            {"mesh", "the boundary of a mesh",
             [&](Configuration& mesh) { contact.meshes.push_back(read_shaped_obstacle(mesh, name, nullptr)); }}};
        for (const ObstacleType& type : obstacle_types())
          kinds.push_back({type.name, type.documentation,
                           [&](Configuration& shape) { contact.meshes.push_back(read_shaped_obstacle(shape, name, &type)); }});
        p.branch("type", kinds, {}, "kind of the obstacle");
        if (!p.recording() && std::find(names.begin(), names.end(), name) != names.end())
          p.problem(p.location("name"), fmt::format("two obstacles are named '{}'; names must differ.", name));
        names.push_back(name);
      },
      "what bodies collide with");
}

}  // namespace

PlaneDefinition PlaneDefinition::at(double time) const {
  PlaneDefinition moved = *this;
  if (!motion.moves()) return moved;
  moved.point = motion.position(point, time);
  Eigen::Map<Eigen::Vector3d>(moved.normal.data()) = motion.pose(time).rotation * Eigen::Vector3d(normal.data());
  return moved;
}

ContactDefinition read_contact(Configuration& scene) {
  ContactDefinition contact;
  const bool is_given = scene.has("contact");
  Configuration section = scene.section("contact", "contact with obstacles and of bodies", false);
  contact.location = section.location();
  contact.activation_distance = optional_number(
      section, "activation_distance", positive("m", "gap from which on surfaces repel; default: 1/1000 of the scene's length"));
  contact.stiffness = optional_number(
      section, "stiffness",
      positive("Pa/m", "of the barrier; default: half the distance carries half of Young's modulus or three times the weight"));
  contact.shape =
      choice<BarrierShape>(section, "barrier", {"logarithmic", "smooth", "squared"}, "shape of the barrier's energy");
  contact.between_bodies =
      section.boolean("between_bodies", true, "bodies collide with each other; without the section `contact` they do not") &&
      is_given;
  contact.check_paths = section.boolean(
      "check_paths", false, "whether an interval test checks the path of each step between surfaces; slow, for tests");
  read_friction(section, contact);
  read_obstacles(scene, contact);
  return contact;
}

}  // namespace holo
