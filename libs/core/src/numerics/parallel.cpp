#include "holo/core/numerics/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "holo/core/error.h"

namespace holo {

namespace {

std::size_t chunk_count(std::size_t count, std::size_t chunk) {
  if (chunk == 0) throw Error(Failure::internal, "a parallel loop was given chunks of 0 entries");
  return count / chunk + (count % chunk != 0);
}

// One chunk of a loop over [0, count).
template <class Body>
auto run_chunk(std::size_t index, std::size_t count, std::size_t chunk, const Body& body) {
  const std::size_t begin = index * chunk;
  return body(begin, begin + std::min(chunk, count - begin));
}

// The deterministic form always halves the range down to single chunks, so the tree in which results are combined depends on
// the number of chunks alone.
template <class Combine>
double reduce(std::size_t count, std::size_t chunk, double identity,
              const std::function<double(std::size_t, std::size_t)>& body, const Combine& combine) {
  const std::size_t chunks = chunk_count(count, chunk);
  if (chunks == 0) return identity;
  return tbb::this_task_arena::isolate([&] {
    return tbb::parallel_deterministic_reduce(
        tbb::blocked_range<std::size_t>(0, chunks, 1), identity,
        [&](const tbb::blocked_range<std::size_t>& range, double partial) {
          for (std::size_t i = range.begin(); i != range.end(); ++i)
            partial = combine(partial, run_chunk(i, count, chunk, body));
          return partial;
        },
        combine);
  });
}

}  // namespace

ThreadLimit::ThreadLimit(int threads) : control_(nullptr) {
  if (threads < 0)
    throw Error(Failure::input,
                "the number of threads is " + std::to_string(threads) + "; it must be 1 or more, or 0 for all of the machine");
  if (threads > 0)
    control_ = new tbb::global_control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
}

ThreadLimit::~ThreadLimit() { delete static_cast<tbb::global_control*>(control_); }

void parallel_for(std::size_t count, std::size_t chunk, const std::function<void(std::size_t begin, std::size_t end)>& body) {
  const std::size_t chunks = chunk_count(count, chunk);
  if (chunks == 0) return;
  // Isolated: a thread that waits in an inner loop never begins another chunk of the outer one, so a body may use memory that
  // belongs to its thread.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, chunks, 1), [&](const tbb::blocked_range<std::size_t>& range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) run_chunk(i, count, chunk, body);
    });
  });
}

double parallel_sum(std::size_t count, std::size_t chunk,
                    const std::function<double(std::size_t begin, std::size_t end)>& body) {
  return reduce(count, chunk, 0.0, body, [](double a, double b) { return a + b; });
}

double parallel_minimum(std::size_t count, std::size_t chunk,
                        const std::function<double(std::size_t begin, std::size_t end)>& body) {
  return reduce(count, chunk, std::numeric_limits<double>::infinity(), body, [](double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
    return std::min(a, b);
  });
}

}  // namespace holo
