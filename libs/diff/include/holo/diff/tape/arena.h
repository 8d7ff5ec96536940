#pragma once
// Memory that is given out piece by piece and taken back all at once; it is kept, so that the same sequence of requests asks
// the system for nothing the second time.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace holo::detail {

class Arena {
 public:
  static constexpr std::size_t alignment = 64;

  void* allocate(std::size_t size) {
    size = (size + alignment - 1) / alignment * alignment;
    while (chunk_ < chunks_.size() && used_ + size > chunks_[chunk_].size) ++chunk_, used_ = 0;
    if (chunk_ == chunks_.size()) add(size);
    std::byte* result = chunks_[chunk_].memory.get() + used_;
    used_ += size;
    return result;
  }
  double* doubles(std::size_t count) { return static_cast<double*>(allocate(count * sizeof(double))); }
  void clear() { chunk_ = used_ = 0; }
  // Bytes asked of the system.
  std::size_t size() const {
    std::size_t sum = 0;
    for (const Chunk& chunk : chunks_) sum += chunk.size;
    return sum;
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t(alignment)); }
  };
  struct Chunk {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size;
  };
  void add(std::size_t size) {
    const std::size_t chunk_size = std::max<std::size_t>(size, std::size_t(1) << 18);
    chunks_.push_back(
        {std::unique_ptr<std::byte, Free>(static_cast<std::byte*>(::operator new(chunk_size, std::align_val_t(alignment)))),
         chunk_size});
    used_ = 0;
  }

  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0, used_ = 0;
};

}  // namespace holo::detail
