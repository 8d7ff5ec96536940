#pragma once
// Solution of H p = -g for symmetric H by conjugate gradients that an earlier factorization preconditions.

#include <Eigen/Core>
#include <functional>

#include "holo/core/numerics/sparse_solver.h"

namespace holo {

struct FactorReuseOptions {
  double forcing = 0.1;         // estimated size of the error of p over the size of p, at which the iteration ends
  double smallest = 0;          // a p of at most this size is the last one of a minimization:
  double smallest_error = 0;    // it is solved up to an error of this size
  int back_substitutions = 10;  // at most
};

class FactorReuse {
 public:
  enum class Outcome {
    solved,
    truncated,           // p descends, but its error is larger than was asked for
    negative_curvature,  // d.H d <= 0 for a direction d of the iteration: H is not positive definite
    failed               // no p: too slow, or a number is not finite
  };

  // With M = L L^T, `factor`, and the lower triangle of H: first p = -M^-1 g, then conjugate gradients from there
  // ([Nocedal2006] Algorithm 5.3). Vectors that M and H map to the same, such as translations of elastic bodies without
  // contact, thus take no part in the iteration: the sum of the forces is 0 to rounding whatever the error. `size` measures
  // directions.
  //
  // The error is estimated from M^-1 r, r = -g - H p, the correction that the next step needs anyway, times the largest 1/(Ritz
  // value) so far if M is the stiffer one. The last correction is added to p.
  Outcome solve(const SparseSolver& factor, const SparseMatrix& hessian, const Eigen::VectorXd& gradient,
                const std::function<double(const Eigen::VectorXd&)>& size, const FactorReuseOptions& options,
                Eigen::VectorXd& direction);

  int back_substitutions() const { return back_substitutions_; }  // of the last solve

 private:
  double begin(const SparseSolver& factor, const SparseMatrix& hessian, const Eigen::VectorXd& gradient,
               Eigen::VectorXd& direction);
  void precondition(const SparseSolver& factor);

  Eigen::VectorXd residual_, correction_, search_, product_;  // r, M^-1 r, d, H d
  int back_substitutions_ = 0;
};

// The cost of a back-substitution over that of a factorization, from the counts of flops and nonzeros; 1 where the solver does
// not state them.
double relative_cost_of_solve(const SparseSolver& factor);

}  // namespace holo
