#pragma once
// What an experiment says of a robot's design.

#include <memory>
#include <string>
#include <vector>

#include "holo/core/parameters.h"
#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/mechanism_motion.h"
#include "holo/sim/mechanism/mechanism_names.h"
#include "holo/sim/mechanism/mechanism_problem.h"
#include "holo/study/study.h"

namespace holo {

// A control over the time t: from + (to - from) t / duration + amplitude sin(2 pi t / period + phase).
struct ControlCurve {
  int control = 0;
  double from = 0, to = 0, amplitude = 0, period = 1, phase = 0;
};

// The path of a body's point in a motion of the robot with other design parameters.
struct RecordedTarget {
  int signal = 0, body = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::VectorXd design;  // SI
};

struct RobotDesignPlan {
  std::shared_ptr<const MechanismModel> model;
  std::shared_ptr<const MechanismLayout> layout;  // with all rows
  int instant_count = 2;
  double time_step = 0;  // [s]
  bool starts_at_targets = false;  // by inverse kinematics, instead of by `controls`
  MechanismMotionOptions motion;
  std::vector<ControlCurve> controls;
  std::vector<RecordedTarget> targets;
  std::shared_ptr<MechanismNames> names;
  std::vector<MechanismLoss> losses;
  StagedSqpOptions solver;
  AssemblyRule assembly = AssemblyRule::constrain;

  Eigen::MatrixXd initial_controls() const;  // SI
};

// Reads all of it; problems go to the file's account.
RobotDesignPlan read_robot_design(Parameters& experiment, const StudyContext& context, std::vector<UsedPlugin>& plugins);

}  // namespace holo
