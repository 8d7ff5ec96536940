#pragma once
// Static equilibria of a full potential among displacements u = Psi q.

#include <Eigen/Core>

#include "holo/opt/dense/dense_minimizer.h"
#include "holo/sim/dynamics/incremental_potential.h"

namespace holo {

// The minimum over q of the potential at X + Psi q, by Newton's method with Psi^T H Psi of the exact Hessian H: all elements,
// all loads. The potential is at its load (QuasiStatics::hold) and outlives this; its prescribed vertices are those where the
// basis vanishes, at their start positions.
class ReducedEquilibrium {
 public:
  // positions X [3 * vertex] [m], basis Psi [3 * vertex][column]. Throws Error(input) for sizes that do not fit the potential.
  ReducedEquilibrium(IncrementalPotential& potential, const Eigen::VectorXd& positions, const Eigen::MatrixXd& basis);

  // From amplitudes q [column]; improves them, and on failure they are the best that was found. Converged where no reduced
  // force is larger than `tolerance` times the largest at q = 0, where the loads act alone, or where the rounding of the
  // potential hides what is left.
  DenseResult find(Eigen::VectorXd& q, double tolerance = 1e-8, int max_iterations = 200);
  Eigen::VectorXd positions(const Eigen::VectorXd& q) const { return start_ + basis_ * q; }

 private:
  IncrementalPotential& potential_;
  Eigen::VectorXd start_;
  const Eigen::MatrixXd& basis_;
  DenseWorkspace workspace_;
};

}  // namespace holo
