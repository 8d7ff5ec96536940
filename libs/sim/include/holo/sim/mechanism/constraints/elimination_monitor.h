#pragma once
// Whether the equations that were chosen at one motion still determine the states at another, and a new elimination where they
// do not: the equations turn with the bodies, and may become singular where the mechanism is not.

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "holo/opt/optimal_control_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"

namespace holo {

class MechanismProblem;

// Smallest singular values over all knots, each row scaled to length 1, against the states: estimates to a hundredth.
struct EquationQuality {
  double independent = 0;  // of the independent equations
  double all = 0;          // of all equations, against the states without an elimination: what the mechanism itself allows
  int knot = 0;            // where that of the independent equations is smallest
};
EquationQuality equation_quality(const ConstraintEquations& equations, const MechanismUnknowns& at);

struct EliminationMonitorOptions {
  int every = 5;                  // iterations between checks; 0: none
  double poor = 0.05;             // independent over all, below which redundant equations are eliminated anew
  double better = 2;              // by which the new choice has to be better
  MechanismMotionOptions motion;  // how equations are eliminated
};

// A choice that is better at a point than the one of the problem.
struct NewElimination {
  std::shared_ptr<const ConstraintEquations> equations;
  EliminationResult elimination;
  EquationQuality before, after;
};
// None where the problem's equations are good enough, or no better ones are found. Where controls depend on others, those that
// do so now go first.
std::optional<NewElimination> eliminate_anew(const MechanismProblem& problem, const StagedPoint& point,
                                             const EliminationMonitorOptions& options);

// A point of one layout as a point of another with the same model.
StagedPoint rearranged(const StagedPoint& point, const MechanismLayout& from, const MechanismLayout& to, double time_step);

// Multipliers of `to` that pull at the bodies as those of `from` do at the point, which is of `from`'s layout: those of the
// equations are solved for, the others stay where they still mean something.
StagedMultipliers mapped_multipliers(const StagedMultipliers& multipliers, const StagedPoint& point,
                                     const MechanismProblem& from, const MechanismProblem& to);

}  // namespace holo
