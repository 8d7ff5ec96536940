#pragma once
// The two codings of an energy psi(I1, J), I1 = tr F'F, from its slopes.

#include "elements/hand_written_codings.h"

namespace holo::comparison {

// psi_1 = dpsi/dI1 and so on. psi_11 only where the energy has it.
struct InvariantSlopes {
  double psi_1, psi_J, psi_1J, psi_JJ, psi_11 = 0;
};

template <class Energy>
struct OfInvariants {
  Energy energy;

  struct Point {
    Matrix F, C;  // C = cof F
    InvariantSlopes s;
  };
  HOLO_INLINE Point at(const Matrix& F) const {
    Point p{F, cofactor(F), {}};
    double I1 = 0;
    for (int k = 0; k < 9; ++k) I1 += F[k] * F[k];
    p.s = energy.slopes(I1, F[0] * p.C[0] + F[1] * p.C[1] + F[2] * p.C[2]);
    return p;
  }
  HOLO_INLINE Matrix stress(const Point& p) const {
    Matrix P;
    for (int k = 0; k < 9; ++k) P[k] = 2 * p.s.psi_1 * p.F[k] + p.s.psi_J * p.C[k];
    return P;
  }

  // With m_a = F g_a, n_a = cof(F) g_a, k_a = 2 psi_1J m_a + psi_JJ/2 n_a and w = F (g_a x g_b):
  // K_ab = 2 psi_1 (g_a.g_b) I + k_a n_b' + n_a k_b' - psi_J [w]x
  HOLO_INLINE void vertex_blocks(const Point& p, const Vec (&g)[3], double volume, double (&K)[9][9]) const {
    const InvariantSlopes s = {volume * p.s.psi_1, volume * p.s.psi_J, volume * p.s.psi_1J, volume * p.s.psi_JJ,
                               volume * p.s.psi_11};
    Vec n[3], k[3];
    [[maybe_unused]] Vec ms[3];
    for (int a = 0; a < 3; ++a) {
      n[a] = times(p.C, g[a]);
      const Vec m = times(p.F, g[a]);
      for (int i = 0; i < 3; ++i) k[a][i] = 2 * s.psi_1J * m[i] + s.psi_JJ / 2 * n[a][i];
      if constexpr (Energy::has_psi_11) ms[a] = m;
    }
    holo::detail::unroll<3>([&](auto a) HOLO_INLINE_LAMBDA {
      holo::detail::unroll<3>([&](auto b) HOLO_INLINE_LAMBDA {
        if constexpr (a <= b) {
          const double d = 2 * s.psi_1 * dot(g[a], g[b]);
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
              K[3 * a + i][3 * b + j] = k[a][i] * n[b][j] + n[a][i] * k[b][j];
              if constexpr (Energy::has_psi_11) K[3 * a + i][3 * b + j] += 4 * s.psi_11 * ms[a][i] * ms[b][j];
            }
            K[3 * a + i][3 * b + i] += d;
          }
          if constexpr (a < b) {
            const Vec w = times(p.F, cross(g[a], g[b]));
            for (int i = 0; i < 3; ++i) {
              const double entry = s.psi_J * w[i];
              K[3 * a + (i + 1) % 3][3 * b + (i + 2) % 3] += entry;
              K[3 * a + (i + 2) % 3][3 * b + (i + 1) % 3] -= entry;
            }
          }
        }
      });
    });
  }

  // 2 psi_1 I + k C' + C k' + psi_J dcof, k = 2 psi_1J F + psi_JJ/2 C
  HOLO_INLINE void hessian(const Point& p, double* H) const {
    Matrix k;
    for (int e = 0; e < 9; ++e) k[e] = 2 * p.s.psi_1J * p.F[e] + p.s.psi_JJ / 2 * p.C[e];
    holo::detail::unroll<9>([&](auto row) HOLO_INLINE_LAMBDA {
      holo::detail::unroll<9>([&](auto column) HOLO_INLINE_LAMBDA {
        constexpr int i = row / 3, j = row % 3, m = column / 3, l = column % 3;
        if constexpr (row <= column) {
          double h = k[row] * p.C[column] + p.C[row] * k[column];
          if constexpr (Energy::has_psi_11) h += 4 * p.s.psi_11 * p.F[row] * p.F[column];
          if constexpr (row == column) h += 2 * p.s.psi_1;
          if constexpr (i != m && j != l) {  // d cof_ij / dF_ml = +-F of the remaining row and column
            constexpr bool positive = ((m - i + 3) % 3 == 1) == ((l - j + 3) % 3 == 1);
            const double rest = p.F(3 - i - m, 3 - j - l) * p.s.psi_J;
            h += positive ? rest : -rest;
          }
          H[upper_index<9>(row, column)] = h;
        }
      });
    });
  }
};

}  // namespace holo::comparison
