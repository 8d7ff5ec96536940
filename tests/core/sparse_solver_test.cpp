// What all sparse solvers have in common, each on random matrices of its kind.

#include "holo/core/numerics/sparse_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "algebra/symmetric.h"
#include "holo/core/error.h"

namespace holo {
namespace {

using Eigen::MatrixXd;
using Outcome = SparseSolver::Outcome;

struct SolverCase {
  MatrixKind matrix;
  SparseLibrary library;
};

std::vector<SolverCase> solver_cases() {
  std::vector<SolverCase> cases;
  for (const SolverCase& c :
       {SolverCase{MatrixKind::positive_definite, SparseLibrary::cholmod},
        SolverCase{MatrixKind::positive_definite, SparseLibrary::eigen},
        SolverCase{MatrixKind::indefinite, SparseLibrary::bunch_kaufman},
        SolverCase{MatrixKind::general, SparseLibrary::umfpack}, SolverCase{MatrixKind::general, SparseLibrary::klu},
        SolverCase{MatrixKind::general, SparseLibrary::eigen}})
    if (is_available(c.library)) cases.push_back(c);
  return cases;
}

std::string case_name(const ::testing::TestParamInfo<SolverCase>& info) {
  const MatrixKind kind = info.param.matrix;
  return to_string(info.param.library) + (kind == MatrixKind::general      ? "_general"
                                          : kind == MatrixKind::indefinite ? "_indefinite"
                                                                           : "_positive_definite");
}

// About six entries in a column, so that there is fill. Positive definite: dominant diagonal. Else about a third of the
// diagonal is missing.
SparseMatrix random_sparse(MatrixKind kind, int n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  MatrixXd dense = MatrixXd::Zero(n, n);
  for (int column = 0; column < n; ++column)
    for (int k = 0; k < 3; ++k) {
      const int row = int(random() % unsigned(n));
      dense(row, column) = uniform(random);
      if (kind != MatrixKind::general) dense(column, row) = dense(row, column);
    }
  for (int i = 0; i < n; ++i) {
    dense(i, (i + 1) % n) += kind == MatrixKind::general ? 2 : 0;  // structurally regular
    if (kind == MatrixKind::positive_definite) dense(i, i) = 0.1 + dense.row(i).cwiseAbs().sum();
    if (kind == MatrixKind::indefinite) dense(i, i) = i % 3 == 0 && i + 1 < n ? 0 : uniform(random) * 3;
  }
  if (kind == MatrixKind::indefinite)
    for (int i = 0; i + 1 < n; i += 3) dense(i + 1, i) = dense(i, i + 1) = 2;
  if (kind != MatrixKind::general) dense.triangularView<Eigen::StrictlyUpper>().setZero();
  return dense.sparseView();
}

MatrixXd dense_of(MatrixKind kind, const SparseMatrix& matrix) {
  if (kind == MatrixKind::general) return MatrixXd(matrix);
  return MatrixXd(matrix).selfadjointView<Eigen::Lower>();
}

template <class Call>
std::string refusal_text(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

void expect_holds(const std::string& text, const std::string& part) { EXPECT_NE(text.find(part), std::string::npos) << text; }

class SparseSolverTest : public ::testing::TestWithParam<SolverCase> {
 protected:
  MatrixKind kind() const { return GetParam().matrix; }
  std::unique_ptr<SparseSolver> made(int refinement_steps = 0) const {
    return make_sparse_solver({.matrix = kind(), .library = GetParam().library, .refinement_steps = refinement_steps});
  }
  std::unique_ptr<SparseSolver> factorized(const SparseMatrix& matrix, int refinement_steps = 0) const {
    auto solver = made(refinement_steps);
    solver->analyze(matrix);
    EXPECT_TRUE(solver->factorize(matrix)) << to_string(solver->outcome());
    return solver;
  }
};

INSTANTIATE_TEST_SUITE_P(SparseSolvers, SparseSolverTest, ::testing::ValuesIn(solver_cases()), case_name);

// A backward stable solve has |b - A x| <= c n eps |A| |x|; c holds the growth that the pivoting allows.
TEST_P(SparseSolverTest, ResidualsAndThoseOfTheTransposeAreAtRounding) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const auto& [n, refinements] : {std::pair{1, 0}, {7, 0}, {60, 0}, {60, 1}, {250, 0}}) {
    const SparseMatrix matrix = random_sparse(kind(), n, 3);
    const auto solver = factorized(matrix, refinements);
    const MatrixXd a = dense_of(kind(), matrix), b = MatrixXd::Random(n, 5);
    MatrixXd x(n, 5), y(n, 5);
    solver->solve(b, x);
    solver->solve_transposed(b, y);
    const double allowed = (refinements ? 2 : 20) * n * epsilon * a.norm();
    EXPECT_LT((b - a * x).norm(), allowed * x.norm()) << n;
    EXPECT_LT((b - a.transpose() * y).norm(), allowed * y.norm()) << n;
    if (kind() == MatrixKind::general && n > 1) {
      EXPECT_GT((x - y).norm(), 0.1 * x.norm());
    }
    EXPECT_GE(solver->factor_nonzeros(), std::size_t(n));
  }
}

// Of all of them alike but for rounding, which the condition number magnifies.
TEST_P(SparseSolverTest, ManyRightHandSidesAtOnceAreSolvedLikeEachAlone) {
  const SparseMatrix matrix = random_sparse(kind(), 120, 5);
  const auto solver = factorized(matrix);
  const MatrixXd a = dense_of(kind(), matrix), b = MatrixXd::Random(120, 37);
  const Eigen::VectorXd squares = test::symmetric_eigenvalues(a.transpose() * a);
  const double allowed = 1e-14 * std::sqrt(squares[119] / squares[0]);
  MatrixXd together(120, 37), single(120, 1), in_place = b;
  solver->solve(b, together);
  solver->solve(in_place, in_place);
  EXPECT_TRUE(in_place == together);
  for (int column = 0; column < 37; ++column) {
    solver->solve(b.col(column), single);
    EXPECT_LT((single - together.col(column)).norm(), allowed * single.norm());
  }
}

TEST_P(SparseSolverTest, SeveralThreadsSolveAtOnceWithTheResultsOfOne) {
  const int n = 150;
  const SparseMatrix matrix = random_sparse(kind(), n, 6);
  for (int refinements : {0, 1}) {
    const auto solver = factorized(matrix, refinements);
    const MatrixXd b = MatrixXd::Random(n, 8);
    MatrixXd expected(n, 8), transposed(n, 8);
    for (int column = 0; column < 8; ++column) {
      solver->solve(b.col(column), expected.col(column));
      solver->solve_transposed(b.col(column), transposed.col(column));
    }
    std::vector<std::thread> threads;
    std::vector<int> wrong(8, 0);
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        MatrixXd x(n, 1);
        for (int turn = 0; turn < 30; ++turn) {
          solver->solve(b.col(t), x);
          wrong[std::size_t(t)] += x != expected.col(t);
          solver->solve_transposed(b.col(t), x);
          wrong[std::size_t(t)] += x != transposed.col(t);
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(8, 0));
  }
}

TEST_P(SparseSolverTest, AnAnalysisServesManyMatricesOfThePattern) {
  const int n = 90;
  SparseMatrix matrix = random_sparse(kind(), n, 7);
  const auto solver = made();
  solver->analyze(matrix);
  EXPECT_EQ(solver->outcome(), Outcome::none);
  for (int turn = 0; turn < 4; ++turn) {
    EXPECT_TRUE(solver->has_pattern_of(matrix));
    ASSERT_TRUE(solver->factorize(matrix));
    const MatrixXd a = dense_of(kind(), matrix), b = MatrixXd::Random(n, 1);
    MatrixXd x(n, 1);
    solver->solve(b, x);
    EXPECT_LT((b - a * x).norm(), 1e-12 * a.norm() * x.norm());
    for (int column = 0; column < n; ++column)
      for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
        entry.valueRef() *= entry.row() == column ? 1.5 : (entry.row() + column) % 3 == turn ? -0.4 : 0.9;
  }
  EXPECT_EQ(solver->factorizations(), 4);
}

TEST_P(SparseSolverTest, BadInputOfAnotherPatternOrSizeOrBeforeTheAnalysisIsRefused) {
  const SparseMatrix matrix = random_sparse(kind(), 20, 8), other = random_sparse(kind(), 20, 9);
  const auto solver = made();
  MatrixXd x = MatrixXd::Zero(20, 1);
  expect_holds(refusal_text([&] { solver->factorize(matrix); }), "before a pattern is analyzed");
  expect_holds(refusal_text([&] { solver->solve(x, x); }), "is not factorized");
  solver->analyze(matrix);
  EXPECT_FALSE(solver->has_pattern_of(other));
  expect_holds(refusal_text([&] { solver->factorize(other); }), "another pattern");
  ASSERT_TRUE(solver->factorize(matrix));
  expect_holds(refusal_text([&] { solver->factorize(other); }), "another pattern");
  expect_holds(refusal_text([&] { solver->solve(x, x); }), "is not factorized");
  ASSERT_TRUE(solver->factorize(matrix));
  expect_holds(refusal_text([&] { solver->solve(MatrixXd::Zero(21, 1), x); }), "the right-hand side is 21 x 1");
  expect_holds(refusal_text([&] { solver->solve_transposed(MatrixXd::Zero(20, 2), x); }), "the solution 20 x 1");
  expect_holds(refusal_text([&] { solver->analyze(SparseMatrix(3, 4)); }), "3 x 4: it is not square");
  SparseMatrix uncompressed(3, 3);
  uncompressed.insert(0, 0) = 1;
  expect_holds(refusal_text([&] { solver->analyze(uncompressed); }), "uncompressed");
}

TEST_P(SparseSolverTest, BadInputNumbersThatAreNotFiniteAreFalse) {
  const SparseMatrix matrix = random_sparse(kind(), 30, 10);
  const auto solver = factorized(matrix);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
    for (Eigen::Index place : {Eigen::Index(0), matrix.nonZeros() / 2, matrix.nonZeros() - 1}) {
      SparseMatrix spoiled = matrix;
      spoiled.valuePtr()[place] = bad;
      EXPECT_FALSE(solver->factorize(spoiled));
      EXPECT_EQ(solver->outcome(), Outcome::not_finite);
      EXPECT_FALSE(solver->inertia());
    }
  EXPECT_TRUE(solver->factorize(matrix));
}

TEST_P(SparseSolverTest, BadInputSingularMatricesAreFalseAndDoNotSpoilTheNext) {
  SparseMatrix matrix = random_sparse(kind(), 30, 11);
  const auto solver = factorized(matrix);
  const Outcome expected = kind() == MatrixKind::positive_definite ? Outcome::not_positive_definite : Outcome::singular;
  EXPECT_FALSE(solver->factorize(0.0 * matrix));
  EXPECT_EQ(solver->outcome(), expected);
  SparseMatrix spoiled = matrix;  // row and column 12
  for (int column = 0; column < 30; ++column)
    for (SparseMatrix::InnerIterator entry(spoiled, column); entry; ++entry)
      if (entry.row() == 12 || column == 12) entry.valueRef() = 0;
  EXPECT_FALSE(solver->factorize(spoiled));
  EXPECT_EQ(solver->outcome(), expected);
  EXPECT_TRUE(solver->factorize(matrix));
  // Structurally: a row without entries, and no entries at all.
  MatrixXd hollow = MatrixXd(matrix);
  hollow.row(12).setZero();
  hollow.col(12).setZero();
  for (const SparseMatrix& a : {SparseMatrix(hollow.sparseView()), SparseMatrix(30, 30)}) {
    solver->analyze(a);
    EXPECT_FALSE(solver->factorize(a));
    EXPECT_EQ(solver->outcome(), expected);
  }
}

TEST_P(SparseSolverTest, EmptyMatricesAndNoRightHandSidesAreSolved) {
  const auto solver = made();
  const SparseMatrix empty(0, 0);
  solver->analyze(empty);
  EXPECT_TRUE(solver->factorize(empty));
  MatrixXd none(0, 3);
  solver->solve(none, none);
  EXPECT_EQ(solver->factor_nonzeros(), 0u);
  MatrixXd no_columns(5, 0);
  factorized(random_sparse(kind(), 5, 1))->solve(no_columns, no_columns);
}

TEST(SparseSolver, BadInputALibraryOfAnotherKindIsRefusedWithThoseThatAreAllowed) {
  const std::string message =
      refusal_text([] { make_sparse_solver({.matrix = MatrixKind::general, .library = SparseLibrary::cholmod}); });
  expect_holds(message, "'cholmod' does not factorize matrices of the kind general; choose one of automatic");
  expect_holds(message, "klu, eigen");
  expect_holds(
      refusal_text([] {
        make_sparse_solver({.matrix = MatrixKind::general, .library = SparseLibrary::klu, .ordering = SparseOrdering::metis});
      }),
      "METIS is umfpack's");
  if (!is_available(SparseLibrary::cholmod)) {
    expect_holds(refusal_text([] { make_sparse_solver({.library = SparseLibrary::cholmod}); }), "HOLO_ENABLE_GPL=OFF");
  }
}

TEST(SparseSolver, MetisOrdersForUmfpack) {
  if (!is_available(SparseLibrary::umfpack)) GTEST_SKIP() << "built without UMFPACK";
  const SparseMatrix matrix = random_sparse(MatrixKind::general, 80, 2);
  const auto solver =
      make_sparse_solver({.matrix = MatrixKind::general, .library = SparseLibrary::umfpack, .ordering = SparseOrdering::metis});
  solver->analyze(matrix);
  ASSERT_TRUE(solver->factorize(matrix));
  const MatrixXd b = MatrixXd::Random(80, 2);
  MatrixXd x(80, 2);
  solver->solve(b, x);
  EXPECT_LT((b - matrix * x).norm(), 1e-12 * x.norm());
  expect_holds(solver->name(), "METIS");
}

}  // namespace
}  // namespace holo
