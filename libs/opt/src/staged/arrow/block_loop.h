#pragma once
// Parallel loops over blocks of stages, and the memory that a thread works in meanwhile.

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "holo/core/numerics/parallel.h"

namespace holo {

// Calls body(block) in parallel. Allocates nothing: the closure passed to the loop holds one reference.
template <class Body>
void for_each_block(int count, const Body& body) {
  parallel_for(std::size_t(count), 1, [&body](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) body(int(b));
  });
}

// Pool of one `Scratch` for each thread that needs one at the same time; made in advance for the machine's number of threads.
template <class Scratch>
class ScratchPool {
 public:
  template <class Make>
  explicit ScratchPool(const Make& make) : make_(make) {
    const unsigned count = std::max(1u, std::thread::hardware_concurrency());
    free_.reserve(4 * count);
    for (unsigned i = 0; i < count; ++i) free_.push_back(make_());
  }

  class Lease {
   public:
    explicit Lease(ScratchPool& pool) : pool_(pool), scratch_(pool.take()) {}
    ~Lease() { pool_.give(std::move(scratch_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Scratch& operator*() { return *scratch_; }
    Scratch* operator->() { return scratch_.get(); }

   private:
    ScratchPool& pool_;
    std::unique_ptr<Scratch> scratch_;
  };

 private:
  std::unique_ptr<Scratch> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return make_();
    auto scratch = std::move(free_.back());
    free_.pop_back();
    return scratch;
  }
  void give(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(scratch));
  }

  std::function<std::unique_ptr<Scratch>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
};

}  // namespace holo
