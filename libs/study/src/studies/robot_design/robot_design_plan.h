#pragma once
// What an experiment says of a robot's design.

#include <cstdint>
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

// One of the optimizations that follow each other, each from where the one before ended.
struct DesignPhase {
  std::string name;
  std::vector<NamedLoss> losses;  // those that all phases share, then its own
};

// One of the motions that share the design: of all knots those from `at.first` on.
struct PlannedTask {
  std::string name;  // "" where there is one only
  MotionTask at;
  std::vector<FormulaVariable> variables;  // that its formulas use
  std::vector<ControlCurve> controls;
  std::vector<TargetRig> rigs;
};

// Optimizations from several initial designs.
struct DesignStarts {
  int count = 1;      // with that of the given design
  double spread = 0;  // the largest random change of each parameter: lengths over the robot's size, angles [rad]
  std::uint64_t seed = 0;
};

struct RobotDesignPlan {
  std::shared_ptr<const MechanismModel> model;
  std::shared_ptr<const MechanismLayout> layout;  // with all rows
  // The layout of the assembly where joints of `model` are prescribed, else `layout`.
  std::shared_ptr<const MechanismLayout> assembly_layout;
  std::vector<PlannedTask> tasks;
  int knot_count = 0;                // of all tasks
  double time_step = 0;              // [s]; 0 while reading: unknown, for a problem of the file
  bool starts_at_targets = false;    // by inverse kinematics, instead of by `controls`
  bool optimizes_initial = false;    // the motion of the initial design, before the design
  InverseKinematicsOptions nearest;  // to the targets
  MechanismMotionOptions motion;
  std::vector<RobotTarget> targets;
  std::shared_ptr<SignalStore> signals;  // targets and constants; with `layout`
  std::vector<DesignPhase> phases;       // at least one
  std::vector<NamedLoss> losses;         // of the last phase: what the design is for
  StagedSqpOptions solver;
  EliminationMonitorOptions monitor;
  SingularityPenaltyOptions singularity;
  AssemblyRule assembly = AssemblyRule::constrain;
  DesignRestrictions restrictions;  // of `layout`
  DesignStarts starts;
  std::vector<BodyCapsule> capsules;    // that are kept apart
  std::vector<FixedSpin> fixed_spins;   // of rods between two balls
  std::vector<std::string> file_notes;  // what the robot's file says and nothing reads

  Eigen::MatrixXd initial_controls() const;  // of the assembly, SI
  SampleTimes knots() const {                // of the last task, the one that is being read
    return {tasks.back().at.count, time_step, tasks.back().variables};
  }
};

// Reads all of it; problems go to the file's account.
RobotDesignPlan read_robot_design(Configuration& experiment, const StudyContext& context, std::vector<UsedPlugin>& plugins);
// The part of it that says how the optimization is solved; `plan.motion` has the experiment's choice of dependent controls.
void read_solution(Configuration& experiment, RobotDesignPlan& plan);
// The section `design`, after the solver's.
void read_design_section(Configuration& experiment, const StudyContext& context, RobotDesignPlan& plan);

}  // namespace holo
