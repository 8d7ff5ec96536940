#pragma once
// Parallel loops over indices.

#include "holo/core/numerics/parallel.h"

namespace holo {

// Calls body(i) for i of [begin, end), at the same time where there are several. Allocates nothing: the closure of the loop
// holds one reference.
template <class Body>
void for_each_index(int begin, int end, const Body& body) {
  if (begin >= end) return;
  if (end - begin == 1) return body(begin);
  const struct {
    int begin;
    const Body& body;
  } task{begin, body};
  parallel_for(std::size_t(end - begin), 1, [&task](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) task.body(task.begin + int(i));
  });
}

}  // namespace holo
