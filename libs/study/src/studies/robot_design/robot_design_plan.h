#pragma once
// Plan of a robot design: everything that an experiment states about it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/opt/staged/staged_sqp.h"
#include "holo/sim/mechanism/constraints/elimination_monitor.h"
#include "holo/sim/mechanism/constraints/idle_spins.h"
#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/inverse_kinematics.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "holo/study/study.h"
#include "studies/robot_design/recorded_signals.h"
#include "studies/robot_design/robot_collisions.h"

namespace holo {

// One of the successive optimizations; each begins at the result of the one before.
struct DesignPhase {
  std::string name;
  std::vector<NamedLoss> losses;  // those that all phases share, those of collisions once they are built, its own
};

// One of the motions with a common design; `at` is its range of knots.
struct PlannedTask {
  std::string name;  // "" if there is one task only
  MotionTask at;
  std::vector<ControlCurve> controls;
  std::vector<Rig> rigs;
};

// Optimizations from several initial designs.
struct DesignStarts {
  int count = 1;      // number of initial designs, the given one included
  double spread = 0;  // the largest random change of each parameter: lengths over the robot's size, angles [rad]
  std::uint64_t seed = 0;
};

struct RobotDesignPlan {
  std::shared_ptr<const MechanismModel> model;
  std::shared_ptr<const MechanismLayout> layout;  // with all constraint equations
  // The layout of the assembly if joints of `model` are prescribed, else `layout`.
  std::shared_ptr<const MechanismLayout> assembly_layout;
  std::vector<PlannedTask> tasks;
  int knot_count = 0;                // sum over the tasks
  double time_step = 0;              // [s]; 0: unknown, after a problem of the file
  bool starts_at_targets = false;    // the initial motion is by inverse kinematics, not by `controls`
  bool optimizes_initial = false;    // optimize the motion of the initial design first
  InverseKinematicsOptions nearest;  // of the initial motion at the targets
  MechanismMotionOptions motion;
  std::optional<SignalPlan> signals;  // from the first task on
  std::vector<RecordedSignal> recorded;
  std::vector<DesignPhase> phases;  // at least one
  std::size_t shared_count = 0;     // number of losses that all phases share, the first ones of each
  StagedSqpOptions solver;
  EliminationMonitorOptions monitor;
  SingularityPenaltyOptions singularity;
  AssemblyRule assembly = AssemblyRule::constrain;
  DesignRestrictions restrictions;  // of `layout`
  DesignStarts starts;
  std::optional<CollisionPlan> collisions;
  std::vector<FixedSpin> fixed_spins;   // idle spins of rods between two spherical joints
  std::vector<std::string> file_notes;  // unused parts of the robot's file

  const std::vector<NamedLoss>& losses() const { return phases.back().losses; }  // of the last phase
  void add_losses_of_collisions();                                               // to each phase, after the shared ones
  Eigen::MatrixXd initial_controls(const ComputedSignals& computed) const;       // of the assembly, SI
};

// Reads an experiment; problems are reported through the configuration file.
RobotDesignPlan read_robot_design(Configuration& experiment, const StudyContext& context, std::vector<UsedPlugin>& plugins);
// Reads the sections `redundancy`, `singularity` and `solver`. `plan.motion` must have the experiment's `dependent_first`.
void read_solution(Configuration& experiment, RobotDesignPlan& plan);
// Reads the section `design`; the section `solver` must have been read.
void read_design_section(Configuration& experiment, const StudyContext& context, RobotDesignPlan& plan);

}  // namespace holo
