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
#include "robot_design/control_curves.h"
#include "robot_design/robot_design_targets.h"
#include "robot_design/target_rigs.h"

namespace holo {

// One of the optimizations that follow each other, each from where the one before ended.
struct DesignStage {
  std::string name;
  std::vector<MechanismLoss> losses;  // those that all stages share, then its own
};

struct RobotDesignPlan {
  std::shared_ptr<const MechanismModel> model;
  std::shared_ptr<const MechanismLayout> layout;  // with all rows
  int instant_count = 2;
  double time_step = 0;            // [s]; 0 while reading: unknown, for a problem of the file
  bool starts_at_targets = false;  // by inverse kinematics, instead of by `controls`
  bool optimizes_initial = false;  // the motion of the initial design, before the design
  MechanismMotionOptions motion;
  std::vector<FormulaVariable> variables;  // that the experiment's formulas use
  std::vector<ControlCurve> controls;
  std::vector<TargetRig> rigs;
  std::vector<RobotTarget> targets;
  std::shared_ptr<MechanismNames> names;
  std::vector<DesignStage> stages;    // at least one
  std::vector<MechanismLoss> losses;  // of the last stage: what the design is for
  StagedSqpOptions solver;
  AssemblyRule assembly = AssemblyRule::constrain;

  Eigen::MatrixXd initial_controls() const;  // SI
  TargetInstants instants() const { return {instant_count, time_step, variables}; }
};

// Reads all of it; problems go to the file's account.
RobotDesignPlan read_robot_design(Parameters& experiment, const StudyContext& context, std::vector<UsedPlugin>& plugins);

}  // namespace holo
