#pragma once
// Third derivatives of an energy of the principal stretches with respect to the deformation gradient, in its principal axes:
// perturbation theory of symmetric matrices [Kato1995], applied to the matrix (0 F; F^T 0), whose eigenvalues are the stretches
// and their opposites. As everywhere in holo/diff/tensor/principal_stretches.h, singular vectors are never differentiated.
//
// A direction D in F is given by its principal components: a_i = (U^T D V)_ii, and for the pairs 01, 02, 12 the symmetric and
// skew parts p_ij, w_ij = ((U^T D V)_ij +- (U^T D V)_ji)/sqrt(2). The cubic form of the third derivative is
//
//   sum E_ijk a_i a_j a_k + 3 sum_(pair, k) a_k (dD_pair/ds_k p_pair^2 + dS_pair/ds_k w_pair^2)
//   + 3 sqrt(2) (G0 p01 p02 p12 + G1 w01 w02 p12 - G2 w01 w12 p02 + G3 w02 w12 p01)
//
// with D = (g_i - g_j)/(s_i - s_j), S = (g_i + g_j)/(s_i + s_j), and G the second divided differences of g over the stretches,
// one of them with its opposite sign in G1 to G3.

#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/tensor/principal_stretches.h"

namespace holo {

template <class S>
struct StretchThirdOrder {
  StretchBlocks<S> slopes[3];  // of the blocks, along s_k
  S coupling[4];               // G0 ... G3
};

// The components of a direction: a_0 a_1 a_2, p01 p02 p12, w01 w02 w12.
template <class S>
HOLO_INLINE Vector<S, 9> principal_components(const SignedSvd<S>& svd, const Matrix3<S>& D) {
  const Matrix3<S> A = transpose(svd.U) * D * svd.V;
  Vector<S, 9> result{};
  const S scale(0.70710678118654752440);
  for (int i = 0; i < 3; ++i) {
    const int first = detail::pair_first[i], second = detail::pair_second[i];
    result[i] = A(i, i);
    result[3 + i] = scale * (A(first, second) + A(second, first));
    result[6 + i] = scale * (A(first, second) - A(second, first));
  }
  return result;
}

// The matrix that has these components.
template <class S>
HOLO_INLINE Matrix3<S> of_principal_components(const SignedSvd<S>& svd, const Vector<S, 9>& components) {
  Matrix3<S> A{};
  const S scale(0.70710678118654752440);
  for (int i = 0; i < 3; ++i) {
    const int first = detail::pair_first[i], second = detail::pair_second[i];
    A(i, i) = components[i];
    A(first, second) = scale * (components[3 + i] + components[6 + i]);
    A(second, first) = scale * (components[3 + i] - components[6 + i]);
  }
  return svd.U * A * transpose(svd.V);
}

// gradient(s) and hessian(s), upper half by rows, of the energy for s over S or Nilpotent<1, S>.
template <class S, class Gradient, class Hessian>
HOLO_INLINE StretchThirdOrder<S> stretch_third_order(const Vector3<S>& s, const Gradient& gradient, const Hessian& hessian) {
  using N = Nilpotent<1, S>;
  StretchThirdOrder<S> result{};
  StretchBlocks<S> blocks{};
  const auto along = [&](const Vector3<S>& at, const Vector3<S>& direction) {
    Vector3<N> seeded{};
    for (int i = 0; i < 3; ++i) seeded[i] = N::seed(at[i], {direction[i]});
    return seeded;
  };
  for (int k = 0; k < 3; ++k) {
    const Vector3<N> t = along(s, {S(k == 0 ? 1.0 : 0.0), S(k == 1 ? 1.0 : 0.0), S(k == 2 ? 1.0 : 0.0)});
    const StretchBlocks<N> seeded =
        stretch_blocks(t, gradient(t), hessian(t), pair_curvature(hessian), detail::near_gap_of_third_order);
    for (int i = 0; i < 6; ++i) result.slopes[k].stretch[i] = seeded.stretch[i].derivative();
    for (int i = 0; i < 3; ++i) {
      result.slopes[k].symmetric[i] = seeded.symmetric[i].derivative();
      result.slopes[k].skew[i] = seeded.skew[i].derivative();
      blocks.symmetric[i] = seeded.symmetric[i].value();
      blocks.skew[i] = seeded.skew[i].value();
    }
  }
  const S sum_01 = detail::kept_from_zero(S(s[0] + s[1])), sum_02 = detail::kept_from_zero(S(s[0] + s[2]));
  result.coupling[1] = (blocks.symmetric[2] - blocks.skew[1]) / sum_01;
  result.coupling[2] = (blocks.symmetric[1] - blocks.skew[2]) / sum_01;
  result.coupling[3] = (blocks.symmetric[0] - blocks.skew[2]) / sum_02;

  // G0 over s_0 and s_2, the farthest of the three; where they are near each other too, as the mean of its slope between them.
  const auto near = detail::are_near(s[0], s[2], detail::near_gap_of_third_order);
  result.coupling[0] = (blocks.symmetric[0] - blocks.symmetric[2]) / select(near, S(1.0), S(s[0] - s[2]));
  if (!any(near)) return result;
  const S middle = S(0.5) * (s[0] + s[2]), half = S(0.5) * (s[0] - s[2]);
  S mean(0.0);
  for (int node = 0; node < 6; ++node) {
    const S offset = S((node < 3 ? 1.0 : -1.0) * detail::even_nodes[node % 3]) * half;
    const Vector3<N> t = along({middle + offset, s[1], middle - offset}, {S(1.0), S(0.0), S(-1.0)});
    const Vector3<N> g = gradient(t);
    mean =
        mean + S(0.5 * detail::even_weights[node % 3]) *
                   detail::symmetric_block<0, 1>(t, g, pair_curvature(hessian), detail::near_gap_of_third_order).derivative();
  }
  result.coupling[0] = select(near, mean, result.coupling[0]);
  return result;
}

// The third derivative along `direction`, as the symmetric matrix that it is in the principal components; all entries.
template <class S>
HOLO_INLINE Matrix<S, 9, 9> third_derivative_along(const StretchThirdOrder<S>& third, const Vector<S, 9>& direction) {
  Matrix<S, 9, 9> M{};
  for (int k = 0; k < 81; ++k) M[k] = S(0.0);
  for (int k = 0; k < 3; ++k) {
    const StretchBlocks<S>& slope = third.slopes[k];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) M(i, j) = M(i, j) + direction[k] * slope.stretch[detail::stretch_index[i][j]];
    for (int pair = 0; pair < 3; ++pair) {
      M(3 + pair, 3 + pair) = M(3 + pair, 3 + pair) + direction[k] * slope.symmetric[pair];
      M(6 + pair, 6 + pair) = M(6 + pair, 6 + pair) + direction[k] * slope.skew[pair];
      M(k, 3 + pair) = M(3 + pair, k) = slope.symmetric[pair] * direction[3 + pair];
      M(k, 6 + pair) = M(6 + pair, k) = slope.skew[pair] * direction[6 + pair];
    }
  }
  const auto couple = [&](int x, int y, int z, const S& coupling) {
    const S c = S(0.70710678118654752440) * coupling;
    M(x, y) = M(y, x) = M(x, y) + c * direction[z];
    M(x, z) = M(z, x) = M(x, z) + c * direction[y];
    M(y, z) = M(z, y) = M(y, z) + c * direction[x];
  };
  couple(3, 4, 5, third.coupling[0]);
  couple(6, 7, 5, third.coupling[1]);
  couple(6, 8, 4, -third.coupling[2]);
  couple(7, 8, 3, third.coupling[3]);
  return M;
}

// From a symmetric matrix in the principal components to the upper half by rows in the entries of F: store(k, value).
template <class S, class Store>
HOLO_INLINE void store_in_entries(const SignedSvd<S>& svd, const Matrix<S, 9, 9>& M, const Store& store) {
  Matrix<S, 9, 9> half{};  // row: component, column: entry of F
  for (int i = 0; i < 9; ++i) {
    Vector<S, 9> components{};
    for (int j = 0; j < 9; ++j) components[j] = M(i, j);
    const Matrix3<S> entries = of_principal_components(svd, components);
    for (int k = 0; k < 9; ++k) half(i, k) = entries[k];
  }
  for (int k = 0; k < 9; ++k) {
    Vector<S, 9> components{};
    for (int i = 0; i < 9; ++i) components[i] = half(i, k);
    const Matrix3<S> entries = of_principal_components(svd, components);
    for (int row = 0; row <= k; ++row) store(upper_index<9>(row, k), entries[row]);
  }
}

}  // namespace holo
