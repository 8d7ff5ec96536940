// Shifts, wrong signs of pivots and the fallback of block-tridiagonal solvers.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "block_tridiagonal_cases.h"
#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"

namespace holo {
namespace block_tridiagonal_shift_tests {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Method = BlockTridiagonalMethod;
using Status = BlockTridiagonalReport::Status;
using test::block_methods;
using test::condition_number;
using test::make_solver;
using test::make_trajectory_system;
using test::matrix_of;
using test::methods;
using test::numbers;
using test::shifted;
using test::Shifted;
using test::solve;
using test::TrajectorySystem;

// Two equal constraints of the second control point, so that A has not full rank.
void repeat_constraint(TrajectorySystem& system, int n, int m) {
  const Index from = n + m + n, to = from + 1;
  system.dense.row(to) = system.dense.row(from);
  system.dense.col(to) = system.dense.col(from);
}

// H with fewer residuals than unknowns is singular on the null space of A; and A without full rank.
std::vector<TrajectorySystem> singular_systems() {
  std::vector<TrajectorySystem> systems{make_trajectory_system(8, 6, 3, 2, 5), make_trajectory_system(8, 6, 3, 7, 5)};
  repeat_constraint(systems.back(), 6, 3);
  return systems;
}

TEST(BlockTridiagonalShift, SingularMatricesAreSolvedWithTheirShift) {
  for (const TrajectorySystem& system : singular_systems()) {
    const Shifted oracle = shifted(system, QuasiDefiniteShift());
    ASSERT_GT(condition_number(oracle.matrix), 1e7);
    ASSERT_GT(condition_number(oracle.scales.asDiagonal() * system.dense * oracle.scales.asDiagonal()), 1e14);
    const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
    const MatrixXd b = test::random_columns(system.dense.rows(), 2, 1);
    for (Method method : block_methods) {
      SCOPED_TRACE(to_string(method));
      const auto solver = make_solver(system, method);
      ASSERT_TRUE(solver->factor(matrix));
      const MatrixXd y = oracle.scales.cwiseInverse().asDiagonal() * solve(*solver, b);
      const MatrixXd residual = oracle.scales.asDiagonal() * b - oracle.matrix * y;
      const double norm = oracle.matrix.cwiseAbs().rowwise().sum().maxCoeff();
      for (Index column = 0; column < b.cols(); ++column)
        EXPECT_LE(residual.col(column).lpNorm<Eigen::Infinity>(), 1e-14 * norm * y.col(column).lpNorm<Eigen::Infinity>());
      EXPECT_LE(solver->report(0).backward_error, 1e-14) << to_string(solver->report(0));
      EXPECT_FALSE(solver->report(0).is_pivoted);
    }
  }
}

// An unknown whose H_ii is negative, and which no constraint fixes.
TEST(BlockTridiagonalShift, NegativeCurvatureIsReportedAndSolvedWithPivots) {
  TrajectorySystem system = make_trajectory_system(10, 6, 2, 7, 6);
  const Index unknown = 3 * 8 + 2;
  for (Index i = 0; i < system.dense.rows(); ++i)
    if (system.signs[std::size_t(i)] < 0) system.dense(i, unknown) = system.dense(unknown, i) = 0;
  system.dense(unknown, unknown) = -20;
  const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
  const MatrixXd b = test::random_columns(system.dense.rows(), 1, 2);
  const MatrixXd expected = shifted(system, QuasiDefiniteShift()).solve(b);
  for (Method method : block_methods) {
    SCOPED_TRACE(to_string(method));
    const auto solver = make_solver(system, method);
    ASSERT_TRUE(solver->factor(matrix));
    const BlockTridiagonalReport& report = solver->report(0);
    EXPECT_TRUE(report.is_pivoted) << to_string(report);
    EXPECT_EQ(report.wrong_signs, 1);
    EXPECT_EQ(report.factorizations, 4);  // with the shifts 1e-8, 1e-6, 1e-4, and with pivots
    EXPECT_EQ(report.shift, QuasiDefiniteShift());
    EXPECT_EQ(report.inertia->negative, system.constraints + 1);
    EXPECT_LE((solve(*solver, b) - expected).norm(), 1e-10 * expected.norm());
  }
}

// The same with a small negative curvature, which a larger shift outweighs.
TEST(BlockTridiagonalShift, TheShiftGrowsUntilPivotsHaveTheirSigns) {
  TrajectorySystem system = make_trajectory_system(10, 6, 2, 7, 6);
  const Index unknown = 3 * 8 + 2;
  system.dense.row(unknown).setZero();
  system.dense.col(unknown).setZero();
  // Its scale is that of the least diagonal, sqrt(1e8 / largest).
  double largest = 0;
  for (Index i = 0; i < system.dense.rows(); ++i)
    if (system.signs[std::size_t(i)] > 0) largest = std::max(largest, system.dense(i, i));
  system.dense(unknown, unknown) = -1e-7 * 1e-8 * largest;
  const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
  for (Method method : block_methods) {
    SCOPED_TRACE(to_string(method));
    const auto solver = make_solver(system, method);
    ASSERT_TRUE(solver->factor(matrix));
    const BlockTridiagonalReport& report = solver->report(0);
    EXPECT_FALSE(report.is_pivoted);
    EXPECT_EQ(report.factorizations, 2);
    EXPECT_EQ(report.wrong_signs, 0);
    EXPECT_NEAR(report.shift.positive, 1e-6, 1e-20);
    EXPECT_NEAR(report.shift.negative, 1e-6, 1e-20);
  }
}

// Every second diagonal block is zero, and all signs are said to be positive: the blocks that cyclic reduction eliminates first
// are singular although the matrix is regular.
TEST(BlockTridiagonalShift, ZeroDiagonalBlocksFallBackToPivots) {
  const int size = 6, blocks = 8;
  TrajectorySystem system;
  system.shape = {size, blocks, 1};
  system.signs.assign(std::size_t(size * blocks), 1);
  system.dense.setZero(size * blocks, size * blocks);
  for (int i = 0; i < blocks; ++i) {
    const MatrixXd random = test::random_columns(size, size, unsigned(i));
    if (i % 2 == 1) system.dense.block(i * size, i * size, size, size) = random + random.transpose();
    if (i + 1 == blocks) break;
    system.dense.block((i + 1) * size, i * size, size, size) = test::random_columns(size, size, unsigned(20 + i));
    system.dense.block(i * size, (i + 1) * size, size, size) =
        system.dense.block((i + 1) * size, i * size, size, size).transpose();
  }
  const Shifted oracle = shifted(system, QuasiDefiniteShift());
  ASSERT_LT(condition_number(oracle.matrix), 1e11);
  const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
  const MatrixXd b = test::random_columns(system.dense.rows(), 2, 3), expected = oracle.solve(b);
  const Index positive = (Eigen::SelfAdjointEigenSolver<MatrixXd>(oracle.matrix).eigenvalues().array() > 0).count();
  for (Method method : block_methods) {
    SCOPED_TRACE(to_string(method));
    const auto solver = make_solver(system, method);
    ASSERT_TRUE(solver->factor(matrix));
    const BlockTridiagonalReport& report = solver->report(0);
    EXPECT_TRUE(report.is_pivoted) << to_string(report);
    EXPECT_GT(report.wrong_signs, 0);
    EXPECT_EQ(report.inertia->positive, positive);
    EXPECT_LE((solve(*solver, b) - expected).norm(), 10 * 2.2e-16 * condition_number(oracle.matrix) * expected.norm());
    EXPECT_LE(report.backward_error, 1e-14);
  }
}

// H singular on more than the null space of A, and A without full rank: pivots of 1e-8 meet numbers of 1e8, all signs are
// right, and refinement alone tells that the factor is poor.
TrajectorySystem poor_system() {
  TrajectorySystem system = make_trajectory_system(8, 6, 3, 1, 5);
  repeat_constraint(system, 6, 3);
  return system;
}

TEST(BlockTridiagonalShift, TheShiftGrowsWhereRefinementStalls) {
  const TrajectorySystem system = poor_system();
  const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
  const MatrixXd b = test::random_columns(system.dense.rows(), 2, 1);
  for (Method method : block_methods) {
    SCOPED_TRACE(to_string(method));
    BlockTridiagonalOptions options;
    options.method = method;
    options.largest_error = 1e-14;
    const auto solver = make_block_tridiagonal_solver(system.shape, system.signs, options);
    ASSERT_TRUE(solver->factor(matrix));
    EXPECT_EQ(solver->report(0).factorizations, 1);
    solve(*solver, b);
    EXPECT_GT(solver->report(0).factorizations, 1) << to_string(solver->report(0));
    EXPECT_GT(solver->report(0).shift.positive, 1e-7);
    EXPECT_FALSE(solver->report(0).is_pivoted);
    EXPECT_LE(solver->report(0).backward_error, 1e-14);
    // A new matrix begins with the first shift.
    ASSERT_TRUE(solver->factor(matrix));
    EXPECT_EQ(solver->report(0).shift, QuasiDefiniteShift());
  }
}

TEST(BlockTridiagonalShift, RefinementThatStallsWithTheLargestShiftFallsBackToPivots) {
  const TrajectorySystem system = poor_system();
  const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
  const MatrixXd b = test::random_columns(system.dense.rows(), 2, 1);
  for (Method method : block_methods) {
    SCOPED_TRACE(to_string(method));
    BlockTridiagonalOptions options;
    options.method = method;
    options.largest_error = 1e-14;
    options.largest_shift = 1e-8;
    const auto solver = make_block_tridiagonal_solver(system.shape, system.signs, options);
    ASSERT_TRUE(solver->factor(matrix));
    EXPECT_FALSE(solver->report(0).is_pivoted);
    solve(*solver, b);
    EXPECT_TRUE(solver->report(0).is_pivoted) << to_string(solver->report(0));
    EXPECT_EQ(solver->report(0).factorizations, 2);
    EXPECT_LE(solver->report(0).backward_error, 1e-14);
  }
}

TEST(BlockTridiagonalShift, ASystemThatIsSingularWithPivotsHasNoSolutionAndALaterOneHas) {
  TrajectorySystem system = make_trajectory_system(4, 2, 1, 3, 2);
  const BlockTridiagonalMatrix regular = matrix_of(system.shape, system.dense);
  const MatrixXd ones = MatrixXd::Ones(system.dense.rows(), 1), expected = shifted(system, QuasiDefiniteShift()).solve(ones);
  system.dense.setZero();
  BlockTridiagonalOptions options;
  options.shift = {0, 0};
  options.largest_shift = 0;
  const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
  for (Method method : methods) {
    SCOPED_TRACE(to_string(method));
    options.method = method;
    const auto solver = make_block_tridiagonal_solver(system.shape, system.signs, options);
    EXPECT_FALSE(solver->factor(matrix));
    EXPECT_EQ(solver->report(0).status, Status::singular);
    MatrixXd b = ones;
    EXPECT_FALSE(solver->solve(numbers(b), numbers(b)));
    EXPECT_TRUE(b.array().isNaN().all());
    solver->set_shift(QuasiDefiniteShift());
    ASSERT_TRUE(solver->factor(regular));
    EXPECT_LE((solve(*solver, ones) - expected).norm(), 1e-10 * expected.norm());
  }
}

}  // namespace block_tridiagonal_shift_tests
}  // namespace holo
