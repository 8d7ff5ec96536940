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

// The path, and how it is read. A robot's YAML says all by itself.
std::filesystem::path read_file(Configuration& robot, MechanismFileOptions& options) {
  const std::filesystem::path path =
      robot.file("file",
                 "YAML with `bodies` and `joints`, MJCF or URDF; points, capsules and orientations of the latter's "
                 "bodies are in the frames of its links, and the other keys are for these");
  if (!robot.recording() && is_robot_yaml(path)) return path;
  if (robot.has("loop_file")) options.loop_file = robot.file("loop_file", "what closes a URDF's loops");
  options.root = robot.text("root", {.choices = {"grounded", "free"},
                                     .default_value = "grounded",
                                     .documentation = "a body that the file leaves free"}) == "free"
                     ? MechanismFileOptions::Root::free
                     : MechanismFileOptions::Root::grounded;
  options.ground = robot.text("ground", {.default_value = "", .documentation = "fixes this body instead of the roots"});
  if (robot.has("actuators"))
    options.actuators = robot.texts("actuators", 0, 10'000, {.documentation = "driven joints, instead of the file's"});
  options.configurable = robot.texts("configurable", 0, 10'000, {.documentation = "joints that are design parameters"});
  options.lengths =
      robot.texts("lengths", 0, 10'000,
                  {.documentation = "joints whose distance from the joint before them is a design parameter, JOINT_length"});
  options.left_out = robot.texts("left_out", 0, 10'000, {.documentation = "loops and couplings that are not read"});
  options.keyframe = robot.text("keyframe", {.default_value = "", .documentation = "MJCF: the pose of rest"});
  options.close_loops = robot.boolean("close_loops", false, "moves joints at rest until the loops close");
  for (const Configuration::Entry& alias :
       robot.entries("aliases", "names in the loop file by what the robot's file calls the same: {FOOT_LEFT: foot_left}"))
    options.aliases[alias.name] = alias.text;
  for (const Configuration::Entry& position : robot.entries("positions", "of joints at rest [rad or m]"))
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

// What is done to the mechanism once it is there.
struct Changes {
  std::vector<std::string> frozen, prescribed, removed;

  explicit Changes(Configuration& robot)
      : frozen(robot.texts("frozen", 0, 10'000,
                           {.documentation = "joints that are held as they are at rest, whatever drove them"})),
        prescribed(robot.texts("prescribed", 0, 10'000,
                               {.documentation = "passive joints at which the mechanism is cut: what they do in the whole "
                                                 "mechanism's initial motion drives them from then on"})),
        removed(robot.texts("removed", 0, 10'000,
                            {.documentation = "bodies that go, with their joints, once that motion is recorded"})) {}
};

template <class Find>
std::vector<int> numbers(const std::vector<std::string>& names, const Find& find) {
  std::vector<int> result;
  for (const std::string& name : names) result.push_back(find(name));
  return result;
}

// Without what comes before it: frozen joints, merged bodies.
MechanismCut cut(MechanismModel model, const Changes& changes, std::vector<FixedSpin> fixed) {
  const auto joint = [&](const std::string& name) { return model.joint(name); };
  const auto body = [&](const std::string& name) { return model.body(name); };
  const MechanismModel recorded = model.prescribed(numbers(changes.prescribed, joint));
  const auto is_prescribed = [](const MechanismJoint& each) { return each.role == JointRole::prescribed; };
  if (std::none_of(recorded.joints().begin(), recorded.joints().end(), is_prescribed)) {
    if (!changes.removed.empty()) throw Error(Failure::input, "bodies are removed where joints are `prescribed`; none is");
    const auto whole = std::make_shared<const MechanismModel>(std::move(model));
    return {whole, whole, std::move(fixed)};
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
      {{"file", "a robot's file, of ours or of another program", [&](Configuration& p) { file = read_file(p, options); }},
       {"bodies", "bodies and joints one by one", [&](Configuration& p) { read_bodies_and_joints(p, plugins, builder); }}},
      "where it comes from");
  const bool is_merged = robot.has("merged");
  const std::vector<Configuration::Entry> design = robot.entries(
      "merged", "makes configurable joints parts of the bodies that they tie together: their values, 0 where none is named");
  const Changes changes(robot);
  if (robot.recording() || robot.problem_count() != problems) return {};
  try {
    std::vector<std::string> notes;
    MechanismModel model = file.empty() ? builder.build() : read_file(file, plugins, options, notes);
    if (!changes.frozen.empty())
      model = model.frozen(numbers(changes.frozen, [&](const std::string& name) { return model.joint(name); }),
                           plugins.get<JointPlugin>("fixed"));
    if (is_merged) {
      const auto whole = std::make_shared<const MechanismModel>(std::move(model));
      const Eigen::VectorXd values = read_design(design, robot, MechanismLayout(whole));
      if (robot.problem_count() != problems) return {};
      model = merged(whole, values);
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
