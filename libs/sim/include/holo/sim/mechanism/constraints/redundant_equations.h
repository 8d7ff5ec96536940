#pragma once
// Elimination of the redundant constraint equations of a mechanism, which follow from the others: those of closed loops, and
// those of redundant actuators. The independent equations must determine the states at every pose of a motion.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

struct EliminationOptions {
  enum class Method {
    pivoted,  // eliminates the equation with the largest weight in the null vectors of all poses
    paper     // [Maloisel2023] Eq 14 at the first pose; depends on the basis of the null space
  } method = Method::pivoted;
  double rank_tolerance = 1e-8;  // singular values below this fraction of the largest count as 0
  double gap = 1e4;              // smallest ratio of the last singular value that counts to the next one
  // Names of controls whose equations are eliminated first, in this order, if several choices are possible.
  std::vector<std::string> eliminate_first = {};
};

struct RedundantEquation {
  int equation;
  std::string name;
  std::string reason;
};

// Rank and smallest singular values at one pose.
struct PoseRank {
  int passive_rank = 0;
  double smallest_independent = 0;  // of the independent equations' Jacobian in the states, rows of length 1
  double smallest_all = 0;          // the same of all equations
};

struct EliminationResult {
  Elimination elimination;                   // redundant equations only; the caller chooses dependent controls
  std::vector<RedundantEquation> redundant;  // equations without controls first
  int passive_equations = 0, passive_rank = 0;
  int mobility = 0;  // degrees of freedom of the passive mechanism
  int passive_redundant = 0, active_redundant = 0;
  std::vector<int> singular_poses;  // poses of a lower rank than the others; not used
  std::vector<PoseRank> poses;
  std::vector<std::string> near_singular;  // descriptions of poses whose rank is uncertain
};

// Eliminates redundant equations of a layout without an elimination, at poses that satisfy all equations: one column of `poses`
// each. Throws Error(input) for an underactuated mechanism, with the free degrees of freedom and the bodies that move most, and
// for dependent equations of which none belongs to an actuator.
EliminationResult eliminate_redundant_equations(const ConstraintEquations& equations, const MechanismUnknowns& poses,
                                                const EliminationOptions& options = {});

// The smallest singular value of the equations' Jacobian in the states, rows scaled to length 1: [pose]. Of the layout's
// independent equations, or of all. The relative accuracy is 1e-9 above 1e-8; smaller values are not resolved.
Eigen::VectorXd smallest_singular_values(const ConstraintEquations& equations, const MechanismUnknowns& poses,
                                         bool independent_only);

// The layout with all equations and the same states.
std::shared_ptr<const MechanismLayout> with_all_equations(const MechanismLayout& layout);

}  // namespace holo
