// Determinants of matrices that have no inverse, or hardly one, against mixed differences in 120 digits.
#include <Eigen/QR>

#include "holo/diff/tensor/linear_solve.h"
#include "reference_algebra.h"

namespace holo {
namespace {

using Eigen::MatrixXd;
using reference::Dense;
using reference::mixed_differences;
using reference::Number;
using reference::random_series;

// By Leibniz' formula, which divides by nothing.
Dense determinant_of(const Dense& a) {
  std::vector<int> columns(std::size_t(a.rows));
  for (int i = 0; i < a.rows; ++i) columns[std::size_t(i)] = i;
  Dense sum(1, 1);
  do {
    Number product = 1;
    for (int i = 0; i < a.rows; ++i) {
      product *= a(i, columns[std::size_t(i)]);
      for (int j = 0; j < i; ++j)
        if (columns[std::size_t(j)] > columns[std::size_t(i)]) product = -product;
    }
    sum(0, 0) += product;
  } while (std::next_permutation(columns.begin(), columns.end()));
  return sum;
}

MatrixXd with_singular_values(const std::vector<double>& values) {
  const auto n = Eigen::Index(values.size());
  const auto rotation = [&](unsigned seed) -> MatrixXd {
    const MatrixXd X = random_series(DerivativeSet::subsets(1), int(n), int(n), seed)[0];
    return X.householderQr().householderQ();
  };
  return rotation(31) * Eigen::Map<const Eigen::VectorXd>(values.data(), n).asDiagonal() * rotation(32);
}

class SingularDeterminant : public ::testing::TestWithParam<int> {
 protected:
  DerivativeSet set = DerivativeSet::subsets(GetParam());

  // Coefficients of a determinant of entries of order 1; the largest found.
  double check(const MatrixXd& value) {
    MatrixSeries A = random_series(set, int(value.rows()), int(value.rows()), 5);
    A.set_coefficient(0, value);
    const auto expected = mixed_differences(set, {&A}, [](const auto& x) { return determinant_of(x[0]); });
    const ScalarSeries found = determinant(A);
    for (int index = 0; index < set.size(); ++index)
      EXPECT_NEAR(expected[index](0, 0), found[index], 1e-13 * std::fmax(1, std::abs(expected[index](0, 0)))) << index;
    return found.cwiseAbs().maxCoeff();
  }
};
INSTANTIATE_TEST_SUITE_P(Orders, SingularDeterminant, ::testing::Values(1, 2, 3, 4));

TEST_P(SingularDeterminant, IsThatOf120DigitsForEveryRank) {
  for (int rank = 0; rank < 5; ++rank) {
    SCOPED_TRACE("rank " + std::to_string(rank));
    std::vector<double> values{2, 1.5, 1.2, 1, 0.8};
    std::fill(values.begin() + rank, values.end(), 0.0);
    const double largest = check(with_singular_values(values));
    // Not trivially so: the derivatives of the order of the rank's defect are the first that do not vanish.
    if (5 - rank <= set.order())
      EXPECT_GT(largest, 0.01);
    else
      EXPECT_LT(largest, 1e-13);
  }
  check(MatrixXd::Zero(4, 4));
  check(MatrixXd::Ones(4, 4));
}

TEST_P(SingularDeterminant, NearlySingularMatricesLoseNoDigits) {
  for (double small : {1e-3, 1e-8, 1e-13}) {
    check(with_singular_values({2, 1, 0.9, small}));
    check(with_singular_values({2, 1, small, small}));
    check(with_singular_values({1, small, small * small, 0}));
  }
  check(with_singular_values({1, 0.5, 0.05, 0.02, 1e-3}));
}

// det(A B) = det A det B, where A is singular and B is not.
TEST_P(SingularDeterminant, OfAProductIsTheProduct) {
  MatrixSeries A = random_series(set, 5, 5, 7);
  A.set_coefficient(0, with_singular_values({2, 1, 0.5, 0, 0}));
  const MatrixSeries B = random_series(set, 5, 5, 8, 2);
  const ScalarSeries whole = determinant(A * B), product = multiply(set, determinant(A), determinant(B));
  for (int index = 0; index < set.size(); ++index)
    EXPECT_NEAR(product[index], whole[index], 1e-13 * std::fmax(1, product.cwiseAbs().maxCoeff()));
}

}  // namespace
}  // namespace holo
