#include "studies/inverse_design/hessian_certificate.h"

#include <cmath>

namespace holo {

double hessian_difference(DenseProblem& problem, const Eigen::VectorXd& x) {
  constexpr double step = 1e-3;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
  problem.gradient(x, gradient);
  if (!gradient.allFinite() || !problem.hessian(x, hessian) || !hessian.allFinite()) return std::nan("");
  double largest = 0;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const auto gradient_at = [&](double steps) {
      Eigen::VectorXd moved = x;
      moved[k] += steps * step;
      problem.gradient(moved, gradient);
      return Eigen::VectorXd(gradient);
    };
    const Eigen::VectorXd column = (gradient_at(-2) - 8 * gradient_at(-1) + 8 * gradient_at(1) - gradient_at(2)) / (12 * step);
    if (!column.allFinite()) return std::nan("");
    largest = std::max(largest, (hessian.col(k) - column).cwiseAbs().maxCoeff());
  }
  problem.gradient(x, gradient);
  return largest / hessian.cwiseAbs().maxCoeff();
}

}  // namespace holo
