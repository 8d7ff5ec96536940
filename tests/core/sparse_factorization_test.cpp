#include "holo/core/numerics/sparse_factorization.h"

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

namespace holo {
namespace {

std::vector<FactorizationKind> kinds() {
#ifdef HOLO_ENABLE_GPL
  return {FactorizationKind::cholmod_supernodal, FactorizationKind::eigen_ldlt};
#else
  return {FactorizationKind::eigen_ldlt};
#endif
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

Eigen::MatrixXd solved(SparseFactorization& factorization, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Constant(b.rows(), b.cols(), -77);
  factorization.solve(b, x);
  return x;
}

class SparseFactorizationTest : public ::testing::TestWithParam<FactorizationKind> {
 protected:
  std::unique_ptr<SparseFactorization> factorization_ = make_sparse_factorization(GetParam());
};

std::string kind_name(const ::testing::TestParamInfo<FactorizationKind>& kind) {
  return kind.param == FactorizationKind::eigen_ldlt ? "eigen_ldlt" : "cholmod_supernodal";
}

INSTANTIATE_TEST_SUITE_P(Kinds, SparseFactorizationTest, ::testing::ValuesIn(kinds()), kind_name);

TEST_P(SparseFactorizationTest, SolutionIsThatOfDenseCholesky) {
  for (int edge : {1, 2, 4}) {
    const SparseMatrix lower = elastic_like(edge);
    factorization_->analyze(lower);
    ASSERT_TRUE(factorization_->factorize(lower));
    const Eigen::MatrixXd b = Eigen::MatrixXd::Random(lower.rows(), 5);
    const Eigen::MatrixXd expected = dense(lower).llt().solve(b);
    EXPECT_LT((solved(*factorization_, b) - expected).norm(), 1e-12 * expected.norm());
    EXPECT_GE(factorization_->factor_nonzeros(), static_cast<std::size_t>(lower.nonZeros()));
  }
}

TEST_P(SparseFactorizationTest, ResidualIsAtRoundingForManyRightHandSides) {
  const SparseMatrix lower = elastic_like(9);
  factorization_->analyze(lower);
  ASSERT_TRUE(factorization_->factorize(lower));
  for (int columns : {1, 40, 3}) {
    const Eigen::MatrixXd b = Eigen::MatrixXd::Random(lower.rows(), columns);
    const Eigen::MatrixXd residual = lower.selfadjointView<Eigen::Lower>() * solved(*factorization_, b) - b;
    EXPECT_LT(residual.norm(), 1e-13 * b.norm());
  }
}

TEST_P(SparseFactorizationTest, AnalysisServesOtherValuesAndEntriesAboveTheDiagonalAreIgnored) {
  const SparseMatrix first = elastic_like(5, 0.5, 1), second = elastic_like(5, 2.0, 2);
  factorization_->analyze(first);
  for (const SparseMatrix* lower : {&first, &second, &first}) {
    ASSERT_TRUE(factorization_->factorize(*lower));
    const Eigen::VectorXd b = Eigen::VectorXd::Random(lower->rows());
    EXPECT_LT((lower->selfadjointView<Eigen::Lower>() * solved(*factorization_, b) - b).norm(), 1e-13 * b.norm());
  }
  EXPECT_EQ(factorization_->factorizations(), 3);

  SparseMatrix whole = second.selfadjointView<Eigen::Lower>();
  for (int column = 0; column < whole.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(whole, column); entry; ++entry)
      if (entry.row() < column) entry.valueRef() = 1e6;
  factorization_->analyze(whole);
  ASSERT_TRUE(factorization_->factorize(whole));
  const Eigen::VectorXd b = Eigen::VectorXd::Random(whole.rows());
  EXPECT_LT((second.selfadjointView<Eigen::Lower>() * solved(*factorization_, b) - b).norm(), 1e-13 * b.norm());
}

TEST_P(SparseFactorizationTest, AnotherPatternIsRefusedUntilItIsAnalysed) {
  const SparseMatrix small = elastic_like(3), large = elastic_like(4);
  EXPECT_THROW(factorization_->factorize(small), Error);
  factorization_->analyze(small);
  ASSERT_TRUE(factorization_->factorize(small));
  EXPECT_THROW(factorization_->factorize(large), Error);
  SparseMatrix diagonal(small.rows(), small.cols());
  diagonal.setIdentity();
  EXPECT_THROW(factorization_->factorize(diagonal), Error);
  factorization_->analyze(large);
  EXPECT_THROW(solved(*factorization_, Eigen::MatrixXd::Zero(large.rows(), 1)), Error);
  ASSERT_TRUE(factorization_->factorize(large));
  const Eigen::VectorXd b = Eigen::VectorXd::Random(large.rows());
  EXPECT_LT((large.selfadjointView<Eigen::Lower>() * solved(*factorization_, b) - b).norm(), 1e-13 * b.norm());
}

TEST_P(SparseFactorizationTest, IndefiniteAndSingularMatricesAreFalseAndDoNotSpoilTheNext) {
  const SparseMatrix good = elastic_like(5);
  factorization_->analyze(good);
  for (int spoiled : {0, 200, static_cast<int>(good.rows()) - 1}) {
    SparseMatrix indefinite = good;
    indefinite.coeffRef(spoiled, spoiled) = -1e-3;
    EXPECT_FALSE(factorization_->factorize(indefinite));
    EXPECT_THROW(solved(*factorization_, Eigen::MatrixXd::Zero(good.rows(), 1)), Error);
  }
  EXPECT_FALSE(factorization_->factorize(0.0 * good));
  ASSERT_TRUE(factorization_->factorize(good));
  const Eigen::VectorXd b = Eigen::VectorXd::Random(good.rows());
  EXPECT_LT((good.selfadjointView<Eigen::Lower>() * solved(*factorization_, b) - b).norm(), 1e-13 * b.norm());
}

TEST_P(SparseFactorizationTest, NotANumberInfinityAndOverflowAreFalse) {
  const SparseMatrix good = elastic_like(4);
  factorization_->analyze(good);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
    for (Eigen::Index place : {Eigen::Index{0}, good.nonZeros() / 2, good.nonZeros() - 1}) {
      SparseMatrix spoiled = good;
      spoiled.valuePtr()[place] = bad;
      EXPECT_FALSE(factorization_->factorize(spoiled));
    }
  SparseMatrix overflowing = good;  // finite, but the square of one off-diagonal entry is not
  overflowing.valuePtr()[1] = 1e200;
  EXPECT_FALSE(factorization_->factorize(overflowing));
  EXPECT_TRUE(factorization_->factorize(good));
}

TEST_P(SparseFactorizationTest, EmptyMatrixFactorizesAndSolves) {
  const SparseMatrix empty(0, 0);
  factorization_->analyze(empty);
  EXPECT_TRUE(factorization_->factorize(empty));
  EXPECT_EQ(factorization_->factor_nonzeros(), 0u);
  EXPECT_EQ(solved(*factorization_, Eigen::MatrixXd(0, 2)).size(), 0);
  const SparseMatrix some = elastic_like(2);
  factorization_->analyze(some);
  ASSERT_TRUE(factorization_->factorize(some));
  EXPECT_EQ(solved(*factorization_, Eigen::MatrixXd(some.rows(), 0)).size(), 0);
}

TEST_P(SparseFactorizationTest, ResultsRepeatBitForBitInOneObjectInAnotherAndInAnotherThread) {
  const SparseMatrix lower = elastic_like(8);
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(lower.rows(), -1, 1);
  factorization_->analyze(lower);
  ASSERT_TRUE(factorization_->factorize(lower));
  const Eigen::MatrixXd reference = solved(*factorization_, b);
  ASSERT_TRUE(factorization_->factorize(lower));
  EXPECT_TRUE(solved(*factorization_, b) == reference);
  std::vector<std::thread> threads;
  std::vector<Eigen::MatrixXd> results(4);
  for (Eigen::MatrixXd& result : results)
    threads.emplace_back([&] {
      const auto other = make_sparse_factorization(GetParam());
      other->analyze(lower);
      if (other->factorize(lower)) result = solved(*other, b);
    });
  for (std::thread& thread : threads) thread.join();
  for (const Eigen::MatrixXd& result : results) EXPECT_TRUE(result == reference);
}

TEST_P(SparseFactorizationTest, FactorizationStartsNoThreads) {
  const auto threads = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  const SparseMatrix lower = elastic_like(9);
  factorization_->analyze(lower);
  const auto before = threads();
  ASSERT_TRUE(factorization_->factorize(lower));
  EXPECT_EQ(threads(), before);
}

TEST_P(SparseFactorizationTest, SolvesInPlaceAndThroughPartsOfALargerMatrix) {
  const SparseMatrix lower = elastic_like(3);
  factorization_->analyze(lower);
  ASSERT_TRUE(factorization_->factorize(lower));
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(lower.rows(), 3);
  const Eigen::MatrixXd expected = solved(*factorization_, b);
  Eigen::MatrixXd large = Eigen::MatrixXd::Zero(lower.rows() + 9, 5);
  large.block(4, 1, lower.rows(), 3) = b;
  factorization_->solve(large.block(4, 1, lower.rows(), 3), large.block(4, 1, lower.rows(), 3));
  EXPECT_TRUE(large.block(4, 1, lower.rows(), 3) == expected);
  EXPECT_EQ(large.topRows(4).norm() + large.bottomRows(5).norm() + large.col(0).norm() + large.col(4).norm(), 0.0);
  EXPECT_THROW(solved(*factorization_, Eigen::MatrixXd::Zero(lower.rows() + 1, 1)), Error);
}

TEST_P(SparseFactorizationTest, SolveAllocatesNothingAfterTheFirst) {
  if (!test::counts_allocations) GTEST_SKIP() << "allocations are not counted under the sanitizers";
  const SparseMatrix lower = elastic_like(6);
  factorization_->analyze(lower);
  ASSERT_TRUE(factorization_->factorize(lower));
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(lower.rows(), 2);
  Eigen::MatrixXd x(lower.rows(), 2);
  long before = test::allocation_count;
  factorization_->solve(b, x);
  EXPECT_GT(test::allocation_count, before);  // the counter does count: the first solve makes the workspace
  ASSERT_TRUE(factorization_->factorize(lower));
  before = test::allocation_count;
  for (int i = 0; i < 10; ++i) factorization_->solve(b, x);
  EXPECT_EQ(test::allocation_count, before);
}

TEST_P(SparseFactorizationTest, MatricesThatAreNotSquareOrNotCompressedAreRefused) {
  EXPECT_THROW(factorization_->analyze(SparseMatrix(3, 4)), Error);
  SparseMatrix uncompressed(3, 3);
  uncompressed.insert(0, 0) = 1;
  EXPECT_THROW(factorization_->analyze(uncompressed), Error);
}

TEST(SparseFactorization, AutomaticIsTheBestThatTheBuildHasAndAMissingOneIsRefused) {
  const std::string name = make_sparse_factorization()->name();
#ifdef HOLO_ENABLE_GPL
  EXPECT_NE(name.find("CHOLMOD supernodal"), std::string::npos);
  EXPECT_NE(name.find("1 thread"), std::string::npos);
#else
  EXPECT_NE(name.find("Eigen"), std::string::npos);
  try {
    make_sparse_factorization(FactorizationKind::cholmod_supernodal);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    EXPECT_NE(std::string(error.what()).find("HOLO_ENABLE_GPL=OFF"), std::string::npos);
  }
#endif
}

}  // namespace
}  // namespace holo
