#pragma once
// Saddle-point matrices of trajectories for the tests of block-tridiagonal solvers.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "block_tridiagonal/scaled_system.h"
#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"

namespace holo::test {

// [H A^T; A 0] with H = J^T J, in the order [c_0, C_0, c_1, C_1, ...] of control points and constraints.
struct TrajectorySystem {
  BlockTridiagonalShape shape;
  std::vector<signed char> signs;  // [block][row]: 1 of c, -1 of C
  Eigen::MatrixXd dense;           // with zeros in rows of padding but for a diagonal of 1
  int constraints = 0;
};

// `points` control points of n unknowns and m < n constraints each. Residuals touch points z, z+1 and z+2, constraints z-2 to
// z+1, so that H and A reach two points to either side, and two points are a block. `residuals` for each point: H is regular
// where they are n or more.
inline TrajectorySystem make_trajectory_system(int points, int n, int m, int residuals, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const int group = n + m, blocks = (points + 1) / 2, size = 2 * group;
  const auto random_matrix = [&](int rows, int columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
  };
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(points * residuals, points * n), A = Eigen::MatrixXd::Zero(points * m, points * n);
  for (int z = 0; z < points; ++z)
    for (int other = 0; other < points; ++other) {
      if (other >= z && other <= z + 2) J.block(z * residuals, other * n, residuals, n) = random_matrix(residuals, n);
      if (other >= z - 2 && other <= z + 1) A.block(z * m, other * n, m, n) = random_matrix(m, n);
    }
  const Eigen::MatrixXd H = J.transpose() * J;
  TrajectorySystem result;
  result.shape = {size, blocks, 1};
  result.constraints = points * m;
  result.dense = Eigen::MatrixXd::Identity(blocks * size, blocks * size);
  result.signs.assign(std::size_t(blocks * size), 1);
  for (int z = 0; z < points; ++z) {
    for (int k = 0; k < m; ++k) result.signs[std::size_t(z * group + n + k)] = -1;
    for (int other = 0; other < points; ++other) {
      result.dense.block(z * group, other * group, n, n) = H.block(z * n, other * n, n, n);
      result.dense.block(z * group + n, other * group, m, n) = A.block(z * m, other * n, m, n);
      result.dense.block(z * group, other * group + n, n, m) = A.block(other * m, z * n, m, n).transpose();
      result.dense.block(z * group + n, other * group + n, m, m).setZero();
    }
  }
  return result;
}

// Copies a dense symmetric matrix to a system of a batch; the test fails where it is not block tridiagonal.
inline void set_system(BlockTridiagonalMatrix& matrix, int system, const Eigen::MatrixXd& dense) {
  const Eigen::Index size = matrix.shape().block_size;
  ASSERT_EQ(std::size_t(dense.rows()), matrix.shape().system_rows());
  for (Eigen::Index column = 0; column < dense.cols(); ++column)
    for (Eigen::Index row = column; row < dense.rows(); ++row) {
      if (row / size <= column / size + 1)
        matrix.entry(system, std::size_t(row), std::size_t(column)) = dense(row, column);
      else
        ASSERT_EQ(dense(row, column), 0);
    }
}

inline BlockTridiagonalMatrix matrix_of(const BlockTridiagonalShape& shape, const Eigen::MatrixXd& dense) {
  BlockTridiagonalMatrix matrix({shape.block_size, shape.blocks, 1});
  set_system(matrix, 0, dense);
  return matrix;
}

inline Eigen::MatrixXd random_columns(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

inline constexpr BlockTridiagonalMethod block_methods[] = {BlockTridiagonalMethod::serial, BlockTridiagonalMethod::two_ended,
                                                           BlockTridiagonalMethod::cyclic_reduction,
                                                           BlockTridiagonalMethod::partitioned};
inline constexpr BlockTridiagonalMethod methods[] = {
    BlockTridiagonalMethod::serial,      BlockTridiagonalMethod::two_ended,   BlockTridiagonalMethod::cyclic_reduction,
    BlockTridiagonalMethod::partitioned, BlockTridiagonalMethod::sparse_ldlt, BlockTridiagonalMethod::sparse_lu};

inline std::span<const double> numbers(const Eigen::MatrixXd& matrix) { return {matrix.data(), std::size_t(matrix.size())}; }
inline std::span<double> numbers(Eigen::MatrixXd& matrix) { return {matrix.data(), std::size_t(matrix.size())}; }

inline std::unique_ptr<BlockTridiagonalSolver> make_solver(const TrajectorySystem& system, BlockTridiagonalMethod method,
                                                           int systems = 1) {
  BlockTridiagonalOptions options;
  options.method = method;
  return make_block_tridiagonal_solver({system.shape.block_size, system.shape.blocks, systems}, system.signs, options);
}

inline Eigen::MatrixXd solve(BlockTridiagonalSolver& solver, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd x(b.rows(), b.cols());
  EXPECT_TRUE(solver.solve(numbers(b), numbers(x), int(b.cols()))) << to_string(solver.report(0));
  return x;
}

// S K S + shift and S of the solver's equilibration.
struct Shifted {
  Eigen::VectorXd scales;
  Eigen::MatrixXd matrix;

  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const {
    return scales.asDiagonal() * matrix.fullPivLu().solve(scales.asDiagonal() * b);
  }
};
inline Shifted shifted(const TrajectorySystem& system, const QuasiDefiniteShift& shift) {
  const BlockTridiagonalMatrix matrix = matrix_of(system.shape, system.dense);
  Shifted result{Eigen::VectorXd(system.dense.rows()), {}};
  Eigen::VectorXd scratch(3 * system.dense.rows());
  equilibrate(matrix, 0, system.signs.data(), result.scales.data(), scratch.data());
  result.matrix = result.scales.asDiagonal() * system.dense * result.scales.asDiagonal();
  for (Eigen::Index i = 0; i < result.matrix.rows(); ++i)
    result.matrix(i, i) += system.signs[std::size_t(i)] > 0 ? shift.positive : -shift.negative;
  return result;
}

inline double condition_number(const Eigen::MatrixXd& symmetric) {
  const Eigen::VectorXd moduli =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues().cwiseAbs();
  return moduli.maxCoeff() / moduli.minCoeff();
}

}  // namespace holo::test
