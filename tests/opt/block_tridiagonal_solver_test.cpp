// Solvers of block-tridiagonal systems against dense LU.
#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "block_tridiagonal_cases.h"

namespace holo {
namespace block_tridiagonal_solver_tests {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Method = BlockTridiagonalMethod;
using test::condition_number;
using test::make_solver;
using test::make_trajectory_system;
using test::matrix_of;
using test::methods;
using test::shifted;
using test::Shifted;
using test::solve;
using test::TrajectorySystem;

// Control points, unknowns and constraints of each: blocks of 4 to 100 rows, 1 to 11 of them.
struct Size {
  int points, n, m;
};
constexpr Size sizes[] = {{1, 5, 2}, {3, 1, 1}, {6, 6, 3}, {8, 11, 4}, {13, 6, 2}, {22, 5, 2}, {5, 36, 14}};

TEST(BlockTridiagonalSolver, EveryMethodAgreesWithDenseLuOfTheShiftedMatrix) {
  for (const Size& size : sizes) {
    const TrajectorySystem system = make_trajectory_system(size.points, size.n, size.m, size.n + 1, 3);
    const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
    const MatrixXd b = test::random_columns(system.dense.rows(), 3, 8);
    const Shifted oracle = shifted(system, QuasiDefiniteShift());
    const double condition = condition_number(oracle.matrix);
    ASSERT_LT(condition, 1e9);
    const MatrixXd expected = oracle.solve(b);
    for (Method method : methods) {
      SCOPED_TRACE(to_string(method) + " of " + std::to_string(size.points) + " points");
      const auto solver = make_solver(system, method);
      ASSERT_TRUE(solver->factor(matrix)) << to_string(solver->report(0));
      const MatrixXd x = solve(*solver, b);
      EXPECT_LE(solver->report(0).backward_error, 1e-14);
      EXPECT_EQ(solver->report(0).factorizations, 1);
      EXPECT_EQ(solver->report(0).shift, QuasiDefiniteShift());
      // Two solutions with backward errors of the unit roundoff differ by the condition number times that.
      EXPECT_LE((x - expected).norm(), std::max(1e-10, 10 * 2.2e-16 * condition) * expected.norm()) << condition;
    }
  }
}

TEST(BlockTridiagonalSolver, TheInertiaIsTheNumbersOfUnknownsAndConstraints) {
  for (const Size& size : sizes) {
    const TrajectorySystem system = make_trajectory_system(size.points, size.n, size.m, size.n + 1, 4);
    const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
    for (Method method : methods) {
      SCOPED_TRACE(to_string(method) + " of " + std::to_string(size.points) + " points");
      const auto solver = make_solver(system, method);
      ASSERT_TRUE(solver->factor(matrix));
      const auto inertia = solver->report(0).inertia;
      EXPECT_EQ(inertia.has_value(), method != Method::sparse_lu);
      const MatrixInertia expected{system.dense.rows() - system.constraints, system.constraints, 0};
      EXPECT_TRUE(!inertia || *inertia == expected);
    }
  }
}

TEST(BlockTridiagonalSolver, EquilibrationGivesUnitDiagonalsOfHAndUnitRowsOfA) {
  TrajectorySystem system = make_trajectory_system(9, 5, 2, 6, 3);
  const VectorXd stretch = test::random_columns(system.dense.rows(), 1, 4).array().exp();
  system.dense = stretch.asDiagonal() * system.dense * stretch.asDiagonal();
  const MatrixXd scaled = shifted(system, {0, 0}).matrix;
  for (Index i = 0; i < scaled.rows(); ++i) {
    // Scales are powers of two: within a factor sqrt(2), squared on the diagonal.
    const double size = system.signs[std::size_t(i)] > 0 ? std::abs(scaled(i, i)) : scaled.row(i).cwiseAbs().maxCoeff();
    EXPECT_GE(size, 0.49) << i;
    EXPECT_LE(size, 2.01) << i;
  }
  VectorXd ones = VectorXd::Ones(scaled.rows()), scratch(3 * scaled.rows());
  const double norm = equilibrate(matrix_of(system.shape, scaled), 0, nullptr, ones.data(), scratch.data());
  const MatrixXd lower = scaled.triangularView<Eigen::Lower>();
  EXPECT_NEAR(norm, lower.cwiseAbs().rowwise().sum().maxCoeff(), 1e-12);
}

}  // namespace block_tridiagonal_solver_tests
}  // namespace holo
