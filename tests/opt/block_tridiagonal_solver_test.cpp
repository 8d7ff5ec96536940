// Solvers of block-tridiagonal systems against dense LU.
#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

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

constexpr Method methods[] = {Method::serial,      Method::two_ended,   Method::cyclic_reduction,
                              Method::partitioned, Method::sparse_ldlt, Method::sparse_lu};
constexpr Method block_methods[] = {Method::serial, Method::two_ended, Method::cyclic_reduction, Method::partitioned};

std::span<const double> numbers(const MatrixXd& matrix) { return {matrix.data(), std::size_t(matrix.size())}; }
std::span<double> numbers(MatrixXd& matrix) { return {matrix.data(), std::size_t(matrix.size())}; }

// S K S + shift and S of the solver's equilibration.
struct Shifted {
  VectorXd scales;
  MatrixXd matrix;
};
Shifted shifted(const BlockTridiagonalMatrix& matrix, const MatrixXd& dense, const std::vector<signed char>& signs,
                const QuasiDefiniteShift& shift) {
  Shifted result{VectorXd(dense.rows()), {}};
  VectorXd scratch(2 * dense.rows());
  equilibrate(matrix, 0, signs.data(), result.scales.data(), scratch.data());
  result.matrix = result.scales.asDiagonal() * dense * result.scales.asDiagonal();
  for (Index i = 0; i < dense.rows(); ++i) result.matrix(i, i) += signs[std::size_t(i)] > 0 ? shift.positive : -shift.negative;
  return result;
}

// The shapes: control points, unknowns and constraints of each. Blocks of 4 to 100 rows; 1 to 11 blocks.
struct Size {
  int points, n, m;
};
constexpr Size sizes[] = {{1, 5, 2}, {3, 1, 1}, {6, 6, 3}, {8, 11, 4}, {13, 6, 2}, {22, 5, 2}, {5, 36, 14}};

TEST(BlockTridiagonalSolver, EveryMethodAgreesWithDenseLuOfTheShiftedMatrix) {
  for (const Size& size : sizes) {
    const TrajectorySystem system = make_trajectory_system(size.points, size.n, size.m, size.n + 1, 3);
    const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
    const MatrixXd b = test::random_columns(system.dense.rows(), 3, 8);
    for (Method method : methods) {
      SCOPED_TRACE(to_string(method) + " of " + std::to_string(size.points) + " points");
      const auto solver = make_block_tridiagonal_solver(system.shape, system.signs, {.method = method});
      MatrixXd x(b.rows(), b.cols());
      ASSERT_TRUE(solver->factor(matrix)) << to_string(solver->report(0));
      ASSERT_TRUE(solver->solve(numbers(b), numbers(x), int(b.cols()))) << to_string(solver->report(0));
      EXPECT_LE(solver->report(0).backward_error, 1e-14);
      EXPECT_EQ(solver->report(0).factorizations, 1);
      EXPECT_EQ(solver->report(0).shift, QuasiDefiniteShift());
      const Shifted oracle = shifted(matrix, system.dense, system.signs, QuasiDefiniteShift());
      const Eigen::JacobiSVD<MatrixXd> svd(oracle.matrix);
      const double condition = svd.singularValues()(0) / svd.singularValues().tail(1)(0);
      const MatrixXd expected = oracle.scales.asDiagonal() * oracle.matrix.fullPivLu().solve(oracle.scales.asDiagonal() * b);
      // Two solutions with backward errors of the unit roundoff differ by the condition number times that.
      EXPECT_LE((x - expected).norm(), std::min(1e-10, 10 * 2.2e-16 * condition) * expected.norm()) << condition;
    }
  }
}

}  // namespace block_tridiagonal_solver_tests
}  // namespace holo
