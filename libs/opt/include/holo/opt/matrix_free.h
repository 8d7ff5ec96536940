#pragma once
// Minimizers of a smooth energy that need no matrix: Newton's method with conjugate gradients, and gradient descent.

#include <Eigen/Core>

#include "holo/opt/newton.h"

namespace holo {

// The gradient of a NewtonProblem, its exact Hessian H as a linear map, and a preconditioner, all at the last point of
// `linearize`.
class MatrixFreeHessian {
 public:
  virtual ~MatrixFreeHessian() = default;
  // Takes x [dimension] as the point, and gives the gradient there. `products`: whether H is asked for, too; otherwise the
  // preconditioner alone.
  virtual void linearize(const Eigen::VectorXd& x, bool products, Eigen::VectorXd& gradient) = 0;
  // The gradient at x; the point of `linearize` stays.
  virtual void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) = 0;
  // product = H direction
  virtual void multiply(const Eigen::VectorXd& direction, Eigen::VectorXd& product) = 0;
  // result = M^-1 residual for a symmetric positive definite M that resembles H.
  virtual void precondition(const Eigen::VectorXd& residual, Eigen::VectorXd& result) = 0;
};

struct NewtonPcgOptions {
  NewtonOptions newton;            // its linear_solver is not used
  double linear_tolerance = 1e-6;  // of a direction: |r|_(1/M) over that of the gradient, in (0, 1), r = -g - H p
  int max_linear_iterations = 2000;
};

// Vectors that successive minimizations share.
class MatrixFreeWorkspace {
 private:
  friend class PcgMinimizer;
  friend class DescentMinimizer;
  Eigen::VectorXd gradient_, direction_, trial_;
  Eigen::VectorXd residual_, correction_, search_, product_;  // r, M^-1 r, d, H d
};

// Line-search Newton with directions of preconditioned conjugate gradients, whose only use of the Hessian is its product with a
// vector ([Nocedal2006] Algorithm 7.1):
//
//   direction      p from H p = -g, started at 0, up to `linear_tolerance`
//   curvature      d.H d <= 0 for a direction d of the iteration ends it with the p so far, and in its first iteration with
//                  -M^-1 g, the preconditioned gradient. Every p is one of descent
//   line search    as that of `minimize`
//
// It ends with the first full step smaller than the tolerance whose direction was solved up to linear_tolerance; that step is
// still taken. Options, result and failures are those of `minimize`; `exact_hessian` is always true. A direction that used up
// max_linear_iterations is taken, but never the last one.
NewtonResult minimize_by_pcg(NewtonProblem& problem, MatrixFreeHessian& hessian, Eigen::VectorXd& x,
                             const NewtonPcgOptions& options, MatrixFreeWorkspace& workspace);

// Gradient descent with the preconditioner M, which is renewed every 32 iterations: x - t M^-1 g, where t is at first twice the
// length that the iteration before accepted, and is halved until the energy has decreased enough (Armijo). Where the decrease
// is below the rounding errors of the energy, t is half of the shortest length of the last 16 steps whose decrease was not;
// tolerances below about the square root of these errors are not reached reliably.
//
// It ends with the first step M^-1 g that is smaller than the tolerance; that says little of the distance from the minimum
// where M is far from H. Result and failures are those of `minimize`; `step_length` is t, and step_size that of M^-1 g.
NewtonResult minimize_by_descent(NewtonProblem& problem, MatrixFreeHessian& hessian, Eigen::VectorXd& x,
                                 const NewtonOptions& options, MatrixFreeWorkspace& workspace);

}  // namespace holo
