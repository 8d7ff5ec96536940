// Symmetric indefinite systems: inertia against dense eigenvalues, pivots that must wait, singular matrices.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "algebra/symmetric.h"
#include "holo/core/numerics/sparse_solver.h"

namespace holo {
namespace {

using Eigen::MatrixXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::unique_ptr<SparseSolver> indefinite_solver() { return make_sparse_solver({.matrix = MatrixKind::indefinite}); }

SparseMatrix lower_of(const MatrixXd& dense) { return MatrixXd(dense.triangularView<Eigen::Lower>()).sparseView(); }

struct EigenvalueInertia {
  MatrixInertia inertia;
  bool is_clear = true;  // no eigenvalue is so small that it may be rounding
};

// Scaling rows and columns alike leaves inertia as it is, and lifts small eigenvalues of badly scaled rows above rounding.
EigenvalueInertia inertia_by_eigenvalues(MatrixXd matrix) {
  for (int sweep = 0; sweep < 8; ++sweep) {
    Eigen::VectorXd scale = matrix.cwiseAbs().rowwise().maxCoeff();
    for (double& s : scale) s = s > 0 ? 1 / std::sqrt(s) : 1;
    matrix = scale.asDiagonal() * matrix * scale.asDiagonal();
  }
  const Eigen::VectorXd values = test::symmetric_eigenvalues(matrix);
  const double largest = values.cwiseAbs().maxCoeff(), zero = 10 * epsilon * double(values.size()) * largest;
  EigenvalueInertia result;
  result.inertia.positive = (values.array() > zero).count();
  result.inertia.negative = (values.array() < -zero).count();
  result.inertia.zero = values.size() - result.inertia.positive - result.inertia.negative;
  result.is_clear = (values.array().abs() > zero && values.array().abs() < 1e-9 * largest).count() == 0;
  return result;
}

// Sparse and symmetric with some zeros on the diagonal; entries over several orders of magnitude.
MatrixXd random_symmetric(int n, double density, double zero_diagonal, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1), chance(0, 1);
  MatrixXd a = MatrixXd::Zero(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      const bool is_zero = i == j ? chance(random) < zero_diagonal : chance(random) > density;
      a(i, j) = a(j, i) = is_zero ? 0 : uniform(random) * std::pow(10.0, 2 * uniform(random));
    }
  return a;
}

// [H C^T; C 0] of a banded positive definite H and full-rank C: the conditions of a quadratic program.
SparseMatrix saddle_point(int variables, int constraints, std::mt19937& random, double h_scale = 1) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < variables; ++i) {
    entries.emplace_back(i, i, h_scale * (4 + uniform(random)));
    for (int k : {1, 7})
      if (i + k < variables) entries.emplace_back(i + k, i, h_scale * uniform(random));
  }
  for (int c = 0; c < constraints; ++c) {
    const int first = c * variables / constraints;
    for (int k = 0; k < 3; ++k)
      if (first + k < variables) entries.emplace_back(variables + c, first + k, k == 0 ? 2 + uniform(random) : uniform(random));
  }
  SparseMatrix lower(variables + constraints, variables + constraints);
  lower.setFromTriplets(entries.begin(), entries.end());
  return lower;
}

TEST(BunchKaufmanSolver, InertiaIsThatOfTheEigenvalues) {
  std::mt19937 random(4);
  int with_negatives = 0, clear = 0;
  for (int turn = 0; turn < 200; ++turn) {
    const int n = 1 + int(random() % 40u);
    const MatrixXd a = random_symmetric(n, turn % 2 ? 0.1 : 0.5, turn % 3 * 0.4, random);
    const auto solver = indefinite_solver();
    const SparseMatrix lower = lower_of(a);
    solver->analyze(lower);
    const bool factorized = solver->factorize(lower);
    const auto [expected, is_clear] = inertia_by_eigenvalues(a);
    if (!is_clear) continue;
    ++clear;
    ASSERT_TRUE(solver->inertia());
    EXPECT_EQ(*solver->inertia(), expected)
        << "turn " << turn << ", " << n << " rows: " << solver->inertia()->positive << " " << solver->inertia()->negative << " "
        << solver->inertia()->zero << ", expected " << expected.positive << " " << expected.negative << " " << expected.zero;
    EXPECT_EQ(factorized, expected.zero == 0);
    with_negatives += expected.negative > 0 && expected.positive > 0;
    if (!factorized) continue;
    const MatrixXd b = MatrixXd::Random(n, 3);
    MatrixXd x(n, 3);
    solver->solve(b, x);
    EXPECT_LT((b - a * x).norm(), 1e3 * n * epsilon * a.norm() * x.norm());
  }
  EXPECT_GT(with_negatives, 100);
  EXPECT_GT(clear, 180);
}

// A quadratic program with a minimum has as many negative eigenvalues as constraints [Gould1985].
TEST(BunchKaufmanSolver, ASaddlePointHasANegativeEigenvalueForEachConstraint) {
  std::mt19937 random(5);
  for (double scale : {1.0, 1e-8, 1e8}) {
    const SparseMatrix lower = saddle_point(400, 130, random, scale);
    const auto solver = indefinite_solver();
    solver->analyze(lower);
    ASSERT_TRUE(solver->factorize(lower));
    EXPECT_EQ(*solver->inertia(), (MatrixInertia{400, 130, 0}));
    const MatrixXd b = MatrixXd::Random(530, 1);
    MatrixXd x(530, 1);
    solver->solve(b, x);
    const MatrixXd residual = b - lower.selfadjointView<Eigen::Lower>() * x;
    EXPECT_LT(residual.norm(), 1e-12 * MatrixXd(lower).norm() * x.norm());
  }
}

// Blocks [0 1; 1 0] linked in a chain: no diagonal entry is a pivot at first.
TEST(BunchKaufmanSolver, AMatrixWithoutADiagonalIsEliminatedInPairs) {
  for (int n : {2, 6, 50, 300}) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i + 1 < n; ++i) entries.emplace_back(i + 1, i, i % 2 == 0 ? 1.0 : 0.5);
    SparseMatrix lower(n, n);
    lower.setFromTriplets(entries.begin(), entries.end());
    const auto solver = indefinite_solver();
    solver->analyze(lower);
    ASSERT_TRUE(solver->factorize(lower)) << n;
    EXPECT_EQ(*solver->inertia(), (MatrixInertia{n / 2, n / 2, 0}));
  }
}

// Diagonal entries whose values are zero although the pattern has them are found only while factorizing: pivots wait.
TEST(BunchKaufmanSolver, ZerosOnTheDiagonalThatThePatternDoesNotShowAreNoHindrance) {
  std::mt19937 random(6);
  for (int constraints : {20, 100}) {
    SparseMatrix lower = saddle_point(200, constraints, random);
    for (int c = 0; c < constraints; ++c) lower.coeffRef(200 + c, 200 + c) = 0;
    for (int i = 0; i < 200; i += 2) lower.coeffRef(i, i) = 0;
    lower.makeCompressed();
    const auto solver = indefinite_solver();
    solver->analyze(lower);
    const MatrixXd dense = MatrixXd(lower).selfadjointView<Eigen::Lower>();
    const MatrixInertia expected = inertia_by_eigenvalues(dense).inertia;
    EXPECT_EQ(solver->factorize(lower), expected.zero == 0);
    EXPECT_EQ(*solver->inertia(), expected);
  }
}

TEST(BunchKaufmanSolver, RankDeficiencyIsCounted) {
  std::mt19937 random(7);
  for (int rank : {0, 3, 29}) {
    const MatrixXd factor =
        MatrixXd::NullaryExpr(30, rank, [&] { return std::uniform_real_distribution<double>(-1, 1)(random); });
    Eigen::VectorXd signs = Eigen::VectorXd::Ones(rank);
    signs.head(rank / 3).setConstant(-1);
    const MatrixXd a = factor * signs.asDiagonal() * factor.transpose();
    MatrixXd full = a + MatrixXd::Zero(30, 30);
    SparseMatrix lower(30, 30);  // all entries, zeros included
    for (int j = 0; j < 30; ++j)
      for (int i = j; i < 30; ++i) lower.insert(i, j) = full(i, j);
    lower.makeCompressed();
    const auto solver = indefinite_solver();
    solver->analyze(lower);
    EXPECT_FALSE(solver->factorize(lower));
    EXPECT_EQ(solver->outcome(), SparseSolver::Outcome::singular);
    EXPECT_EQ(*solver->inertia(), (MatrixInertia{rank - rank / 3, rank / 3, 30 - rank}));
  }
}

TEST(BunchKaufmanSolver, BlocksOfRightHandSidesHaveTheBitsOfSingleOnes) {
  std::mt19937 random(8);
  const SparseMatrix lower = saddle_point(150, 50, random);
  const auto solver = indefinite_solver();
  solver->analyze(lower);
  ASSERT_TRUE(solver->factorize(lower));
  const MatrixXd b = MatrixXd::Random(200, 21);
  MatrixXd together(200, 21), single(200, 1);
  solver->solve(b, together);
  for (int column = 0; column < 21; ++column) {
    solver->solve(b.col(column), single);
    EXPECT_TRUE(single == together.col(column));
  }
}

// Of a grid the fronts are wide: blocked updates, several panels.
TEST(BunchKaufmanSolver, WideFrontsAreFactorizedInPanels) {
  std::mt19937 random(9);
  const MatrixXd a = random_symmetric(150, 0.9, 0.9, random);
  const SparseMatrix lower = lower_of(a);
  const auto solver = indefinite_solver();
  solver->analyze(lower);
  ASSERT_TRUE(solver->factorize(lower));
  EXPECT_EQ(*solver->inertia(), inertia_by_eigenvalues(a).inertia);
  const MatrixXd b = MatrixXd::Random(150, 2);
  MatrixXd x(150, 2);
  solver->solve(b, x);
  EXPECT_LT((b - a * x).norm(), 1e3 * 150 * epsilon * a.norm() * x.norm());
}

}  // namespace
}  // namespace holo
