// The tensor functions on matrices of nilpotent scalars; sparse matrices; and what std::complex would do in their place.
#include "holo/diff/tensor/nilpotent_matrix.h"

#include <Eigen/Cholesky>
#include <complex>

#include "holo/diff/lanes/lane_group.h"
#include "holo/diff/tensor/triangular_decompositions.h"
#include "reference_algebra.h"
#include "refused.h"

namespace holo::nilpotent_matrix_test {
namespace {

using Eigen::MatrixXd;
using reference::expect_equal;
using reference::random_series;
using reference::refused;

template <class N>
using Dynamic = Eigen::Matrix<N, Eigen::Dynamic, Eigen::Dynamic>;

template <class N>
class NilpotentMatrix : public ::testing::Test {};
using Scalars = ::testing::Types<Nilpotent<1>, Nilpotent<2>, Nilpotent<3>, Nilpotent<4>, Nilpotent<1, double, LaneBlock>,
                                 Nilpotent<1, double, LaneGroup<2>>, Nilpotent<2, double, LaneBlock>>;
TYPED_TEST_SUITE(NilpotentMatrix, Scalars);

TYPED_TEST(NilpotentMatrix, ConversionToSeriesAndBackKeepsEveryCoefficient) {
  const MatrixSeries series = random_series(SeriesScalar<TypeParam>::set(), 3, 2, 1);
  const Dynamic<TypeParam> matrix = from_series<TypeParam>(series);
  expect_equal(to_series(matrix), series, 0);
  const Matrix<TypeParam, 3, 2> fixed = from_series<TypeParam, 3, 2>(series);
  expect_equal(to_series(fixed), series, 0);
}

// The products of series are those of the scalars, so the residual formed by Eigen in the scalar vanishes.
TYPED_TEST(NilpotentMatrix, FunctionsFulfilTheirEquationsInTheScalar) {
  const DerivativeSet set = SeriesScalar<TypeParam>::set();
  const Dynamic<TypeParam> A = from_series<TypeParam>(random_series(set, 4, 4, 2, 3));
  const Dynamic<TypeParam> b = from_series<TypeParam>(random_series(set, 4, 2, 3));
  const MatrixSeries zero(set, 4, 2);
  expect_equal(to_series(Dynamic<TypeParam>(A * solve(A, b) - b)), zero, 1e-13);
  expect_equal(to_series(Dynamic<TypeParam>(A.transpose() * solve_transposed(A, b) - b)), zero, 1e-13);
  expect_equal(to_series(Dynamic<TypeParam>(A * inverse(A))), MatrixSeries(set, MatrixXd::Identity(4, 4)), 1e-13);
  const TypeParam difference = log(determinant(A)) - log_determinant(A);
  for (int index = 0; index < set.size(); ++index) EXPECT_NEAR(0, SeriesScalar<TypeParam>::get(difference, index), 1e-13);
}

TYPED_TEST(NilpotentMatrix, SmallFixedMatricesAgreeWithTheirClosedForms) {
  const DerivativeSet set = SeriesScalar<TypeParam>::set();
  const Matrix<TypeParam, 3, 3> A = from_series<TypeParam, 3, 3>(random_series(set, 3, 3, 4, 2));
  const Matrix<TypeParam, 3, 1> b = from_series<TypeParam, 3, 1>(random_series(set, 3, 1, 5));
  expect_equal(to_series(solve(A, b)), to_series(inverse(A) * b), 1e-13);
  const TypeParam difference = determinant(A) - from_series<TypeParam>(determinant(to_series(A)));
  for (int index = 0; index < set.size(); ++index) EXPECT_NEAR(0, SeriesScalar<TypeParam>::get(difference, index), 1e-14);
}

// Eigen's own reductions do not conjugate these scalars.
TYPED_TEST(NilpotentMatrix, EigensNormDotAndAdjointKeepDerivatives) {
  const DerivativeSet set = SeriesScalar<TypeParam>::set();
  const MatrixSeries series = random_series(set, 4, 1, 6);
  const Dynamic<TypeParam> x = from_series<TypeParam>(series);
  const MatrixSeries expected = series.transpose() * series;
  const TypeParam dot = x.col(0).dot(x.col(0)), squared = x.squaredNorm(), product = (x.adjoint() * x)(0, 0), norm = x.norm();
  const TypeParam norm_squared = norm * norm;
  for (int index = 0; index < set.size(); ++index)
    for (const TypeParam& found : {dot, squared, product, norm_squared})
      EXPECT_NEAR(expected[index](0, 0), SeriesScalar<TypeParam>::get(found, index), 1e-13);
}

SparseMatrix sparse_of(const MatrixXd& a) { return a.sparseView(); }

// A sparse matrix with full coefficients on its band.
MatrixSeries banded(const DerivativeSet& set, int n, bool symmetric) {
  MatrixSeries result = random_series(set, n, n, 7, 4, symmetric);
  for (int index = 0; index < set.size(); ++index) {
    MatrixXd a = result[index];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (std::abs(i - j) > 2) a(i, j) = 0;
    result.set_coefficient(index, a);
  }
  return result;
}

class SparseSolve : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Orders, SparseSolve, ::testing::Values(1, 2, 3));

TEST_P(SparseSolve, IsTheDenseOneAndTakesOneFactorization) {
  const DerivativeSet set = DerivativeSet::subsets(GetParam());
  constexpr int n = 30;
  for (bool symmetric : {false, true}) {
    const MatrixSeries dense = banded(set, n, symmetric), b = random_series(set, n, 3, 8);
    auto stored = [&](int index) {
      return sparse_of(symmetric ? MatrixXd(dense[index].triangularView<Eigen::Lower>()) : dense[index]);
    };
    SparseMatrixSeries A(set, stored(0),
                         symmetric ? SparseMatrixSeries::Storage::symmetric_lower : SparseMatrixSeries::Storage::general);
    for (int index = 1; index < set.size(); ++index) A.set_coefficient(index, stored(index));
    const Factorized reference(dense);
    const long before = factorization_count();
    const SparseFactorized factorized(A);
    expect_equal(factorized.solve(b), reference.solve(b), 1e-13);
    expect_equal(factorized.solve_transposed(b), reference.solve_transposed(b), 1e-13);
    EXPECT_EQ(before + 1, factorization_count());
  }
}

TEST(SparseSolveAnalysis, IsMadeOnceForAPattern) {
  const DerivativeSet set = DerivativeSet::subsets(1);
  const MatrixXd value = banded(set, 10, true)[0].triangularView<Eigen::Lower>();
  SparseFactorizer factorizer;
  for (double factor : {1.0, 2.0, 3.0})
    SparseFactorized(SparseMatrixSeries(set, sparse_of(factor * value), SparseMatrixSeries::Storage::symmetric_lower),
                     &factorizer);
  EXPECT_EQ(1, factorizer.analyses());
  SparseFactorized(SparseMatrixSeries(set, sparse_of(MatrixXd::Identity(10, 10)), SparseMatrixSeries::Storage::symmetric_lower),
                   &factorizer);
  EXPECT_EQ(2, factorizer.analyses());
}

// A Hermitian LLT of a complex step is no LLT of A + ih B: its imaginary part is not h times the derivative.
TEST(ComplexInjection, StdComplexInEigensLltDestroysTheDerivative) {
  const DerivativeSet set = DerivativeSet::subsets(1);
  const MatrixSeries A = random_series(set, 5, 5, 1, 4, true), L = llt_decomposition(A);
  const double h = 1e-40;
  const Eigen::MatrixXcd z = A[0].cast<std::complex<double>>() + std::complex<double>(0, h) * A[1];
  const MatrixXd step = Eigen::MatrixXcd(z.llt().matrixL()).imag() / h;
  EXPECT_GT((step - L[1]).norm() / L[1].norm(), 0.1);  // oracle 7 asks for 1e-13
  const MatrixXd lower = Eigen::MatrixXcd(z.llt().matrixL()).real();
  const MatrixXd residual = lower * step.transpose() + step * lower.transpose() - A[1];
  EXPECT_GT(residual.norm() / A[1].norm(), 0.1);
  const Eigen::VectorXcd x = z.col(0);
  EXPECT_LT(std::abs(x.dot(x).imag()), 1e-12 * h);  // the derivative 2 x . x' is gone
  EXPECT_GT(std::abs(2 * A[0].col(0).dot(A[1].col(0))), 0.1);
  // The same code with the library's scalar: right.
  Dynamic<Nilpotent<1>> a = from_series<Nilpotent<1>>(A);
  const Eigen::LLT<Dynamic<Nilpotent<1>>> llt(a);
  const Dynamic<Nilpotent<1>> factor = llt.matrixL();
  expect_equal(to_series(factor), L, 1e-14);
}

TEST(NilpotentMatrixBadInput, IsRefusedByKind) {
  using Kind = TensorError::Kind;
  using N = Nilpotent<1>;
  Dynamic<N> A = Dynamic<N>::Constant(3, 3, N(1.0));
  const Dynamic<N> b = Dynamic<N>::Constant(3, 1, N(1.0)), empty;
  EXPECT_EQ(Kind::singular, refused([&] { solve(A, b); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { solve(Dynamic<N>(A.topRows(2)), b); }).kind());
  EXPECT_EQ(Kind::empty, refused([&] { inverse(empty); }).kind());
  A(2, 1) = N::seed(1.0, {std::nan("")});
  const TensorError error = refused([&] { determinant(A); });
  EXPECT_EQ(Kind::not_finite, error.kind());
  EXPECT_EQ(2, error.index());
}

TEST(SparseSolveBadInput, IsRefusedByKind) {
  using Kind = TensorError::Kind;
  using Storage = SparseMatrixSeries::Storage;
  const DerivativeSet set = DerivativeSet::subsets(1);
  MatrixXd a = MatrixXd::Identity(4, 4);
  a(2, 2) = -1;
  const TensorError error = refused([&] { SparseFactorized(SparseMatrixSeries(set, sparse_of(a), Storage::symmetric_lower)); });
  EXPECT_EQ(Kind::not_positive_definite, error.kind());
  EXPECT_EQ(2, error.index());
  EXPECT_NO_THROW(SparseFactorized(SparseMatrixSeries(set, sparse_of(a), Storage::general)));
  MatrixXd rank_one = MatrixXd::Ones(3, 3);
  EXPECT_EQ(Kind::singular,
            refused([&] { SparseFactorized(SparseMatrixSeries(set, sparse_of(rank_one), Storage::general)); }).kind());
  EXPECT_EQ(Kind::empty, refused([&] { SparseMatrixSeries(set, SparseMatrix(), Storage::general); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch,
            refused([&] { SparseMatrixSeries(set, sparse_of(MatrixXd::Ones(2, 3)), Storage::general); }).kind());
  SparseMatrixSeries A(set, sparse_of(a), Storage::general);
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { A.set_coefficient(1, Eigen::VectorXd::Ones(3)); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { A.set_coefficient(1, sparse_of(MatrixXd::Ones(4, 4))); }).kind());
  rank_one(0, 0) = std::nan("");
  EXPECT_EQ(Kind::not_finite, refused([&] { SparseMatrixSeries(set, sparse_of(rank_one), Storage::general); }).kind());
}

}  // namespace
}  // namespace holo::nilpotent_matrix_test
