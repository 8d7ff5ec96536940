#include "studies/robot_design/named_robot.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/model/robots.h"

namespace holo {

NamedRobot read_named_robot(Parameters& entry, const std::vector<NamedRobot>& others) {
  NamedRobot result;
  result.robot = entry.text("robot", {.choices = robot_names(), .documentation = "a generator's name"});
  result.name = entry.text("name", {.default_value = result.robot, .documentation = "of its metrics; the robot's by default"});
  result.instants = int(
      entry.integer("instants", {.minimum = 2, .maximum = 100'000, .documentation = "of the motion, first and last included"}));
  if (!entry.recording() &&
      std::any_of(others.begin(), others.end(), [&](const NamedRobot& r) { return r.name == result.name; }))
    entry.problem(entry.location(entry.has("name") ? "name" : "robot"), fmt::format("two robots are named '{}'", result.name));
  return result;
}

std::vector<UsedPlugin> joints_of(const std::vector<NamedRobot>& robots, const PluginHost& plugins) {
  std::set<std::string> robots_seen, types_seen;
  std::vector<UsedPlugin> result;
  const std::vector<std::string> known = robot_names();
  for (const NamedRobot& robot : robots) {
    if (std::find(known.begin(), known.end(), robot.robot) == known.end() || !robots_seen.insert(robot.robot).second) continue;
    const MechanismModel model = make_robot(robot.robot, plugins);
    for (const MechanismJoint& joint : model.joints())
      if (types_seen.insert(joint.type->name()).second) result.emplace_back(joint.type);
  }
  return result;
}

}  // namespace holo
