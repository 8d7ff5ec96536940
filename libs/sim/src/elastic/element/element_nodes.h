#pragma once
// Nodes of one block of elements: their positions, and where an element's stencil (ElasticPattern) has the derivatives in them.

#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/elastic/element_frame.h"

namespace holo {

// Of elements of a number of nodes: index of component (i, j) of the block of nodes u and v, the lower triangle only for u = v,
// and of component i of the gradient of node v.
template <int nodes>
struct StencilLayout {
  static constexpr int entry_of(int u, int v) {
    if (u == v) return u;
    const int row = u > v ? u : v, column = u > v ? v : u;
    return nodes + column * (2 * nodes - column - 1) / 2 + row - column - 1;
  }
  static constexpr int gradient(int v, int i) { return 9 * v + 6 + i; }
  static constexpr int hessian(int u, int i, int v, int j) {
    constexpr int triangle[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    return 9 * entry_of(u, v) + (u == v ? triangle[i][j] : u > v ? 3 * j + i : 3 * i + j);
  }
};

// The gradients of the nodes alone.
struct ForceLayout {
  static constexpr int gradient(int v, int i) { return 3 * v + i; }
};

// Doubles from one element's stencil to the next: whole cache lines.
constexpr std::size_t stencil_stride_of(int nodes) { return (9 * ElasticPattern::entries_of(nodes) + 7) / 8 * 8; }

template <int nodes>
QuadraturePoint<nodes> point_of(const ElementBlock& block) {
  constexpr std::size_t lane_count = HOLO_LANE_WIDTH;
  QuadraturePoint<nodes> point;
  point.weight = LaneBlock::load(block.weights);
  for (std::size_t v = 0; v + 1 < nodes; ++v)
    for (std::size_t k = 0; k < 3; ++k) point.gradients[v][k] = LaneBlock::load(block.gradients + (3 * v + k) * lane_count);
  return point;
}

}  // namespace holo
