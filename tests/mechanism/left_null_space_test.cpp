// Rank and left null space by a sparse factor: those of a dense singular value decomposition.
#include "mechanism/constraints/left_null_space.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <random>

#include "holo/core/numerics/singular_values.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace left_null_space_of {

using Sparse = Eigen::SparseMatrix<double>;
constexpr double tolerance = 1e-8;

// The Jacobian of the passive equations at rest, each row of length 1.
Sparse passive_jacobian(const oracle::Oracle& mechanism) {
  const MechanismLayout& layout = *mechanism.layout;
  const Eigen::MatrixXd state = layout.rest_state(), controls = layout.rest_controls(), none = mechanism.nothing_prescribed(1);
  const Eigen::VectorXd parameters = layout.rest_parameters();
  std::vector<int> passive;
  for (int row = 0; row < int(layout.equations().size()); ++row)
    if (!layout.is_actuation(row)) passive.push_back(row);
  const Eigen::MatrixXd all = mechanism.equations->dense_jacobian({state, controls, parameters, none}, 0);
  Sparse rows = all(passive, Eigen::seq(0, layout.state_count() - 1)).sparseView();
  normalize_rows(rows);
  return rows;
}

void expect_as_decomposed(const Sparse& matrix, const std::string& name) {
  const LeftNullSpace found = left_null_space(matrix, tolerance);
  const SingularValueDecomposition svd = singular_value_decomposition(Eigen::MatrixXd(matrix), SingularVectors::left);
  const int rank = int((svd.values.array() > tolerance * svd.values[0]).count());
  ASSERT_EQ(found.rank, rank) << name;
  const Eigen::MatrixXd expected = svd.U.rightCols(matrix.rows() - rank);
  ASSERT_EQ(found.vectors.cols(), expected.cols()) << name;
  EXPECT_LT((found.vectors * found.vectors.transpose() - expected * expected.transpose()).norm(), 1e-10) << name;
  EXPECT_NEAR(found.smallest_counted, svd.values[rank - 1], 0.02 * svd.values[rank - 1]) << name;
  EXPECT_LT(found.largest_uncounted, 1e-12) << name;
}

TEST(LeftNullSpace, IsThatOfADecomposition) {
  expect_as_decomposed(passive_jacobian(oracle::Oracle(oracle::watt())), "watt");
  expect_as_decomposed(passive_jacobian(oracle::Oracle(oracle::sarrus())), "sarrus");
  expect_as_decomposed(passive_jacobian(oracle::Oracle(oracle::spherical_five_bar())), "spherical five-bar");
  expect_as_decomposed(passive_jacobian(oracle::Oracle(oracle::paper_robot("legs"))), "legs");
  expect_as_decomposed(passive_jacobian(oracle::Oracle(oracle::paper_robot("biker"))), "biker");
}

// Rank deficiency that no pivot shows, of a matrix by Kahan: diagonal entries stay above 1e-2, the smallest singular value is
// far below. Pivots alone do not decide.
TEST(LeftNullSpace, ASmallSingularValueThatNoPivotShowsIsSeen) {
  constexpr int size = 60;
  const double cosine = 0.4, sine = std::sqrt(1 - cosine * cosine);
  Eigen::MatrixXd kahan = Eigen::MatrixXd::Identity(size, size);
  for (int i = 0; i < size; ++i) {
    kahan.row(i).tail(size - i - 1).setConstant(-cosine);
    kahan.row(i) *= std::pow(sine, i);
  }
  const Sparse matrix = kahan.transpose().sparseView();
  const Eigen::VectorXd values = singular_values(kahan);
  ASSERT_LT(values[size - 1], tolerance * values[0]);
  EXPECT_EQ(left_null_space(matrix, tolerance).rank, int((values.array() > tolerance * values[0]).count()));
}

// Singular values on both sides of the tolerance, a hair apart.
TEST(LeftNullSpace, ARankInDoubtIsDecidedByTheSmallestSingularValues) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto orthogonal = [&](int size) {
    const Eigen::MatrixXd any = Eigen::MatrixXd::NullaryExpr(size, size, [&] { return normal(random); });
    return Eigen::MatrixXd(Eigen::HouseholderQR<Eigen::MatrixXd>(any).householderQ());
  };
  for (const double last : {0.9e-8, 1.1e-8, 0.5e-8, 3e-8}) {
    Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(12, 1, 0.1);
    values[11] = last;
    const Eigen::MatrixXd dense = orthogonal(12) * values.asDiagonal() * orthogonal(12);
    EXPECT_EQ(left_null_space(dense.sparseView(), tolerance).rank, last > tolerance ? 12 : 11) << last;
  }
}

void expect_smallest_as_decomposed(const Eigen::MatrixXd& dense, int count, const std::string& name) {
  const Eigen::MatrixXd found = smallest_left_vectors(dense.sparseView(), count);
  const Eigen::MatrixXd expected = singular_value_decomposition(dense, SingularVectors::left).U.rightCols(count);
  ASSERT_EQ(found.cols(), count) << name;
  EXPECT_LT((found * found.transpose() - expected * expected.transpose()).norm(), 1e-9) << name;
}

// Of rows that a changed design has made independent by a little, and by more.
TEST(LeftNullSpace, SmallestVectorsAreThoseOfADecomposition) {
  const Eigen::MatrixXd legs(passive_jacobian(oracle::Oracle(oracle::paper_robot("legs"))));
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const Eigen::MatrixXd change =
      (legs.array() != 0).select(Eigen::MatrixXd::NullaryExpr(legs.rows(), legs.cols(), [&] { return normal(random); }), 0);
  for (const double size : {0.0, 1e-12, 1e-9, 1e-6, 1e-4})
    expect_smallest_as_decomposed(legs + size * change, 6, "legs changed by " + std::to_string(size));
  expect_smallest_as_decomposed(Eigen::MatrixXd(passive_jacobian(oracle::Oracle(oracle::watt()))), 6, "watt");
}

TEST(LeftNullSpace, RowsAreChosenWithTheirZeros) {
  Sparse matrix(3, 2);
  matrix.insert(0, 0) = 3;
  matrix.insert(2, 0) = 0;
  matrix.insert(0, 1) = 4;
  matrix.insert(2, 1) = 0;
  matrix.insert(1, 1) = 7;
  Sparse chosen = chosen_rows(matrix, {0, 2});
  EXPECT_EQ(chosen.nonZeros(), 4);
  normalize_rows(chosen);
  EXPECT_EQ(Eigen::MatrixXd(chosen), (Eigen::MatrixXd(2, 2) << 0.6, 0.8, 0, 0).finished());
}

}  // namespace left_null_space_of
}  // namespace holo
