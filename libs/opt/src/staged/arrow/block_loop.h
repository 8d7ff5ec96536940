#pragma once
// Parallel loops over blocks of stages.

#include <cstddef>

#include "holo/core/numerics/parallel.h"

namespace holo {

// Calls body(block) in parallel. Allocates nothing: the closure passed to the loop holds one reference.
template <class Body>
void for_each_block(int count, const Body& body) {
  parallel_for(std::size_t(count), 1, [&body](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) body(int(b));
  });
}

}  // namespace holo
