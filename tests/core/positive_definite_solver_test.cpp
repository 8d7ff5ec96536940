#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "allocation_counter.h"
#include "holo/core/error.h"
#include "holo/core/numerics/sparse_solver.h"

namespace holo {
namespace {

std::vector<SparseLibrary> libraries() {
  if (is_available(SparseLibrary::cholmod)) return {SparseLibrary::cholmod, SparseLibrary::eigen};
  return {SparseLibrary::eigen};
}

// Lower triangle of a positive definite matrix with the pattern of an elastic grid: blocks of 3 unknowns, neighbors within one
// step of an edge x edge x edge lattice.
SparseMatrix elastic_like(int edge, double shift = 0.5, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int nodes = edge * edge * edge;
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> row_sums(static_cast<std::size_t>(3 * nodes), 0.0);
  const auto at = [&](int i, int j, int k) { return (i * edge + j) * edge + k; };
  for (int v = 0; v < nodes; ++v)
    for (int di = -1; di <= 1; ++di)
      for (int dj = -1; dj <= 1; ++dj)
        for (int dk = -1; dk <= 1; ++dk) {
          const int i = v / (edge * edge) + di, j = v / edge % edge + dj, k = v % edge + dk;
          if (i < 0 || j < 0 || k < 0 || i >= edge || j >= edge || k >= edge) continue;
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) {
              const int row = 3 * at(i, j, k) + a, column = 3 * v + b;
              if (row <= column) continue;
              const double value = uniform(random);
              entries.emplace_back(row, column, value);
              row_sums[static_cast<std::size_t>(row)] += std::abs(value);
              row_sums[static_cast<std::size_t>(column)] += std::abs(value);
            }
        }
  for (int i = 0; i < 3 * nodes; ++i) entries.emplace_back(i, i, row_sums[static_cast<std::size_t>(i)] + shift);
  SparseMatrix lower(3 * nodes, 3 * nodes);
  lower.setFromTriplets(entries.begin(), entries.end());
  return lower;
}

Eigen::MatrixXd dense(const SparseMatrix& lower) {
  const SparseMatrix whole = lower.selfadjointView<Eigen::Lower>();
  return whole;
}

Eigen::MatrixXd solved(const SparseSolver& solver, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Constant(b.rows(), b.cols(), -77);
  solver.solve(b, x);
  return x;
}

class PositiveDefiniteSolver : public ::testing::TestWithParam<SparseLibrary> {
 protected:
  std::unique_ptr<SparseSolver> solver_ = make_sparse_solver({.library = GetParam()});
};

std::string library_name(const ::testing::TestParamInfo<SparseLibrary>& library) { return to_string(library.param); }

INSTANTIATE_TEST_SUITE_P(SparseSolverLibraries, PositiveDefiniteSolver, ::testing::ValuesIn(libraries()), library_name);

TEST_P(PositiveDefiniteSolver, SolutionIsThatOfDenseCholesky) {
  for (int edge : {1, 2, 4}) {
    const SparseMatrix lower = elastic_like(edge);
    solver_->analyze(lower);
    ASSERT_TRUE(solver_->factorize(lower));
    const Eigen::MatrixXd b = Eigen::MatrixXd::Random(lower.rows(), 5);
    const Eigen::MatrixXd expected = dense(lower).llt().solve(b);
    EXPECT_LT((solved(*solver_, b) - expected).norm(), 1e-12 * expected.norm());
    EXPECT_GE(solver_->factor_nonzeros(), static_cast<std::size_t>(lower.nonZeros()));
  }
}

// Column j of the factor of a full matrix has n - j entries, each of which is multiplied with each.
TEST_P(PositiveDefiniteSolver, FlopsOfAFullMatrixAreTheSumOfSquares) {
  for (int edge : {1, 2}) {
    const SparseMatrix full = elastic_like(edge);
    solver_->analyze(full);
    ASSERT_TRUE(solver_->factorize(full));
    const double n = static_cast<double>(full.rows());
    EXPECT_EQ(solver_->factorization_flops(), n * (n + 1) * (2 * n + 1) / 6);
  }
}

TEST_P(PositiveDefiniteSolver, ResidualIsAtRoundingForManyRightHandSides) {
  const SparseMatrix lower = elastic_like(9);
  solver_->analyze(lower);
  ASSERT_TRUE(solver_->factorize(lower));
  for (int columns : {1, 40, 3}) {
    const Eigen::MatrixXd b = Eigen::MatrixXd::Random(lower.rows(), columns);
    const Eigen::MatrixXd residual = lower.selfadjointView<Eigen::Lower>() * solved(*solver_, b) - b;
    EXPECT_LT(residual.norm(), 1e-13 * b.norm());
  }
}

TEST_P(PositiveDefiniteSolver, AnalysisServesOtherValuesAndEntriesAboveTheDiagonalAreIgnored) {
  const SparseMatrix first = elastic_like(5, 0.5, 1), second = elastic_like(5, 2.0, 2);
  solver_->analyze(first);
  for (const SparseMatrix* lower : {&first, &second, &first}) {
    ASSERT_TRUE(solver_->factorize(*lower));
    const Eigen::VectorXd b = Eigen::VectorXd::Random(lower->rows());
    EXPECT_LT((lower->selfadjointView<Eigen::Lower>() * solved(*solver_, b) - b).norm(), 1e-13 * b.norm());
  }
  EXPECT_EQ(solver_->factorizations(), 3);

  SparseMatrix whole = second.selfadjointView<Eigen::Lower>();
  for (int column = 0; column < whole.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(whole, column); entry; ++entry)
      if (entry.row() < column) entry.valueRef() = 1e6;
  solver_->analyze(whole);
  ASSERT_TRUE(solver_->factorize(whole));
  const Eigen::VectorXd b = Eigen::VectorXd::Random(whole.rows());
  EXPECT_LT((second.selfadjointView<Eigen::Lower>() * solved(*solver_, b) - b).norm(), 1e-13 * b.norm());
}

TEST_P(PositiveDefiniteSolver, BadInputAnotherPatternIsRefusedUntilItIsAnalyzed) {
  const SparseMatrix small = elastic_like(3), large = elastic_like(4);
  EXPECT_THROW(solver_->factorize(small), Error);
  solver_->analyze(small);
  ASSERT_TRUE(solver_->factorize(small));
  EXPECT_THROW(solver_->factorize(large), Error);
  SparseMatrix diagonal(small.rows(), small.cols());
  diagonal.setIdentity();
  EXPECT_THROW(solver_->factorize(diagonal), Error);
  solver_->analyze(large);
  EXPECT_THROW(solved(*solver_, Eigen::MatrixXd::Zero(large.rows(), 1)), Error);
  ASSERT_TRUE(solver_->factorize(large));
  const Eigen::VectorXd b = Eigen::VectorXd::Random(large.rows());
  EXPECT_LT((large.selfadjointView<Eigen::Lower>() * solved(*solver_, b) - b).norm(), 1e-13 * b.norm());
}

TEST_P(PositiveDefiniteSolver, IndefiniteAndSingularMatricesAreFalseAndDoNotSpoilTheNext) {
  const SparseMatrix good = elastic_like(5);
  solver_->analyze(good);
  for (int spoiled : {0, 200, static_cast<int>(good.rows()) - 1}) {
    SparseMatrix indefinite = good;
    indefinite.coeffRef(spoiled, spoiled) = -1e-3;
    EXPECT_FALSE(solver_->factorize(indefinite));
    EXPECT_THROW(solved(*solver_, Eigen::MatrixXd::Zero(good.rows(), 1)), Error);
  }
  EXPECT_FALSE(solver_->factorize(0.0 * good));
  ASSERT_TRUE(solver_->factorize(good));
  const Eigen::VectorXd b = Eigen::VectorXd::Random(good.rows());
  EXPECT_LT((good.selfadjointView<Eigen::Lower>() * solved(*solver_, b) - b).norm(), 1e-13 * b.norm());
}

TEST_P(PositiveDefiniteSolver, BadInputNotANumberInfinityAndOverflowAreFalse) {
  const SparseMatrix good = elastic_like(4);
  solver_->analyze(good);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
    for (Eigen::Index place : {Eigen::Index{0}, good.nonZeros() / 2, good.nonZeros() - 1}) {
      SparseMatrix spoiled = good;
      spoiled.valuePtr()[place] = bad;
      EXPECT_FALSE(solver_->factorize(spoiled));
    }
  SparseMatrix overflowing = good;  // finite, but the square of one off-diagonal entry is not
  overflowing.valuePtr()[1] = 1e200;
  EXPECT_FALSE(solver_->factorize(overflowing));
  EXPECT_TRUE(solver_->factorize(good));
}

TEST_P(PositiveDefiniteSolver, EmptyMatrixFactorizesAndSolves) {
  const SparseMatrix empty(0, 0);
  solver_->analyze(empty);
  EXPECT_TRUE(solver_->factorize(empty));
  EXPECT_EQ(solver_->factor_nonzeros(), 0u);
  EXPECT_EQ(solver_->factorization_flops(), 0);
  EXPECT_EQ(solved(*solver_, Eigen::MatrixXd(0, 2)).size(), 0);
  const SparseMatrix some = elastic_like(2);
  solver_->analyze(some);
  ASSERT_TRUE(solver_->factorize(some));
  EXPECT_EQ(solved(*solver_, Eigen::MatrixXd(some.rows(), 0)).size(), 0);
}

TEST_P(PositiveDefiniteSolver, ResultsRepeatBitForBitInOneObjectInAnotherAndInAnotherThread) {
  const SparseMatrix lower = elastic_like(8);
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(lower.rows(), -1, 1);
  solver_->analyze(lower);
  ASSERT_TRUE(solver_->factorize(lower));
  const Eigen::MatrixXd reference = solved(*solver_, b);
  ASSERT_TRUE(solver_->factorize(lower));
  EXPECT_TRUE(solved(*solver_, b) == reference);
  std::vector<std::thread> threads;
  std::vector<Eigen::MatrixXd> results(4);
  for (Eigen::MatrixXd& result : results)
    threads.emplace_back([&] {
      const auto other = make_sparse_solver({.library = GetParam()});
      other->analyze(lower);
      if (other->factorize(lower)) result = solved(*other, b);
    });
  for (std::thread& thread : threads) thread.join();
  for (const Eigen::MatrixXd& result : results) EXPECT_TRUE(result == reference);
}

TEST_P(PositiveDefiniteSolver, FactorizationStartsNoThreads) {
  const auto threads = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  const SparseMatrix lower = elastic_like(9);
  solver_->analyze(lower);
  const auto before = threads();
  ASSERT_TRUE(solver_->factorize(lower));
  EXPECT_EQ(threads(), before);
}

TEST_P(PositiveDefiniteSolver, SolvesInPlaceAndThroughPartsOfALargerMatrix) {
  const SparseMatrix lower = elastic_like(3);
  solver_->analyze(lower);
  ASSERT_TRUE(solver_->factorize(lower));
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(lower.rows(), 3);
  const Eigen::MatrixXd expected = solved(*solver_, b);
  Eigen::MatrixXd large = Eigen::MatrixXd::Zero(lower.rows() + 9, 5);
  large.block(4, 1, lower.rows(), 3) = b;
  solver_->solve(large.block(4, 1, lower.rows(), 3), large.block(4, 1, lower.rows(), 3));
  EXPECT_TRUE(large.block(4, 1, lower.rows(), 3) == expected);
  EXPECT_EQ(large.topRows(4).norm() + large.bottomRows(5).norm() + large.col(0).norm() + large.col(4).norm(), 0.0);
  EXPECT_THROW(solved(*solver_, Eigen::MatrixXd::Zero(lower.rows() + 1, 1)), Error);
}

TEST_P(PositiveDefiniteSolver, SolveAllocatesNothingAfterTheFirst) {
  if (!test::counts_allocations) GTEST_SKIP() << "allocations are not counted under the sanitizers";
  const SparseMatrix lower = elastic_like(6);
  solver_->analyze(lower);
  ASSERT_TRUE(solver_->factorize(lower));
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(lower.rows(), 2);
  Eigen::MatrixXd x(lower.rows(), 2);
  long before = test::allocation_count;
  solver_->solve(b, x);
  EXPECT_GT(test::allocation_count, before);  // the counter does count: the first solve makes the workspace
  ASSERT_TRUE(solver_->factorize(lower));
  before = test::allocation_count;
  for (int i = 0; i < 10; ++i) solver_->solve(b, x);
  EXPECT_EQ(test::allocation_count, before);
}

TEST_P(PositiveDefiniteSolver, BadInputMatricesThatAreNotSquareOrNotCompressedAreRefused) {
  EXPECT_THROW(solver_->analyze(SparseMatrix(3, 4)), Error);
  SparseMatrix uncompressed(3, 3);
  uncompressed.insert(0, 0) = 1;
  EXPECT_THROW(solver_->analyze(uncompressed), Error);
}

// Indefinite ones need none to factorize other values either, once the fronts have had their sizes.
TEST(SparseSolver, RepeatedSolvesOfOtherKindsAllocateNothing) {
  if (!test::counts_allocations) GTEST_SKIP() << "allocations are not counted under the sanitizers";
  const SparseMatrix lower = elastic_like(5, -40);
  const SparseMatrix whole = lower.selfadjointView<Eigen::Lower>();
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(lower.rows(), 3);
  Eigen::MatrixXd x(lower.rows(), 3);
  for (SparseLibrary library : {SparseLibrary::bunch_kaufman, SparseLibrary::klu, SparseLibrary::umfpack}) {
    if (!is_available(library)) continue;
    const bool is_symmetric = library == SparseLibrary::bunch_kaufman;
    const auto solver =
        make_sparse_solver({.matrix = is_symmetric ? MatrixKind::indefinite : MatrixKind::general, .library = library});
    const SparseMatrix& matrix = is_symmetric ? lower : whole;
    solver->analyze(matrix);
    ASSERT_TRUE(solver->factorize(matrix));
    solver->solve(b, x);
    const long before = test::allocation_count;
    for (int i = 0; i < 5; ++i) {
      if (is_symmetric) {
        EXPECT_TRUE(solver->factorize(matrix));
      }
      solver->solve(b, x);
    }
    EXPECT_EQ(test::allocation_count, before) << to_string(library);
    if (is_symmetric) {
      EXPECT_GT(solver->inertia()->negative, 0);
    }
  }
}

TEST(SparseSolver, AutomaticIsTheBestThatTheBuildHas) {
  const std::string name = make_sparse_solver()->name();
  if (is_available(SparseLibrary::cholmod)) {
    EXPECT_NE(name.find("CHOLMOD supernodal"), std::string::npos);
    EXPECT_NE(name.find("1 thread"), std::string::npos);
  } else {
    EXPECT_NE(name.find("Eigen"), std::string::npos);
  }
}

}  // namespace
}  // namespace holo
