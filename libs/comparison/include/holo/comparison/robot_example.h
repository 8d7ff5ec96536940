#pragma once
// Robots of [Maloisel2023] Table 5 on the way to their best design: problems of the paper's sizes with short motions of our
// own, for looking at how long the steps of their optimization take. Objectives: bodies follow paths that the first design does
// not reach; controls stay within limits; regularizers.

#include <filesystem>
#include <memory>

#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"

namespace holo::comparison {

struct RobotExample {
  std::unique_ptr<MechanismProblem> problem;
  StagedPoint start;  // the first design's motion: satisfies all rows
};

// The example of a robot's file; the file's name (kickbot, kickbot_merged, legs, bear, biker) says which motion. 60 knots a
// second; 120 of them are a cycle of the motion, and more repeat it. Throws Error(input) for a bad file, for another name with
// those there are, and for fewer than two knots.
RobotExample make_robot_example(const std::filesystem::path& robot, int knots, const PluginHost& plugins);

// What stands in the paper's Tables 5 and 7: the optimization's variables and constraints, with p at each knot.
struct StagedCounts {
  long variables = 0, constraints = 0;
};
StagedCounts count_unknowns(const MechanismLayout& layout, int knots);

}  // namespace holo::comparison
