#pragma once
// The frame around a material's operation, for a block of elements in lanes: from displacements of the nodes to the deformation
// gradient F at a quadrature point, and from derivatives of the energy density in F, or in its invariants, to those of the
// element's energy in its nodes. Simulator and comparisons share it.
//
// For elements of any number of nodes and quadrature points; linear tetrahedra have four and one. Shape functions add up to 1,
// so that everything of node 0 is minus the sum of the others' and is filled in at the end, once for all points. Results are
// rows [row][lane] in memory; where each entry goes, a Layout says: gradient(a, i) and hessian(a, i, b, j) for components i, j
// of nodes a, b, the latter symmetric.

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/matrix.h"
#include "holo/diff/solid/invariants.h"
#include "holo/diff/solid/tetrahedron_chain.h"

namespace holo {

template <int nodes>
struct QuadraturePoint {
  LaneBlock gradients[nodes - 1][3];  // of the shape functions of nodes 1, 2, ... in the rest positions [1/m]
  LaneBlock weight;                   // rest volume times the weight of the point [m^3]
};

// F from the nodes' positions less that of node 0, edges[a - 1]; from differences of displacements, the change of F.
template <int nodes>
HOLO_INLINE Matrix3<LaneBlock> deformation_gradient(const LaneBlock (&edges)[nodes - 1][3],
                                                    const LaneBlock (&gradients)[nodes - 1][3]) {
  Matrix3<LaneBlock> F;
  detail::unroll<9>([&](auto entry) HOLO_INLINE_LAMBDA {
    constexpr int i = entry / 3, k = entry % 3;
    LaneBlock sum = edges[0][i] * gradients[0][k];
    for (int a = 1; a < nodes - 1; ++a) sum += edges[a][i] * gradients[a][k];
    F[entry] = sum;
  });
  return F;
}

namespace detail {

// The first point writes, the others add.
template <bool adds>
HOLO_INLINE void put(double* rows, int row, const LaneBlock& value) {
  double* to = rows + row * LaneBlock::width;
  if constexpr (adds)
    (LaneBlock::load(to) + value).store(to);
  else
    value.store(to);
}

HOLO_INLINE Vector3<LaneBlock> times(const Matrix3<LaneBlock>& A, const LaneBlock (&v)[3]) {
  return {A[0] * v[0] + A[1] * v[1] + A[2] * v[2], A[3] * v[0] + A[4] * v[1] + A[5] * v[2],
          A[6] * v[0] + A[7] * v[1] + A[8] * v[2]};
}
HOLO_INLINE LaneBlock product(const LaneBlock (&u)[3], const LaneBlock (&v)[3]) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

}  // namespace detail

// Gradients of nodes 1, 2, ...: weight P g_a, from the stress P.
template <int nodes, class Layout, bool adds = false>
HOLO_INLINE void add_node_gradients(const Matrix3<LaneBlock>& P, const QuadraturePoint<nodes>& point, double* rows) {
  const Matrix3<LaneBlock> scaled = point.weight * P;
  detail::unroll<nodes - 1>([&](auto a) HOLO_INLINE_LAMBDA {
    const Vector3<LaneBlock> force = detail::times(scaled, point.gradients[a]);
    for (int i = 0; i < 3; ++i) detail::put<adds>(rows, Layout::gradient(a + 1, i), force[i]);
  });
}

// Hessians of nodes 1, 2, ...: weight G_a : H : G_b, from the upper half by rows [45][lane] of H = d2psi/dF2.
template <int nodes, class Layout, bool adds = false>
HOLO_INLINE void add_node_hessians(const double* H, const QuadraturePoint<nodes>& point, double* rows) {
  constexpr int lane_count = LaneBlock::width;
  detail::unroll<3 * (nodes - 1)>([&](auto column) HOLO_INLINE_LAMBDA {
    constexpr int b = column / 3, j = column % 3;
    const auto& g = point.gradients;
    const LaneBlock scaled[3] = {point.weight * g[b][0], point.weight * g[b][1], point.weight * g[b][2]};
    LaneBlock half[9];  // H : (e_j x g_b)
    detail::unroll<9>([&](auto ik) HOLO_INLINE_LAMBDA {
      half[ik] = LaneBlock::load(H + upper_index<9>(ik, 3 * j) * lane_count) * scaled[0] +
                 LaneBlock::load(H + upper_index<9>(ik, 3 * j + 1) * lane_count) * scaled[1] +
                 LaneBlock::load(H + upper_index<9>(ik, 3 * j + 2) * lane_count) * scaled[2];
    });
    detail::unroll<column + 1>([&](auto row) HOLO_INLINE_LAMBDA {
      constexpr int a = row / 3, i = row % 3;
      detail::put<adds>(rows, Layout::hessian(a + 1, i, b + 1, j),
                        half[3 * i] * g[a][0] + half[3 * i + 1] * g[a][1] + half[3 * i + 2] * g[a][2]);
    });
  });
}

// Gradients and Hessians from the slopes of psi(I1, I2, J), [9][lane] in the order of HOLO_MATERIAL_INVARIANT_SLOPES, without
// the 9x9 matrix. With m_a = F g_a, n_a = cof(F) g_a, B = F F^T, v_1a = 2 m_a, v_2a = 2 (I1 - B) m_a, v_Ja = n_a, the block of
// nodes a and b is
//   sum_ij psi_ij v_ia v_jb^T + psi_2 (v_1a v_1b^T - 2 m_b m_a^T) + 2 (psi_1 + psi_2 I1) g_a.g_b I
//   - 2 psi_2 (m_a.m_b I + g_a.g_b B) + psi_J [F (g_a x g_b)]x
// and the gradient psi_1 v_1a + psi_2 v_2a + psi_J v_Ja.
template <InvariantPattern pattern, int nodes>
struct InvariantChain {
  static constexpr int n = nodes - 1;
  static constexpr bool uses_2 = pattern.first[1], uses_J = pattern.first[2];
  // psi_2 v_1 v_1^T joins psi_11.
  static constexpr bool used[6] = {pattern.second[0] || uses_2, pattern.second[1], pattern.second[2],
                                   pattern.second[3],           pattern.second[4], pattern.second[5]};
  static constexpr int entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  static constexpr bool has_row(int i) { return used[entry[i][0]] || used[entry[i][1]] || used[entry[i][2]]; }

  const QuadraturePoint<nodes>& point;
  Matrix3<LaneBlock> F, B;
  LaneBlock first[3], second[6], I1;  // slopes times the weight
  Vector3<LaneBlock> m[n], v[3][n];

  HOLO_INLINE InvariantChain(const double* deformation_gradient, const double* slopes, const QuadraturePoint<nodes>& at)
      : point(at) {
    constexpr int lane_count = LaneBlock::width;
    for (int k = 0; k < 9; ++k) F[k] = LaneBlock::load(deformation_gradient + k * lane_count);
    for (int k = 0; k < 3; ++k) first[k] = point.weight * LaneBlock::load(slopes + k * lane_count);
    for (int k = 0; k < 6; ++k) second[k] = point.weight * LaneBlock::load(slopes + (3 + k) * lane_count);
    if constexpr (uses_2) {
      second[0] = second[0] + first[1];
      B = detail::gram_of_rows(F);
      I1 = B[0] + B[4] + B[8];
    }
    const Matrix3<LaneBlock> C = cofactor(F);
    detail::unroll<n>([&](auto a) HOLO_INLINE_LAMBDA {
      m[a] = detail::times(F, point.gradients[a]);
      v[0][a] = 2.0 * m[a];
      if constexpr (uses_2 || has_row(1)) v[1][a] = I1 * v[0][a] - B * v[0][a];
      if constexpr (uses_J || has_row(2)) v[2][a] = detail::times(C, point.gradients[a]);
    });
  }

  template <class Layout, bool adds>
  HOLO_INLINE void add_gradients(double* rows) const {
    detail::unroll<n>([&](auto a) HOLO_INLINE_LAMBDA {
      Vector3<LaneBlock> force = first[0] * v[0][a];
      if constexpr (uses_2) force = force + first[1] * v[1][a];
      if constexpr (uses_J) force = force + first[2] * v[2][a];
      for (int i = 0; i < 3; ++i) detail::put<adds>(rows, Layout::gradient(a + 1, i), force[i]);
    });
  }

  template <class Layout, bool adds>
  HOLO_INLINE void add_hessians(double* rows) const {
    detail::unroll<n>([&](auto column) HOLO_INLINE_LAMBDA {
      constexpr int b = column;
      Vector3<LaneBlock> product[3];  // sum_j psi_ij v_jb
      detail::unroll<3>([&](auto i) HOLO_INLINE_LAMBDA {
        bool empty = true;
        detail::unroll<3>([&](auto j) HOLO_INLINE_LAMBDA {
          if constexpr (constexpr int ij = entry[i][j]; used[ij]) {
            product[i] = empty ? second[ij] * v[j][b] : product[i] + second[ij] * v[j][b];
            empty = false;
          }
        });
      });
      detail::unroll<b + 1>([&](auto row) HOLO_INLINE_LAMBDA { add_block<Layout, adds, row, b>(product, rows); });
    });
  }

 private:
  template <class Layout, bool adds, int a, int b>
  HOLO_INLINE void add_block(const Vector3<LaneBlock> (&product)[3], double* rows) const {
    const auto& g = point.gradients;
    const LaneBlock dots = detail::product(g[a], g[b]);
    LaneBlock diagonal = 2.0 * first[0] * dots, twice_slope_2(0.0);
    Vector3<LaneBlock> w{};
    if constexpr (uses_2) {
      twice_slope_2 = 2.0 * first[1];
      diagonal += twice_slope_2 * (I1 * dots - dot(m[a], m[b]));
    }
    if constexpr (uses_J && a != b) {
      const LaneBlock normal[3] = {g[a][1] * g[b][2] - g[a][2] * g[b][1], g[a][2] * g[b][0] - g[a][0] * g[b][2],
                                   g[a][0] * g[b][1] - g[a][1] * g[b][0]};
      w = first[2] * detail::times(F, normal);
    }
    detail::unroll<9>([&](auto index) HOLO_INLINE_LAMBDA {
      constexpr int i = index / 3, j = index % 3;
      if constexpr (a != b || i <= j) {
        LaneBlock sum(0.0);
        bool empty = true;
        detail::unroll<3>([&](auto k) HOLO_INLINE_LAMBDA {
          if constexpr (has_row(k)) detail::add_product(sum, empty, v[k][a][i], product[k][j]);
        });
        if constexpr (i == j) sum = empty ? diagonal : sum + diagonal;
        if constexpr (uses_2) sum = sum - twice_slope_2 * (m[b][i] * m[a][j] + dots * B(i, j));
        if constexpr (uses_J && a != b && i != j) sum = (j - i + 3) % 3 == 1 ? sum + w[3 - i - j] : sum - w[3 - i - j];
        detail::put<adds>(rows, Layout::hessian(a + 1, i, b + 1, j), sum);
      }
    });
  }
};

// The gradient of node 0, after all points are added.
template <int nodes, class Layout>
HOLO_INLINE void complete_gradient(double* rows) {
  detail::unroll<3>([&](auto i) HOLO_INLINE_LAMBDA {
    LaneBlock sum = LaneBlock::load(rows + Layout::gradient(1, i) * LaneBlock::width);
    for (int a = 2; a < nodes; ++a) sum += LaneBlock::load(rows + Layout::gradient(a, i) * LaneBlock::width);
    (-sum).store(rows + Layout::gradient(0, i) * LaneBlock::width);
  });
}
template <int nodes, class Layout>
HOLO_INLINE void complete_hessian(double* rows) {
  detail::unroll<9>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int i = index / 3, j = index % 3;
    LaneBlock corner(0.0);
    detail::unroll<nodes - 1>([&](auto previous) HOLO_INLINE_LAMBDA {
      constexpr int a = previous + 1;
      LaneBlock sum = LaneBlock::load(rows + Layout::hessian(a, i, 1, j) * LaneBlock::width);
      for (int b = 2; b < nodes; ++b) sum += LaneBlock::load(rows + Layout::hessian(a, i, b, j) * LaneBlock::width);
      (-sum).store(rows + Layout::hessian(a, i, 0, j) * LaneBlock::width);
      corner += sum;
    });
    if constexpr (i <= j) corner.store(rows + Layout::hessian(0, i, 0, j) * LaneBlock::width);
  });
}

// Gradient and Hessian of a block with one quadrature point from slopes in the invariants.
template <int nodes>
using InvariantKernel = void (*)(const double* F, const double* slopes, const QuadraturePoint<nodes>& point, double* rows);

template <InvariantPattern pattern, int nodes, class Layout, bool with_gradient>
__attribute__((noinline)) void run_invariant_chain(const double* F, const double* slopes, const QuadraturePoint<nodes>& point,
                                                   double* rows) {
  const InvariantChain<pattern, nodes> chain(F, slopes, point);
  chain.template add_hessians<Layout, false>(rows);
  complete_hessian<nodes, Layout>(rows);
  if constexpr (with_gradient) {
    chain.template add_gradients<Layout, false>(rows);
    complete_gradient<nodes, Layout>(rows);
  }
}

// The leanest of a few kernels that knows all the slopes of `bits`, holo_material::invariant_slopes.
template <int nodes, class Layout, bool with_gradient>
InvariantKernel<nodes> invariant_kernel(unsigned bits) {
  // of_volume: psi_1, psi_J, psi_JJ; of_shape: and psi_1J; of_growth: and psi_11; quadratic: psi_1, psi_2, psi_11;
  // rivlin: of_shape with psi_2 and psi_2J.
  constexpr unsigned of_volume = 1u << 0 | 1u << 2 | 1u << 8, of_shape = of_volume | 1u << 5, of_growth = of_shape | 1u << 3,
                     quadratic = 1u << 0 | 1u << 1 | 1u << 3, rivlin = of_shape | 1u << 1 | 1u << 7, all = 511;
  InvariantKernel<nodes> kernel = nullptr;
  const auto offer = [&]<unsigned known>(std::integral_constant<unsigned, known>) {
    if (kernel == nullptr && (bits & ~known) == 0)
      kernel = run_invariant_chain<invariant_pattern_of(known), nodes, Layout, with_gradient>;
  };
  offer(std::integral_constant<unsigned, of_volume>{});
  offer(std::integral_constant<unsigned, of_shape>{});
  offer(std::integral_constant<unsigned, of_growth>{});
  offer(std::integral_constant<unsigned, quadratic>{});
  offer(std::integral_constant<unsigned, rivlin>{});
  offer(std::integral_constant<unsigned, all>{});
  return kernel;
}

}  // namespace holo
