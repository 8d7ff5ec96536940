// Block-tridiagonal matrices against dense ones.
#include "holo/opt/block_tridiagonal/block_tridiagonal_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "block_tridiagonal_cases.h"
#include "holo/core/error.h"

namespace holo {
namespace block_tridiagonal_matrix_tests {

using Eigen::Index;
using Eigen::MatrixXd;
using test::TrajectorySystem;

MatrixXd product(const BlockTridiagonalMatrix& matrix, const MatrixXd& x) {
  MatrixXd y(x.rows(), x.cols());
  multiply(matrix, {x.data(), std::size_t(x.size())}, {y.data(), std::size_t(y.size())}, int(x.cols()));
  return y;
}

TEST(BlockTridiagonalMatrix, ProductsAndNormsOfABatchAreThoseOfDenseMatrices) {
  const TrajectorySystem one = test::make_trajectory_system(9, 5, 2, 6, 1), two = test::make_trajectory_system(9, 5, 2, 6, 2);
  BlockTridiagonalMatrix matrix({one.shape.block_size, one.shape.blocks, 2});
  test::set_system(matrix, 0, one.dense);
  test::set_system(matrix, 1, two.dense);
  const Index rows = one.dense.rows();
  const MatrixXd x = test::random_columns(2 * rows, 3, 7), y = product(matrix, x);
  MatrixXd expected(2 * rows, 3);
  expected << one.dense * x.topRows(rows), two.dense * x.bottomRows(rows);
  EXPECT_LE((y - expected).norm(), 1e-14 * expected.norm());
  EXPECT_NEAR(infinity_norm(matrix, 0), one.dense.cwiseAbs().rowwise().sum().maxCoeff(), 1e-12);
  EXPECT_NEAR(infinity_norm(matrix, 1), two.dense.cwiseAbs().rowwise().sum().maxCoeff(), 1e-12);
  matrix.entry(1, 30, 20) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(infinity_norm(matrix, 1)));
  EXPECT_FALSE(std::isnan(infinity_norm(matrix, 0)));
}

// An optimizer needs H p and A p, and no other copy of H and A.
TEST(BlockTridiagonalMatrix, TheProductWithAStepIsThatOfHAndOfA) {
  const TrajectorySystem system = test::make_trajectory_system(8, 5, 2, 6, 3);
  const BlockTridiagonalMatrix matrix = test::matrix_of(system.shape, system.dense);
  MatrixXd p = test::random_columns(system.dense.rows(), 1, 4);
  for (Index i = 0; i < p.rows(); ++i)
    if (system.signs[std::size_t(i)] < 0) p(i) = 0;
  const MatrixXd y = product(matrix, p);
  for (Index i = 0; i < p.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < p.rows(); ++j)
      if (system.signs[std::size_t(j)] > 0) sum += system.dense(i, j) * p(j);
    EXPECT_NEAR(y(i), sum, 1e-13 * system.dense.row(i).norm() * p.norm());
  }
}

TEST(BlockTridiagonalMatrix, UpperTrianglesAndPaddingAreNotRead) {
  const TrajectorySystem system = test::make_trajectory_system(6, 4, 1, 5, 3);
  BlockTridiagonalMatrix matrix = test::matrix_of(system.shape, system.dense);
  const MatrixXd x = test::random_columns(system.dense.rows(), 1, 4), y = product(matrix, x);
  const double norm = infinity_norm(matrix, 0), nan = std::numeric_limits<double>::quiet_NaN();
  const int size = system.shape.block_size, ld = system.shape.leading_dimension();
  ASSERT_LT(size, ld);
  for (int block = 0; block < system.shape.blocks; ++block)
    for (int column = 0; column < size; ++column)
      for (int row = 0; row < ld; ++row) {
        if (row < column || row >= size) matrix.diagonal_block(0, block)[column * ld + row] = nan;
        if (row >= size && block + 1 < system.shape.blocks) matrix.subdiagonal_block(0, block)[column * ld + row] = nan;
      }
  EXPECT_EQ(product(matrix, x), y);
  EXPECT_EQ(infinity_norm(matrix, 0), norm);
}

TEST(BlockTridiagonalMatrix, BadInputIsRefused) {
  EXPECT_THROW(BlockTridiagonalMatrix({0, 3, 1}), Error);
  EXPECT_THROW(BlockTridiagonalMatrix({3, 0, 1}), Error);
  EXPECT_THROW(BlockTridiagonalMatrix({3, 3, 0}), Error);
  EXPECT_THROW(BlockTridiagonalMatrix({5000, 3, 1}), Error);
  EXPECT_THROW(BlockTridiagonalMatrix({4000, 30'000, 1}), Error);
  BlockTridiagonalMatrix matrix({3, 3, 1});
  EXPECT_NO_THROW(matrix.entry(0, 5, 0));
  EXPECT_THROW(matrix.entry(0, 6, 0), Error);  // two blocks below
  EXPECT_THROW(matrix.entry(0, 0, 1), Error);  // above the diagonal
  EXPECT_THROW(matrix.entry(0, 9, 8), Error);
  EXPECT_THROW(matrix.entry(1, 0, 0), Error);
  std::vector<double> x(9), y(9), other(8);
  EXPECT_NO_THROW(multiply(matrix, x, y));
  EXPECT_THROW(multiply(matrix, x, other), Error);
  EXPECT_THROW(multiply(matrix, x, y, 2), Error);
}

}  // namespace block_tridiagonal_matrix_tests
}  // namespace holo
