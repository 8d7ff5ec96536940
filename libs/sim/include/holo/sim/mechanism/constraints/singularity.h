#pragma once
// Penalty of poses near a singularity, and the pose of a motion nearest to one. At a singular pose the equations do not
// determine the states. The penalty is w max(0, s0 - sigma)^2 with sigma the smallest singular value of J, the Jacobian of all
// equations in the states with rows scaled to length 1. With the singular vectors u and v, d sigma = u . dJ v, where dJ
// includes the change of the scaling. At a multiple singular value sigma has kinks, and the gradient is that of one branch.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/numerics/workspace_pool.h"
#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

struct SingularityPenaltyOptions {
  double keep_above = 0;  // s0
  double weight = 0;      // w; 0: no penalty
};

class SingularityPenalty {
 public:
  // The layout's elimination does not matter: sigma is of all equations.
  SingularityPenalty(const MechanismLayout& layout, const SingularityPenaltyOptions& options);
  ~SingularityPenalty();

  // sigma at a knot, dimensionless.
  double smallest(const MechanismUnknowns& at, Eigen::Index knot) const;
  // sigma and its gradient [p, u, s] in the layout's units.
  double smallest(const MechanismUnknowns& at, Eigen::Index knot, Eigen::VectorXd& gradient) const;

  const SingularityPenaltyOptions& options() const { return options_; }
  double value(double smallest) const {
    const double missing = smallest < options_.keep_above ? options_.keep_above - smallest : 0;
    return options_.weight * missing * missing;
  }
  double slope(double smallest) const {
    return smallest < options_.keep_above ? -2 * options_.weight * (options_.keep_above - smallest) : 0;
  }
  // The second derivative in sigma: the Gauss-Newton model, which omits d2 sigma.
  double curvature(double smallest) const { return smallest < options_.keep_above ? 2 * options_.weight : 0; }

 private:
  struct Scratch;
  double find(const MechanismUnknowns& at, Eigen::Index knot, Scratch& scratch) const;
  void add_units(const MechanismUnknowns& at, Eigen::Index knot, double value, const Scratch& scratch,
                 Eigen::VectorXd& gradient) const;
  void add_relations(const MechanismUnknowns& at, Eigen::Index knot, double value, const Scratch& scratch,
                     Eigen::VectorXd& gradient) const;
  void add_joint(int joint, const MechanismUnknowns& at, Eigen::Index knot, double value, Scratch& scratch,
                 Eigen::VectorXd& gradient) const;

  SingularityPenaltyOptions options_;
  std::unique_ptr<const ConstraintEquations> equations_;  // all
  std::vector<std::vector<double>> frames_;               // [joint]
  std::unique_ptr<WorkspacePool<Scratch>> scratch_;
};

// The knot with the smallest sigma. `bodies`: names with the squared shares of their states in the right singular vector v, the
// motion that the equations determine least. `joints`: names with the squared shares of their equations in the left singular
// vector u. Both are sorted from the largest share; the shares of each sum to 1.
struct NearestSingularity {
  int knot = 0;
  double value = 0;  // sigma
  std::vector<std::pair<std::string, double>> bodies, joints;
};
NearestSingularity nearest_singularity(const MechanismLayout& layout, const MechanismUnknowns& at);

}  // namespace holo
