#pragma once
// The linear tetrahedron: from its four vertices to the deformation gradient, and back from derivatives in the deformation
// gradient to derivatives in the vertices, in closed form (never by way of the 9x12 matrix dF/dx). For any scalar; on lanes, W
// elements.
//
// Vertex data are vertex-major: entry 3 a + i is component i of vertex a. With X the rest positions, the inverse rest matrix is
// the inverse of [X1-X0, X2-X0, X3-X0]; its row a-1 is the gradient of vertex a's shape function (a = 1, 2, 3), and that of
// vertex 0 is minus their sum.

#include "holo/diff/matrix.h"
#include "holo/diff/solid/symmetric_packing.h"
#include "holo/diff/unroll.h"

namespace holo {

// F = [x1-x0, x2-x0, x3-x0] inverse_rest
template <class S>
HOLO_FN HOLO_INLINE constexpr Matrix3<S> deformation_gradient(const Vector<S, 12>& vertices, const Matrix3<S>& inverse_rest) {
  Matrix3<S> edges{};
  detail::unroll<9>([&](auto k)
                        HOLO_INLINE_LAMBDA { edges(k / 3, k % 3) = vertices[3 * (k % 3 + 1) + k / 3] - vertices[k / 3]; });
  return edges * inverse_rest;
}

// d(volume psi)/dx from the first Piola-Kirchhoff stress P = dpsi/dF: 12 entries; minus the elastic forces.
template <class S>
HOLO_FN HOLO_INLINE constexpr Vector<S, 12> vertex_gradient(const Matrix3<S>& P, const Matrix3<S>& inverse_rest,
                                                            const S& volume) {
  Vector<S, 12> gradient{};
  const Matrix3<S> forces = volume * (P * transpose(inverse_rest));  // column a-1: vertex a
  detail::unroll<9>([&](auto k) HOLO_INLINE_LAMBDA { gradient[3 * (k % 3 + 1) + k / 3] = forces(k / 3, k % 3); });
  detail::unroll<3>([&](auto i) HOLO_INLINE_LAMBDA { gradient[i] = -(forces(i, 0) + forces(i, 1) + forces(i, 2)); });
  return gradient;
}

// d2(volume psi)/dx2 from d2psi/dF2: the upper half by rows of 12x12 (78 entries) from that of 9x9 (45 entries, F row-major).
// load(k) gives entry k of the one, store(k, value) takes entry k of the other.
template <class S, class Load, class Store>
HOLO_FN HOLO_INLINE constexpr void vertex_hessian(const Load& load, const Matrix3<S>& inverse_rest, const S& volume,
                                                  const Store& store) {
  const Matrix3<S> scaled = volume * inverse_rest;
  S block[9][9];  // vertices 1 to 3: row 3 (a-1) + i, column 3 (b-1) + k
  detail::unroll<9>([&](auto row_constant) HOLO_INLINE_LAMBDA {
    // half(i j, b) = sum_l H(i j, k l) inverse_rest(b, l) for one column (b, k) and all i j
    constexpr int column = row_constant, b = column / 3, k = column % 3;
    S half[9];
    detail::unroll<9>([&](auto ij_constant) HOLO_INLINE_LAMBDA {
      constexpr int ij = ij_constant;
      half[ij] = load(upper_index<9>(ij, 3 * k)) * inverse_rest(b, 0) +
                 load(upper_index<9>(ij, 3 * k + 1)) * inverse_rest(b, 1) +
                 load(upper_index<9>(ij, 3 * k + 2)) * inverse_rest(b, 2);
    });
    detail::unroll<column + 1>([&](auto row_index) HOLO_INLINE_LAMBDA {
      constexpr int row = row_index, a = row / 3, i = row % 3;
      block[row][column] = scaled(a, 0) * half[3 * i] + scaled(a, 1) * half[3 * i + 1] + scaled(a, 2) * half[3 * i + 2];
      block[column][row] = block[row][column];
      store(upper_index<12>(row + 3, column + 3), block[row][column]);
    });
  });
  S first[3][9];  // vertex 0 with vertices 1 to 3: minus the sum over the rows' vertices
  detail::unroll<27>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int i = index / 9, column = index % 9;
    first[i][column] = -(block[i][column] + block[3 + i][column] + block[6 + i][column]);
    store(upper_index<12>(i, column + 3), first[i][column]);
  });
  detail::unroll<9>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int i = index / 3, k = index % 3;
    if constexpr (i <= k) store(upper_index<12>(i, k), -(first[i][k] + first[i][3 + k] + first[i][6 + k]));
  });
}

}  // namespace holo
