#include "characters/character_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/name_list.h"
#include "holo/core/plugins/joint_reader.h"
#include "holo/sim/articulated/dynamics/procedural_characters.h"
#include "holo/sim/articulated/dynamics/unsupported_elements.h"

namespace holo {

namespace {

using articulated::BaseChart, articulated::UnsupportedElement;

NumberSpec zero_or_more(const char* unit, double standard, const char* documentation) {
  return {.unit = unit, .minimum = 0, .default_value = standard, .documentation = documentation};
}

// An error of `compute` becomes a problem at the place.
template <class Compute>
void as_problem(Configuration& section, const Location& where, const Compute& compute) {
  try {
    compute();
  } catch (const Error& error) {
    if (error.failure() != Failure::input) throw;
    section.problem(where, error.what());
  }
}

std::string with_order(Configuration& base) {
  const std::string order =
      base.text("order", {.default_value = "zyx",
                          .documentation = "of `euler`: the axes from the outermost, each of x, y and z once; the chart is "
                                           "singular where the first and the third agree"});
  std::string sorted = order;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != "xyz" && !base.recording())
    base.problem(base.location("order"),
                 fmt::format("the order is '{}'; each of x, y and z is needed once, such as zyx", order));
  return order;
}

// The section `base`; whether a free base is to be added.
bool read_base(Configuration& character, bool is_file, CharacterDefinition& definition) {
  Configuration base = character.section("base", "the free base of the character", false);
  const std::string rotation = base.text(
      "rotation", {.choices = {"rotation_vector", "euler", "planar"},
                   .default_value = "rotation_vector",
                   .documentation = "coordinates of the base's rotation: a rotation vector, three hinges, or one hinge "
                                    "about y with motions along x and z alone"});
  definition.base.chart = rotation == "euler"    ? BaseChart::euler
                          : rotation == "planar" ? BaseChart::planar
                                                 : BaseChart::rotation_vector;
  if (rotation == "euler" || base.recording()) definition.base.order = with_order(base);
  if (!is_file) return false;
  return base.boolean("add", false, "gives a root that the file fixes to the world a free base");
}

void refuse_unused_base(Configuration& character, const CharacterDefinition& definition, const std::string& keyword) {
  if (!character.has("base") || character.recording()) return;
  character.problem(character.location("base"),
                    fmt::format("the character '{}' has no free base{}", definition.name(), keyword));
}

// Each element that the motion would lack must be ignored by name or kind, and each name must ignore something.
void check_ignored(Configuration& character, const ArticulatedModel& robot, const std::vector<std::string>& ignored) {
  std::vector<std::string> known;
  for (const ArticulatedLoop& loop : robot.loops) known.push_back(loop.name);  // also those that the reader left out
  for (const UnsupportedElement& element : articulated::unsupported_elements(robot)) {
    for (const std::string& name : {element.kind, element.name})
      if (!name.empty() && !contains(known, name)) known.push_back(name);
    if (std::any_of(ignored.begin(), ignored.end(), [&](const std::string& name) { return element.is(name); })) continue;
    character.problem(character.location("file"),
                      fmt::format("{}. To simulate without it, list '{}' under `ignore`", element.text,
                                  element.name.empty() ? element.kind : element.name));
  }
  for (const std::string& name : ignored)
    if (!contains(known, name))
      character.problem(character.location("ignore"),
                        fmt::format("the file has nothing to ignore that is named '{}'.{} There are: {}", name,
                                    suggestion(name, known), joined_or_none(known)));
}

void read_file(Configuration& character, CharacterDefinition& definition) {
  const std::size_t problems = character.problem_count();
  const std::filesystem::path path = character.file("file", "MJCF or URDF of the character");
  definition.where = character.location("file");
  const std::string keyframe =
      character.has("keyframe") ? character.text("keyframe", {.documentation = "MJCF: the pose at rest"}) : "";
  const std::vector<std::string> ignored =
      character.texts("ignore", 0, 1000,
                      {.documentation = "elements that a character lacks and that are left out, by name or kind: tendon, loop, "
                                        "coupling, friction, spring, shape, actuator, geom, mass, range"});
  definition.ignored = ignored;
  const bool adds_base = read_base(character, true, definition);
  if (character.problem_count() != problems || character.recording()) return;
  as_problem(character, definition.where, [&] {
    ArticulatedFile robot = read_articulated(path, {.keyframe = keyframe, .left_out = ignored});
    if (adds_base) articulated::add_free_base(robot.model);
    check_ignored(character, robot.model, ignored);
    robot.model = articulated::without_elements(std::move(robot.model), ignored);
    const bool has_base = !robot.model.bodies.empty() && robot.model.bodies.front().joint.type == "free";
    if (!has_base) refuse_unused_base(character, definition, ": its file fixes the root; `add: true` adds one");
    definition.robot = std::make_shared<const ArticulatedFile>(std::move(robot));
  });
}

void read_type(Configuration& character, CharacterDefinition& definition) {
  definition.type = character.text(
      "type", {.choices = articulated::procedural_character_names(), .documentation = "character that needs no file"});
  definition.where = character.location("type");
  if (definition.type == "chain" || character.recording())
    definition.link_count = int(character.integer(
        "link_count",
        {.minimum = 1, .maximum = 1000, .default_value = 5, .documentation = "of the type `chain`: its capsules"}));
  const bool is_known = contains(articulated::procedural_character_names(), definition.type);
  if (character.recording() || !is_known || articulated::has_free_base(definition.type))
    read_base(character, false, definition);
  else
    refuse_unused_base(character, definition, " whose rotation could be chosen");
}

void read_linked(Configuration& character, CharacterDefinition& definition) {
  definition.type = character.text("name", {.default_value = "character", .documentation = "of the character, in losses"});
  definition.where = character.location("links");
  definition.links = read_links(character);
  const bool has_base = !definition.links.empty() && definition.links.front().joint == CharacterLink::Joint::base;
  if (has_base || character.recording())
    read_base(character, false, definition);
  else
    refuse_unused_base(character, definition, ": its first link has a joint to the world");
}

void read_joints(Configuration& character, CharacterDefinition& definition) {
  Configuration springs = character.section("springs", "springs and dampers in all actuated hinges and slides", false);
  definition.stiffness = springs.number(
      "stiffness", zero_or_more("N m/rad or N/m", 0, "of springs about the start, besides those of the character"));
  definition.damping = springs.number("damping", zero_or_more("N m s/rad or N s/m", 0, "of dampers, besides those there are"));
  character.each(
      "joints",
      [&](Configuration& entry) {
        JointChange change;
        change.joint = entry.text("joint", {.documentation = "name of the degree of freedom"});
        change.where = entry.location("joint");
        const auto read = [&](const char* key, const NumberSpec& spec) -> std::optional<double> {
          return entry.has(key) ? std::optional<double>(entry.number(key, spec)) : std::nullopt;
        };
        change.stiffness =
            read("stiffness", {.unit = "N m/rad or N/m", .minimum = 0, .documentation = "of the joint's spring"});
        change.rest = read("rest", {.unit = "rad or m", .documentation = "where the spring has no force"});
        change.damping =
            read("damping", {.unit = "N m s/rad or N s/m", .minimum = 0, .documentation = "of the joint's damper"});
        change.armature = read("armature", {.unit = "kg m^2 or kg", .minimum = 0, .documentation = "inertia of the rotor"});
        definition.joints.push_back(change);
      },
      "values of single joints, in place of the others");
}

void read_plugin_joints(Configuration& character, const PluginHost& host, CharacterDefinition& definition,
                        std::vector<UsedPlugin>& plugins) {
  character.each(
      "plugin_joints",
      [&](Configuration& entry) {
        JointReplacement replacement{
            entry.text("joint", {.documentation = "name of the joint that is replaced"}), entry.location("joint"), {}};
        JointType type = read_joint_type(entry, host);
        if (type.plugin == nullptr) return;
        const auto is_same = [&](const JointReplacement& other) { return other.joint == replacement.joint; };
        if (std::any_of(definition.plugin_joints.begin(), definition.plugin_joints.end(), is_same))
          entry.problem(replacement.where, fmt::format("the joint '{}' is replaced twice", replacement.joint));
        plugins.push_back(type.plugin);
        replacement.plugin = {type.plugin, std::move(type.constants)};
        definition.plugin_joints.push_back(std::move(replacement));
      },
      "joints of plugins in place of joints of the character; their first axis is that of the hinge or slide");
}

// Names of joints are judged by the character without changes; replaced joints one by one, before the others.
void check_names(Configuration& character, const CharacterDefinition& definition) {
  CharacterDefinition unchanged = definition;
  unchanged.joints.clear();
  unchanged.pose.clear();
  const std::size_t problems = character.problem_count();
  for (const JointReplacement& replacement : definition.plugin_joints) {
    unchanged.plugin_joints = {replacement};
    as_problem(character, replacement.where, [&] { build_character(unchanged); });
  }
  if (character.problem_count() != problems) return;
  unchanged.plugin_joints = definition.plugin_joints;
  const auto model = build_character(unchanged);
  const auto check = [&](const std::string& joint, const Location& where) {
    as_problem(character, where, [&] { model->dof(joint); });
  };
  for (const JointChange& change : definition.joints) check(change.joint, change.where);
  for (const auto* values : {&definition.pose, &definition.velocity})
    for (const JointValue& value : *values) check(value.joint, value.where);
}

}  // namespace

std::vector<JointValue> read_joint_values(Configuration& section, const char* key, const char* documentation) {
  std::vector<JointValue> values;
  for (const Configuration::Entry& entry : section.entries(key, documentation)) {
    if (!entry.number) section.problem(entry.location, fmt::format("'{}' is '{}'; a number is needed", entry.name, entry.text));
    values.push_back({entry.name, entry.number.value_or(0), entry.location});
  }
  return values;
}

CharacterPlan read_character(Configuration& scene, const PluginHost& host, std::vector<UsedPlugin>& plugins) {
  CharacterPlan plan;
  CharacterDefinition& definition = plan.definition;
  const std::size_t problems = scene.problem_count();
  Configuration character = scene.section("character", "the articulated character");
  character.branch_on_key({{"type", "procedural", [&](Configuration& p) { read_type(p, definition); }},
                           {"file", "of a robot's file", [&](Configuration& p) { read_file(p, definition); }},
                           {"links", "of meshes", [&](Configuration& p) { read_linked(p, definition); }}},
                          "source of the character");
  definition.limit_weight = character.number(
      "limit_weight", zero_or_more("J/rad^3 or J/m^3", 1000, "w of the energy w (excess)^3 beyond a joint's limit"));
  definition.self_collision_weight = character.number(
      "self_collision_weight",
      zero_or_more("J/m^3", 0, "w of the energy w (overlap)^3 of spheres of different bodies; 0: bodies do not collide"));
  read_plugin_joints(character, host, definition, plugins);
  read_joints(character, definition);
  definition.pose = read_joint_values(character, "pose", "coordinates at the start by joint [rad or m]; others are at rest");
  definition.velocity = read_joint_values(character, "velocity", "rates of coordinates at the start by joint [rad/s or m/s]");
  if (character.problem_count() != problems || character.recording()) return plan;
  as_problem(character, definition.where, [&] {
    check_names(character, definition);
    if (character.problem_count() != problems) return;
    const auto model = build_character(definition);
    for (const StartProblem& problem : problems_of_start(definition, *model)) character.problem(problem.where, problem.text);
    plan.start = start_of(definition, *model);
    if (character.problem_count() == problems) plan.model = model;
  });
  return plan;
}

}  // namespace holo
