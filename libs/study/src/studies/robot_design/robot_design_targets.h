#pragma once
// The targets of a robot's design: signals in time that objectives call by name.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "holo/core/configuration.h"
#include "signals/target_edits.h"

namespace holo {

struct RobotDesignPlan;

// The path of a body's point, or the body's orientation, in a motion of a rig, or of the robot itself, with other design
// parameters.
struct RecordedMotion {
  int rig = -1;  // -1: the robot
  int body = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::VectorXd design;  // SI
};

struct RobotTarget {
  int signal = 0;
  std::size_t task = 0;
  TargetQuantity quantity = TargetQuantity::position;
  // Of a recorded target, whose signal is set when the robot can move; the others' is set, and edited, when they are read.
  std::optional<RecordedMotion> recorded;
  std::vector<TargetEdit> edits;
};

// One entry of the last task's `targets`: goes to the plan, and its signal to the plan's names. Problems go to the file's
// account.
void read_target(Configuration& entry, RobotDesignPlan& plan);

// Sets the signals of recorded targets: the motion of rigs, and the robot's under `controls` [control][knot], SI. Throws
// Error(input) where one of them cannot move so, or an edit cannot be made.
void record_targets(const RobotDesignPlan& plan, const Eigen::MatrixXd& controls);

// The signals of targets that are points, each once.
std::vector<int> points_among(const std::vector<RobotTarget>& targets);

}  // namespace holo
