// Restoration of constraints by the minimum-norm Newton method.
#include "holo/opt/trajectory/constraint_restoration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "complex_step_problem.h"
#include "holo/core/error.h"
#include "hopping_mass.h"

namespace holo {
namespace constraint_restoration_tests {

using test::ComplexStepProblem;
using test::HoppingMass;
using Vector = ComplexStepProblem::Vector;
using Eigen::VectorXd;

ComplexStepProblem sphere_and_plane() {
  ComplexStepProblem problem(3, 2);
  problem.residuals = [](const Vector& x) -> Vector { return x; };
  problem.constraints = [](const Vector& x) -> Vector {
    Vector C(2);
    C << (x.array() * x.array()).sum() - 4.0, 50.0 * (x[0] + x[1] - x[2] - 0.5);
    return C;
  };
  return problem;
}

// The exponents of |C_i| double from step to step.
TEST(ConstraintRestoration, ConvergesQuadratically) {
  ComplexStepProblem problem = sphere_and_plane();
  VectorXd x = Eigen::Vector3d(2, 1, 0.3);
  const RestorationResult result = restore_constraints(problem, x, {.tolerance = 1e-12});
  ASSERT_EQ(result.status, RestorationStatus::converged) << result.diagnosis;
  EXPECT_LE(result.iterations.size(), 7u);
  VectorXd C(2);
  problem.evaluate(x, C);
  EXPECT_LT(C.lpNorm<Eigen::Infinity>(), 1e-12);
  int steps = 0;
  for (std::size_t i = 0; i + 1 < result.iterations.size(); ++i) {
    const double before = result.iterations[i].constraint_largest, after = result.iterations[i + 1].constraint_largest;
    if (before > 0.3) continue;
    EXPECT_LT(after, before * before + 1e-7 * before + 1e-14);  // dc adds a linear part
    ++steps;
  }
  EXPECT_GE(steps, 2);
}

// Of linear constraints one step is the W-orthogonal projection onto them.
TEST(ConstraintRestoration, MovesToTheClosestPointOfLinearConstraints) {
  ComplexStepProblem problem(3, 1);
  problem.residuals = [](const Vector& x) -> Vector {
    return Vector(x.array() * Eigen::Array3d(1, 2, 3).cast<std::complex<double>>());
  };
  problem.constraints = [](const Vector& x) -> Vector { return Vector::Constant(1, x[0] + 2.0 * x[1] - x[2] - 3.0); };
  for (TrustRegionMetric metric : {TrustRegionMetric::identity, TrustRegionMetric::hessian_diagonal}) {
    const Eigen::Vector3d start(1, -1, 2), row(1, 2, -1);
    Eigen::Vector3d W = Eigen::Vector3d::Ones();
    if (metric == TrustRegionMetric::hessian_diagonal) W = Eigen::Vector3d(2, 8, 18).cwiseSqrt();
    const Eigen::Vector3d direction = row.cwiseQuotient(W);
    const Eigen::Vector3d expected = start - direction * (row.dot(start) - 3) / row.dot(direction);
    VectorXd x = start;
    ASSERT_EQ(restore_constraints(problem, x, {.metric = metric}).status, RestorationStatus::converged);
    EXPECT_LT((x - expected).norm(), 1e-9);
  }
}

TEST(ConstraintRestoration, RestoresATrajectoryWithContact) {
  HoppingMass problem(20);
  VectorXd x = problem.start();
  for (int i = 0; i < 20; ++i) x[i] += 0.02 * std::sin(0.9 * i);
  const RestorationResult result = restore_constraints(problem, x);
  EXPECT_EQ(result.status, RestorationStatus::converged) << result.diagnosis;
  EXPECT_LE(result.iterations.size(), 8u);
  EXPECT_LT(result.constraint_largest, 1e-10);
}

// No solution: halved steps lead to the least norm, which the diagnosis states.
TEST(ConstraintRestoration, EndsAtTheLeastNormOfContradictoryConstraints) {
  ComplexStepProblem problem(2, 2);
  problem.residuals = [](const Vector& x) -> Vector { return x; };
  problem.constraints = [](const Vector& x) -> Vector {
    Vector C(2);
    C << x[0] - x[1], x[0] - x[1] - 1.0;
    return C;
  };
  VectorXd x = Eigen::Vector2d(3, 0);
  const RestorationResult result = restore_constraints(problem, x);
  EXPECT_EQ(result.status, RestorationStatus::infeasible) << result.diagnosis;
  EXPECT_NEAR(x[0] - x[1], 0.5, 1e-6);
  EXPECT_NE(result.diagnosis.find("constraint "), std::string::npos);
}

// sqrt of a negative number beyond: the step is halved.
TEST(ConstraintRestoration, HalvesStepsThatLeaveTheDomain) {
  ComplexStepProblem problem(1, 1);
  problem.residuals = [](const Vector& x) -> Vector { return x; };
  problem.constraints = [](const Vector& x) -> Vector {
    const bool inside = x[0].real() > 0;
    return Vector::Constant(1, inside ? std::log(x[0]) : std::complex<double>(std::numeric_limits<double>::quiet_NaN()));
  };
  VectorXd x = VectorXd::Constant(1, 20);
  const RestorationResult result = restore_constraints(problem, x);
  ASSERT_EQ(result.status, RestorationStatus::converged) << result.diagnosis;
  EXPECT_NEAR(x[0], 1, 1e-10);
  EXPECT_LT(result.iterations[0].step_length, 1);
}

TEST(ConstraintRestorationBadInput, IsNamed) {
  HoppingMass problem(3);
  VectorXd x(4);
  EXPECT_THROW(restore_constraints(problem, x), Error);
  x = problem.start();
  EXPECT_THROW(restore_constraints(problem, x, {.tolerance = 0}), Error);
}

}  // namespace constraint_restoration_tests
}  // namespace holo
