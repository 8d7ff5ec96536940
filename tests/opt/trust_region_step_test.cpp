// The step of a quadratic model within a trust region and bounds, against the conditions of its minimum.
#include "dense/trust_region_step.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numeric>

namespace holo {
namespace trust_region_step_tests {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

// A symmetric matrix with given eigenvalues: a product of reflections turns them.
struct TurnedDiagonal {
  explicit TurnedDiagonal(const VectorXd& eigenvalues) {
    const auto n = eigenvalues.size();
    MatrixXd turn = MatrixXd::Identity(n, n);
    for (int k = 0; k < 3; ++k) {
      const VectorXd v = VectorXd::NullaryExpr(n, [&](Eigen::Index i) { return std::sin(1.0 + 3.0 * double(i) + k); });
      turn = (turn - turn * v * v.transpose() * (2 / v.squaredNorm())).eval();
    }
    matrix = turn * eigenvalues.asDiagonal() * turn.transpose();
    modulus = turn * eigenvalues.cwiseAbs().asDiagonal() * turn.transpose();
  }
  MatrixXd matrix, modulus;
};

struct Outcome {
  VectorXd step;
  double shift;
};

Outcome step_of(const MatrixXd& hessian, const VectorXd& gradient, double radius, const DenseBox& box, const VectorXd& x) {
  TrustRegionStep problem;
  problem.resize(int(x.size()));
  std::vector<int> free;
  box.find_free(x, gradient, free);
  VectorXd step(x.size());
  EXPECT_TRUE(problem.find(hessian, gradient, box, x, free, radius, step));
  return {step, problem.shift()};
}

DenseBox no_box(Eigen::Index n) { return {VectorXd::Constant(n, -infinity), VectorXd::Constant(n, infinity)}; }

VectorXd waves(Eigen::Index n, double frequency) {
  return VectorXd::NullaryExpr(n, [&](Eigen::Index i) { return std::cos(frequency * double(i + 1)); });
}

// (|H| + sigma I) s = -g with sigma >= 0, which is 0 in the interior of the ball [Nocedal2006, theorem 4.1].
TEST(TrustRegionStep, SatisfiesTheConditionsOfTheMinimumInTheBall) {
  VectorXd eigenvalues(6);
  eigenvalues << -7, -0.02, 0.003, 0.4, 5, 900;
  const TurnedDiagonal hessian(eigenvalues);
  const VectorXd gradient = waves(6, 2), x = VectorXd::Zero(6);
  int at_the_border = 0;
  for (const double radius : {1e-3, 0.1, 2.0, 30.0, 1e4}) {
    const VectorXd s = step_of(hessian.matrix, gradient, radius, no_box(6), x).step;
    EXPECT_LE(s.norm(), radius * (1 + 1e-5));
    const double sigma = -s.dot(gradient + hessian.modulus * s) / s.squaredNorm();
    EXPECT_LT((hessian.modulus * s + sigma * s + gradient).norm(), 1e-9 * gradient.norm()) << radius;
    if (s.norm() > radius * (1 - 1e-5)) {
      ++at_the_border;
      EXPECT_GT(sigma, 0) << radius;
    } else {
      EXPECT_NEAR(sigma, 0, 1e-9) << radius;
    }
  }
  EXPECT_EQ(at_the_border, 4);
}

TEST(TrustRegionStep, IsThatOfNewtonWhereTheModelIsConvexAndTheRegionWide) {
  const TurnedDiagonal hessian(VectorXd::LinSpaced(5, 0.1, 3));
  const VectorXd gradient = waves(5, 1);
  const Outcome found = step_of(hessian.matrix, gradient, infinity, no_box(5), VectorXd::Zero(5));
  EXPECT_LT((hessian.matrix * found.step + gradient).norm(), 1e-13);
  EXPECT_NEAR(found.shift, 0, 1e-14);
}

// A single eigenvalue of large size, positive or negative, changes only the step along its own eigenvector.
TEST(TrustRegionStep, DoesNotBecomeShorterAlongOtherEigenvectors) {
  const MatrixXd hessian = Eigen::Vector3d(-1e4, 0.5, -0.5).asDiagonal();
  const Outcome found = step_of(hessian, Eigen::Vector3d(1, 1, 1), infinity, no_box(3), VectorXd::Zero(3));
  EXPECT_LT((found.step - Eigen::Vector3d(-1e-4, -2, -2)).norm(), 1e-12);
  EXPECT_NEAR(found.shift, 2e4, 1e-8);
}

// Unknowns that stop at a bound are in it; those that move are at the minimum for that.
TEST(TrustRegionStep, StopsAtBoundsAndMinimizesInTheOtherUnknowns) {
  const auto n = Eigen::Index(12);
  const TurnedDiagonal hessian(VectorXd::LinSpaced(n, 0.05, 4));
  const VectorXd gradient = 2 * waves(n, 5), x = 0.3 * waves(n, 3);
  const DenseBox box{VectorXd::Constant(n, -1), VectorXd::Constant(n, 1)};
  const VectorXd s = step_of(hessian.matrix, gradient, infinity, box, x).step, slope = gradient + hessian.matrix * s;
  int stopped = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    EXPECT_LE(std::abs(x[i] + s[i]), 1 + 1e-15);
    const bool stops = std::abs(x[i] + s[i]) > 1 - 1e-12;
    stopped += stops;
    if (!stops) {
      EXPECT_NEAR(slope[i], 0, 1e-12) << i;
    }
  }
  EXPECT_GT(stopped, 2);
  EXPECT_LT(stopped, 10);
}

TEST(TrustRegionStep, OfAModelWithoutCurvatureGoesDownTheGradientToTheBorder) {
  const VectorXd gradient = waves(4, 1);
  const VectorXd s = step_of(MatrixXd::Zero(4, 4), gradient, 0.5, no_box(4), VectorXd::Zero(4)).step;
  EXPECT_LT((s + 0.5 * gradient.normalized()).norm(), 1e-5);
}

}  // namespace trust_region_step_tests
}  // namespace holo
