#include "holo/core/numerics/parallel.h"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "holo/core/error.h"

namespace holo {
namespace {

// Runs `body` on exactly `threads` threads, however many processors the machine has.
template <class Body>
void with_threads(int threads, const Body& body) {
  ThreadLimit limit(threads);
  tbb::task_arena arena(threads);
  arena.execute(body);
}

std::uint64_t bits(double x) {
  std::uint64_t result;
  std::memcpy(&result, &x, sizeof x);
  return result;
}

// Terms of very different size: any other order of addition shows in the last bits.
double term(std::size_t i) {
  return std::sin(1.0 + static_cast<double>(i) * 0.37) * std::pow(10.0, static_cast<double>(i % 17));
}

double sum_of_terms(std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += term(i);
  return sum;
}

TEST(Parallel, EveryEntryIsVisitedOnceInChunksOfTheGivenSize) {
  for (std::size_t count : {0, 1, 63, 64, 65, 1000}) {
    std::vector<std::atomic<int>> visits(count);
    std::atomic<int> short_chunks{0};
    parallel_for(count, 64, [&](std::size_t begin, std::size_t end) {
      EXPECT_EQ(begin % 64, 0u);
      EXPECT_LE(end, count);
      if (end - begin != 64) ++short_chunks;
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const std::atomic<int>& n : visits) EXPECT_EQ(n, 1);
    EXPECT_EQ(short_chunks, count % 64 != 0);
  }
}

TEST(Parallel, SumHasTheSameBitsOnAnyNumberOfThreads) {
  constexpr std::size_t count = 200011;
  double reference = 0;
  with_threads(1, [&] { reference = parallel_sum(count, 8, sum_of_terms); });
  for (int threads : {1, 2, 7})
    for (int repetition = 0; repetition < 5; ++repetition)
      with_threads(threads, [&] { EXPECT_EQ(bits(parallel_sum(count, 8, sum_of_terms)), bits(reference)); });
  // Not vacuous: these terms do feel the order.
  EXPECT_NE(bits(sum_of_terms(0, count)), bits(reference));
  EXPECT_NEAR(reference, sum_of_terms(0, count), 1e-10 * std::abs(reference));
}

TEST(Parallel, ChunksOfALoopRunOnSeveralThreads) {
  // Two chunks that wait for each other end only when two threads run them.
  with_threads(2, [] {
    std::atomic<int> arrived{0};
    parallel_for(2, 1, [&](std::size_t, std::size_t) {
      ++arrived;
      while (arrived < 2) std::this_thread::yield();
    });
    EXPECT_EQ(arrived, 2);
  });
}

TEST(Parallel, ThreadLimitOfOneKeepsLoopsOnOneThread) {
  ThreadLimit limit(1);
  std::atomic<int> running{0};
  int most = 0;
  parallel_for(500, 1, [&](std::size_t, std::size_t) {
    most = std::max(most, ++running);
    --running;
  });
  EXPECT_EQ(most, 1);
}

TEST(Parallel, MinimumPropagatesNotANumberAndIsInfiniteForNothing) {
  const auto value = [](std::size_t i) { return std::cos(static_cast<double>(i)); };
  const auto minimum = [&](std::size_t begin, std::size_t end) {
    double m = value(begin);
    for (std::size_t i = begin; i < end; ++i) m = std::min(m, value(i));
    return m;
  };
  for (int threads : {1, 2, 7})
    with_threads(threads, [&] {
      EXPECT_EQ(parallel_minimum(1000, 16, minimum), minimum(0, 1000));
      EXPECT_EQ(parallel_minimum(0, 16, minimum), std::numeric_limits<double>::infinity());
      for (std::size_t spoiled : {0, 500, 999})
        EXPECT_TRUE(std::isnan(parallel_minimum(1000, 16, [&](std::size_t begin, std::size_t end) {
          return begin <= spoiled && spoiled < end ? std::nan("") : minimum(begin, end);
        })));
    });
}

TEST(Parallel, SumOfNothingIsZeroAndNotANumberStays) {
  EXPECT_EQ(parallel_sum(0, 8, sum_of_terms), 0.0);
  EXPECT_TRUE(
      std::isnan(parallel_sum(100, 8, [](std::size_t begin, std::size_t) { return begin == 48 ? std::nan("") : 1.0; })));
}

TEST(Parallel, ExceptionsComeBackToTheCaller) {
  for (int threads : {1, 2, 7})
    with_threads(threads, [] {
      const auto failing = [](std::size_t begin, std::size_t) -> double {
        if (begin == 300) throw Error(Failure::internal, "entry 300");
        return 0.0;
      };
      EXPECT_THROW(parallel_for(1000, 10, failing), Error);
      EXPECT_THROW(parallel_sum(1000, 10, failing), Error);
      EXPECT_THROW(parallel_minimum(1000, 10, failing), Error);
    });
}

TEST(Parallel, LoopsNest) {
  const double nested = parallel_sum(40, 1, [](std::size_t i, std::size_t) {
    return parallel_sum(100, 7, [&](std::size_t begin, std::size_t end) { return static_cast<double>((end - begin) * i); });
  });
  EXPECT_EQ(nested, 100.0 * 40 * 39 / 2);
}

TEST(ParallelBadInput, ChunksOfNothingAndNegativeThreadsAreRefused) {
  EXPECT_THROW(parallel_for(10, 0, [](std::size_t, std::size_t) {}), Error);
  try {
    ThreadLimit limit(-3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    EXPECT_STREQ(error.what(), "the number of threads is -3; it must be 1 or more, or 0 for all of the machine");
  }
}

}  // namespace
}  // namespace holo
