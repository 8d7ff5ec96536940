#pragma once
// The plan of a robot's design: everything that an experiment states about it.

#include <memory>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/losses/signal_store.h"
#include "holo/sim/mechanism/constraints/elimination_monitor.h"
#include "holo/sim/mechanism/constraints/idle_spins.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/inverse_kinematics.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "holo/study/study.h"
#include "signals/target_rigs.h"
#include "studies/robot_design/control_curves.h"
#include "studies/robot_design/robot_collisions.h"
#include "studies/robot_design/robot_design_targets.h"

namespace holo {

// One of the successive optimizations; each begins at the result of the one before.
struct DesignPhase {
  std::string name;
  std::vector<NamedLoss> losses;  // those of all phases, then the phase's own
};

// One of the motions with a common design; `at` is its range of knots.
struct PlannedTask {
  std::string name;  // "" if there is one task only
  MotionTask at;
  std::vector<FormulaVariable> variables;  // of the task's formulas
  std::vector<ControlCurve> controls;
  std::vector<TargetRig> rigs;
};

struct RobotDesignPlan {
  std::shared_ptr<const MechanismModel> model;
  std::shared_ptr<const MechanismLayout> layout;  // with all constraint equations
  // The layout of the assembly where joints of `model` are prescribed, else `layout`.
  std::shared_ptr<const MechanismLayout> assembly_layout;
  std::vector<PlannedTask> tasks;
  int knot_count = 0;                // sum over the tasks
  double time_step = 0;              // [s]; 0: unknown, after a problem of the file
  bool starts_at_targets = false;    // the initial motion is by inverse kinematics, not by `controls`
  bool optimizes_initial = false;    // optimize the motion of the initial design first
  InverseKinematicsOptions nearest;  // of the initial motion at the targets
  MechanismMotionOptions motion;
  std::vector<RobotTarget> targets;
  std::shared_ptr<SignalStore> signals;  // targets and constants; null exactly if `layout` is
  std::vector<DesignPhase> phases;       // at least one
  std::vector<NamedLoss> losses;         // of the last phase
  StagedSqpOptions solver;
  EliminationMonitorOptions monitor;
  SingularityPenaltyOptions singularity;
  AssemblyRule assembly = AssemblyRule::constrain;
  std::vector<BodyCapsule> capsules;    // between which collisions cost
  std::vector<FixedSpin> fixed_spins;   // idle spins of rods between two spherical joints
  std::vector<std::string> file_notes;  // parts of the robot's file that are not used

  Eigen::MatrixXd initial_controls() const;  // of the assembly, SI
  SampleTimes knots() const {                // of the last task, which is being read
    return {tasks.back().at.count, time_step, tasks.back().variables};
  }
};

// Reads an experiment; problems are reported through the configuration file.
RobotDesignPlan read_robot_design(Configuration& experiment, const StudyContext& context, std::vector<UsedPlugin>& plugins);
// Reads the sections `redundancy`, `singularity` and `solver`. `plan.motion` must have the experiment's `dependent_first`.
void read_solution(Configuration& experiment, RobotDesignPlan& plan);

}  // namespace holo
