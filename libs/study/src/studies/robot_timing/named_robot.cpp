#include "studies/robot_timing/named_robot.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/model/robot_file.h"
#include "runs/at_place.h"

namespace holo {

NamedRobot read_named_robot(Configuration& entry, const std::vector<NamedRobot>& others) {
  NamedRobot result;
  result.file = entry.file("robot", "a robot's YAML, MJCF or URDF");
  result.where = entry.location("robot");
  result.name = entry.text(
      "name", {.default_value = result.robot(), .documentation = "name of the robot in metrics; by default the file's"});
  result.knots = int(entry.integer(
      "knots",
      {.minimum = 2, .maximum = 100'000, .documentation = "number of knots of the motion, the first and the last included"}));
  if (!entry.recording() &&
      std::any_of(others.begin(), others.end(), [&](const NamedRobot& r) { return r.name == result.name; }))
    entry.problem(entry.location(entry.has("name") ? "name" : "robot"), fmt::format("two robots are named '{}'", result.name));
  return result;
}

std::vector<UsedPlugin> joints_of(const std::vector<NamedRobot>& robots, const PluginHost& plugins) {
  std::set<std::filesystem::path> files_seen;
  std::set<std::string> types_seen;
  std::vector<UsedPlugin> result;
  for (const NamedRobot& robot : robots) {
    if (!files_seen.insert(robot.file).second) continue;
    const MechanismModel model = at_place(robot.where, [&] { return read_robot(robot.file, plugins); });
    for (const MechanismJoint& joint : model.joints())
      if (types_seen.insert(joint.type->name()).second) result.emplace_back(joint.type);
  }
  return result;
}

}  // namespace holo
