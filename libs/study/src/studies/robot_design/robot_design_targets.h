#pragma once
// Targets of a robot design: signals in time to which objectives refer by name.

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
  // Only of a recorded target: its signal is set by record_targets(). Those of other targets are set, and edited, by
  // read_target().
  std::optional<RecordedMotion> recorded;
  std::vector<TargetEdit> edits;
};

// Reads one entry of the last task's `targets` into the plan and its signals. Problems are reported through the configuration
// file.
void read_target(Configuration& entry, RobotDesignPlan& plan);

// Sets the signals of recorded targets: from motions of rigs, and of the robot under `controls` [control][knot] in SI units.
// Throws Error(input) if a mechanism cannot follow its controls, or an edit cannot be made.
void record_targets(const RobotDesignPlan& plan, const Eigen::MatrixXd& controls);

// The numbers of the signals of position targets, each once.
std::vector<int> points_among(const std::vector<RobotTarget>& targets);

}  // namespace holo
