#pragma once
// Parallel loops whose results do not depend on the number of threads: work is cut into chunks of a fixed size, whoever runs
// them, and reductions combine the chunks' results in order of the chunks.

#include <cstddef>
#include <functional>

namespace holo {

// Runs all parallel loops within its lifetime on at most `threads` threads (0: all of the machine).
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  void* control_;
};

// body(begin, end) for consecutive chunks of [0, count), each of `chunk` entries but the last. Exceptions come back to the
// caller.
void parallel_for(std::size_t count, std::size_t chunk, const std::function<void(std::size_t begin, std::size_t end)>& body);

// The sum of body(begin, end) over the chunks, added up pairwise in a fixed order.
double parallel_sum(std::size_t count, std::size_t chunk,
                    const std::function<double(std::size_t begin, std::size_t end)>& body);

// The smallest body(begin, end); +infinity for count 0. NaN in any chunk gives NaN.
double parallel_minimum(std::size_t count, std::size_t chunk,
                        const std::function<double(std::size_t begin, std::size_t end)>& body);

}  // namespace holo
