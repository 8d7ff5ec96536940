#include "holo/comparison/element_lanes.h"

#include "elements/stream.h"
#include "holo/diff/lanes/lane_transposition.h"

namespace holo::comparison {
namespace {

// values(k), k = 0 ... count-1, to `count` neighboring doubles of each element.
template <int count, class Values>
HOLO_INLINE void scatter(const Values& values, double* output) {
  holo::detail::unroll<(count + width - 1) / width>([&](auto group) HOLO_INLINE_LAMBDA {
    constexpr int first = group * width, used = first + width <= count ? width : count - first;
    LaneBlock::Values rows[width];
    holo::detail::unroll<used>(
        [&](auto row) HOLO_INLINE_LAMBDA { rows[row] = values(std::integral_constant<int, first + row>{}).values; });
    store_transposed<used>(rows, output + first, count);
  });
}

// The same, past the caches: eight elements at a time touch eight distant lines, which plain stores would first read.
template <int count, class Values>
HOLO_INLINE void scatter_streamed(const Values& values, double* output) {
  static_assert(count % width == 0);
  holo::detail::unroll<count / width>([&](auto group) HOLO_INLINE_LAMBDA {
    LaneBlock::Values rows[width];
    holo::detail::unroll<width>(
        [&](auto row) HOLO_INLINE_LAMBDA { rows[row] = values(std::integral_constant<int, group * width + row>{}).values; });
    transpose_lanes(rows);
    holo::detail::unroll<width>([&](auto lane)
                                    HOLO_INLINE_LAMBDA { stream(output + lane * count + group * width, rows[lane]); });
  });
}

struct alignas(HOLO_BLOCK_ALIGNMENT) HessianRows {
  double values[symmetric_hessian_entries * width];
};

// Not inlined: entries go to memory as soon as they are known. Held in registers until they are transposed, they would be
// spilled there and back.
__attribute__((noinline)) void fill_rows(const double* hessian, const BlockGeometry& geometry, double* rows) {
  add_node_hessians<4, VertexRows>(hessian, geometry, rows);
  complete_hessian<4, VertexRows>(rows);
}

}  // namespace

void gather_block(const ElementRecord* elements, double* F, BlockGeometry& geometry) {
  constexpr int entries = sizeof(ElementRecord) / sizeof(double);
  static_assert(entries % width == 0);
  LaneBlock fields[entries];
  holo::detail::unroll<entries / width>([&](auto group) HOLO_INLINE_LAMBDA {
    LaneBlock::Values rows[width];
    load_transposed(reinterpret_cast<const double*>(elements) + group * width, entries, rows);
    holo::detail::unroll<width>([&](auto row) HOLO_INLINE_LAMBDA { fields[group * width + row] = LaneBlock::of(rows[row]); });
  });
  LaneBlock edges[3][3];
  holo::detail::unroll<9>([&](auto k) HOLO_INLINE_LAMBDA {
    edges[k / 3][k % 3] = fields[3 + k] - fields[k % 3];
    geometry.gradients[k / 3][k % 3] = fields[12 + k];
  });
  geometry.weight = fields[21];
  const Matrix3<LaneBlock> deformation = deformation_gradient<4>(edges, geometry.gradients);
  holo::detail::unroll<9>([&](auto k) HOLO_INLINE_LAMBDA { deformation[k].store(F + k * width); });
}

void scatter_gradient(const double* P, const BlockGeometry& geometry, double* output) {
  Matrix3<LaneBlock> stress;
  for (int k = 0; k < 9; ++k) stress[k] = LaneBlock::load(P + k * width);
  alignas(HOLO_BLOCK_ALIGNMENT) double rows[gradient_entries * width];
  add_node_gradients<4, VertexRows>(stress, geometry, rows);
  complete_gradient<4, VertexRows>(rows);
  scatter_gradient_rows(rows, output);
}

void scatter_hessian(const double* hessian, const BlockGeometry& geometry, double* output) {
  HessianRows rows;
  fill_rows(hessian, geometry, rows.values);
  scatter_hessian_rows(rows.values, output);
}

void scatter_symmetric_hessian(const double* hessian, const BlockGeometry& geometry, double* output) {
  HessianRows rows;
  fill_rows(hessian, geometry, rows.values);
  scatter_symmetric_hessian_rows(rows.values, output);
}

void scatter_gradient_rows(const double* rows, double* output) {
  scatter<gradient_entries>([rows](auto k) HOLO_INLINE_LAMBDA { return LaneBlock::load(rows + k * width); }, output);
}

void scatter_hessian_rows(const double* rows, double* output) {
  scatter_streamed<hessian_entries>(
      [rows](auto k) HOLO_INLINE_LAMBDA { return LaneBlock::load(rows + upper_index<12>(k / 12, k % 12) * width); }, output);
}

void scatter_symmetric_hessian_rows(const double* rows, double* output) {
  scatter<symmetric_hessian_entries>(
      [rows](auto k) HOLO_INLINE_LAMBDA {
        if constexpr (k < upper_count_12)
          return LaneBlock::load(rows + k * width);
        else
          return LaneBlock(0.0);
      },
      output);
}

}  // namespace holo::comparison
