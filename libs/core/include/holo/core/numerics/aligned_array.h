#pragma once
// Arrays of double in memory that begins on a cache line, for registers of lanes.

#include <cstddef>
#include <memory>

namespace holo {

// An array of doubles that starts on a HOLO_BLOCK_ALIGNMENT boundary, with zeros at first. Indices below `size()` are not
// checked. Throws std::bad_alloc.
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size);
  AlignedArray(const AlignedArray& other);
  AlignedArray& operator=(const AlignedArray& other) { return *this = AlignedArray(other); }
  AlignedArray(AlignedArray&&) = default;
  AlignedArray& operator=(AlignedArray&&) = default;
  ~AlignedArray() = default;
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  double& operator[](std::size_t index) { return data_[index]; }
  double operator[](std::size_t index) const { return data_[index]; }

 private:
  struct Free {
    void operator()(double* data) const;
  };
  std::unique_ptr<double[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace holo
