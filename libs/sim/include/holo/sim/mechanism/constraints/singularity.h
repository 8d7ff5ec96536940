#pragma once
// How near a mechanism comes to poses at which its equations no longer determine the states (control is lost), and a penalty
// that keeps it away: w max(0, s0 - sigma)^2 with sigma the smallest singular value of all equations against the states, each
// row scaled to length 1. With u and v its vectors and J the scaled equations, d sigma = u . dJ v; dJ holds the change of the
// equations' lengths, too. Where sigma is a multiple singular value it has kinks, and the gradient is that of one of the
// branches.

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
  // Of the layout's states, whichever of its equations are independent.
  SingularityPenalty(const MechanismLayout& layout, const SingularityPenaltyOptions& options);
  ~SingularityPenalty();

  // sigma at a knot.
  double smallest(const MechanismUnknowns& at, Eigen::Index knot) const;
  // And its gradient in (p, u, s), in the layout's units.
  double smallest(const MechanismUnknowns& at, Eigen::Index knot, Eigen::VectorXd& gradient) const;

  const SingularityPenaltyOptions& options() const { return options_; }
  double value(double smallest) const {
    const double missing = smallest < options_.keep_above ? options_.keep_above - smallest : 0;
    return options_.weight * missing * missing;
  }
  double slope(double smallest) const {
    return smallest < options_.keep_above ? -2 * options_.weight * (options_.keep_above - smallest) : 0;
  }
  // Of the Gauss-Newton model, which leaves out d2 sigma.
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

// Where sigma is smallest, and who is concerned: the parts of bodies in the motion that the equations hold least, and of joints
// in what holds it; each from the largest, squares adding up to 1.
struct NearestSingularity {
  int knot = 0;
  double value = 0;
  std::vector<std::pair<std::string, double>> bodies, joints;
};
NearestSingularity nearest_singularity(const MechanismLayout& layout, const MechanismUnknowns& at);

}  // namespace holo
