#pragma once
// Interface of terms of friction, beside that of a term of the potential: how far what touches has slid.

#include <Eigen/Core>
#include <array>
#include <map>

namespace holo {

// Sums over contacts c of the same two bodies: of the normal forces N_c [N], and of N_c |u_c| [N m] with the tangential
// displacement u_c in the step.
struct SlidingSums {
  double normal_forces = 0, moved = 0;

  void add(double normal_force, double displacement) {
    normal_forces += normal_force;
    moved += normal_force * displacement;
  }
};

class FrictionTerm {
 public:
  virtual ~FrictionTerm() = default;

  // Adds the contacts of the last PotentialTerm::update_lag, displaced to x [3 * vertex] [m] in the step, to the sums of their
  // bodies, ascending; a plane has the number -1.
  virtual void add_sliding(const Eigen::VectorXd& x, std::map<std::array<int, 2>, SlidingSums>& sums) const = 0;
};

}  // namespace holo
