#pragma once
// Parallel loops whose results do not depend on the number of threads: a loop is divided into chunks of a fixed size, and
// reductions combine the results of chunks in a fixed order.

#include <cstddef>
#include <functional>

namespace holo {

// While an object of this class lives, all parallel loops run on at most `threads` threads (0: all of the machine). Throws
// Error(input) for a negative number.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  void* control_;
};

// Calls body(begin, end) for consecutive chunks [begin, end) of [0, count). Each chunk has `chunk` (> 0) indices, the last one
// at most as many. Calls run at the same time on several threads, in any order; body must write to its own chunk's data alone,
// and may use memory of its thread. An exception of a call is thrown again here; the remaining chunks may then not have run.
// Throws Error(internal) for chunk 0.
void parallel_for(std::size_t count, std::size_t chunk, const std::function<void(std::size_t begin, std::size_t end)>& body);

// The sum of body(begin, end) over the chunks of parallel_for, added pairwise in an order that depends on count and chunk
// alone; 0 for count 0.
double parallel_sum(std::size_t count, std::size_t chunk,
                    const std::function<double(std::size_t begin, std::size_t end)>& body);

// The smallest value of body(begin, end) over the chunks of parallel_for; +infinity for count 0, NaN if a value is NaN.
double parallel_minimum(std::size_t count, std::size_t chunk,
                        const std::function<double(std::size_t begin, std::size_t end)>& body);

}  // namespace holo
