#pragma once
// How much memory is allocated at once, as the address sanitizer counts it.

#include <cstddef>

namespace holo::fuzz {

class MemoryMeasurement {
 public:
  MemoryMeasurement();
  std::size_t peak() const;  // above what there was at its beginning [bytes]; one measurement at a time
};

// Whether there are leaks, which are then told on the standard error. Slow.
bool has_leaks();

}  // namespace holo::fuzz
