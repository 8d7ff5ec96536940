// Normal and tangential steps of a trust region, against dense solutions of their subproblems.
#include "trajectory/byrd_omojokun_step.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "holo/opt/trajectory/dense_saddle_point.h"
#include "holo/opt/trajectory/trust_region_sqp.h"

namespace holo {
namespace byrd_omojokun_step_tests {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd waves(Eigen::Index n, double frequency) {
  return VectorXd::NullaryExpr(n, [&](Eigen::Index i) { return std::cos(frequency * double(i + 1)); });
}

MatrixXd wave_matrix(Eigen::Index rows, Eigen::Index columns, double frequency) {
  return MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index i, Eigen::Index j) {
    return std::sin(frequency * double(1 + i) + 1.7 * double(j) * double(i + 2)) + (i == j ? 1 : 0);
  });
}

// H of rank n - 1, A of full rank, and a metric that is not the identity; A's rows get the length 1.
struct Linearized {
  Linearized(int n, int m) : system(n, m), linearization(system, 1e-8, 1e-8) {
    const MatrixXd J = wave_matrix(n - 1, n, 0.9);
    system.hessian() = J.transpose() * J;
    system.jacobian() = wave_matrix(m, n, 2.3);
    refresh();
  }
  void refresh() {
    scales.constraints.resize(system.constraint_count());
    system.jacobian_row_norms(scales.constraints);
    scales.constraints = scales.constraints.cwiseInverse();
    scales.metric = (1.5 + waves(system.unknown_count(), 0.7).array()).matrix();
    linearization.set_scales(scales);
    EXPECT_EQ(linearization.factor(SaddlePointSelection::both), SaddlePointOutcome::factorized);
    A = scales.constraints.asDiagonal() * system.jacobian();
  }
  DenseSaddlePoint system;
  ScaledLinearization linearization;
  TrajectoryScales scales;
  MatrixXd A;
};

// min g . s + s . B s / 2 over |s| <= radius for B >= 0 in any dimension, by eigenvalues and bisection.
VectorXd dense_trust_region(const MatrixXd& B, const VectorXd& g, double radius) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(B);
  const VectorXd components = eigen.eigenvectors().transpose() * g;
  const double least = 1e-13 * eigen.eigenvalues().maxCoeff();
  const auto step = [&](double sigma) {
    VectorXd s(g.size());
    for (Eigen::Index i = 0; i < g.size(); ++i) {
      const double curvature = eigen.eigenvalues()[i] + sigma;
      s[i] = curvature > least ? -components[i] / curvature : 0;
    }
    return s;
  };
  double low = 0, high = 1;
  if (step(0).norm() <= radius) return eigen.eigenvectors() * step(0);
  while (step(high).norm() > radius) high *= 2;
  for (int i = 0; i < 200; ++i) (step((low + high) / 2).norm() > radius ? low : high) = (low + high) / 2;
  return eigen.eigenvectors() * step(high);
}

VectorXd dogleg(Linearized& problem, const VectorXd& C, double radius) {
  NormalStep path(problem.system);
  EXPECT_TRUE(path.find_path(problem.linearization, C));
  VectorXd v(problem.system.unknown_count());
  path.minimize(radius, v);
  return v;
}

// In y = W^(1/2) v: min |C + A W^(-1/2) y| over |y| <= radius.
VectorXd dense_normal_step(const Linearized& problem, const VectorXd& C, double radius) {
  const VectorXd root = problem.scales.metric.cwiseSqrt();
  const MatrixXd scaled = problem.A * root.cwiseInverse().asDiagonal();
  return dense_trust_region(scaled.transpose() * scaled, scaled.transpose() * C, radius).cwiseQuotient(root);
}

TEST(NormalStep, IsTheStepOfLeastNormWhereTheRadiusAllowsIt) {
  Linearized problem(7, 3);
  const VectorXd C = waves(3, 1.1), v = dogleg(problem, C, 1e3);
  EXPECT_LT((v - dense_normal_step(problem, C, 1e3)).norm(), 1e-6 * v.norm());  // dc over the squared singular values
  EXPECT_LT((C + problem.A * v).norm(), 1e-6);
}

// Where A W^-1 A^T is a multiple of the identity, the dogleg is straight and exact for all radii.
TEST(NormalStep, IsTheDenseMinimizerForOrthogonalConstraints) {
  Linearized problem(7, 3);
  const VectorXd root = problem.scales.metric.cwiseSqrt();
  const MatrixXd orthogonal = MatrixXd(Eigen::HouseholderQR<MatrixXd>(wave_matrix(7, 3, 0.4)).householderQ()).leftCols(3);
  problem.system.jacobian() = orthogonal.transpose() * root.asDiagonal();
  problem.scales.constraints.setOnes();
  problem.linearization.set_scales(problem.scales);
  ASSERT_EQ(problem.linearization.factor(SaddlePointSelection::both), SaddlePointOutcome::factorized);
  problem.A = problem.system.jacobian();
  const VectorXd C = waves(3, 1.1);
  for (double radius : {1e-3, 0.1, 0.5, 0.99 * C.norm()}) {
    const VectorXd v = dogleg(problem, C, radius);
    EXPECT_LT((v - dense_normal_step(problem, C, radius)).norm(), 1e-8 * radius) << radius;
    EXPECT_NEAR(problem.linearization.norm(v), radius, 1e-13 * radius);
  }
}

// Its two ends and the boundary between them; never worse than the steepest descent, and close to the dense minimizer.
TEST(NormalStep, FollowsTheDoglegToTheBoundary) {
  Linearized problem(7, 3);
  const VectorXd C = waves(3, 1.1);
  const VectorXd newton = dogleg(problem, C, 1e3);
  const VectorXd W = problem.scales.metric;
  const VectorXd gradient = (problem.A.transpose() * C).cwiseQuotient(W);
  const VectorXd cauchy = -gradient * gradient.cwiseAbs2().dot(W) / (problem.A * gradient).squaredNorm();
  const double first = problem.linearization.norm(cauchy), second = problem.linearization.norm(newton);
  ASSERT_LT(1.1 * first, second);
  EXPECT_LT((dogleg(problem, C, 0.3 * first) - 0.3 * cauchy).norm(), 1e-13);
  double previous = (C + problem.A * cauchy).norm();
  for (double part : {0.1, 0.5, 0.9}) {
    const double radius = first + part * (second - first);
    const VectorXd v = dogleg(problem, C, radius);
    EXPECT_NEAR(problem.linearization.norm(v), radius, 1e-12);
    const VectorXd along = newton - cauchy, offset = v - cauchy;  // v is between both ends
    EXPECT_NEAR(offset.dot(along) / (offset.norm() * along.norm()), 1, 1e-12);
    const double reached = (C + problem.A * v).norm();
    EXPECT_LT(reached, previous);
    EXPECT_GE(reached, (C + problem.A * dense_normal_step(problem, C, radius)).norm() * (1 - 1e-12));
    previous = reached;
  }
}

// Dependent rows, and contradictory ones: the step of least norm of the least-squares problem, up to dc.
TEST(NormalStep, SolvesContradictoryConstraintsInTheSenseOfLeastSquares) {
  Linearized problem(7, 4);
  problem.system.jacobian().row(3) = problem.system.jacobian().row(1);
  problem.refresh();
  const VectorXd C = waves(4, 1.1), v = dogleg(problem, C, 1e3);
  ASSERT_GT(std::abs(C[3] - C[1]), 0.1);
  EXPECT_LT((v - dense_normal_step(problem, C, 1e3)).norm(), 1e-6 * v.norm());
  EXPECT_LT((problem.A.transpose() * (C + problem.A * v)).norm(), 1e-6);
}

// Of a null space of two dimensions the span is all of it: the dense minimizer in a basis of the null space.
TEST(TangentialStep, IsTheDenseMinimizerInAPlane) {
  Linearized problem(5, 3);
  const VectorXd g = waves(5, 0.6), root = problem.scales.metric.cwiseSqrt();
  const MatrixXd scaled = problem.A * root.cwiseInverse().asDiagonal();
  const MatrixXd Q = Eigen::HouseholderQR<MatrixXd>(scaled.transpose()).householderQ();
  const MatrixXd Z = root.cwiseInverse().asDiagonal() * Q.rightCols(2);  // W-orthonormal
  TangentialStep step(problem.system);
  ASSERT_TRUE(step.find_span(problem.linearization, g));
  VectorXd t(5);
  for (double radius : {1e-4, 0.1, 0.6, 1e3}) {
    step.minimize(radius, t);
    const VectorXd expected = Z * dense_trust_region(Z.transpose() * problem.system.hessian() * Z, Z.transpose() * g, radius);
    EXPECT_LT((t - expected).norm(), 1e-8 * expected.norm()) << radius;
    EXPECT_LT((problem.A * t).norm(), 1e-9 * std::max(1.0, t.norm()));
  }
}

// Of a larger null space: in it to 1e-9, not worse than the steepest descent, and the minimizer where the radius allows it.
TEST(TangentialStep, StaysInTheNullSpace) {
  Linearized problem(12, 5);
  const VectorXd g = waves(12, 0.6);
  TangentialStep step(problem.system);
  ASSERT_TRUE(step.find_span(problem.linearization, g));
  const Eigen::FullPivLU<MatrixXd> lu(problem.A);
  const MatrixXd Z = lu.kernel();
  ASSERT_EQ(Z.cols(), 7);
  const MatrixXd& H = problem.system.hessian();
  const VectorXd minimizer = -Z * (Z.transpose() * H * Z).ldlt().solve(Z.transpose() * g);
  VectorXd t(12), x(12), y(5), negative = -g;
  ASSERT_TRUE(problem.linearization.project(negative, x, y));
  for (double radius : {1e-6, 1e-2, 0.3, 1.0, 1e4}) {
    step.minimize(radius, t);
    EXPECT_LT((problem.A * t).norm(), 1e-9) << radius;
    EXPECT_LE(problem.linearization.norm(t), radius * (1 + 1e-12));
    const double norm = problem.linearization.norm(x);
    const double length = std::min(radius / norm, -g.dot(x) / x.dot(H * x));
    EXPECT_LE(g.dot(t) + t.dot(H * t) / 2, (1 - 1e-9) * (length * g.dot(x) + length * length * x.dot(H * x) / 2));
  }
  EXPECT_LT((t - minimizer).norm(), 1e-5 * minimizer.norm());  // up to dw, with the worst curvature of the null space
}

TEST(TangentialStep, IsZeroWhereConstraintsDetermineAllUnknowns) {
  Linearized problem(4, 4);
  TangentialStep step(problem.system);
  ASSERT_TRUE(step.find_span(problem.linearization, waves(4, 0.6)));
  VectorXd t(4);
  step.minimize(1, t);
  EXPECT_EQ(t.norm(), 0);
}

// b + A^T lambda of least-squares multipliers in the metric W^-1.
TEST(ScaledLinearization, ProjectionsGiveLeastSquaresMultipliers) {
  Linearized problem(7, 3);
  const VectorXd b = waves(7, 0.3), inverse = problem.scales.metric.cwiseInverse(), negative = -b;
  VectorXd x(7), y(3);
  ASSERT_TRUE(problem.linearization.project(negative, x, y));
  const MatrixXd& A = problem.A;
  const VectorXd expected = -(A * inverse.asDiagonal() * A.transpose()).ldlt().solve(A * inverse.cwiseProduct(b));
  EXPECT_LT((y - expected).norm(), 1e-10 * expected.norm());
  EXPECT_LT((A * x).norm(), 1e-11);
}

// A rejected trial with the same normal step asks for no solution.
TEST(ByrdOmojokunStep, SharesTheRadiusBetweenNormalAndTangentialStep) {
  Linearized problem(9, 3);
  ByrdOmojokunStep step(problem.system, 0.8);
  const VectorXd C = waves(3, 1.1), b = waves(9, 0.3);
  ASSERT_TRUE(step.begin(problem.linearization, C));
  for (double radius : {std::numeric_limits<double>::infinity(), 5.0, 0.8, 0.1, 1e-3}) {
    ASSERT_TRUE(step.find(problem.linearization, b, radius));
    const VectorXd& p = step.step();
    EXPECT_LE(step.norm(), radius * (1 + 1e-12));
    EXPECT_NEAR(step.predicted().objective, b.dot(p) + p.dot(problem.system.hessian() * p) / 2, 1e-12);
    EXPECT_NEAR(step.predicted().constraints_linearized, (C + problem.A * p).norm(), 1e-12);
    const VectorXd v = dogleg(problem, C, 0.8 * radius);
    EXPECT_LT((problem.A * (p - v)).norm(), 1e-9);
  }
}

}  // namespace byrd_omojokun_step_tests
}  // namespace holo
