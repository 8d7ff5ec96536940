#pragma once
// Time steps of a body whose displacements are u = Psi q: implicit Euler in the amplitudes q alone.

#include <Eigen/Core>
#include <memory>

#include "holo/opt/dense/dense_minimizer.h"
#include "holo/sim/reduction/reduced_elasticity.h"

namespace holo {

struct ReducedState {
  Eigen::VectorXd amplitudes, velocities;  // q and dq/dt [column]
};

struct ReducedDynamicsOptions {
  double time_step = 0.01;   // h [s], > 0
  double mass_damping = 0;   // alpha of the damping forces -alpha M dq/dt [1/s], >= 0
  double tolerance = 1e-10;  // of a step's residual, relative to the forces that act at its start, > 0
  int max_iterations = 50;
};

// A step from (q_n, v_n) minimizes
//
//   1/(2 h^2) |q - q_n - h v_n|_m^2 + alpha/(2 h) |q - q_n|_m^2 + E(q) - f.q,    m = Psi^T M Psi, f = Psi^T (forces)
//
// by Newton's method on the exact Hessian, and v = (q - q_n)/h: what the full body's step minimizes, among displacements Psi q.
class ReducedDynamics {
 public:
  // masses: Psi^T M Psi [column][column], of a basis that is orthonormal in M the identity. Throws Error(input) for masses of
  // another size, or that are not symmetric and positive definite, and options out of range.
  ReducedDynamics(std::shared_ptr<const ReducedElasticity> elasticity, const Eigen::MatrixXd& masses,
                  const ReducedDynamicsOptions& options);

  const ReducedDynamicsOptions& options() const { return options_; }
  // Advances the state under the reduced forces f [column] at the step's end. A minimum as far as the rounding of the
  // potential can tell has converged (`value_resolved`). Where the result has not, the state stays as it was. Throws
  // Error(internal) for sizes that do not fit.
  DenseResult step(ReducedState& state, const Eigen::VectorXd& forces);

 private:
  std::shared_ptr<const ReducedElasticity> elasticity_;
  Eigen::MatrixXd masses_;
  ReducedDynamicsOptions options_;
  DenseWorkspace workspace_;
};

}  // namespace holo
