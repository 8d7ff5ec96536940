#pragma once
// Whether the rows that were chosen at one motion still determine the states at another, and the choice anew where they do not:
// kept rows turn with the bodies, and may become singular where the mechanism is not.

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "holo/opt/optimal_control_problem.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"

namespace holo {

class MechanismProblem;

// Smallest singular values over all instants, each row scaled to length 1, against the states: estimates to a hundredth.
struct RowQuality {
  double kept = 0;  // of the rows that are kept
  double all = 0;   // of all rows, against the states without a selection: what the mechanism itself allows
  int instant = 0;  // where that of the kept rows is smallest
};
RowQuality row_quality(const MechanismRows& rows, const MechanismInstants& at);

struct RowMonitorOptions {
  int every = 5;                  // iterations between checks; 0: none
  double poor = 0.05;             // kept over all below which rows are chosen anew
  double better = 2;              // by which the new choice has to be better
  MechanismMotionOptions motion;  // how rows are chosen
};

// A choice that is better at a point than the one of the problem.
struct RowReselection {
  std::shared_ptr<const MechanismRows> rows;
  RowSelectionResult selection;
  RowQuality before, after;
};
// None where the problem's rows are good enough, or no better ones are found. Where controls depend on others, those that do so
// now go first.
std::optional<RowReselection> reselect_rows(const MechanismProblem& problem, const StagedPoint& point,
                                            const RowMonitorOptions& options);

// A point of one layout as a point of another with the same model.
StagedPoint rearranged(const StagedPoint& point, const MechanismLayout& from, const MechanismLayout& to, double time_step);

// Multipliers of `to` that pull at the bodies as those of `from` do at the point, which is of `from`'s layout: those of the
// rows are solved for, the others stay where they still mean something.
StagedMultipliers mapped_multipliers(const StagedMultipliers& multipliers, const StagedPoint& point,
                                     const MechanismProblem& from, const MechanismProblem& to);

}  // namespace holo
