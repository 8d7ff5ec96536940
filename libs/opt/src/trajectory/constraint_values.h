#pragma once
// E and C of an equality-constrained problem at a point, with the norms that its solvers use.

#include <Eigen/Core>
#include <cmath>

#include "holo/opt/trajectory/equality_constrained_problem.h"

namespace holo {

struct ConstraintValues {
  double objective = 0, norm = 0, largest = 0;  // E, |R C|, largest |C_i|
  int largest_constraint = -1;
  Eigen::VectorXd unscaled, scaled;  // C, R C [constraint]

  explicit ConstraintValues(int constraints) : unscaled(constraints), scaled(constraints) {}

  // False where a number is not finite; the largest constraint is then the first of these.
  bool evaluate(EqualityConstrainedProblem& problem, const Eigen::VectorXd& point) {
    objective = problem.evaluate(point, unscaled);
    largest = 0;
    largest_constraint = unscaled.size() > 0 ? 0 : -1;
    for (Eigen::Index i = 0; i < unscaled.size(); ++i) {
      if (std::abs(unscaled[i]) <= largest) continue;
      largest = std::abs(unscaled[i]);
      largest_constraint = int(i);
      if (!std::isfinite(largest)) return false;
    }
    return std::isfinite(objective);
  }
  void scale(const Eigen::VectorXd& scales) {
    scaled = unscaled.cwiseProduct(scales);
    norm = scaled.norm();
  }
};

}  // namespace holo
