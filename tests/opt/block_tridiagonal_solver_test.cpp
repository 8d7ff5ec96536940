// Solvers of block-tridiagonal systems against dense LU.
#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "block_tridiagonal/scaled_system.h"
#include "block_tridiagonal_cases.h"

namespace holo {
namespace block_tridiagonal_solver_tests {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Method = BlockTridiagonalMethod;
using Status = BlockTridiagonalReport::Status;
using test::make_trajectory_system;
using test::matrix_of;
using test::TrajectorySystem;

constexpr Method block_methods[] = {Method::serial, Method::two_ended, Method::cyclic_reduction, Method::partitioned};
constexpr Method methods[] = {Method::serial,      Method::two_ended,   Method::cyclic_reduction,
                              Method::partitioned, Method::sparse_ldlt, Method::sparse_lu};

std::span<const double> numbers(const MatrixXd& matrix) { return {matrix.data(), std::size_t(matrix.size())}; }
std::span<double> numbers(MatrixXd& matrix) { return {matrix.data(), std::size_t(matrix.size())}; }

std::unique_ptr<BlockTridiagonalSolver> make_solver(const TrajectorySystem& system, Method method, int systems = 1) {
  BlockTridiagonalOptions options;
  options.method = method;
  return make_block_tridiagonal_solver({system.shape.block_size, system.shape.blocks, systems}, system.signs, options);
}

MatrixXd solve(BlockTridiagonalSolver& solver, const MatrixXd& b) {
  MatrixXd x(b.rows(), b.cols());
  EXPECT_TRUE(solver.solve(numbers(b), numbers(x), int(b.cols()))) << to_string(solver.report(0));
  return x;
}

// S K S + shift and S of the solver's equilibration.
struct Shifted {
  VectorXd scales;
  MatrixXd matrix;

  MatrixXd solve(const MatrixXd& b) const { return scales.asDiagonal() * matrix.fullPivLu().solve(scales.asDiagonal() * b); }
};
Shifted shifted(const TrajectorySystem& system, const QuasiDefiniteShift& shift) {
  const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
  Shifted result{VectorXd(system.dense.rows()), {}};
  VectorXd scratch(3 * system.dense.rows());
  equilibrate(matrix, 0, system.signs.data(), result.scales.data(), scratch.data());
  result.matrix = result.scales.asDiagonal() * system.dense * result.scales.asDiagonal();
  for (Index i = 0; i < result.matrix.rows(); ++i)
    result.matrix(i, i) += system.signs[std::size_t(i)] > 0 ? shift.positive : -shift.negative;
  return result;
}

double condition_number(const MatrixXd& symmetric) {
  const VectorXd moduli = Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues().cwiseAbs();
  return moduli.maxCoeff() / moduli.minCoeff();
}

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

TEST(BlockTridiagonalSolver, SingularMatricesAreSolvedWithTheirShift) {
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

// An unknown whose H_ii is negative, and which no constraint fixes.
TEST(BlockTridiagonalSolver, NegativeCurvatureIsReportedAndSolvedWithPivots) {
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
TEST(BlockTridiagonalSolver, TheShiftGrowsUntilPivotsHaveTheirSigns) {
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
TEST(BlockTridiagonalSolver, ZeroDiagonalBlocksFallBackToPivots) {
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

TEST(BlockTridiagonalSolver, TheShiftGrowsWhereRefinementStalls) {
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

TEST(BlockTridiagonalSolver, RefinementThatStallsWithTheLargestShiftFallsBackToPivots) {
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

TEST(BlockTridiagonalSolver, ASystemThatIsSingularWithPivotsHasNoSolution) {
  TrajectorySystem system = make_trajectory_system(4, 3, 1, 4, 2);
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
    MatrixXd b = MatrixXd::Ones(system.dense.rows(), 1);
    EXPECT_FALSE(solver->solve(numbers(b), numbers(b)));
    EXPECT_TRUE(b.array().isNaN().all());
  }
}

}  // namespace block_tridiagonal_solver_tests
}  // namespace holo
