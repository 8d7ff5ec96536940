#include "holo/sim/mechanism/model/mechanism_parameters.h"

#include <algorithm>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"
#include "holo/sim/mechanism/model/merged_mechanism.h"
#include "holo/sim/mechanism/model/robot_file.h"
#include "mechanism/model/bodies_and_joints.h"

namespace holo {

namespace {

// Reads the path and the options of the reader. The project's own YAML has no options.
std::filesystem::path read_file(Configuration& robot, MechanismFileOptions& options) {
  const std::filesystem::path path =
      robot.file("file",
                 "YAML with `bodies` and `joints`, MJCF or URDF; points, capsules and orientations of the latter's "
                 "bodies are in the frames of its links, and the other keys are for these");
  if (!robot.recording() && is_robot_yaml(path)) return path;
  if (robot.has("loop_file")) options.loop_file = robot.file("loop_file", "YAML of the joints that close a URDF's loops");
  options.root = robot.text("root", {.choices = {"grounded", "free"},
                                     .default_value = "grounded",
                                     .documentation = "joint to the world of a body that the file leaves free"}) == "free"
                     ? MechanismFileOptions::Root::free
                     : MechanismFileOptions::Root::grounded;
  options.ground =
      robot.text("ground", {.default_value = "", .documentation = "body that is fixed to the world in place of the roots"});
  if (robot.has("actuators"))
    options.actuators =
        robot.texts("actuators", 0, 10'000, {.documentation = "driven joints, in place of the file's actuators"});
  options.configurable =
      robot.texts("configurable", 0, 10'000, {.documentation = "joints whose coordinates are design parameters"});
  options.lengths =
      robot.texts("lengths", 0, 10'000,
                  {.documentation = "joints whose distance from the joint before them is a design parameter, JOINT_length"});
  options.left_out = robot.texts("left_out", 0, 10'000, {.documentation = "loops and couplings of the file that are ignored"});
  options.keyframe = robot.text("keyframe", {.default_value = "", .documentation = "MJCF: keyframe of the pose at rest"});
  options.close_loops =
      robot.boolean("close_loops", false, "moves the joints at rest until all loops close and all couplings hold");
  for (const Configuration::Entry& alias :
       robot.entries("aliases", "the robot file's names by names of the loop file: {FOOT_LEFT: foot_left}"))
    options.aliases[alias.name] = alias.text;
  for (const Configuration::Entry& position : robot.entries("positions", "positions of joints at rest [rad or m]"))
    if (position.number)
      options.positions[position.name] = *position.number;
    else
      robot.problem(position.location, "'" + position.text + "' is no number");
  return path;
}

MechanismModel read_file(const std::filesystem::path& path, const PluginHost& plugins, const MechanismFileOptions& options,
                         std::vector<std::string>& notes) {
  if (is_robot_yaml(path)) return read_robot(path, plugins);
  MechanismFile file = read_mechanism(path, plugins, options);
  for (const FileNote& note : file.notes) notes.push_back(to_string(note.location) + ": " + note.text);
  return std::move(file.model);
}

// The design that the key `merged` gives by names of design parameters.
Eigen::VectorXd read_design(const std::vector<Configuration::Entry>& entries, Configuration& robot,
                            const MechanismLayout& layout) {
  const std::vector<std::string>& names = layout.parameter_names();
  Eigen::VectorXd design = layout.rest_parameters();
  for (const Configuration::Entry& entry : entries) {
    const auto at = std::find(names.begin(), names.end(), entry.name);
    if (at == names.end())
      robot.problem(entry.location, "no design parameter is named '" + entry.name + "'." + suggestion(entry.name, names));
    else if (!entry.number)
      robot.problem(entry.location, "'" + entry.text + "' is no number");
    else
      design[at - names.begin()] = *entry.number;
  }
  return design;
}

// Changes of the mechanism after it is built.
struct Changes {
  std::vector<std::string> frozen, prescribed, removed;

  explicit Changes(Configuration& robot)
      : frozen(robot.texts("frozen", 0, 10'000, {.documentation = "joints that are fixed at rest, driven joints too"})),
        prescribed(robot.texts("prescribed", 0, 10'000,
                               {.documentation = "passive joints at which the mechanism is cut; their motion in the complete "
                                                 "mechanism's initial motion is then prescribed"})),
        removed(robot.texts("removed", 0, 10'000,
                            {.documentation = "bodies that are removed, with their joints, once that motion is recorded"})) {}
};

template <class Find>
std::vector<int> numbers(const std::vector<std::string>& names, const Find& find) {
  std::vector<int> result;
  result.reserve(names.size());
  for (const std::string& name : names) result.push_back(find(name));
  return result;
}

// Prescribes joints and removes bodies; `model` already has its frozen joints and merged bodies.
MechanismCut cut(MechanismModel model, const Changes& changes, std::vector<FixedSpin> fixed) {
  const auto joint = [&](const std::string& name) { return model.joint(name); };
  const auto body = [&](const std::string& name) { return model.body(name); };
  const MechanismModel recorded = model.prescribed(numbers(changes.prescribed, joint));
  const auto is_prescribed = [](const MechanismJoint& each) { return each.role == JointRole::prescribed; };
  if (std::none_of(recorded.joints().begin(), recorded.joints().end(), is_prescribed)) {
    if (!changes.removed.empty()) throw Error(Failure::input, "`removed` needs `prescribed` joints, and there is none");
    const auto assembly = std::make_shared<const MechanismModel>(std::move(model));
    return {assembly, assembly, std::move(fixed)};
  }
  std::vector<MechanismJoint> joints = recorded.joints();
  for (MechanismJoint& each : joints)
    if (is_prescribed(each)) each.role = JointRole::passive;
  return {std::make_shared<const MechanismModel>(model.bodies(), std::move(joints), model.merged_bodies(), model.couplings()),
          std::make_shared<const MechanismModel>(recorded.without(numbers(changes.removed, body))), std::move(fixed)};
}

}  // namespace

MechanismCut read_mechanism(Configuration& parent, const PluginHost& plugins) {
  Configuration robot = parent.section("robot", "the mechanism at rest");
  const std::size_t problems = robot.problem_count();
  std::filesystem::path file;
  MechanismFileOptions options;
  MechanismBuilder builder(plugins);
  robot.branch_on_key(
      {{"file", "file of a robot: this project's YAML, MJCF or URDF", [&](Configuration& p) { file = read_file(p, options); }},
       {"bodies", "bodies and joints in the experiment itself",
        [&](Configuration& p) { read_bodies_and_joints(p, plugins, builder); }}},
      "source of the mechanism");
  const bool is_merged = robot.has("merged");
  const std::vector<Configuration::Entry> design = robot.entries(
      "merged", "merges the bodies that configurable joints connect: the joints' values; 0 for joints that are not named");
  const Changes changes(robot);
  if (robot.recording() || robot.problem_count() != problems) return {};
  try {
    std::vector<std::string> notes;
    MechanismModel model = file.empty() ? builder.build() : read_file(file, plugins, options, notes);
    if (!changes.frozen.empty())
      model = model.frozen(numbers(changes.frozen, [&](const std::string& name) { return model.joint(name); }),
                           plugins.get<JointPlugin>("fixed"));
    if (is_merged) {
      const auto unmerged = std::make_shared<const MechanismModel>(std::move(model));
      const Eigen::VectorXd values = read_design(design, robot, MechanismLayout(unmerged));
      if (robot.problem_count() != problems) return {};
      model = merged(unmerged, values);
    }
    std::vector<FixedSpin> fixed;
    model = without_idle_spins(model, plugins, fixed);
    MechanismCut result = cut(std::move(model), changes, std::move(fixed));
    result.notes = std::move(notes);
    return result;
  } catch (const Error& error) {
    robot.problem(robot.location(), error.what());
    return {};
  }
}

}  // namespace holo
