#include "characters/character_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/sim/articulated/dynamics/step_memory.h"

namespace holo {

namespace {

using articulated::CharacterModel, articulated::ContactPoint;

NumberSpec above_zero(const char* unit, std::optional<double> standard, const char* documentation) {
  return {.unit = unit, .minimum = 0, .minimum_excluded = true, .default_value = standard, .documentation = documentation};
}

void read_scene_time(Configuration& section, CharacterScene& scene) {
  const std::size_t problems = section.problem_count();
  scene.time_step = section.number("time_step", above_zero("s", {}, "time step"));
  const double duration =
      section.number("duration", above_zero("s", {}, "duration of the motion, rounded to a number of time steps"));
  if (section.recording() || section.problem_count() != problems) return;
  const double steps = duration / scene.time_step;
  if (steps >= 0.5 && steps <= 1e7)
    scene.step_count = int(std::max(1.0, std::round(steps)));
  else
    section.problem(
        section.location("duration"),
        fmt::format("duration {} s is {:.3g} time steps of {} s; 1 to 1e7 are allowed", duration, steps, scene.time_step));
}

void read_lengths(Configuration& section, CharacterContact& contact) {
  contact.penetration =
      section.number("penetration", above_zero("m", contact.penetration, "depth at which the points carry the weight"));
  contact.slip_ratio = section.number(
      "slip_ratio", {.unit = "s/m",
                     .minimum = 0,
                     .default_value = contact.slip_ratio,
                     .documentation = "w_t / w_n: a slope of the angle t makes the character slide at tan(t) / slip_ratio"});
}

void read_weights(Configuration& section, CharacterContact& contact) {
  contact.weights = articulated::ContactWeights{
      section.number("normal_weight", above_zero("N/m^2", {}, "w_n of the force w_n depth^2")),
      section.number("tangential_weight", {.unit = "N s/m^3", .minimum = 0, .documentation = "w_t of w_t depth^2 speed"})};
}

void read_contact_section(Configuration& parent, CharacterScene& scene) {
  Configuration section = parent.section("contact", "forces between the character's points and obstacles", false);
  CharacterContact& contact = scene.contact;
  contact.points = int(section.integer("points", {.minimum = 0,
                                                  .maximum = 100'000,
                                                  .default_value = 0,
                                                  .documentation = "number of points that carry the weight; 0: those at most "
                                                                   "1 cm above the lowest one at the start"}));
  const bool has_weights = section.has("normal_weight");
  if (section.recording() || (has_weights && section.has("penetration")))
    section.branch_on_key({{"penetration", "weights from a depth", [&](Configuration& p) { read_lengths(p, contact); }},
                           {"normal_weight", "the weights themselves", [&](Configuration& p) { read_weights(p, contact); }}},
                          "stiffness of contact");
  else if (has_weights)
    read_weights(section, contact);
  else
    read_lengths(section, contact);
  const bool is_weightless = scene.gravity[0] == 0 && scene.gravity[1] == 0 && scene.gravity[2] == 0;
  if (!scene.obstacles.empty() && !contact.weights && is_weightless && !section.recording())
    section.problem(section.location(),
                    "without gravity no weights of contact follow from a penetration; give `normal_weight` "
                    "and `tangential_weight`");
}

// The number of contact points at most 1 cm farther along gravity than the farthest one, at the start.
int lowest_points(const CharacterModel& model, const CharacterStart& start, const Vector3<double>& gravity) {
  articulated::StateMemory<double> state(model);
  state.set(model, start.pose);
  const double size = norm(gravity);
  const Vector3<double> down = size > 0 ? gravity / size : Vector3<double>{0, 0, -1};
  const auto reach = [&](const ContactPoint& point) {
    return dot(down, state.frames[std::size_t(point.dof)] * point.center) + point.radius;
  };
  double lowest = -std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : model.contact_points()) lowest = std::max(lowest, reach(point));
  return int(std::count_if(model.contact_points().begin(), model.contact_points().end(),
                           [&](const ContactPoint& point) { return reach(point) > lowest - 0.01; }));
}

}  // namespace

CharacterScene read_character_scene(Configuration& experiment, const PluginHost& host, std::vector<UsedPlugin>& plugins) {
  Configuration section = experiment.section("scene", "character, obstacles, gravity and time");
  CharacterScene scene;
  read_scene_time(section, scene);
  const std::array<double, 3> gravity =
      section.vector3("gravity", {.unit = "m/s^2", .default_value = std::array<double, 3>{0, 0, -9.81}});
  scene.gravity = {gravity[0], gravity[1], gravity[2]};
  const std::string inertia = section.text(
      "inertia", {.choices = {"end", "mid"},
                  .default_value = "end",
                  .documentation = "pose at which inertia is projected on the joints: the newest, of first order, which damps "
                                   "rotations, or the current one, of second order, which conserves momenta"});
  scene.inertia = inertia == "mid" ? articulated::InertiaRule::mid : articulated::InertiaRule::end;
  scene.character = read_character(section, host, plugins);
  scene.obstacles = read_character_obstacles(section);
  read_contact_section(section, scene);
  return scene;
}

StandingContact standing_contact(const CharacterScene& scene, const CharacterModel& model) {
  StandingContact contact;
  if (scene.obstacles.empty()) return contact;
  contact.points =
      scene.contact.points > 0 ? scene.contact.points : std::max(1, lowest_points(model, scene.character.start, scene.gravity));
  const double weight = model.total_mass() * norm(scene.gravity);
  contact.weights = scene.contact.weights.value_or(
      articulated::contact_weights(weight, contact.points, scene.contact.penetration, scene.contact.slip_ratio));
  contact.penetration = std::sqrt(weight / (contact.points * contact.weights.normal));
  return contact;
}

articulated::StepConstants step_constants(const CharacterScene& scene, const StandingContact& contact,
                                          const CharacterObstacles& obstacles) {
  articulated::StepConstants step;
  step.time_step = scene.time_step;
  step.gravity = scene.gravity;
  step.inertia = scene.inertia;
  step.normal_weight = contact.weights.normal;
  step.tangential_weight = contact.weights.tangential;
  step.self_collision_weight = scene.character.definition.self_collision_weight;
  step.obstacles = obstacles.list().data();
  step.obstacle_count = int(obstacles.list().size());
  return step;
}

}  // namespace holo
