#include "holo/comparison/element_lanes.h"

#include <cstring>
#include <utility>

#include "elements/stream.h"
#include "holo/diff/tetrahedron_chain.h"

namespace holo::comparison {
namespace {

// One stage of a transposition in registers: exchanges the lanes of a that have the bit with those of b that have it not.
template <int bit, int... lane>
HOLO_INLINE void exchange(LaneBlock::Values& a, LaneBlock::Values& b, std::integer_sequence<int, lane...>) {
  const LaneBlock::Values low = __builtin_shufflevector(a, b, ((lane & bit) ? width + lane - bit : lane)...);
  const LaneBlock::Values high = __builtin_shufflevector(a, b, ((lane & bit) ? width + lane : lane + bit)...);
  a = low;
  b = high;
}
template <int bit = 1>
HOLO_INLINE void transpose(LaneBlock::Values* rows) {
  if constexpr (bit < width) {
    holo::detail::unroll<width>([&](auto row) HOLO_INLINE_LAMBDA {
      if constexpr ((row & bit) == 0) exchange<bit>(rows[row], rows[row + bit], std::make_integer_sequence<int, width>{});
    });
    transpose<2 * bit>(rows);
  }
}

// values(k), k = 0 ... count-1, to `count` neighbouring doubles of each element. Full Hessians are streamed: eight elements at
// a time touch eight distant lines, which plain stores would first read. Upper halves stay in the cache for who adds them up.
template <int count, class Values>
HOLO_INLINE void scatter(const Values& values, double* output) {
  holo::detail::unroll<(count + width - 1) / width>([&](auto group) HOLO_INLINE_LAMBDA {
    constexpr int first = group * width, used = first + width <= count ? width : count - first;
    LaneBlock::Values rows[width];
    holo::detail::unroll<width>([&](auto row) HOLO_INLINE_LAMBDA {
      if constexpr (row < used)
        rows[row] = values(std::integral_constant<int, first + row>{}).values;
      else
        rows[row] = LaneBlock::Values{};
    });
    transpose(rows);
    for (int lane = 0; lane < width; ++lane) {
      if constexpr (count == hessian_entries)
        stream(output + lane * count + first, rows[lane]);
      else
        std::memcpy(output + lane * count + first, &rows[lane], used * sizeof(double));
    }
  });
}

}  // namespace

void gather_block(const ElementRecord* elements, double* F, BlockGeometry& geometry) {
  constexpr int entries = sizeof(ElementRecord) / sizeof(double);
  static_assert(entries % width == 0);
  LaneBlock fields[entries];
  holo::detail::unroll<entries / width>([&](auto group) HOLO_INLINE_LAMBDA {
    LaneBlock::Values rows[width];
    for (int lane = 0; lane < width; ++lane)
      rows[lane] = LaneBlock::load(reinterpret_cast<const double*>(elements + lane) + group * width).values;
    transpose(rows);
    for (int row = 0; row < width; ++row) fields[group * width + row] = LaneBlock::of(rows[row]);
  });
  Vector<LaneBlock, 12> vertices;
  for (int k = 0; k < 12; ++k) vertices[k] = fields[k];
  for (int k = 0; k < 9; ++k) geometry.inverse_rest[k] = fields[12 + k];
  geometry.volume = fields[21];
  const Matrix3<LaneBlock> deformation = deformation_gradient(vertices, geometry.inverse_rest);
  for (int k = 0; k < 9; ++k) deformation[k].store(F + k * width);
}

void scatter_gradient(const double* P, const BlockGeometry& geometry, double* output) {
  Matrix3<LaneBlock> stress;
  for (int k = 0; k < 9; ++k) stress[k] = LaneBlock::load(P + k * width);
  const Vector<LaneBlock, 12> gradient = vertex_gradient(stress, geometry.inverse_rest, geometry.volume);
  scatter<gradient_entries>([&](auto k) HOLO_INLINE_LAMBDA { return gradient[k]; }, output);
}

void scatter_hessian(const double* hessian, const BlockGeometry& geometry, double* output) {
  LaneBlock upper[upper_count_12];
  vertex_hessian<LaneBlock>([&](int k) HOLO_INLINE_LAMBDA { return LaneBlock::load(hessian + k * width); },
                            geometry.inverse_rest, geometry.volume,
                            [&](int k, const LaneBlock& value) HOLO_INLINE_LAMBDA { upper[k] = value; });
  scatter<hessian_entries>([&](auto k) HOLO_INLINE_LAMBDA { return upper[upper_index<12>(k / 12, k % 12)]; }, output);
}

void scatter_symmetric_hessian(const double* hessian, const BlockGeometry& geometry, double* output) {
  LaneBlock upper[symmetric_hessian_entries];
  vertex_hessian<LaneBlock>([&](int k) HOLO_INLINE_LAMBDA { return LaneBlock::load(hessian + k * width); },
                            geometry.inverse_rest, geometry.volume,
                            [&](int k, const LaneBlock& value) HOLO_INLINE_LAMBDA { upper[k] = value; });
  for (int k = upper_count_12; k < symmetric_hessian_entries; ++k) upper[k] = LaneBlock(0.0);
  scatter<symmetric_hessian_entries>([&](auto k) HOLO_INLINE_LAMBDA { return upper[k]; }, output);
}

void scatter_constant_gradient(double* output) {
  scatter<gradient_entries>([](auto) HOLO_INLINE_LAMBDA { return LaneBlock(1.0); }, output);
}

void scatter_constant_hessian(double* output) {
  scatter<hessian_entries>([](auto) HOLO_INLINE_LAMBDA { return LaneBlock(1.0); }, output);
}

void scatter_constant_symmetric_hessian(double* output) {
  scatter<symmetric_hessian_entries>([](auto) HOLO_INLINE_LAMBDA { return LaneBlock(1.0); }, output);
}

}  // namespace holo::comparison
