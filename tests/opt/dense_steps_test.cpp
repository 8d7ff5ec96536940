// How far the minimizer of dense problems goes at a time.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/opt/dense/dense_minimizer.h"

namespace holo {
namespace {

// x^2/2, and where it was looked at.
class RecordedParabola : public DenseProblem {
 public:
  std::vector<double> trials;
  int dimension() const override { return 1; }
  double value(const Eigen::VectorXd& x) override {
    trials.push_back(x[0]);
    return x[0] * x[0] / 2;
  }
  void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& g) override { g = x; }
  bool hessian(const Eigen::VectorXd&, Eigen::MatrixXd& h) override {
    h.setOnes();
    return true;
  }
};

TEST(DenseSteps, NoneIsLongerThanAllowed) {
  for (const DenseMethod method : {DenseMethod::newton, DenseMethod::l_bfgs, DenseMethod::gradient_descent}) {
    RecordedParabola problem;
    Eigen::VectorXd x = Eigen::VectorXd::Constant(1, 10);
    DenseWorkspace workspace;
    const DenseResult result = minimize(problem, {}, x, {.method = method, .longest_step = 3}, workspace);
    EXPECT_TRUE(result.converged()) << to_string(method) << result.diagnosis;
    EXPECT_NEAR(x[0], 0, 1e-7) << to_string(method);
    for (std::size_t k = 1; k < problem.trials.size(); ++k)
      EXPECT_LE(std::abs(problem.trials[k] - problem.trials[k - 1]), 3 + 1e-15) << to_string(method);
  }
}

TEST(DenseSteps, ThoseOfNewtonAreAsLongAsAllowed) {
  RecordedParabola problem;
  Eigen::VectorXd x = Eigen::VectorXd::Constant(1, 10);
  DenseWorkspace workspace;
  minimize(problem, {}, x, {.method = DenseMethod::newton, .longest_step = 3}, workspace);
  EXPECT_EQ(problem.trials, (std::vector<double>{10, 7, 4, 1, 0}));
}

// (x^2 + y^2)^2/4 + 8 x^2 - 0.02 y^2 and where it was looked at: near the origin it curves downwards along y a little.
class RecordedSaddle : public DenseProblem {
 public:
  std::vector<Eigen::VectorXd> trials;
  int dimension() const override { return 2; }
  double value(const Eigen::VectorXd& x) override {
    trials.push_back(x);
    return x.squaredNorm() * x.squaredNorm() / 4 + 8 * x[0] * x[0] - 0.02 * x[1] * x[1];
  }
  void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& g) override {
    g = x.squaredNorm() * x + Eigen::Vector2d(16 * x[0], -0.04 * x[1]);
  }
  bool hessian(const Eigen::VectorXd& x, Eigen::MatrixXd& h) override {
    h = x.squaredNorm() * Eigen::Matrix2d::Identity() + 2 * x * x.transpose();
    h.diagonal() += Eigen::Vector2d(16, -0.04);
    return true;
  }
};

// At (0, 0.01) the Hessian is diagonal, with H_yy = 0.0003 - 0.04 < 0 and g_y = 1e-6 - 0.0004: the shift is
// -2 H_yy, and the first step along y is g_y/H_yy.
TEST(DenseSteps, CurvatureDownwardsIsTakenForAsMuchUpwards) {
  RecordedSaddle problem;
  Eigen::VectorXd x = Eigen::Vector2d(0, 0.01);
  DenseWorkspace workspace;
  const DenseResult result = minimize(problem, {}, x, {.method = DenseMethod::newton}, workspace);
  EXPECT_TRUE(result.converged()) << result.diagnosis;
  EXPECT_NEAR(result.iterations.front().shift, 2 * 0.0397, 1e-12);
  EXPECT_NEAR(problem.trials.at(1)[1], 0.01 + 0.000399 / 0.0397, 1e-12);
  EXPECT_NEAR(std::abs(x[1]), 0.2, 1e-6);  // y^2 = 0.04
}

// Unknowns that rest at a bound do not count: the free block is positive definite.
TEST(DenseSteps, CurvatureDownwardsAlongABoundNeedsNoShift) {
  RecordedSaddle problem;
  Eigen::VectorXd x = Eigen::Vector2d(0.1, 0.01);
  DenseWorkspace workspace;
  const DenseResult result = minimize(problem, {.lower = Eigen::Vector2d(-1, -1), .upper = Eigen::Vector2d(1, 0.01)}, x,
                                      {.method = DenseMethod::newton}, workspace);
  EXPECT_TRUE(result.converged()) << result.diagnosis;
  EXPECT_EQ(result.iterations.front().shift, 0);
  EXPECT_NEAR(x[1], 0.01, 0);
}

}  // namespace
}  // namespace holo
