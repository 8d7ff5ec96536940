// Newton's method of dense problems: steps within a trust region, several with one Hessian.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "holo/opt/dense/dense_minimizer.h"

namespace holo {
namespace secant_newton_tests {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A function by closures, and where its derivatives were asked for.
class Recorded : public DenseProblem {
 public:
  std::function<double(const VectorXd&)> f;
  std::function<VectorXd(const VectorXd&)> slope;
  std::function<MatrixXd(const VectorXd&)> curvature;
  std::vector<VectorXd> trials, accepted;
  int hessians = 0;

  explicit Recorded(int n) : n_(n) {}
  int dimension() const override { return n_; }
  double value(const VectorXd& x) override {
    trials.push_back(x);
    return f(x);
  }
  void gradient(const VectorXd& x, VectorXd& g) override {
    accepted.push_back(x);
    g = slope(x);
  }
  void trial_gradient(const VectorXd& x, VectorXd& g) override {
    EXPECT_EQ(x, trials.back());
    g = slope(x);
  }
  bool hessian(const VectorXd& x, MatrixXd& h) override {
    EXPECT_EQ(x, accepted.back());
    ++hessians;
    h = curvature(x);
    return true;
  }

 private:
  int n_;
};

// x^2/2 + 3 |y - x| smoothed in a strip of the width `width` about its kink, + y^2/200: a narrow valley with steep sides.
Recorded smoothed_kink(double width) {
  Recorded problem(2);
  const auto root = [=](const VectorXd& x) { return std::sqrt((x[1] - x[0]) * (x[1] - x[0]) + width * width); };
  problem.f = [=](const VectorXd& x) { return x[0] * x[0] / 2 + 3 * root(x) + (x[1] - 2) * (x[1] - 2) / 200; };
  problem.slope = [=](const VectorXd& x) {
    const double side = 3 * (x[1] - x[0]) / root(x);
    return VectorXd(Eigen::Vector2d(x[0] - side, side + (x[1] - 2) / 100));
  };
  problem.curvature = [=](const VectorXd& x) {
    const double r = root(x), sharp = 3 * width * width / (r * r * r);
    MatrixXd h(2, 2);
    h << 1 + sharp, -sharp, -sharp, 0.01 + sharp;
    return h;
  };
  return problem;
}

// On either side of the kink the exact Hessian knows nothing of it, and its steps jump to and fro. A trial's gradient tells.
TEST(SecantNewton, FindsTheFloorOfAValleyThatItsHessianDoesNotShow) {
  for (const double width : {1e-2, 1e-4, 1e-6}) {
    Recorded problem = smoothed_kink(width);
    VectorXd x = Eigen::Vector2d(-1, 3);
    DenseWorkspace workspace;
    const DenseResult result = minimize(problem, {}, x, {.tolerance = 1e-9}, workspace);
    EXPECT_TRUE(result.converged()) << width << " " << result.diagnosis;
    EXPECT_NEAR(x[0], 0.02 / 1.01, 1e-6) << width;
    EXPECT_LE(problem.hessians, 9) << width;  // 12 without what trials tell, 28 with one step for each
  }
}

TEST(SecantNewton, TakesUpToThreeStepsWithOneHessian) {
  Recorded problem(3);
  problem.f = [](const VectorXd& x) { return x.array().pow(4).sum() + 0.1 * x.squaredNorm() + x[0] * x[1]; };
  problem.slope = [](const VectorXd& x) {
    return VectorXd(4 * x.array().pow(3).matrix() + 0.2 * x + Eigen::Vector3d(x[1], x[0], 0));
  };
  problem.curvature = [](const VectorXd& x) {
    MatrixXd h = (12 * x.array().square() + 0.2).matrix().asDiagonal();
    h(0, 1) = h(1, 0) = 1;
    return h;
  };
  VectorXd x = Eigen::Vector3d(3, -2, 1);
  DenseWorkspace workspace;
  const DenseResult result = minimize(problem, {}, x, {.tolerance = 1e-10}, workspace);
  EXPECT_TRUE(result.converged());
  int steps = 0, most = 0;
  for (const DenseIteration& iteration : result.iterations) {
    steps += iteration.steps;
    most = std::max(most, iteration.steps);
    EXPECT_LE(iteration.steps, iteration.evaluations);
  }
  EXPECT_EQ(most, 3);
  EXPECT_GT(steps, problem.hessians + 2);
  EXPECT_LE(problem.hessians, 6);  // with one step for each it takes 9
}

// A problem may start its own iterations from the last point of `gradient`: it is one with a smaller value than all before.
TEST(SecantNewton, AsksForGradientsOfAcceptedPointsOnly) {
  Recorded problem = smoothed_kink(1e-3);
  VectorXd x = Eigen::Vector2d(-1, 3);
  DenseWorkspace workspace;
  minimize(problem, {}, x, {.tolerance = 1e-9, .trust_radius = 0.5}, workspace);
  ASSERT_GT(problem.accepted.size(), 3u);
  EXPECT_GT(problem.trials.size(), problem.accepted.size());
  for (std::size_t i = 1; i < problem.accepted.size(); ++i)
    EXPECT_LE(problem.f(problem.accepted[i]), problem.f(problem.accepted[i - 1]) + 1e-14);
  EXPECT_NEAR((problem.trials[1] - problem.trials[0]).norm(), 0.5, 1e-5);  // the first step ends at the trust region's border
}

// x^T A x / 2 + b . x with indefinite A has its minima within bounds at points where the gradient presses against the bounds
// that hold, and where the block of the other unknowns is positive semidefinite.
TEST(SecantNewton, MinimaOfIndefiniteQuadraticsWithinBoundsSatisfyTheirConditions) {
  const int n = 20;
  for (int seed = 0; seed < 10; ++seed) {
    const MatrixXd root = MatrixXd::NullaryExpr(
        n, n, [&](Eigen::Index i, Eigen::Index j) { return std::sin(double(3 * i + 7 * j + 11 * seed) + double(i * j)); });
    const MatrixXd a = root + root.transpose() + 2 * MatrixXd::Identity(n, n);
    const VectorXd b = VectorXd::NullaryExpr(n, [&](Eigen::Index i) { return std::cos(double(5 * i + seed)); });
    Recorded problem(n);
    problem.f = [&](const VectorXd& x) { return x.dot(a * x) / 2 + b.dot(x); };
    problem.slope = [&](const VectorXd& x) { return VectorXd(a * x + b); };
    problem.curvature = [&](const VectorXd&) { return a; };
    VectorXd x = VectorXd::Zero(n);
    DenseWorkspace workspace;
    const DenseResult result = minimize(problem, {VectorXd::Constant(n, -1), VectorXd::Constant(n, 1)}, x,
                                        {.tolerance = 1e-9, .max_iterations = 60}, workspace);
    ASSERT_TRUE(result.converged()) << seed << " " << result.diagnosis;
    const VectorXd gradient = problem.slope(x);
    std::vector<int> inside;
    for (int i = 0; i < n; ++i) {
      if (std::abs(x[i]) < 1) inside.push_back(i);
      EXPECT_LE(std::abs(x[i]) < 1 ? std::abs(gradient[i]) : gradient[i] * x[i], 1e-8) << seed << " " << i;
    }
    const MatrixXd block = a(inside, inside);
    if (!inside.empty()) {
      EXPECT_GE(block.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), -1e-9) << seed;
    }
  }
}

// Beyond a wall the function has no value, and behind another no derivatives: trials there are refused, and the next ones
// shorter.
TEST(SecantNewton, RefusesPointsWithoutAValueOrAGradient) {
  for (const bool has_value : {false, true}) {
    Recorded problem(1);
    problem.f = [=](const VectorXd& x) { return x[0] < 2 || has_value ? std::exp(-x[0]) + 0.1 * x[0] : HUGE_VAL; };
    problem.slope = [](const VectorXd& x) { return VectorXd::Constant(1, x[0] < 2.5 ? 0.1 - std::exp(-x[0]) : std::nan("")); };
    problem.curvature = [](const VectorXd& x) { return MatrixXd::Constant(1, 1, std::exp(-x[0])); };
    VectorXd x = VectorXd::Constant(1, -3), y = VectorXd::Constant(1, 1);
    DenseWorkspace workspace;
    const DenseBounds bounds{VectorXd::Constant(1, -5), VectorXd::Constant(1, has_value ? 2.4 : 1.9)};
    const DenseResult result = minimize(problem, bounds, x, {}, workspace);
    EXPECT_TRUE(result.converged()) << result.diagnosis;
    EXPECT_NEAR(x[0], has_value ? std::log(10.0) : 1.9, 1e-7);
    const DenseResult other = minimize(problem, {}, y, {.max_iterations = 40}, workspace);
    EXPECT_EQ(other.converged(), has_value) << to_string(other.status);  // without bounds the infimum is at the wall
    EXPECT_NEAR(y[0], has_value ? std::log(10.0) : 2, 1e-2);
  }
}

// The unknown rests as near the bound, and the way to the bound overshoots the minimum: no shorter step of the others would
// help.
TEST(SecantNewton, FindsAMinimumBesideABoundThatTheGradientPressesAgainst) {
  Recorded problem(2);
  const double at = 6e-4;
  problem.f = [=](const VectorXd& x) { return 25 * (x[0] - at) * (x[0] - at) + 0.5 * (x[1] - 1) * (x[1] - 1) + 1; };
  problem.slope = [=](const VectorXd& x) { return VectorXd(Eigen::Vector2d(50 * (x[0] - at), x[1] - 1)); };
  problem.curvature = [](const VectorXd&) { return MatrixXd(Eigen::Vector2d(50, 1).asDiagonal()); };
  VectorXd x = Eigen::Vector2d(7e-4, 1.002);
  DenseWorkspace workspace;
  const DenseResult result = minimize(problem, {Eigen::Vector2d(0, -10), Eigen::Vector2d(10, 10)}, x, {}, workspace);
  EXPECT_TRUE(result.converged()) << result.diagnosis;
  EXPECT_LE((x - Eigen::Vector2d(at, 1)).lpNorm<Eigen::Infinity>(), 1e-8) << x.transpose();
}

// r = atan(x): from 3 the step of J^T J ends far beyond 0. After it was refused, the next trial is at the border of a region
// half as large, where a matrix that knows the first trial would have another minimum.
TEST(SecantNewton, LeavesTheMatrixOfGaussNewtonAsItIs) {
  class ArcTangent : public LeastSquaresProblem {
   public:
    std::vector<double> trials;
    int dimension() const override { return 1; }
    int residual_count() const override { return 1; }
    void residuals(const VectorXd& x, VectorXd& r) override {
      if (trials.empty() || trials.back() != x[0]) trials.push_back(x[0]);
      r = VectorXd::Constant(1, std::atan(x[0]));
    }
    void jacobian(const VectorXd& x, MatrixXd& jacobian) override {
      jacobian = MatrixXd::Constant(1, 1, 1 / (1 + x[0] * x[0]));
    }
  } problem;
  VectorXd x = VectorXd::Constant(1, 3);
  DenseWorkspace workspace;
  const DenseResult result = minimize(problem, {}, x, {.method = DenseMethod::gauss_newton}, workspace);
  EXPECT_TRUE(result.converged()) << result.diagnosis;
  EXPECT_NEAR(x[0], 0, 1e-8);
  const double first = -10 * std::atan(3);
  EXPECT_NEAR(problem.trials.at(1), 3 + first, 1e-10);
  EXPECT_NEAR(problem.trials.at(2), 3 + first / 2, 1e-5);
  for (const DenseIteration& iteration : result.iterations) EXPECT_LE(iteration.steps, 1);
}

// The first trial, at -0.729, has a smaller value but no slope: it is refused, since no iteration could begin there.
TEST(SecantNewton, APointWithoutAGradientIsNotAccepted) {
  Recorded problem(1);
  const auto has_slope = [](double x) { return x < -0.8 || x > -0.2; };
  problem.f = [](const VectorXd& x) { return std::sqrt(1 + x[0] * x[0]); };
  problem.slope = [&](const VectorXd& x) {
    return VectorXd::Constant(1, has_slope(x[0]) ? x[0] / problem.f(x) : std::nan(""));
  };
  problem.curvature = [&](const VectorXd& x) { return MatrixXd::Constant(1, 1, std::pow(problem.f(x), -3)); };
  VectorXd x = VectorXd::Constant(1, 0.9);
  DenseWorkspace workspace;
  const DenseResult result = minimize(problem, {}, x, {}, workspace);
  EXPECT_TRUE(result.converged()) << result.diagnosis;
  EXPECT_NEAR(problem.trials.at(1)[0], -0.729, 1e-12);
  EXPECT_NEAR(x[0], 0, 1e-7);
}

}  // namespace secant_newton_tests
}  // namespace holo
