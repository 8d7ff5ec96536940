#include "holo/sim/elastic/elastic_scene_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elastic/affine/affine_definition.h"
#include "elastic/placement.h"
#include "elastic/scene_numbers.h"
#include "holo/sim/elastic/material_choice.h"

namespace holo {

void read_body_material(Configuration& parameters, const PluginHost& host, ElementDifferentiation mode,
                        ElasticBodyDefinition& body) {
  MaterialChoice choice = read_material_choice(
      parameters, host,
      [&](const MaterialPlugin& plugin) {
        require_element_mode(mode, plugin.abi(), [&] { return host.get_reference<MaterialPlugin>(plugin.name()); });
      },
      MaterialValuesPer::element);
  if (!choice.plugin) return;
  body.plugin = choice.plugin;
  body.material = std::shared_ptr<const holo_material>(choice.plugin, &choice.plugin->abi());
  body.reference = [host, name = choice.plugin->name()] { return host.get_reference<MaterialPlugin>(name); };
  body.coefficients = std::move(choice.coefficients);
  body.material_location = choice.location;
  if (!choice.fields) return;
  choice.fields->set_reference(body.reference);
  body.element_coefficients = [fields = choice.fields](const TetrahedralMesh& mesh) { return fields->coefficients(mesh); };
}

namespace {

// A number, or values per element.
void read_density(Configuration& parameters, ElasticBodyDefinition& body) {
  const NumberSpec spec = positive("kg/m^3", "masses are lumped at the vertices");
  if (parameters.recording())
    parameters.record_per_element("density", spec);
  else if (has_element_values(parameters, "density", 1))
    body.element_density = read_element_values(parameters, "density", 1);
  else
    body.density = parameters.number("density", spec);
}

void read_start(Configuration& parameters, ElasticBodyDefinition& body) {
  const Placement placement =
      read_placement(parameters, "initial placement of the body: first the rotation, then the translation");
  body.translation = placement.translation;
  body.rotation_axis = placement.rotation_axis;
  body.rotation_angle = placement.rotation_angle;
  Configuration initial = parameters.section("initial", "initial motion of the body", false);
  body.velocity = initial.vector3("velocity", {.unit = "m/s", .default_value = Vector3d{}});
  body.angular_velocity = initial.vector3(
      "angular_velocity",
      {.unit = "rad/s", .default_value = Vector3d{}, .documentation = "angular velocity about the center of mass"});
}

ElasticBodyDefinition read_body(Configuration& parameters, const PluginHost& host, ElementDifferentiation mode) {
  ElasticBodyDefinition body;
  body.location = parameters.location();
  body.name = parameters.text("name", {.documentation = "unique name of the body"});
  Configuration mesh = parameters.section("mesh", "mesh of the rest shape");
  body.mesh = read_mesh_source(mesh);
  read_density(parameters, body);
  read_body_material(parameters, host, mode, body);
  read_start(parameters, body);
  Configuration damping = parameters.section("damping", "Rayleigh damping", false);
  body.mass_damping = damping.number("mass_proportional", not_negative("1/s", 0, "damping of all motion"));
  body.stiffness_damping = damping.number("stiffness_proportional", not_negative("s", 0, "damping of deformation"));
  body.subsets = read_named_subsets(parameters);
  parameters.each(
      "handles", [&](Configuration& p) { body.handles.push_back(read_handle(p, body.subsets)); },
      "vertices whose motion is prescribed; no vertex may be in two of them");
  parameters.each(
      "loads", [&](Configuration& p) { body.loads.push_back(read_load(p, body.subsets)); }, "loads in addition to gravity");
  body.muscles = read_muscles(parameters);
  body.energies = read_body_energies(parameters, host, body.subsets);
  if (parameters.text(
          "deformation",
          {.choices = {"full", "affine"},
           .default_value = "full",
           .documentation = "of each tetrahedron by itself, or of all of the body by one affine map (a nearly rigid "
                            "body, if its material is stiff)"}) == "affine")
    body.deformation = Deformation::affine;
  body.self_contact = parameters.boolean("self_contact", false, "the surface collides with itself");
  body.friction =
      parameters.number("friction", not_negative("1", 0,
                                                 "coefficient of the surface; between two bodies the geometric mean of theirs "
                                                 "counts, on obstacles that of the obstacle"));
  body.bristles = read_bristles(parameters);
  for (const auto& [key, reason] : keys_excluded_by_affine(body)) parameters.problem(parameters.location(key), reason);
  return body;
}

}  // namespace

int ElasticSceneDefinition::step_count() const {
  return static_cast<int>(std::max(1.0, std::round(std::min(duration / time_step, 2e9))));
}

ElasticSceneDefinition read_elastic_scene(Configuration& parameters, const PluginHost& host, ElementDifferentiation mode) {
  ElasticSceneDefinition scene;
  scene.differentiation = mode;
  scene.location = parameters.location();
  scene.time_step = parameters.number("time_step", positive("s", "time step"));
  scene.duration =
      parameters.number("duration", positive("s", "duration of the simulation, rounded to a number of time steps"));
  const std::string integrator = parameters.text(
      "integrator", {.choices = {"implicit_euler", "bdf2"},
                     .default_value = "implicit_euler",
                     .documentation = "formula of the time steps: of first order, or of second order with little dissipation"});
  if (integrator == "bdf2") scene.scheme = IntegrationScheme::bdf2;
  scene.gravity = parameters.vector3("gravity", {.unit = "m/s^2", .default_value = Vector3d{0, 0, -9.81}});
  if (!parameters.recording() && !parameters.has_problems()) {
    const double steps = scene.duration / scene.time_step;
    if (!(steps >= 0.5 && steps <= 1e9))
      parameters.problem(parameters.location("duration"),
                         fmt::format("duration {} s is {:.3g} time steps of {} s; 1 to 1e9 are allowed.", scene.duration, steps,
                                     scene.time_step));
  }
  parameters.each(
      "bodies",
      [&](Configuration& p) {
        scene.bodies.push_back(read_body(p, host, mode));
        const auto& name = scene.bodies.back().name;
        const auto same = [&](const auto& body) { return body.name == name; };
        if (!p.recording() && std::find_if(scene.bodies.begin(), scene.bodies.end() - 1, same) != scene.bodies.end() - 1)
          p.problem(p.location("name"), fmt::format("two bodies are named '{}'; names must differ.", name));
      },
      "elastic bodies", 1);
  scene.contact = read_contact(parameters);
  check_bristles(parameters, scene);
  return scene;
}

}  // namespace holo
