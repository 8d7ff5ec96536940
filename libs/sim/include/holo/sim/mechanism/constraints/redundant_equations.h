#pragma once
// Elimination of the redundant constraint equations of a mechanism, which the others imply: those of loops, and those of
// redundant actuators. The independent equations must determine the states at every pose of a motion.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

struct EliminationOptions {
  enum class Method {
    pivoted,  // drops the row that the null vectors of all poses weigh most: what stays is best conditioned
    paper     // [Maloisel2023] Eq 14 at the first pose; depends on the basis of the null space
  } method = Method::pivoted;
  double rank_tolerance = 1e-8;  // singular values below this part of the largest are 0
  double gap = 1e4;              // between the last that counts and the first that does not
  // Equations of these controls are eliminated first, in this order, where there is a choice. Names as in the layout.
  std::vector<std::string> eliminate_first = {};
};

struct RedundantEquation {
  int equation;
  std::string name;
  std::string reason;
};

// Of one pose.
struct PoseRank {
  int passive_rank = 0;
  double smallest_independent = 0;  // singular value of the independent equations, each scaled to length 1, against the states
  double smallest_all = 0;          // the same of all equations
};

struct EliminationResult {
  Elimination elimination;                   // redundant equations; controls that became dependent are the caller's choice
  std::vector<RedundantEquation> redundant;  // passive ones first
  int passive_equations = 0, passive_rank = 0;
  int mobility = 0;  // degrees of freedom of the passive mechanism
  int passive_redundant = 0, active_redundant = 0;
  std::vector<int> singular_poses;  // left out: their passive equations have a lower rank than the others'
  std::vector<PoseRank> poses;
  std::vector<std::string> near_singular;  // poses at which the rank is doubtful, in words
};

// Of the layout's equations (which must not leave any out) at the given poses, which satisfy them: [state_count][pose] and so
// on. Throws Error(input): for underactuation, with the degrees of freedom left and the bodies that move most; where actuators
// fight in a way that no equation of theirs explains.
EliminationResult eliminate_redundant_equations(const ConstraintEquations& equations, const MechanismUnknowns& poses,
                                                const EliminationOptions& options = {});

// The smallest singular value of the equations against the states, each row scaled to length 1, at every pose; independent
// equations of the layout, or all. Accurate to 1e-9 of itself; values below 1e-8 are not told apart.
Eigen::VectorXd smallest_singular_values(const ConstraintEquations& equations, const MechanismUnknowns& poses,
                                         bool independent_only);

// The layout with no equation left out, and the same states.
std::shared_ptr<const MechanismLayout> with_all_equations(const MechanismLayout& layout);

}  // namespace holo
