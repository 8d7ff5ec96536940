#include "holo/core/numerics/aligned_array.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "holo/core/abi.h"

namespace holo {

AlignedArray::AlignedArray(std::size_t size) : size_(size) {
  if (size == 0) return;
  // std::aligned_alloc takes whole multiples of the alignment only.
  const std::size_t bytes = (size * sizeof(double) + HOLO_BLOCK_ALIGNMENT - 1) / HOLO_BLOCK_ALIGNMENT * HOLO_BLOCK_ALIGNMENT;
  auto* data = static_cast<double*>(std::aligned_alloc(HOLO_BLOCK_ALIGNMENT, bytes));
  if (!data) throw std::bad_alloc();
  std::memset(data, 0, bytes);
  data_.reset(data);
}

AlignedArray::AlignedArray(const AlignedArray& other) : AlignedArray(other.size_) { std::copy_n(other.data(), size_, data()); }

void AlignedArray::Free::operator()(double* data) const { std::free(data); }

}  // namespace holo
