#pragma once
// Stencils of a block of elements, from rows of lanes to an element after the other.

#include "elastic/element/element_nodes.h"
#include "holo/diff/lanes/lane_transposition.h"

namespace holo {

// rows [stride][lane], of which the last ones are padding and get 0, to [lane][stride].
template <int nodes>
void store_transposed_stencils(double* rows, double* to) {
  constexpr std::size_t lane_count = HOLO_LANE_WIDTH, stride = stencil_stride_of(nodes);
  for (std::size_t r = 9 * ElasticPattern::entries_of(nodes); r < stride; ++r) LaneBlock(0.0).store(rows + r * lane_count);
  for (std::size_t first = 0; first < stride; first += lane_count) {
    LaneBlock::Values columns[lane_count];
    for (std::size_t r = 0; r < lane_count; ++r) columns[r] = LaneBlock::load(rows + (first + r) * lane_count).values;
    store_transposed(columns, to + first, stride);
  }
}

}  // namespace holo
