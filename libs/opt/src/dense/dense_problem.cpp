#include <cmath>
#include <limits>

#include "holo/opt/dense/dense_minimizer.h"

namespace holo {

void DenseProblem::trial_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& of_x) { gradient(x, of_x); }

bool DenseProblem::hessian(const Eigen::VectorXd&, Eigen::MatrixXd&) { return false; }
bool DenseProblem::gauss_newton_hessian(const Eigen::VectorXd&, Eigen::MatrixXd&) { return false; }
double DenseProblem::value_rounding(const Eigen::VectorXd&) { return 0; }

double LeastSquaresProblem::value(const Eigen::VectorXd& x) {
  residuals_.resize(residual_count());
  residuals(x, residuals_);
  const double value = residuals_.squaredNorm() / 2;
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

void LeastSquaresProblem::gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  residuals_.resize(residual_count());
  jacobian_.resize(residual_count(), dimension());
  residuals(x, residuals_);
  jacobian(x, jacobian_);
  gradient.noalias() = jacobian_.transpose() * residuals_;
}

// The Jacobian is that of the last gradient: the matrix is only asked for at the same point.
bool LeastSquaresProblem::gauss_newton_hessian(const Eigen::VectorXd&, Eigen::MatrixXd& hessian) {
  hessian.noalias() = jacobian_.transpose() * jacobian_;
  return true;
}

}  // namespace holo
