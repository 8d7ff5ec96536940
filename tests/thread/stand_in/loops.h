#pragma once
// Stands in for oneTBB at the preset `thread`: what holo/core/numerics/parallel.cpp and its test take of it, on std::thread.
//
// Debian's oneTBB is not instrumented. The thread sanitizer does not see it hand work over and would take each loop for a race;
// and where one thread is fast enough to run all chunks, it would find none. Here chunk i runs on thread i modulo the number of
// threads, whatever the machine and its load, and nothing orders chunks of two threads: what both touch, one of them writing,
// is reported.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace tbb {

namespace stand_in {

inline constexpr std::size_t outer_threads = 4, inner_threads = 2;  // of a loop, and of one inside a loop's body

inline std::mutex limits_mutex;
inline std::multiset<std::size_t> limits;  // of the global_controls that live

// Of this thread: how many loops it is inside of, and the threads of its task_arena, 0 outside of one.
inline thread_local int depth = 0;
inline thread_local std::size_t arena_threads = 0;

inline std::size_t threads_for(std::size_t chunks) {
  const std::size_t wanted = arena_threads != 0 ? arena_threads : depth == 0 ? outer_threads : inner_threads;
  const std::lock_guard lock(limits_mutex);
  return std::min({chunks, wanted, limits.empty() ? wanted : *limits.begin()});
}

// run(i) for i in [begin, end). The first exception ends the loop and comes back to the caller.
template <class Run>
void for_each_chunk(std::size_t begin, std::size_t end, const Run& run) {
  if (begin == end) return;
  const std::size_t threads = threads_for(end - begin);
  std::atomic<bool> failed{false};
  std::mutex error_mutex;
  std::exception_ptr error;
  const auto work = [&, inside = depth + 1](std::size_t thread) {
    const int outside = depth;
    const std::size_t arena = arena_threads;
    depth = inside;
    arena_threads = 0;
    try {
      for (std::size_t i = begin + thread; i < end && !failed.load(std::memory_order_relaxed); i += threads) run(i);
    } catch (...) {
      const std::lock_guard lock(error_mutex);
      if (!error) error = std::current_exception();
      failed.store(true, std::memory_order_relaxed);
    }
    depth = outside;
    arena_threads = arena;
  };
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work, t);
  work(0);
  for (std::thread& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

// Pairwise over halves, as oneTBB splits a range.
template <class Value, class Combine>
Value combined(const std::vector<Value>& values, std::size_t begin, std::size_t end, const Combine& combine) {
  if (end - begin == 1) return values[begin];
  const std::size_t middle = begin + (end - begin) / 2;
  const Value left = combined(values, begin, middle, combine);
  return combine(left, combined(values, middle, end, combine));
}

}  // namespace stand_in

template <class Value>
class blocked_range {
 public:
  blocked_range(Value begin, Value end, std::size_t /*grain*/ = 1) : begin_(begin), end_(end) {}
  Value begin() const { return begin_; }
  Value end() const { return end_; }

 private:
  Value begin_, end_;
};

class global_control {
 public:
  enum parameter { max_allowed_parallelism };
  global_control(parameter, std::size_t threads) {
    const std::lock_guard lock(stand_in::limits_mutex);
    limit_ = stand_in::limits.insert(threads);
  }
  ~global_control() {
    const std::lock_guard lock(stand_in::limits_mutex);
    stand_in::limits.erase(limit_);
  }
  global_control(const global_control&) = delete;
  global_control& operator=(const global_control&) = delete;

 private:
  std::multiset<std::size_t>::iterator limit_;
};

class task_arena {
 public:
  explicit task_arena(int threads) : threads_(std::size_t(threads)) {}
  template <class Body>
  void execute(const Body& body) {
    const std::size_t before = stand_in::arena_threads;
    stand_in::arena_threads = threads_;
    body();
    stand_in::arena_threads = before;
  }

 private:
  std::size_t threads_;
};

namespace this_task_arena {

// A thread of a loop takes no chunks of another loop anyhow.
template <class Body>
auto isolate(const Body& body) {
  return body();
}

}  // namespace this_task_arena

template <class Value, class Body>
void parallel_for(const blocked_range<Value>& range, const Body& body) {
  stand_in::for_each_chunk(range.begin(), range.end(), [&](std::size_t i) { body(blocked_range<Value>(i, i + 1)); });
}

template <class Value, class Result, class Body, class Combine>
Result parallel_deterministic_reduce(const blocked_range<Value>& range, const Result& identity, const Body& body,
                                     const Combine& combine) {
  std::vector<Result> results(range.end() - range.begin(), identity);
  stand_in::for_each_chunk(range.begin(), range.end(),
                           [&](std::size_t i) { results[i - range.begin()] = body(blocked_range<Value>(i, i + 1), identity); });
  return results.empty() ? identity : stand_in::combined(results, 0, results.size(), combine);
}

}  // namespace tbb
