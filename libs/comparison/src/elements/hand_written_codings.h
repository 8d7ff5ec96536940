#pragma once
// Kernels from a material's closed forms, for one element at a time, in two codings. All of it is scalar code; the compiler may
// vectorize within an element as it likes. A material has
//
//   Point at(F); Matrix stress(point); void hessian(point, H[45]);
//   void vertex_blocks(point, g[3], volume, K[9][9]);     upper half of the 3x3 blocks of vertices 1 to 3; optional

#include <cmath>
#include <utility>

#include "elements/stream.h"
#include "holo/comparison/element_kernels.h"
#include "holo/diff/matrix.h"
#include "holo/diff/solid/tetrahedron_chain.h"

namespace holo::comparison {

using Matrix = Matrix3<double>;
using Vec = Vector3<double>;

HOLO_INLINE Matrix deformation_gradient_of(const ElementRecord& e) {
  const double* x = e.vertices;
  Matrix edges, inverse;
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 3; ++a) edges(i, a) = x[3 * (a + 1) + i] - x[i];
  for (int k = 0; k < 9; ++k) inverse[k] = e.inverse_rest[k];
  return edges * inverse;
}
HOLO_INLINE Vec shape_gradient(const ElementRecord& e, int a) {
  return {e.inverse_rest[3 * a], e.inverse_rest[3 * a + 1], e.inverse_rest[3 * a + 2]};
}
HOLO_INLINE Vec times(const Matrix& A, const Vec& v) {
  return {A[0] * v[0] + A[1] * v[1] + A[2] * v[2], A[3] * v[0] + A[4] * v[1] + A[5] * v[2],
          A[6] * v[0] + A[7] * v[1] + A[8] * v[2]};
}

// Where a Hessian goes: the full 12x12, or its upper half by rows. store() takes the 9x9 block of vertices 1 to 3 (upper half
// of its 3x3 blocks); the upper half is made in upper(out, memory), then finish() does the rest.
struct FullHessian {
  static constexpr int entries = hessian_entries;
  static HOLO_INLINE void store(const double (&K)[9][9], double* out);
  static HOLO_INLINE double* upper(double*, double* memory) { return memory; }
  static HOLO_INLINE void finish(const double* upper, double* out) {
    holo::detail::unroll<144>([&](auto k) HOLO_INLINE_LAMBDA { out[k] = upper[upper_index<12>(k / 12, k % 12)]; });
  }
};
struct UpperHessian {
  static constexpr int entries = symmetric_hessian_entries;
  static HOLO_INLINE void store(const double (&K)[9][9], double* out);
  static HOLO_INLINE double* upper(double* out, double*) { return out; }
  static HOLO_INLINE void finish(const double*, double*) {}
};

HOLO_INLINE void FullHessian::store(const double (&K)[9][9], double* out) {
  double first[3][9];  // vertex 0 with vertices 1 to 3
  holo::detail::unroll<27>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int i = index / 9, column = index % 9;
    const auto entry = [&]<int a>(std::integral_constant<int, a>) HOLO_INLINE_LAMBDA {
      constexpr int b = column / 3;
      if constexpr (a <= b)
        return K[3 * a + i][column];
      else
        return K[column][3 * a + i];
    };
    first[i][column] = -(entry(std::integral_constant<int, 0>{}) + entry(std::integral_constant<int, 1>{}) +
                         entry(std::integral_constant<int, 2>{}));
  });
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) out[12 * i + k] = -(first[i][k] + first[i][3 + k] + first[i][6 + k]);
    for (int column = 0; column < 9; ++column) out[12 * i + 3 + column] = out[12 * (3 + column) + i] = first[i][column];
  }
  holo::detail::unroll<81>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int row = index / 9, column = index % 9;
    if constexpr (row / 3 <= column / 3)
      out[12 * (3 + row) + 3 + column] = K[row][column];
    else
      out[12 * (3 + row) + 3 + column] = K[column][row];
  });
}

HOLO_INLINE void UpperHessian::store(const double (&K)[9][9], double* out) {
  double first[3][9];
  holo::detail::unroll<27>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int i = index / 9, column = index % 9, b = column / 3;
    double sum = 0;
    for (int a = 0; a < 3; ++a) sum -= a <= b ? K[3 * a + i][column] : K[column][3 * a + i];
    first[i][column] = out[upper_index<12>(i, 3 + column)] = sum;
  });
  for (int i = 0; i < 3; ++i)
    for (int k = i; k < 3; ++k) out[upper_index<12>(i, k)] = -(first[i][k] + first[i][3 + k] + first[i][6 + k]);
  holo::detail::unroll<81>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int row = index / 9, column = index % 9;
    if constexpr (row <= column) out[upper_index<12>(3 + row, 3 + column)] = K[row][column];
  });
}

template <class Material>
void gradient(const Material& material, std::span<const ElementRecord> elements, double* output) {
  for (const ElementRecord& e : elements) {
    const Matrix P = material.stress(material.at(deformation_gradient_of(e)));
    for (int a = 0; a < 3; ++a) {
      const Vec f = times(P, shape_gradient(e, a));
      for (int i = 0; i < 3; ++i) output[3 * (a + 1) + i] = e.volume * f[i];
    }
    for (int i = 0; i < 3; ++i) output[i] = -(output[3 + i] + output[6 + i] + output[9 + i]);
    output += gradient_entries;
  }
}

template <class Material>
void gradient_by_matrices(const Material& material, std::span<const ElementRecord> elements, double* output) {
  for (const ElementRecord& e : elements) {
    Matrix inverse;
    for (int k = 0; k < 9; ++k) inverse[k] = e.inverse_rest[k];
    const Matrix P = material.stress(material.at(deformation_gradient_of(e)));
    const Vector<double, 12> g = vertex_gradient(P, inverse, e.volume);
    for (int k = 0; k < gradient_entries; ++k) output[k] = g[k];
    output += gradient_entries;
  }
}

// The closed form per pair of vertices. Streamed: by way of a small array in the cache.
template <class To, bool is_streamed, class Material>
void hessian_by_blocks(const Material& material, std::span<const ElementRecord> elements, double* output) {
  alignas(64) [[maybe_unused]] double cached[is_streamed ? To::entries : 1] = {};
  for (const ElementRecord& e : elements) {
    const Vec g[3] = {shape_gradient(e, 0), shape_gradient(e, 1), shape_gradient(e, 2)};
    double K[9][9];
    material.vertex_blocks(material.at(deformation_gradient_of(e)), g, e.volume, K);
    if constexpr (is_streamed) {
      To::store(K, cached);
      for (int k = 0; k < To::entries; k += LaneBlock::width) stream(output + k, LaneBlock::load(cached + k).values);
    } else {
      To::store(K, output);
    }
    output += To::entries;
  }
}

template <class To, class Material>
void hessian_by_matrices(const Material& material, std::span<const ElementRecord> elements, double* output) {
  for (const ElementRecord& e : elements) {
    Matrix inverse;
    for (int k = 0; k < 9; ++k) inverse[k] = e.inverse_rest[k];
    double H[upper_count_9], memory[upper_count_12];
    double* upper = To::upper(output, memory);
    material.hessian(material.at(deformation_gradient_of(e)), H);
    vertex_hessian<double>([&](int k) HOLO_INLINE_LAMBDA { return H[k]; }, inverse, e.volume,
                           [&](int k, double value) HOLO_INLINE_LAMBDA { upper[k] = value; });
    To::finish(upper, output);
    output += To::entries;
  }
}

template <class Material>
concept HasVertexBlocks = requires(const Material& m, const Vec (&g)[3], double (&K)[9][9]) {
  m.vertex_blocks(m.at(Matrix{}), g, 1.0, K);
};

template <class To, class Material>
std::vector<NamedKernel> hessian_codings(const Material& m) {
  using Elements = std::span<const ElementRecord>;
  std::vector<NamedKernel> result;
  if constexpr (HasVertexBlocks<Material>) {
    result.push_back(
        {"hand-written, vertex blocks", [m](Elements e, double* out) { hessian_by_blocks<To, false>(m, e, out); }});
    result.push_back(
        {"hand-written, vertex blocks, streamed", [m](Elements e, double* out) { hessian_by_blocks<To, true>(m, e, out); }});
  }
  result.push_back({"hand-written, 9x9", [m](Elements e, double* out) { hessian_by_matrices<To>(m, e, out); }});
  return result;
}

template <class Material>
std::vector<NamedKernel> codings(const Material& m, DerivativeKind quantity) {
  using Elements = std::span<const ElementRecord>;
  if (quantity == DerivativeKind::gradient)
    return {{"hand-written, vertex blocks", [m](Elements e, double* out) { gradient(m, e, out); }},
            {"hand-written, 9x9", [m](Elements e, double* out) { gradient_by_matrices(m, e, out); }}};
  return quantity == DerivativeKind::hessian ? hessian_codings<FullHessian>(m) : hessian_codings<UpperHessian>(m);
}

}  // namespace holo::comparison
