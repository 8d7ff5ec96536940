// LLT, LDLT, LU, eigenpairs and polar decompositions against mixed differences in 120 digits, and by what defines them.
#include <Eigen/Eigenvalues>

#include "holo/diff/tensor/linear_solve.h"
#include "holo/diff/tensor/polar_decomposition.h"
#include "holo/diff/tensor/symmetric_eigen.h"
#include "holo/diff/tensor/triangular_decompositions.h"
#include "reference_algebra.h"
#include "refused.h"

namespace holo {
namespace {

using Eigen::MatrixXd;
using reference::Dense;
using reference::expect_equal;
using reference::expect_near;
using reference::mixed_differences;
using reference::Number;
using reference::random_series;
using reference::refused;

constexpr double tolerance = 1e-13;

// L with L D L^T = A, D the identity or taken out of the diagonal; without pivots.
Dense triangular(const Dense& A, bool unit) {
  Dense L(A.rows, A.rows);
  std::vector<Number> D(std::size_t(A.rows), 1);
  for (int j = 0; j < A.rows; ++j) {
    Number pivot = A(j, j);
    for (int k = 0; k < j; ++k) pivot -= L(j, k) * L(j, k) * D[k];
    if (unit) D[j] = pivot;
    L(j, j) = unit ? Number(1) : Number(sqrt(pivot));
    for (int i = j + 1; i < A.rows; ++i) {
      Number sum = A(i, j);
      for (int k = 0; k < j; ++k) sum -= L(i, k) * D[k] * L(j, k);
      L(i, j) = sum / (L(j, j) * D[j]);
    }
  }
  return L;
}
Dense diagonal_of_ldlt(const Dense& A) {
  const Dense L = triangular(A, true), D = reference::inverse(L) * A * reference::transpose(reference::inverse(L));
  Dense result(A.rows, 1);
  for (int i = 0; i < A.rows; ++i) result(i, 0) = D(i, i);
  return result;
}
Dense upper_of_lu(Dense A) {
  for (int k = 0; k < A.rows; ++k)
    for (int i = k + 1; i < A.rows; ++i) {
      const Number factor = A(i, k) / A(k, k);
      for (int j = 0; j < A.rows; ++j) A(i, j) -= factor * A(k, j);
    }
  return A;
}

MatrixSeries permuted(const Eigen::PermutationMatrix<Eigen::Dynamic>& P, const MatrixSeries& A, bool both) {
  MatrixSeries result = A;
  for (int index = 0; index < A.set().size(); ++index) {
    MatrixXd coefficient = P * A[index];
    if (both) coefficient = coefficient * P.transpose();
    result.set_coefficient(index, coefficient);
  }
  return result;
}

MatrixSeries absolute(const MatrixSeries& A) {
  MatrixSeries result = A;
  for (int index = 0; index < A.set().size(); ++index) result.set_coefficient(index, A[index].cwiseAbs());
  return result;
}

class Decompositions : public ::testing::TestWithParam<int> {
 protected:
  DerivativeSet set = DerivativeSet::subsets(GetParam());
  MatrixSeries positive = random_series(set, 5, 5, 1, 4, true), indefinite = random_series(set, 5, 5, 2, 0.3, true),
               general = random_series(set, 5, 5, 3);
};
INSTANTIATE_TEST_SUITE_P(Orders, Decompositions, ::testing::Values(1, 2, 3));

TEST_P(Decompositions, LltIsThatOf120Digits) {
  const long before = factorization_count();
  const MatrixSeries L = llt_decomposition(positive);
  EXPECT_EQ(before + 1, factorization_count());
  expect_near(mixed_differences(set, {&positive}, [](const auto& x) { return triangular(x[0], false); }), L, tolerance);
  expect_equal(L * L.transpose(), positive, tolerance);
}

// Of an indefinite matrix without pivots of rank two the growth of the factors multiplies rounding.
TEST_P(Decompositions, LdltIsThatOf120Digits) {
  for (const MatrixSeries* A : {&positive, &indefinite}) {
    const long before = factorization_count();
    const LdltDecomposition found = ldlt_decomposition(*A);
    EXPECT_EQ(before + 1, factorization_count());
    const MatrixSeries ordered = permuted(found.P, *A, true);
    expect_near(mixed_differences(set, {&ordered}, [](const auto& x) { return triangular(x[0], true); }), found.L, tolerance);
    expect_near(mixed_differences(set, {&ordered}, [](const auto& x) { return diagonal_of_ldlt(x[0]); }), found.D, tolerance);
    MatrixSeries D(set, 5, 5);
    for (int index = 0; index < set.size(); ++index) D.set_coefficient(index, found.D[index].col(0).asDiagonal());
    // The factors of an indefinite matrix grow, and their rounding with them.
    const MatrixSeries residual = found.L * D * found.L.transpose() - ordered,
                       growth = absolute(found.L) * absolute(D) * absolute(found.L).transpose();
    for (int index = 0; index < set.size(); ++index)
      EXPECT_LE(residual[index].cwiseAbs().maxCoeff(), 1e-14 * growth[index].maxCoeff()) << "coefficient " << index;
  }
}

TEST_P(Decompositions, LuIsThatOf120Digits) {
  const long before = factorization_count();
  const LuDecomposition found = lu_decomposition(general);
  EXPECT_EQ(before + 1, factorization_count());
  const MatrixSeries ordered = permuted(found.P, general, false);
  expect_near(mixed_differences(set, {&ordered}, [](const auto& x) { return upper_of_lu(x[0]); }), found.U, tolerance);
  expect_near(mixed_differences(set, {&ordered}, [](const auto& x) { return x[0] * reference::inverse(upper_of_lu(x[0])); }),
              found.L, tolerance);
  expect_equal(found.L * found.U, ordered, tolerance);
}

// Inverse iteration with Rayleigh's quotient, from the eigenpair of A_0 in double: each step gains 25 digits, up to 95.
Dense eigenpair(const Dense& A, const Eigen::VectorXd& start) {
  Dense v(start);
  Number value;
  for (int step = 0; step < 8; ++step) {
    const Dense image = A * v;
    value = (reference::transpose(v) * image)(0, 0) / (reference::transpose(v) * v)(0, 0);
    const Dense shifted = combine(1, A, -value + Number("1e-25"), reference::identity(A.rows));
    v = reference::solve(shifted, v);
    const Number norm = sqrt((reference::transpose(v) * v)(0, 0));
    for (Number& entry : v.entries) entry /= norm;
  }
  Number sign = 0;
  for (int i = 0; i < A.rows; ++i) sign += v(i, 0) * start[i];
  Dense result(A.rows + 1, 1);
  for (int i = 0; i < A.rows; ++i) result(i, 0) = sign < 0 ? Number(-v(i, 0)) : v(i, 0);
  result(A.rows, 0) = value;
  return result;
}

MatrixSeries stacked(const Eigenpair& pair) {
  const Eigen::Index n = pair.vector.rows();
  MatrixSeries result(pair.vector.set(), n + 1, 1);
  for (int index = 0; index < pair.vector.set().size(); ++index) {
    Eigen::VectorXd both(n + 1);
    both << pair.vector[index], pair.value[index];
    result.set_coefficient(index, both);
  }
  return result;
}

SparseMatrixSeries sparse(const MatrixSeries& A) {
  const SparseMatrix lower = MatrixXd(A[0].triangularView<Eigen::Lower>()).sparseView();
  SparseMatrixSeries result(A.set(), lower, SparseMatrixSeries::Storage::symmetric_lower);
  for (int index = 1; index < A.set().size(); ++index)
    if (!A.is_zero(index))
      result.set_coefficient(index, SparseMatrix(MatrixXd(A[index].triangularView<Eigen::Lower>()).sparseView()));
  return result;
}

TEST_P(Decompositions, EigenpairsAreThoseOf120DigitsDenseAndSparse) {
  MatrixSeries separated = random_series(set, 5, 5, 2, 0, true);  // gaps of order 1: each order multiplies rounding by 1/gap
  separated.set_coefficient(0, MatrixXd(0.5 * separated[0]) + MatrixXd(Eigen::VectorXd::LinSpaced(5, -4, 4).asDiagonal()));
  for (int number : {0, 2, 4}) {
    const long before = factorization_count();
    const Eigenpair dense = symmetric_eigenpair(separated, number);
    EXPECT_EQ(before + 1, factorization_count());
    const Eigen::VectorXd v0 = dense.vector[0].col(0);
    const auto expected = mixed_differences(set, {&separated}, [&](const auto& x) { return eigenpair(x[0], v0); });
    expect_near(expected, stacked(dense), tolerance);
    const Eigenpair bordered = symmetric_eigenpair(sparse(separated), dense.value[0], v0);
    EXPECT_EQ(before + 2, factorization_count());
    expect_near(expected, stacked(bordered), tolerance);

    MatrixSeries lambda(set, 1, 1), one(set, MatrixXd::Ones(1, 1));
    for (int index = 0; index < set.size(); ++index)
      lambda.set_coefficient(index, MatrixXd::Constant(1, 1, dense.value[index]));
    expect_equal(separated * dense.vector, dense.vector * lambda, tolerance);
    expect_equal(dense.vector.transpose() * dense.vector, one, tolerance);
  }
}

// Newton's iteration R <- (R + R^-T)/2, quadratic, in the end to 120 digits.
Dense polar_factor(Dense R) {
  for (int step = 0; step < 16; ++step)
    R = combine(Number(1) / 2, R, Number(1) / 2, reference::transpose(reference::inverse(R)));
  return R;
}

TEST_P(Decompositions, PolarIsThatOf120DigitsAtTheIdentityToo) {
  const MatrixSeries direction = random_series(set, 3, 3, 7);
  const MatrixXd upside_down = direction[0] * Eigen::Vector3d(1, 1, -1).asDiagonal();
  const MatrixXd values[] = {MatrixXd::Identity(3, 3), 2 * MatrixXd::Identity(3, 3) + 0.5 * direction[0],
                             Eigen::Vector3d(1.2, 1.2, 0.7).asDiagonal(), direction[0], upside_down};
  for (const MatrixXd& value : values) {
    MatrixSeries F = direction;
    F.set_coefficient(0, value);
    const long before = factorization_count();
    const PolarDecomposition found = polar_decomposition(F, PolarVariant::orthogonal);
    EXPECT_EQ(before + 1, factorization_count());
    expect_near(mixed_differences(set, {&F}, [](const auto& x) { return polar_factor(x[0]); }), found.R, tolerance);
    expect_near(mixed_differences(set, {&F}, [](const auto& x) { return reference::transpose(polar_factor(x[0])) * x[0]; }),
                found.S, tolerance);
  }
}

TEST_P(Decompositions, PolarFactorsAreARotationAndASymmetricMatrix) {
  const MatrixSeries one(set, MatrixXd::Identity(3, 3));
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const MatrixSeries F = random_series(set, 3, 3, seed);
    for (PolarVariant variant : {PolarVariant::rotation, PolarVariant::orthogonal}) {
      const PolarDecomposition found = polar_decomposition(F, variant);
      const Eigen::Matrix3d R0 = found.R[0], S0 = found.S[0];
      // The condition of the problem: largest stretch over least sum of two, once more for each order.
      const Eigen::Vector3d s = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(S0).eigenvalues();
      const double condition = std::pow(1 + s.cwiseAbs().maxCoeff() / std::abs(s[0] + s[1]), set.order());
      expect_equal(found.R.transpose() * found.R, one, 1e-15 * condition);
      expect_equal(found.S.transpose(), found.S, 1e-15 * condition);
      expect_equal(found.R * found.S, F, 1e-15 * condition);
      if (variant == PolarVariant::rotation) {
        EXPECT_NEAR(1, R0.determinant(), 1e-14);
      } else {
        EXPECT_GE(s[0], -1e-15);
      }
    }
  }
}

using Kind = TensorError::Kind;
const DerivativeSet first_order = DerivativeSet::subsets(1);
MatrixSeries constant(const MatrixXd& value) { return MatrixSeries(first_order, value); }

TEST(DecompositionsBadInput, PivotsThatVanishOrAreNegativeAreNamedByTheirRow) {
  MatrixXd a = MatrixXd::Identity(4, 4);
  a(1, 1) = -2;
  TensorError error = refused([&] { llt_decomposition(constant(a)); });
  EXPECT_EQ(Kind::not_positive_definite, error.kind());
  EXPECT_EQ(1, error.index());
  EXPECT_NE(std::string::npos, std::string(error.what()).find("the pivot of row 1 (counted from 0) is -2"));
  EXPECT_NO_THROW(ldlt_decomposition(constant(a)));
  a(1, 1) = 0;
  error = refused([&] { ldlt_decomposition(constant(a)); });
  EXPECT_EQ(Kind::singular, error.kind());
  EXPECT_EQ(1, error.index());
  error = refused([&] { lu_decomposition(constant(a)); });
  EXPECT_EQ(Kind::singular, error.kind());
  EXPECT_EQ(1, error.index());
  EXPECT_EQ(Kind::singular, refused([] { ldlt_decomposition(constant((MatrixXd(2, 2) << 0, 1, 1, 0).finished())); }).kind());
}

TEST(DecompositionsBadInput, MatricesThatAreNotSymmetricOrSquareAreRefused) {
  MatrixXd a = MatrixXd::Identity(3, 3);
  a(0, 2) = 0.5;
  for (const auto& error : {refused([&] { llt_decomposition(constant(a)); }), refused([&] { ldlt_decomposition(constant(a)); }),
                            refused([&] { symmetric_eigenpair(constant(a), 0); })})
    EXPECT_EQ(Kind::not_symmetric, error.kind());
  MatrixSeries only_derivative = constant(MatrixXd::Identity(3, 3));
  only_derivative.set_coefficient(1, a);
  EXPECT_EQ(Kind::not_symmetric, refused([&] { llt_decomposition(only_derivative); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([] { lu_decomposition(constant(MatrixXd::Ones(2, 3))); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([] { llt_decomposition(constant(MatrixXd::Ones(2, 3))); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([] { polar_decomposition(constant(MatrixXd::Ones(2, 2))); }).kind());
}

TEST(DecompositionsBadInput, RepeatedEigenvaluesAreRefused) {
  const MatrixXd a = Eigen::Vector4d(3, 1, 2, 2).asDiagonal();
  EXPECT_NO_THROW(symmetric_eigenpair(constant(a), 0));
  const TensorError error = refused([&] { symmetric_eigenpair(constant(a), 1); });
  EXPECT_EQ(Kind::repeated_eigenvalue, error.kind());
  EXPECT_EQ(1, error.index());
  EXPECT_EQ(Kind::repeated_eigenvalue,
            refused([&] { symmetric_eigenpair(sparse(constant(a)), 2, Eigen::Vector4d(0, 0, 1, 0)); }).kind());
  EXPECT_EQ(Kind::no_eigenpair,
            refused([&] { symmetric_eigenpair(sparse(constant(a)), 2.1, Eigen::Vector4d(0, 0, 1, 0)); }).kind());
  EXPECT_EQ(Kind::no_eigenpair, refused([&] { symmetric_eigenpair(sparse(constant(a)), 2, Eigen::Vector4d::Zero()); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch,
            refused([&] { symmetric_eigenpair(sparse(constant(a)), 2, Eigen::Vector3d(0, 0, 1)); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { symmetric_eigenpair(constant(a), 4); }).kind());
}

TEST(DecompositionsBadInput, PolarOfRankOneOrOfOppositeStretchesIsRefused) {
  EXPECT_EQ(Kind::singular, refused([] { polar_decomposition(constant(Eigen::Vector3d(2, 0, 0).asDiagonal())); }).kind());
  EXPECT_EQ(Kind::singular, refused([] { polar_decomposition(constant(MatrixXd::Zero(3, 3))); }).kind());
  const MatrixXd opposite = Eigen::Vector3d(2, 1, -1).asDiagonal();
  EXPECT_EQ(Kind::singular, refused([&] { polar_decomposition(constant(opposite)); }).kind());
  EXPECT_NO_THROW(polar_decomposition(constant(opposite), PolarVariant::orthogonal));
  EXPECT_NO_THROW(polar_decomposition(constant(Eigen::Vector3d(2, 1, 0).asDiagonal())));
}

}  // namespace
}  // namespace holo
