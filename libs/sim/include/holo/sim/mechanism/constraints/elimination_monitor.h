#pragma once
// Monitor of the elimination of redundant equations during an optimization. The independent equations are chosen at one motion
// and may become singular at another although the mechanism is not; then the elimination is renewed.

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "holo/opt/optimal_control_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"

namespace holo {

class MechanismProblem;

// Smallest singular values, over all knots, of the equations' Jacobian in the states with rows scaled to length 1; estimates to
// 1 %.
struct EquationQuality {
  double independent = 0;  // of the independent equations
  double all = 0;          // of all equations, in the states of the layout without an elimination: the mechanism's own limit
  int knot = 0;            // the knot of `independent`
};
EquationQuality equation_quality(const ConstraintEquations& equations, const MechanismUnknowns& at);

struct EliminationMonitorOptions {
  int every = 5;                  // iterations between checks; 0: none
  double poor = 0.05;             // ratio independent / all below which the elimination is renewed
  double better = 2;              // smallest factor by which a new elimination must improve `independent`
  MechanismMotionOptions motion;  // how equations are eliminated
};

// A new elimination, and the quality of the old and the new equations at the point.
struct NewElimination {
  std::shared_ptr<const ConstraintEquations> equations;
  EliminationResult elimination;
  EquationQuality before, after;
};
// A new elimination at the point; none if the problem's equations are good enough, or if no better ones are found. Controls
// that are dependent now are chosen first as dependent ones.
std::optional<NewElimination> eliminate_anew(const MechanismProblem& problem, const StagedPoint& point,
                                             const EliminationMonitorOptions& options);

// Converts a point from one layout to another of the same model. `time_step` [s].
StagedPoint rearranged(const StagedPoint& point, const MechanismLayout& from, const MechanismLayout& to, double time_step);

// Multipliers of `to` with the same generalized forces as those of `from` at the point, which is in `from`'s layout. The
// equations' multipliers solve J_to^T l_to = J_from^T l_from; the others are kept unless the dependent controls change.
StagedMultipliers mapped_multipliers(const StagedMultipliers& multipliers, const StagedPoint& point,
                                     const MechanismProblem& from, const MechanismProblem& to);

}  // namespace holo
