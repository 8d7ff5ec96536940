#include "elastic/element/quadratic_stencils.h"

#include "elastic/element/element_nodes.h"
#include "elastic/element/lane_width.h"
#include "elastic/element/transposed_stencils.h"

namespace holo {
namespace {

constexpr int nodes = 10;
using Layout = StencilLayout<nodes>;

// Rows of the blocks (a, b) with 1 <= a, b: weight G_a : H : G_b of one point. Loops, and not unrolled ones: 378 entries of
// sums would be a large program that is no faster, since all of it goes through the first cache.
template <bool adds>
void add_hessian_rows(const double* H, const QuadraturePoint<nodes>& point, double* rows) {
  const auto& g = point.gradients;
  const auto entry = [&](int i, int j) { return LaneBlock::load(H + upper_index<9>(i, j) * LaneBlock::width); };
  for (int b = 0; b < nodes - 1; ++b) {
    const LaneBlock scaled[3] = {point.weight * g[b][0], point.weight * g[b][1], point.weight * g[b][2]};
    for (int j = 0; j < 3; ++j) {
      LaneBlock half[9];  // H : (e_j x g_b)
#pragma GCC unroll 9
      for (int ik = 0; ik < 9; ++ik)
        half[ik] = entry(ik, 3 * j) * scaled[0] + entry(ik, 3 * j + 1) * scaled[1] + entry(ik, 3 * j + 2) * scaled[2];
      for (int a = 0; a <= b; ++a)
        for (int i = 0; i <= (a == b ? j : 2); ++i)
          detail::put<adds>(rows, Layout::hessian(a + 1, i, b + 1, j),
                            half[3 * i] * g[a][0] + half[3 * i + 1] * g[a][1] + half[3 * i + 2] * g[a][2]);
    }
  }
}

template <bool adds>
__attribute__((noinline)) void add_point(const ElementBlock& block, const double* stress, const double* hessian, double* rows) {
  const QuadraturePoint<nodes> point = point_of<nodes>(block);
  Matrix3<LaneBlock> P;
  for (int k = 0; k < 9; ++k) P[k] = LaneBlock::load(stress + k * W);
  add_node_gradients<nodes, Layout, adds>(P, point, rows);
  add_hessian_rows<adds>(hessian, point, rows);
}

// Everything of node 0 is minus the sum of the others'.
void complete_rows(double* rows) {
  complete_gradient<nodes, Layout>(rows);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      LaneBlock corner(0.0);
      for (int a = 1; a < nodes; ++a) {
        LaneBlock sum(0.0);
        for (int b = 1; b < nodes; ++b) sum += LaneBlock::load(rows + Layout::hessian(a, i, b, j) * LaneBlock::width);
        (-sum).store(rows + Layout::hessian(a, i, 0, j) * LaneBlock::width);
        corner += sum;
      }
      if (i <= j) corner.store(rows + Layout::hessian(0, i, 0, j) * LaneBlock::width);
    }
}

}  // namespace

void quadratic_stencils(const ElasticModel& model, std::size_t first_block, const double* stress, const double* hessian,
                        double* stencils) {
  constexpr std::size_t stride = stencil_stride_of(nodes);
  alignas(HOLO_BLOCK_ALIGNMENT) double rows[stride * W];
  add_point<false>(model.block(first_block), stress, hessian, rows);
  for (std::size_t p = 1; p < 4; ++p)
    add_point<true>(model.block(first_block + p), stress + p * 9 * W, hessian + p * 45 * W, rows);
  complete_rows(rows);
  store_transposed_stencils<nodes>(rows, stencils);
}

}  // namespace holo
