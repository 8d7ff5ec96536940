// Batches, repetition, memory and bad input of block-tridiagonal solvers.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <limits>

#include "allocation_counter.h"
#include "block_tridiagonal_cases.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"

namespace holo {
namespace block_tridiagonal_batch_tests {

using Eigen::Index;
using Eigen::MatrixXd;
using Method = BlockTridiagonalMethod;
using Status = BlockTridiagonalReport::Status;
using test::TrajectorySystem;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Method methods[] = {Method::serial, Method::two_ended, Method::cyclic_reduction, Method::partitioned};

// Systems of one shape with different entries.
struct Batch {
  explicit Batch(int systems) : matrix({16, 9, systems}), b(Index(matrix.shape().rows()), 2) {
    for (int i = 0; i < systems; ++i) {
      singles.push_back(test::make_trajectory_system(17, 6, 2, 7, unsigned(i + 1)));
      test::set_system(matrix, i, singles.back().dense);
    }
    b = test::random_columns(b.rows(), 2, 9);
  }
  BlockTridiagonalMatrix single(int system) const {
    return test::matrix_of(matrix.shape(), singles[std::size_t(system)].dense);
  }
  // The rows of a system.
  static MatrixXd rows_of(const MatrixXd& all, int system) { return all.middleRows(system * 144, 144); }

  std::vector<TrajectorySystem> singles;
  BlockTridiagonalMatrix matrix;
  MatrixXd b;
};

std::unique_ptr<BlockTridiagonalSolver> make_solver(const Batch& batch, Method method, int systems) {
  BlockTridiagonalOptions options;
  options.method = method;
  return make_block_tridiagonal_solver({16, 9, systems}, batch.singles.front().signs, options);
}

bool solve(BlockTridiagonalSolver& solver, const MatrixXd& b, MatrixXd& x) {
  x.resize(b.rows(), b.cols());
  return solver.solve({b.data(), std::size_t(b.size())}, {x.data(), std::size_t(x.size())}, int(b.cols()));
}

bool are_equal_bitwise(const MatrixXd& a, const MatrixXd& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), std::size_t(a.size()) * sizeof(double)) == 0;
}

TEST(BlockTridiagonalBatch, SystemsOfABatchEqualSinglesBitwise) {
  const Batch batch(5);
  for (Method method : methods) {
    SCOPED_TRACE(to_string(method));
    const auto together = make_solver(batch, method, 5), alone = make_solver(batch, method, 1);
    MatrixXd x, y;
    ASSERT_TRUE(together->factor(batch.matrix) && solve(*together, batch.b, x));
    for (int i = 0; i < 5; ++i) {
      const BlockTridiagonalMatrix single = batch.single(i);
      ASSERT_TRUE(alone->factor(single) && solve(*alone, Batch::rows_of(batch.b, i), y));
      EXPECT_TRUE(are_equal_bitwise(Batch::rows_of(x, i), y)) << i;
      EXPECT_EQ(together->report(i).inertia, alone->report(0).inertia);
    }
  }
}

TEST(BlockTridiagonalBatch, RepeatedRunsAndOtherNumbersOfThreadsGiveTheSameBits) {
  const Batch batch(3);
  for (Method method : methods) {
    SCOPED_TRACE(to_string(method));
    const auto solver = make_solver(batch, method, 3);
    MatrixXd first, again;
    ASSERT_TRUE(solver->factor(batch.matrix) && solve(*solver, batch.b, first));
    for (int threads : {1, 2, 3}) {
      const ThreadLimit limit(threads);
      ASSERT_TRUE(solver->factor(batch.matrix) && solve(*solver, batch.b, again));
      EXPECT_TRUE(are_equal_bitwise(first, again)) << threads;
    }
  }
}

TEST(BlockTridiagonalBatch, SystemsThatAreNotListedKeepTheirFactors) {
  Batch batch(3);
  const auto solver = make_solver(batch, Method::serial, 3);
  MatrixXd before, after, single;
  ASSERT_TRUE(solver->factor(batch.matrix) && solve(*solver, batch.b, before));
  BlockTridiagonalMatrix other = batch.matrix;
  for (std::size_t row = 0; row < other.shape().system_rows(); ++row)
    if (batch.singles.front().signs[row] > 0) other.entry(1, row, row) += 1;
  const int listed[] = {1};
  ASSERT_TRUE(solver->factor(other, listed) && solve(*solver, batch.b, after));
  EXPECT_TRUE(are_equal_bitwise(Batch::rows_of(before, 0), Batch::rows_of(after, 0)));
  EXPECT_GT((Batch::rows_of(before, 1) - Batch::rows_of(after, 1)).norm(), 1e-3 * Batch::rows_of(before, 1).norm());
  EXPECT_TRUE(are_equal_bitwise(Batch::rows_of(before, 2), Batch::rows_of(after, 2)));
}

TEST(BlockTridiagonalBatch, FactorizationsAndSolutionsAllocateNothing) {
  if (!test::counts_allocations) GTEST_SKIP() << "the sanitizers bring their own allocator";
  ASSERT_TRUE(test::an_allocation_counts());
  for (int systems : {1, 3}) {
    const Batch batch(systems);
    for (Method method : methods) {
      SCOPED_TRACE(to_string(method) + " of " + std::to_string(systems));
      const ThreadLimit one(1);  // threads of the loops' library allocate as they begin
      const auto solver = make_solver(batch, method, systems);
      MatrixXd x(batch.b.rows(), batch.b.cols());
      solver->factor(batch.matrix);  // the first call of factor(matrix) lists all systems
      const long before = test::allocation_count;
      EXPECT_TRUE(solver->factor(batch.matrix));
      EXPECT_TRUE(solve(*solver, batch.b, x));
      EXPECT_EQ(test::allocation_count - before, 0);
    }
  }
}

TEST(BlockTridiagonalBatch, SeveralRightHandSidesAreSolvedAsOneByOne) {
  const Batch batch(2);
  for (Method method : methods) {
    const auto solver = make_solver(batch, method, 2);
    MatrixXd together, first, second;
    ASSERT_TRUE(solver->factor(batch.matrix) && solve(*solver, batch.b, together));
    ASSERT_TRUE(solve(*solver, batch.b.col(0), first) && solve(*solver, batch.b.col(1), second));
    EXPECT_LE((together.col(0) - first).norm(), 1e-10 * first.norm());
    EXPECT_LE((together.col(1) - second).norm(), 1e-10 * second.norm());
  }
}

TEST(BlockTridiagonalBatch, BadInputWithNanHasNoSolutionAndOtherSystemsHaveTheirs) {
  Batch batch(3);
  const auto solver = make_solver(batch, Method::cyclic_reduction, 3);
  MatrixXd right, x;
  ASSERT_TRUE(solver->factor(batch.matrix) && solve(*solver, batch.b, right));
  for (const auto& [row, column] : {std::pair(3, 3), std::pair(20, 17), std::pair(40, 30)}) {
    BlockTridiagonalMatrix bad = batch.matrix;
    bad.entry(1, std::size_t(row), std::size_t(column)) = nan;
    EXPECT_FALSE(solver->factor(bad));
    EXPECT_EQ(solver->report(1).status, Status::not_finite);
    EXPECT_NE(to_string(solver->report(1)).find("an entry that is not finite"), std::string::npos);
    EXPECT_FALSE(solve(*solver, batch.b, x));
    EXPECT_TRUE(are_equal_bitwise(Batch::rows_of(x, 0), Batch::rows_of(right, 0)));
    EXPECT_TRUE(Batch::rows_of(x, 1).array().isNaN().all());
    EXPECT_TRUE(are_equal_bitwise(Batch::rows_of(x, 2), Batch::rows_of(right, 2)));
  }
  // Later matrices are not affected, nor are later right-hand sides.
  MatrixXd b = batch.b;
  b(150, 1) = nan;
  ASSERT_TRUE(solver->factor(batch.matrix));
  EXPECT_FALSE(solve(*solver, b, x));
  EXPECT_EQ(solver->report(1).status, Status::right_hand_side_not_finite);
  EXPECT_TRUE(solve(*solver, batch.b, x));
  EXPECT_TRUE(are_equal_bitwise(x, right));
}

template <class Call>
std::string message(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}
void expect_message(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
}

TEST(BlockTridiagonalBatch, BadInputIsRefusedWithWhatIsAllowed) {
  const Batch batch(2);
  const auto solver = make_solver(batch, Method::serial, 2);
  std::vector<double> b(288, 1.0), x(288);
  expect_message(message([&] { solver->solve(b, x); }), "before system 0 was factorized");
  expect_message(message([&] { solver->factor(BlockTridiagonalMatrix({16, 8, 2})); }), "2 systems of 8 blocks with 16 rows");
  const int beyond[] = {0, 2}, descending[] = {1, 0};
  expect_message(message([&] { solver->factor(batch.matrix, beyond); }), "system 2");
  expect_message(message([&] { solver->factor(batch.matrix, descending); }), "must ascend");
  solver->factor(batch.matrix);
  expect_message(message([&] { solver->solve(b, x, 2); }), "both must be 576");
  expect_message(message([&] { solver->solve(b, x, 5); }), "options.columns = 4");
  expect_message(message([&] { solver->solve(b, x, 0); }), "allowed are 1 to");
  expect_message(message([&] { solver->set_shift({-1, 0}); }), "must be 0 or more");

  const BlockTridiagonalShape shape{2, 2, 1};
  const std::vector<signed char> signs{1, -1, 1, -1}, zero{1, 0, 1, -1};
  const auto make = [&](const BlockTridiagonalShape& of, const std::vector<signed char>& with, auto change) {
    return message([&] {
      BlockTridiagonalOptions options;
      change(options);
      make_block_tridiagonal_solver(of, with, options);
    });
  };
  const auto nothing = [](BlockTridiagonalOptions&) {};
  EXPECT_EQ(make(shape, signs, nothing), "nothing was thrown");
  expect_message(make({0, 2, 1}, signs, nothing), "0 rows");
  expect_message(make({2, 0, 1}, signs, nothing), "at least one system and one block");
  expect_message(make({2, 3, 1}, signs, nothing), "a system has 6 rows");
  expect_message(make(shape, zero, nothing), "the sign 0 of unknown 1");
  expect_message(make(shape, signs, [](auto& options) { options.columns = 0; }), "columns = 0");
  expect_message(make(shape, signs, [](auto& options) { options.columns = 17; }), "allowed are 1 to 16");
  expect_message(make(shape, signs, [](auto& options) { options.partitions = 1; }), "partitions = 1");
  expect_message(make(shape, signs, [](auto& options) { options.shift_growth = 1; }), "shift_growth");
  expect_message(make(shape, signs, [](auto& options) { options.shift.negative = nan; }), "must be 0 or more");
  expect_message(make(shape, signs, [](auto& options) { options.target_error = 1; }), "target_error");
}

}  // namespace block_tridiagonal_batch_tests
}  // namespace holo
