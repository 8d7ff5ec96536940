#pragma once
// Entries of lists of robots: a name for the metrics, which robot, how many knots.

#include <filesystem>
#include <string>
#include <vector>

#include "holo/study/study.h"

namespace holo {

struct NamedRobot {
  std::string name;
  std::filesystem::path file;
  int knots = 2;

  std::string robot() const { return file.stem().string(); }  // what tables call it
};

// name (default: the file's, without folder and extension), robot, knots. A name that one of `others` has is a problem.
NamedRobot read_named_robot(Configuration& entry, const std::vector<NamedRobot>& others);

// The joint types that the robots are made of, each once. What is wrong with a robot's file becomes a problem of `experiment`.
std::vector<UsedPlugin> joints_of(const std::vector<NamedRobot>& robots, const PluginHost& plugins, Configuration& experiment);

}  // namespace holo
