#include "holo/core/numerics/singular_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace holo {
namespace {

// Orthogonal, of full pattern.
Eigen::MatrixXd rotation(Eigen::Index n, double angle) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Identity(n, n);
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(n, n);
    turn(i, i) = turn(i + 1, i + 1) = std::cos(angle + double(i));
    turn(i, i + 1) = -std::sin(angle + double(i));
    turn(i + 1, i) = std::sin(angle + double(i));
    result = result * turn;
  }
  return result;
}

Eigen::MatrixXd with_values(Eigen::Index rows, Eigen::Index cols, const Eigen::VectorXd& values) {
  Eigen::MatrixXd middle = Eigen::MatrixXd::Zero(rows, cols);
  for (Eigen::Index i = 0; i < values.size(); ++i) middle(i, i) = values[i];
  return rotation(rows, 0.3) * middle * rotation(cols, 0.7).transpose();
}

TEST(SingularValues, AreThoseThatTheMatrixWasMadeOf) {
  for (const auto& [rows, cols] : {std::pair<int, int>{5, 5}, {7, 4}, {3, 8}, {40, 37}, {1, 1}}) {
    Eigen::VectorXd values(std::min(rows, cols));
    for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = 3.0 / double(1 + i);
    if (values.size() > 2) values.tail<1>()[0] = 0;
    const Eigen::MatrixXd A = with_values(rows, cols, values);
    const SingularValueDecomposition svd = singular_value_decomposition(A, SingularVectors::both);
    EXPECT_LE((svd.values - values).cwiseAbs().maxCoeff(), 1e-14 * double(rows + cols));
    EXPECT_LE((singular_values(A) - values).cwiseAbs().maxCoeff(), 1e-14 * double(rows + cols));
    ASSERT_EQ(rows, svd.U.cols());
    ASSERT_EQ(cols, svd.V.cols());
    Eigen::MatrixXd middle = Eigen::MatrixXd::Zero(rows, cols);
    middle.diagonal() = svd.values;
    EXPECT_LE((svd.U * middle * svd.V.transpose() - A).cwiseAbs().maxCoeff(), 1e-14 * double(rows + cols));
    EXPECT_LE((svd.U.transpose() * svd.U - Eigen::MatrixXd::Identity(rows, rows)).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(SingularValues, VectorsComeOnlyWhereAskedFor) {
  const Eigen::MatrixXd A = with_values(4, 6, Eigen::Vector4d(4, 3, 2, 1));
  EXPECT_EQ(0, singular_value_decomposition(A, SingularVectors::none).U.size());
  EXPECT_EQ(0, singular_value_decomposition(A, SingularVectors::left).V.size());
  const SingularValueDecomposition right = singular_value_decomposition(A, SingularVectors::right);
  EXPECT_EQ(0, right.U.size());
  EXPECT_LE((A * right.V.rightCols(2)).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(SingularValuesBadInput, ValuesThatAreNotFiniteGiveValuesThatAreNot) {
  Eigen::MatrixXd A = with_values(4, 3, Eigen::Vector3d(3, 2, 1));
  A(2, 1) = std::numeric_limits<double>::quiet_NaN();
  const SingularValueDecomposition svd = singular_value_decomposition(A, SingularVectors::both);
  EXPECT_EQ(3, svd.values.size());
  EXPECT_TRUE(svd.values.array().isNaN().all());
  EXPECT_EQ(4, svd.U.cols());
}

}  // namespace
}  // namespace holo
