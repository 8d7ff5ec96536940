#include <gtest/gtest.h>

#include <cmath>

#include "holo/opt/staged/staged_sqp.h"
#include "small_problem.h"

namespace holo {
namespace second_order_correction {

using test::SmallProblem;

// min 2 (u^2 + s^2 - 1) - u on the unit circle: full steps along the circle raise any merit function, however near they bring
// it.
SmallProblem circle() {
  SmallProblem problem(4, 0.5, 0, 1, 1);
  problem.objective = [](int, const Eigen::VectorXd& x) {
    return 2 * (x[0] * x[0] + x[2] * x[2] - 1) - x[0] + 0.5e-6 * x[1] * x[1];
  };
  problem.gradient = [](int, const Eigen::VectorXd& x) { return Eigen::Vector3d(4 * x[0] - 1, 1e-6 * x[1], 4 * x[2]); };
  problem.hessian = [](int, const Eigen::VectorXd&) { return Eigen::MatrixXd(Eigen::Vector3d(4, 1e-6, 4).asDiagonal()); };
  problem.constraint = [](const Eigen::VectorXd& x) { return Eigen::VectorXd::Constant(1, x[0] * x[0] + x[2] * x[2] - 1); };
  problem.jacobian = [](const Eigen::VectorXd& x) { return Eigen::MatrixXd(Eigen::RowVector3d(2 * x[0], 0, 2 * x[2])); };
  problem.constraint_hessian = [](const Eigen::VectorXd&, int) {
    return Eigen::MatrixXd(Eigen::Vector3d(2, 0, 2).asDiagonal());
  };
  return problem;
}

TEST(StagedSqp, ACorrectionOfSecondOrderLetsAFullStepPass) {
  const auto iterations = [](bool corrects) {
    SmallProblem problem = circle();
    StagedPoint point = problem.start(0, 0.8, 0.65);  // off the circle
    StagedSqpOptions options;
    options.retract = false;
    options.second_order_correction = corrects;
    const StagedSqpResult result = StagedSqp(problem, options).solve(point);
    EXPECT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
    return result.iterations;
  };
  const auto with = iterations(true), without = iterations(false);
  int corrections = 0;
  for (std::size_t i = 0; i + 1 < with.size(); ++i) {
    if (!with[i].second_order_correction) continue;
    ++corrections;
    EXPECT_EQ(with[i].step_length, 1);
    EXPECT_LT(with[i + 1].constraint_largest, 0.3 * std::pow(with[i].step_largest, 3));  // the square is gone
  }
  EXPECT_GE(corrections, 1);
  EXPECT_LT(with.size(), without.size());
}

}  // namespace second_order_correction
}  // namespace holo
