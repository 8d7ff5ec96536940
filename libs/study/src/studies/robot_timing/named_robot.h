#pragma once
// Entries of lists of robots: name in metrics, file, number of knots.

#include <filesystem>
#include <string>
#include <vector>

#include "holo/study/study.h"

namespace holo {

struct NamedRobot {
  std::string name;
  std::filesystem::path file;
  int knots = 2;
  Location where;  // of the file's name in the experiment

  std::string robot() const { return file.stem().string(); }  // name in tables
};

// Reads `robot`, `name` (default: the file's, without folder and extension) and `knots`. A name of one of `others` is a problem
// of the file.
NamedRobot read_named_robot(Configuration& entry, const std::vector<NamedRobot>& others);

// Reads and closes the robots: the joint types that they are made of, each once. Throws Error(input) for what is wrong with a
// robot's file, with its place in the experiment.
std::vector<UsedPlugin> joints_of(const std::vector<NamedRobot>& robots, const PluginHost& plugins);

}  // namespace holo
