#pragma once
// The optimization of a design from one initial design: of several starts, each is an attempt of its own.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/mechanism/design/mechanism_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"

namespace holo {

class Archive;
struct RobotDesignPlan;
struct RobotSignals;

// One phase of an optimization, or that of the initial motion, and where it ended.
struct SolvedPhase {
  std::int64_t iterations = 0;
  bool has_converged = false;
  double objective = 0;
  std::string diagnosis;  // why it has not converged
  StagedPoint point;      // in the attempt's layout

  void visit(Archive& archive);
};

struct DesignAttempt {
  int number = 0;  // 0: of the given design
  MechanismMotion motion;
  std::vector<std::unique_ptr<MechanismProblem>> phases;
  StagedPoint start;
  std::vector<SolvedPhase> solved;  // so far; at first of the initial motion, where its optimum is asked for

  MechanismProblem& problem() const { return *phases.back(); }  // of the last phase

  // Takes the equations of another elimination; `names` is the layout with all equations.
  void take_equations(const Elimination& elimination, const MechanismLayout& names, double time_step);
  // Its number must be known; the other members are those of a new attempt.
  void visit_solved(Archive& archive, const MechanismLayout& names, double time_step);
};

// What the result is compared with: the motion of the given design, once the first attempt is finished.
struct InitialResult {
  bool has_converged = true;
  StagedPoint point;
  std::shared_ptr<const MechanismLayout> layout;  // of the point

  void visit(Archive& archive, const std::shared_ptr<const MechanismModel>& model, double time_step);
};

// How an attempt ended, or why there is none.
struct AttemptOutcome {
  bool has_begun = false, has_converged = false;
  double objective = 0;         // of the last phase, as its optimization ended
  std::int64_t iterations = 0;  // of all phases
  std::string reason;           // "" where it has converged

  void visit(Archive& archive);
  // Converged before not converged, then by the objective.
  bool is_better_than(const AttemptOutcome& other) const;
};

// The design that attempt `number` begins with, SI: that of rest, moved into the bounds and ties, or a random one around it,
// which depends on the seed and the number alone.
Eigen::VectorXd initial_design(const RobotDesignPlan& plan, int number);

// Throws Error(input) where the mechanism cannot do its initial motion with that design.
DesignAttempt make_attempt(const RobotDesignPlan& plan, const RobotSignals& signals, int number);

}  // namespace holo
