#pragma once
// Entries of lists of robots: a name for the metrics, which robot, how many knots.

#include <string>
#include <vector>

#include "holo/study/study.h"

namespace holo {

struct NamedRobot {
  std::string name, robot;
  int instants = 2;
};

// name (default: the robot's), robot, instants. A name that one of `others` has is a problem.
NamedRobot read_named_robot(Parameters& entry, const std::vector<NamedRobot>& others);

// The joint types that the robots are made of, each once.
std::vector<UsedPlugin> joints_of(const std::vector<NamedRobot>& robots, const PluginHost& plugins);

}  // namespace holo
