#include "holo/diff/tensor/linear_solve.h"

#include <Eigen/LU>

#include "holo/diff/tensor/cauchy_riemann.h"
#include "reference_algebra.h"
#include "refused.h"

namespace holo::linear_solve_test {
namespace {

using Eigen::MatrixXd;
using reference::Dense;
using reference::expect_equal;
using reference::expect_near;
using reference::mixed_differences;
using reference::random_series;
using reference::refused;

constexpr double tolerance = 1e-13;

class LinearSolve : public ::testing::TestWithParam<int> {
 protected:
  DerivativeSet set = DerivativeSet::subsets(GetParam());
  MatrixSeries A = random_series(set, 5, 5, 1, 3), b = random_series(set, 5, 2, 2);
};
INSTANTIATE_TEST_SUITE_P(Orders, LinearSolve, ::testing::Values(1, 2, 3, 4));

TEST_P(LinearSolve, IsThatOf120Digits) {
  expect_near(mixed_differences(set, {&A, &b}, [](const auto& x) { return solve(x[0], x[1]); }), Factorized(A).solve(b),
              tolerance);
}

TEST_P(LinearSolve, TransposedIsThatOf120Digits) {
  expect_near(mixed_differences(set, {&A, &b}, [](const auto& x) { return solve(reference::transpose(x[0]), x[1]); }),
              Factorized(A).solve_transposed(b), tolerance);
}

TEST_P(LinearSolve, InverseIsThatOf120Digits) {
  expect_near(mixed_differences(set, {&A}, [](const auto& x) { return reference::inverse(x[0]); }), Factorized(A).inverse(),
              tolerance);
}

TEST_P(LinearSolve, DeterminantAndItsLogarithmAreThoseOf120Digits) {
  auto check = [&](const MatrixSeries& matrix, bool logarithm, const ScalarSeries& found) {
    const auto expected = mixed_differences(set, {&matrix}, [&](const auto& x) {
      Dense result(1, 1);
      const reference::Number d = reference::determinant(x[0]);
      result(0, 0) = logarithm ? reference::Number(log(abs(d))) : d;
      return result;
    });
    for (int index = 0; index < set.size(); ++index)
      EXPECT_NEAR(expected[index](0, 0), found[index], tolerance * std::fmax(1, std::abs(expected[index](0, 0))));
  };
  check(A, false, Factorized(A).determinant());
  check(A, true, Factorized(A).log_determinant());
  check(A, false, determinant(A));
  const MatrixSeries small = random_series(set, 3, 3, 5), negative = random_series(set, 5, 5, 6, -2);
  check(small, false, determinant(small));
  check(negative, false, determinant(negative));
  check(negative, true, Factorized(negative).log_determinant());
}

TEST_P(LinearSolve, SymmetricMatricesMayBeSolvedByLlt) {
  const MatrixSeries symmetric = random_series(set, 5, 5, 3, 4, true);
  expect_equal(Factorized(symmetric).solve(b), Factorized(symmetric, Factorized::Method::llt).solve(b), tolerance);
  const ScalarSeries by_lu = Factorized(symmetric).log_determinant(),
                     by_llt = Factorized(symmetric, Factorized::Method::llt).log_determinant();
  EXPECT_LE((by_lu - by_llt).cwiseAbs().maxCoeff(), tolerance);
}

TEST_P(LinearSolve, EveryCoefficientOfTheResidualVanishes) {
  const Factorized factorized(A);
  expect_equal(A * factorized.solve(b), b, tolerance);
  expect_equal(A.transpose() * factorized.solve_transposed(b), b, tolerance);
  expect_equal(A * factorized.inverse(), MatrixSeries(set, MatrixXd::Identity(5, 5)), tolerance);
}

TEST_P(LinearSolve, DeterminantOfAProductIsTheProductOfDeterminants) {
  const MatrixSeries B = random_series(set, 5, 5, 4, 2);
  const ScalarSeries product = multiply(set, determinant(A), determinant(B)), whole = determinant(A * B);
  for (int index = 0; index < set.size(); ++index)
    EXPECT_NEAR(product[index], whole[index], tolerance * std::fmax(product.cwiseAbs().maxCoeff(), 1));
}

TEST_P(LinearSolve, ReciprocalTimesNumberIsOne) {
  const ScalarSeries a = determinant(A);
  ScalarSeries one = ScalarSeries::Zero(set.size());
  one[0] = 1;
  EXPECT_LE((multiply(set, a, reciprocal(set, a)) - one).cwiseAbs().maxCoeff(), tolerance);
}

TEST_P(LinearSolve, TakesOneRealFactorization) {
  const long before = factorization_count();
  const Factorized factorized(A);
  factorized.solve(b);
  factorized.solve_transposed(b);
  factorized.inverse();
  factorized.determinant();
  EXPECT_EQ(before + 1, factorization_count());
}

TEST(LinearSolveSets, SingularMatricesOfThreeRowsHaveDeterminants) {
  MatrixSeries A(DerivativeSet::subsets(2), MatrixXd::Zero(3, 3));
  MatrixXd value = MatrixXd::Zero(3, 3), first = value, second = value;
  value(0, 0) = 2;
  first(1, 1) = 3;
  second(2, 2) = 5;
  A.set_coefficient(0, value);
  A.set_coefficient(1, first);
  A.set_coefficient(2, second);
  EXPECT_EQ(30, determinant(A)[3]);
  EXPECT_EQ(0, determinant(A)[0]);
}

// The exact second derivative is +2 X^-1 E X^-1 E X^-1.
TEST(LinearSolveSets, SecondDerivativeOfTheInverseHasTheSignPlus) {
  const DerivativeSet set = DerivativeSet::subsets(2);
  MatrixSeries X = random_series(set, 3, 3, 9, 2);
  MatrixXd E = MatrixXd::Zero(3, 3);
  E(1, 1) = 1;
  X.set_coefficient(1, E);
  X.set_coefficient(2, E);
  X.set_coefficient(3, MatrixXd::Zero(3, 3));
  const MatrixSeries Y = Factorized(X).inverse();
  const MatrixXd expected = 2 * Y[0] * E * Y[0] * E * Y[0];
  EXPECT_LE((Y[3] - expected).cwiseAbs().maxCoeff(), 1e-15 * expected.cwiseAbs().maxCoeff() * 4);
}

// Each pair of directions by itself, and both equal, against subsets(2).
TEST(LinearSolveSets, HessiansAreThoseOfPairsAndCostOneFactorization) {
  constexpr int p = 3;
  const DerivativeSet pair = DerivativeSet::subsets(2), all = DerivativeSet::up_to_second(p);
  const MatrixSeries A = random_series(all, 4, 4, 11, 3), b = random_series(all, 4, 1, 12);
  const long before = factorization_count();
  const MatrixSeries x = Factorized(A).solve(b);
  EXPECT_EQ(before + 1, factorization_count());
  EXPECT_EQ(1 + p + p * (p + 1) / 2, all.size());
  for (int k = 0; k < p; ++k)
    for (int l = k; l < p; ++l) {
      auto restricted = [&](const MatrixSeries& series) {
        MatrixSeries result(pair, series.rows(), series.columns());
        const int from[4] = {0, all.index({k}), all.index({l}), all.index({l, k})};
        for (int mask = 0; mask < 4; ++mask) result.set_coefficient(mask, series[from[mask]]);
        return result;
      };
      expect_equal(restricted(x), Factorized(restricted(A)).solve(restricted(b)), 1e-14);
    }
}

TEST(LinearSolveSets, SharedDirectionsAndManyDirectionsAreThoseOfSubsets) {
  constexpr int W = 4;
  const DerivativeSet pair = DerivativeSet::subsets(2), shared = DerivativeSet::shared_direction(W),
                      many = DerivativeSet::directions(W);
  const MatrixSeries A = random_series(shared, 4, 4, 13, 3);
  const MatrixSeries X = Factorized(A).inverse();
  MatrixSeries first(many, A[0]);
  for (int k = 0; k < W; ++k) first.set_coefficient(1 + k, A[2 + k]);
  const MatrixSeries Y = Factorized(first).inverse();
  for (int k = 0; k < W; ++k) {
    MatrixSeries one(pair, A[0]);
    one.set_coefficient(1, A[1]);
    one.set_coefficient(2, A[2 + k]);
    one.set_coefficient(3, A[2 + W + k]);
    const MatrixSeries Z = Factorized(one).inverse();
    EXPECT_LE((Z[3] - X[2 + W + k]).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LE((Z[2] - Y[1 + k]).cwiseAbs().maxCoeff(), 1e-14);
  }
}

// [Luo2019] Fig 6: the inverse of a random 3x3 matrix with respect to its entry X22, by the Cauchy-Riemann form at every step
// from 2^-27 on, against the closed forms -Y E Y and +2 Y E Y E Y.
TEST(LinearSolveSets, InverseByTheCauchyRiemannFormIsExactBelowTheRootOfRounding) {
  const DerivativeSet set = DerivativeSet::subsets(2);
  MatrixSeries X(set, random_series(set, 3, 3, 21, 1.5)[0]);
  MatrixXd E = MatrixXd::Zero(3, 3);
  E(1, 1) = 1;
  X.set_coefficient(1, E);
  X.set_coefficient(2, E);
  const MatrixXd Y = X[0].inverse(), first = -Y * E * Y, second = 2 * Y * E * Y * E * Y;
  ASSERT_LT(X[0].norm() * Y.norm(), 50);
  auto error = [](const MatrixXd& found, const MatrixXd& expected) {
    return (found - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
  };
  for (int exponent : {27, 40, 80, 133}) {
    const MatrixSeries found = cauchy_riemann_inverse(X, std::ldexp(1, -exponent));
    EXPECT_LE(error(found[1], first), 1e-14) << "2^-" << exponent;
    EXPECT_LE(error(found[3], second), 1e-14) << "2^-" << exponent;
  }
  EXPECT_LE(error(Factorized(X).inverse()[3], second), 1e-14);
  EXPECT_GT(error(cauchy_riemann_inverse(X, std::ldexp(1, -10))[3], second), 1e-8);
}

class CauchyRiemann : public LinearSolve {};
INSTANTIATE_TEST_SUITE_P(Orders, CauchyRiemann, ::testing::Values(1, 2));

TEST_P(CauchyRiemann, AgreesWithTheRecursion) {
  expect_equal(cauchy_riemann_solve(A, b), Factorized(A).solve(b), tolerance);
  expect_equal(cauchy_riemann_inverse(A), Factorized(A).inverse(), tolerance);
}

TEST_P(CauchyRiemann, HasAnErrorOfTheSquareOfItsStep) {
  const MatrixXd exact = Factorized(A).inverse()[set.size() - 1];
  double last = 0;
  for (int exponent = 6; exponent <= 10; ++exponent) {
    const double error = (cauchy_riemann_inverse(A, std::ldexp(1, -exponent))[set.size() - 1] - exact).cwiseAbs().maxCoeff() /
                         exact.cwiseAbs().maxCoeff();
    if (last != 0) {
      EXPECT_NEAR(4, last / error, 0.1);
    }
    last = error;
  }
  EXPECT_GT(last, 1e-9);
}

TEST_P(CauchyRiemann, FormOfAProductIsTheProductOfForms) {
  const MatrixSeries B = random_series(set, 5, 5, 8);
  const double h = 0.25;  // series drop the terms of order h^2, which only a constant factor does not make
  MatrixSeries constant(set, B[0]);
  const MatrixXd difference =
      cauchy_riemann_form(A, h) * cauchy_riemann_form(constant, h) - cauchy_riemann_form(A * constant, h);
  EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(CauchyRiemann, OfASymmetricMatrixIsNotSymmetric) {
  const MatrixXd form = cauchy_riemann_form(random_series(set, 4, 4, 3, 4, true), 0.125);
  EXPECT_GT((form - form.transpose()).cwiseAbs().maxCoeff(), 0.01);
}

TEST(LinearSolveBadInput, SingularMatricesAreRefusedWithTheRow) {
  MatrixXd a = MatrixXd::Random(4, 4);
  a.row(2) = 2 * a.row(0) - a.row(1);
  const TensorError error = refused([&] { Factorized{MatrixSeries(DerivativeSet::subsets(1), a)}; });
  EXPECT_EQ(TensorError::Kind::singular, error.kind());
  EXPECT_GE(error.index(), 0);
  EXPECT_LE(error.index(), 2);
  EXPECT_NE(std::string::npos, std::string(error.what()).find("singular: the pivot of row"));
  MatrixXd scaled = MatrixXd::Identity(3, 3);
  scaled(2, 2) = 1e-30;  // small, but not singular
  EXPECT_NO_THROW(Factorized(MatrixSeries(DerivativeSet::subsets(1), scaled)));
  EXPECT_EQ(TensorError::Kind::singular, refused([] { reciprocal(DerivativeSet::subsets(1), ScalarSeries::Zero(2)); }).kind());
}

TEST(LinearSolveBadInput, MatricesThatAreNotPositiveDefiniteAreRefusedWithTheRow) {
  MatrixXd a = MatrixXd::Identity(4, 4);
  a(2, 2) = -1;
  const TensorError error = refused([&] { Factorized(MatrixSeries(DerivativeSet::subsets(1), a), Factorized::Method::llt); });
  EXPECT_EQ(TensorError::Kind::not_positive_definite, error.kind());
  EXPECT_EQ(2, error.index());
}

TEST(LinearSolveBadInput, ShapesThatDoNotFitAreRefused) {
  using Kind = TensorError::Kind;
  const DerivativeSet set = DerivativeSet::subsets(1);
  const Factorized A(MatrixSeries(set, MatrixXd::Identity(3, 3)));
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { A.solve(MatrixSeries(set, MatrixXd::Ones(2, 1))); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch,
            refused([&] { A.solve(MatrixSeries(DerivativeSet::subsets(2), MatrixXd::Ones(3, 1))); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { Factorized{MatrixSeries(set, MatrixXd::Ones(2, 3))}; }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { determinant(MatrixSeries(set, MatrixXd::Ones(2, 3))); }).kind());
  EXPECT_EQ(Kind::empty, refused([&] { MatrixSeries(set, 0, 3); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch,
            refused([&] { MatrixSeries(set, 2, 2).set_coefficient(1, MatrixXd::Ones(3, 2)); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch,
            refused([&] { MatrixSeries(set, 2, 2).set_coefficient(2, MatrixXd::Ones(2, 2)); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { DerivativeSet::subsets(0); }).kind());
  const MatrixSeries B(set, MatrixXd::Ones(2, 2)), C(set, MatrixXd::Ones(3, 3));
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { (void)(B * C); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { (void)(B + C); }).kind());
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { cauchy_riemann_form(B, 1e-320); }).kind());
  const MatrixSeries many(DerivativeSet::directions(3), MatrixXd::Ones(2, 2));
  EXPECT_EQ(Kind::dimension_mismatch, refused([&] { cauchy_riemann_form(many); }).kind());
}

TEST(LinearSolveBadInput, EntriesThatAreNotFiniteAreRefusedWithTheirPlace) {
  MatrixXd a = MatrixXd::Identity(3, 3);
  a(1, 2) = std::nan("");
  const TensorError error = refused([&] { MatrixSeries(DerivativeSet::subsets(1), a); });
  EXPECT_EQ(TensorError::Kind::not_finite, error.kind());
  EXPECT_EQ(1, error.index());
  EXPECT_NE(std::string::npos, std::string(error.what()).find("in row 1, column 2"));
}

}  // namespace
}  // namespace holo::linear_solve_test
