// Banded saddle-point systems of trajectories against dense and sparse ones.
#include "holo/opt/trajectory/banded_saddle_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "allocation_count.h"
#include "banded_cases.h"
#include "block_tridiagonal_cases.h"
#include "holo/opt/trajectory/trust_region_sqp.h"
#include "pointwise_hopping_mass.h"

namespace holo {
namespace banded_saddle_point_tests {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::BandedCase;
using test::PointwiseHoppingMass;

constexpr SaddlePointMatrix both_matrices[] = {SaddlePointMatrix::metric, SaddlePointMatrix::model};

VectorXd some_metric(int unknowns) { return VectorXd::LinSpaced(unknowns, 0.5, 2); }
VectorXd some_shift(int constraints) { return VectorXd::LinSpaced(constraints, 1e-8, 1e-7); }

// Backward errors e of two solutions of K x = b bound their distance by (e1 + e2) |K^-1| (|K| |x| + |b|).
void expect_equal_solutions(const MatrixXd& K, const MatrixXd& b, const MatrixXd& x, const MatrixXd& y) {
  const double errors = test::backward_error(K, x, b) + test::backward_error(K, y, b);
  EXPECT_LT(errors, 1e-13);
  const MatrixXd inverse = K.fullPivLu().inverse();
  for (Index column = 0; column < b.cols(); ++column) {
    const double size =
        test::infinity_norm(K) * x.col(column).lpNorm<Eigen::Infinity>() + b.col(column).lpNorm<Eigen::Infinity>();
    EXPECT_LT((x - y).col(column).lpNorm<Eigen::Infinity>(), 1e-13 * test::infinity_norm(inverse) * size);
  }
}

void expect_solutions_of_other_systems(BandedCase& each) {
  const int n = each.unknowns(), m = each.constraints();
  const VectorXd metric = some_metric(n), shift = some_shift(m);
  const MatrixXd b = test::random_columns(n + m, 2, 3);
  MatrixXd x(n + m, 2), y(n + m, 2);
  for (SaddlePointSystem* system : {static_cast<SaddlePointSystem*>(&each.banded), static_cast<SaddlePointSystem*>(&each.dense),
                                    static_cast<SaddlePointSystem*>(each.sparse.get())})
    ASSERT_EQ(system->factor(SaddlePointSelection::both, metric, 1e-6, shift), SaddlePointOutcome::factorized);
  for (SaddlePointMatrix which : both_matrices) {
    const MatrixXd K = each.matrix(which, metric, 1e-6, shift);
    ASSERT_TRUE(each.banded.solve(which, b, x));
    ASSERT_TRUE(each.dense.solve(which, b, y));
    expect_equal_solutions(K, b, x, y);
    ASSERT_TRUE(each.sparse->solve(which, b, y));
    expect_equal_solutions(K, b, x, y);
    const BlockTridiagonalReport& report = each.banded.report(which);
    EXPECT_EQ(report.shift, (QuasiDefiniteShift{0, 0}));
    EXPECT_FALSE(report.is_pivoted);
    EXPECT_EQ(report.factorizations, 1);
    ASSERT_TRUE(report.inertia);
    EXPECT_EQ(report.inertia->positive, n + each.banded.padding_rows());
    EXPECT_EQ(report.inertia->negative, m);
  }
}

TEST(BandedSaddlePoint, HasTheSolutionsAndTheInertiaOfOtherSystems) {
  for (const BandedSaddleShape& shape : test::banded_shapes()) {
    BandedCase each(shape);
    expect_solutions_of_other_systems(each);
  }
}

TEST(BandedSaddlePoint, HasTheSameSolutionsByAllMethods) {
  for (BlockTridiagonalMethod method : test::block_methods) {
    BandedCase each({{3, 5, 1, 0, 4, 2, 6, 2, 3, 3}, {1, 0, 2, 1, 0, 3, 1, 0, 1, 1}, 2, 2, 1}, 6, {.method = method});
    expect_solutions_of_other_systems(each);
  }
}

// Either matrix alone, after a change of H: the other factor stays.
TEST(BandedSaddlePoint, FactorizesEitherMatrixAlone) {
  BandedCase each(test::banded_shapes()[1]);
  const int n = each.unknowns(), m = each.constraints();
  const VectorXd metric = some_metric(n), shift = some_shift(m);
  const MatrixXd b = test::random_columns(n + m, 1, 3);
  MatrixXd x(n + m, 1), y(n + m, 1);
  ASSERT_EQ(each.banded.factor(SaddlePointSelection::metric, metric, 0, shift), SaddlePointOutcome::factorized);
  ASSERT_TRUE(each.banded.solve(SaddlePointMatrix::metric, b, x));
  each.dense.hessian() *= 3;
  each.copy_dense();
  ASSERT_EQ(each.banded.factor(SaddlePointSelection::model, metric, 1e-3, shift), SaddlePointOutcome::factorized);
  ASSERT_TRUE(each.banded.solve(SaddlePointMatrix::metric, b, y));
  EXPECT_EQ(x, y);
  ASSERT_TRUE(each.banded.solve(SaddlePointMatrix::model, b, y));
  EXPECT_LT(test::backward_error(each.matrix(SaddlePointMatrix::model, metric, 1e-3, shift), y, b), 1e-13);
}

// Dependent and vanishing constraints: Dc keeps both matrices regular.
TEST(BandedSaddlePoint, SolvesWithDependentConstraints) {
  BandedCase each(test::banded_shapes()[0]);
  MatrixXd& A = each.dense.jacobian();
  A.row(3) = A.row(2);
  A.row(6).setZero();
  each.copy_dense();
  expect_solutions_of_other_systems(each);
}

// H vanishes on directions of null(A), such as at the static start of a hopper: K1 is regular by dw alone.
TEST(BandedSaddlePoint, SolvesWithAHessianThatIsSingularOnTheNullSpace) {
  BandedCase each(test::banded_shapes()[0], 1);  // rank 6 in 24 unknowns, of which 12 constraints leave 12
  const int n = each.unknowns(), m = each.constraints();
  const MatrixXd null_space = each.dense.jacobian().fullPivLu().kernel();
  Eigen::FullPivLU<MatrixXd> curved(each.dense.hessian() * null_space);
  ASSERT_EQ(curved.setThreshold(1e-10).rank(), 6);
  const double dw = 1e-8 * each.dense.hessian().diagonal().mean();
  const VectorXd metric = VectorXd::Ones(n), shift = VectorXd::Constant(m, 1e-8);
  const MatrixXd b = test::random_columns(n + m, 2, 3);
  MatrixXd x(n + m, 2);
  for (BlockTridiagonalMethod method : test::block_methods) {
    BandedCase other(test::banded_shapes()[0], 1, {.method = method});
    ASSERT_EQ(other.banded.factor(SaddlePointSelection::both, metric, dw, shift), SaddlePointOutcome::factorized);
    ASSERT_TRUE(other.banded.solve(SaddlePointMatrix::model, b, x));
    const BlockTridiagonalReport& report = other.banded.report(SaddlePointMatrix::model);
    EXPECT_EQ(report.shift, (QuasiDefiniteShift{0, 0})) << to_string(report);
    EXPECT_FALSE(report.is_pivoted);
    ASSERT_TRUE(report.inertia);
    EXPECT_EQ(report.inertia->negative, m);
    EXPECT_LT(test::backward_error(each.matrix(SaddlePointMatrix::model, metric, dw, shift), x, b), 1e-13);
  }
}

// Without shifts A has no place for its pivots: the solver's own shift, or pivoting, finds a solution. Where H is indefinite on
// null(A) it pivots.
TEST(BandedSaddlePoint, ShiftsMoreThanAskedOrPivotsWhereItHasTo) {
  BandedCase each(test::banded_shapes()[0], 1);
  const int n = each.unknowns(), m = each.constraints();
  const VectorXd metric = VectorXd::Ones(n), none = VectorXd::Zero(m), shift = VectorXd::Constant(m, 1e-8);
  const MatrixXd b = test::random_columns(n + m, 1, 3);
  MatrixXd x(n + m, 1);
  ASSERT_EQ(each.banded.factor(SaddlePointSelection::model, metric, 0, none), SaddlePointOutcome::factorized);
  EXPECT_TRUE(each.banded.solve(SaddlePointMatrix::model, b, x));
  const BlockTridiagonalReport singular = each.banded.report(SaddlePointMatrix::model);
  EXPECT_GT(singular.shift.positive, 0) << to_string(singular);
  EXPECT_LE(singular.backward_error, 1e-9);
  each.dense.hessian().diagonal().array() -= 1;
  each.copy_dense();
  ASSERT_EQ(each.banded.factor(SaddlePointSelection::model, metric, 1e-6, shift), SaddlePointOutcome::factorized);
  ASSERT_TRUE(each.banded.solve(SaddlePointMatrix::model, b, x));
  const BlockTridiagonalReport indefinite = each.banded.report(SaddlePointMatrix::model);
  EXPECT_TRUE(indefinite.is_pivoted) << to_string(indefinite);
  EXPECT_EQ(indefinite.shift, (QuasiDefiniteShift{0, 0}));
  EXPECT_LT(test::backward_error(each.matrix(SaddlePointMatrix::model, metric, 1e-6, shift), x, b), 1e-9);
}

// Also where the solver has to shift: rows of padding get the scale of the unknowns, so that other units change no bit.
TEST(BandedSaddlePoint, HasTheSameSolutionsInOtherUnits) {
  BandedCase each(test::banded_shapes()[3], 1);
  ASSERT_GT(each.banded.padding_rows(), 0);
  const int n = each.unknowns(), m = each.constraints();
  const VectorXd metric = some_metric(n), none = VectorXd::Zero(m);
  const MatrixXd b = test::random_columns(n + m, 1, 3);
  MatrixXd x(n + m, 1), y(n + m, 1);
  ASSERT_EQ(each.banded.factor(SaddlePointSelection::model, metric, 0, none), SaddlePointOutcome::factorized);
  ASSERT_TRUE(each.banded.solve(SaddlePointMatrix::model, b, x));
  ASSERT_GT(each.banded.report(SaddlePointMatrix::model).shift.positive, 0);
  const double unit = std::ldexp(1, -60);  // of E and C
  each.dense.hessian() *= unit;
  each.dense.jacobian() *= unit;
  each.copy_dense();
  ASSERT_EQ(each.banded.factor(SaddlePointSelection::model, metric, 0, none), SaddlePointOutcome::factorized);
  ASSERT_TRUE(each.banded.solve(SaddlePointMatrix::model, unit * b, y));
  EXPECT_EQ(x, y);
}

TEST(BandedSaddlePoint, ReportsEntriesThatAreNotFiniteAndReadsLowerTriangles) {
  BandedCase each(test::banded_shapes()[0]);
  const VectorXd metric = some_metric(each.unknowns()), shift = some_shift(each.constraints());
  const auto outcome = [&](double& entry, SaddlePointSelection selection) {
    const double before = entry;
    entry = std::numeric_limits<double>::quiet_NaN();
    const SaddlePointOutcome found = each.banded.factor(selection, metric, 1e-6, shift);
    entry = before;
    return found;
  };
  for (SaddlePointSelection selection :
       {SaddlePointSelection::metric, SaddlePointSelection::model, SaddlePointSelection::both}) {
    EXPECT_EQ(outcome(each.banded.hessian_block(2, 2)(1, 2), selection), SaddlePointOutcome::factorized);
    EXPECT_EQ(outcome(each.banded.hessian_block(2, 2)(2, 1), selection), SaddlePointOutcome::not_finite);
    EXPECT_EQ(outcome(each.banded.hessian_block(2, 0)(1, 2), selection), SaddlePointOutcome::not_finite);
    EXPECT_EQ(outcome(each.banded.jacobian_block(2, 3)(1, 2), selection), SaddlePointOutcome::not_finite);
  }
}

TEST(BandedSaddlePoint, FactorizationsAndSolutionsAllocateNothing) {
  ASSERT_EQ(test::an_allocation_counts(), test::counts_allocations);
  BandedCase each(test::banded_shapes()[3]);
  const int n = each.unknowns(), m = each.constraints();
  const VectorXd metric = some_metric(n), shift = some_shift(m);
  const MatrixXd b = test::random_columns(n + m, 2, 3);
  MatrixXd x(n + m, 2);
  VectorXd p = b.col(0).head(n), y = b.col(0).tail(m), first(n), second(m);
  const auto use = [&] {
    each.banded.factor(SaddlePointSelection::both, metric, 1e-6, shift);
    for (SaddlePointMatrix which : both_matrices) each.banded.solve(which, b, x);
    each.banded.multiply_hessian(p, first);
    each.banded.multiply_jacobian(p, second);
    each.banded.multiply_jacobian_transposed(y, first);
    each.banded.hessian_diagonal(first);
    each.banded.jacobian_row_norms(second);
  };
  use();
  const long before = test::allocation_count;
  use();
  EXPECT_EQ(test::allocation_count - before, 0);
}

TEST(BandedSaddlePoint, LeadsToTheTrajectoryOfOtherSystems) {
  const auto solve = [](PointwiseHoppingMass::Kind kind) {
    PointwiseHoppingMass problem(12, kind);
    VectorXd x = problem.start();
    const TrustRegionSqpResult result = TrustRegionSqp(problem, {}).solve(x);
    EXPECT_EQ(result.status, TrustRegionSqpStatus::converged) << result.diagnosis;
    if (kind == PointwiseHoppingMass::Kind::banded) {
      EXPECT_FALSE(problem.systems.banded.report(SaddlePointMatrix::model).is_pivoted);
      EXPECT_EQ(problem.systems.banded.report(SaddlePointMatrix::metric).factorizations, 1);
    }
    return std::pair(result, x);
  };
  const auto [expected, point] = solve(PointwiseHoppingMass::Kind::dense);
  for (auto kind : {PointwiseHoppingMass::Kind::sparse, PointwiseHoppingMass::Kind::banded}) {
    const auto [result, x] = solve(kind);
    EXPECT_NEAR(result.objective, expected.objective, 1e-9);
    EXPECT_EQ(result.iterations.size(), expected.iterations.size());
    EXPECT_LT((x - point).norm(), 1e-5 * point.norm());
  }
}

}  // namespace banded_saddle_point_tests
}  // namespace holo
