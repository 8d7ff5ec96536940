#pragma once
// Design problems of the robots of [Maloisel2023] Table 5, of the paper's sizes and with motions of our own, for the
// measurement of the steps of their optimization. The objectives are paths of bodies that the initial design does not reach,
// limits of controls, and regularizers.

#include <filesystem>
#include <memory>

#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"

namespace holo::comparison {

struct RobotExample {
  std::unique_ptr<MechanismProblem> problem;
  StagedPoint start;  // the motion of the initial design, which satisfies all constraint equations
};

// The example of a robot's file, whose name (kickbot, kickbot_merged, legs, bear, biker) selects the motion. Knots are 1/60 s
// apart; 120 of them are a cycle of the motion, and more repeat it. Throws Error(input) for a bad file, for another name (with
// the list of names), and for fewer than two knots.
RobotExample make_robot_example(const std::filesystem::path& robot, int knots, const PluginHost& plugins);

// The numbers of variables and constraints of the optimization, counted as in the paper's Tables 5 and 7: with p at each knot.
struct StagedCounts {
  long variables = 0, constraints = 0;
};
StagedCounts count_unknowns(const MechanismLayout& layout, int knots);

}  // namespace holo::comparison
