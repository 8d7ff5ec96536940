#pragma once
// Attempt of a design: the optimization from one initial design. Each of several starts is an attempt.

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

// Result of one phase, or of the optimization of the initial motion.
struct SolvedPhase {
  std::int64_t iterations = 0;
  bool has_converged = false;
  double objective = 0;
  std::string diagnosis;  // why it has not converged
  StagedPoint point;      // in the attempt's layout

  void visit(Archive& archive);
};

struct DesignAttempt {
  int number = 0;  // 0: the attempt of the given design
  MechanismMotion motion;
  std::vector<std::unique_ptr<MechanismProblem>> phases;
  StagedPoint start;
  std::vector<SolvedPhase> solved;  // so far; the first is of the initial motion if that is optimized

  MechanismProblem& problem() const { return *phases.back(); }  // of the last phase

  // Replaces the elimination in all problems and points; `names` is the layout with all equations.
  void take_equations(const Elimination& elimination, const MechanismLayout& names, double time_step);
  // For checkpoints. The number must be set; the other members are those of a new attempt.
  void visit_solved(Archive& archive, const MechanismLayout& names, double time_step);
};

// The motion with which the result is compared: that of the given design, after the first attempt.
struct InitialResult {
  bool has_converged = true;
  StagedPoint point;
  std::shared_ptr<const MechanismLayout> layout;  // of the point

  void visit(Archive& archive, const std::shared_ptr<const MechanismModel>& model, double time_step);
};

// Outcome of an attempt, or the reason why it was not possible.
struct AttemptOutcome {
  bool has_begun = false, has_converged = false;
  double objective = 0;         // of the last phase, as its optimization ended
  std::int64_t iterations = 0;  // of all phases
  std::string reason;           // why it did not converge; else ""

  void visit(Archive& archive);
  // Whether this outcome is better: converged ones first, then by the objective.
  bool is_better_than(const AttemptOutcome& other) const;
};

// The initial design of attempt `number` in SI units: that of rest, moved into the bounds and ties, or a random one around it,
// which depends only on the seed and the number.
Eigen::VectorXd initial_design(const RobotDesignPlan& plan, int number);

// The attempt from the initial design of `number`. Throws Error(input) if the mechanism cannot follow its initial motion with
// it.
DesignAttempt make_attempt(const RobotDesignPlan& plan, const RobotSignals& signals, int number);

}  // namespace holo
