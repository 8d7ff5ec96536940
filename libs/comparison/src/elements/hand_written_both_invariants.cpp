// Energies of both invariants of shape and the volume.

#include "elements/hand_written_codings.h"
#include "elements/hand_written_materials.h"

namespace holo::comparison {
namespace {

// Derivatives of psi(I1, I2, J), I1 = tr C, I2 = (I1^2 - tr C^2)/2. psi_11, psi_12, psi_22 only where the energy has them.
struct BothSlopes {
  double psi_1, psi_2, psi_J, psi_1J, psi_2J, psi_JJ, psi_11 = 0, psi_12 = 0, psi_22 = 0;
};

template <class Energy>
struct OfBothInvariants {
  Energy energy;

  struct Point {
    Matrix F, C, B, cofactors, S;  // C = F'F, B = F F', S = I1 F - F C
    double I1;
    BothSlopes slopes;
  };
  HOLO_INLINE Point at(const Matrix& F) const {
    Point p;
    p.F = F;
    p.cofactors = cofactor(F);
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        p.C(i, j) = p.C(j, i) = F(0, i) * F(0, j) + F(1, i) * F(1, j) + F(2, i) * F(2, j);
        p.B(i, j) = p.B(j, i) = F(i, 0) * F(j, 0) + F(i, 1) * F(j, 1) + F(i, 2) * F(j, 2);
      }
    const Matrix FC = F * p.C;
    p.I1 = p.C[0] + p.C[4] + p.C[8];
    double I2 = 0;
    for (int k = 0; k < 9; ++k) p.S[k] = p.I1 * F[k] - FC[k], I2 += p.cofactors[k] * p.cofactors[k];
    p.slopes = energy.slopes(p.I1, I2, F[0] * p.cofactors[0] + F[1] * p.cofactors[1] + F[2] * p.cofactors[2]);
    return p;
  }
  HOLO_INLINE Matrix stress(const Point& p) const {
    Matrix P;
    for (int k = 0; k < 9; ++k)
      P[k] = 2 * p.slopes.psi_1 * p.F[k] + 2 * p.slopes.psi_2 * p.S[k] + p.slopes.psi_J * p.cofactors[k];
    return P;
  }

  // Of each vertex: m, n, r, C g; and with everything that stands before m_b' and (S g_b)' the vectors u and v; s = S g.
  struct VertexVectors {
    Vec m[3], n[3], r[3], Cg[3], u[3], v[3], s[3];
  };
  HOLO_INLINE VertexVectors vertex_vectors(const Point& p, const Vec (&g)[3], double volume) const {
    VertexVectors x;
    const BothSlopes& slopes = p.slopes;
    for (int a = 0; a < 3; ++a) {
      x.m[a] = times(p.F, g[a]);
      x.n[a] = times(p.cofactors, g[a]);
      x.Cg[a] = times(p.C, g[a]);
      x.s[a] = times(p.S, g[a]);
      for (int i = 0; i < 3; ++i) {
        x.r[a][i] = volume * (2 * slopes.psi_1J * x.m[a][i] + 2 * slopes.psi_2J * x.s[a][i] + slopes.psi_JJ / 2 * x.n[a][i]);
        x.u[a][i] = 4 * volume * slopes.psi_2 * x.m[a][i];
        if constexpr (Energy::has_second_order) {
          x.u[a][i] += 4 * volume * (slopes.psi_11 * x.m[a][i] + slopes.psi_12 * x.s[a][i]);
          x.v[a][i] = 4 * volume * (slopes.psi_12 * x.m[a][i] + slopes.psi_22 * x.s[a][i]);
        }
      }
    }
    return x;
  }

  // With m_a = F g_a, n_a = cof(F) g_a, r_a = 2 psi_1J m_a + 2 psi_2J S g_a + psi_JJ/2 n_a, w = F (g_a x g_b):
  // K_ab = (2 (psi_1 + psi_2 I1) g_a.g_b - 2 psi_2 g_a.C g_b) I + r_a n_b' + n_a r_b' - psi_J [w]x
  //        + psi_2 (4 m_a m_b' - 2 m_b m_a' - 2 (g_a.g_b) B)
  //        + 4 (psi_11 m_a + psi_12 S g_a) m_b' + 4 (psi_12 m_a + psi_22 S g_a) (S g_b)'
  HOLO_INLINE void vertex_blocks(const Point& p, const Vec (&g)[3], double volume, double (&K)[9][9]) const {
    const VertexVectors x = vertex_vectors(p, g, volume);
    const double two = 2 * volume * p.slopes.psi_2, one = 2 * volume * p.slopes.psi_1 + two * p.I1,
                 third = volume * p.slopes.psi_J;
    holo::detail::unroll<9>([&](auto pair) HOLO_INLINE_LAMBDA {
      constexpr int a = pair / 3, b = pair % 3;
      if constexpr (a <= b) {
        const double w = dot(g[a], g[b]), d = one * w - two * dot(g[a], x.Cg[b]), t = two * w;
        for (int i = 0; i < 3; ++i) {
          const double mb = two * x.m[b][i];
          for (int j = 0; j < 3; ++j) {
            K[3 * a + i][3 * b + j] =
                x.r[a][i] * x.n[b][j] + x.n[a][i] * x.r[b][j] + x.u[a][i] * x.m[b][j] - mb * x.m[a][j] - t * p.B(i, j);
            if constexpr (Energy::has_second_order) K[3 * a + i][3 * b + j] += x.v[a][i] * x.s[b][j];
          }
          K[3 * a + i][3 * b + i] += d;
        }
        if constexpr (a < b) {
          const Vec turned = times(p.F, cross(g[a], g[b]));
          for (int i = 0; i < 3; ++i) {
            K[3 * a + (i + 1) % 3][3 * b + (i + 2) % 3] += third * turned[i];
            K[3 * a + (i + 2) % 3][3 * b + (i + 1) % 3] -= third * turned[i];
          }
        }
      }
    });
  }

  HOLO_INLINE void hessian(const Point& p, double* H) const {
    Matrix r;
    for (int k = 0; k < 9; ++k)
      r[k] = 2 * p.slopes.psi_1J * p.F[k] + 2 * p.slopes.psi_2J * p.S[k] + p.slopes.psi_JJ / 2 * p.cofactors[k];
    [[maybe_unused]] Matrix u, v;
    if constexpr (Energy::has_second_order)
      for (int k = 0; k < 9; ++k) {
        u[k] = 4 * (p.slopes.psi_11 * p.F[k] + p.slopes.psi_12 * p.S[k]);
        v[k] = 4 * (p.slopes.psi_12 * p.F[k] + p.slopes.psi_22 * p.S[k]);
      }
    const double two = 2 * p.slopes.psi_2, diagonal = 2 * p.slopes.psi_1 + two * p.I1;
    holo::detail::unroll<81>([&](auto index) HOLO_INLINE_LAMBDA {
      constexpr int row = index / 9, column = index % 9, i = row / 3, j = row % 3, k = column / 3, l = column % 3;
      if constexpr (row <= column) {
        double h = r[row] * p.cofactors[column] + p.cofactors[row] * r[column];
        h += two * (2 * p.F[row] * p.F[column] - p.F(i, l) * p.F(k, j));
        if constexpr (Energy::has_second_order) h += u[row] * p.F[column] + v[row] * p.S[column];
        if constexpr (row == column) h += diagonal;
        if constexpr (i == k) h -= two * p.C(j, l);
        if constexpr (j == l) h -= two * p.B(i, k);
        if constexpr (i != k && j != l) {
          constexpr bool positive = ((k - i + 3) % 3 == 1) == ((l - j + 3) % 3 == 1);
          const double rest = p.F(3 - i - k, 3 - j - l) * p.slopes.psi_J;
          h += positive ? rest : -rest;
        }
        H[upper_index<9>(row, column)] = h;
      }
    });
  }
};

// C10 (J^(-2/3) I1 - 3) + C01 (J^(-4/3) I2 - 3) + kappa/2 (J - 1)^2
struct MooneyRivlinSlopes {
  static constexpr bool has_second_order = false;
  double kappa, C10, C01;
  HOLO_INLINE BothSlopes slopes(double I1, double I2, double J) const {
    const double a = std::pow(J, -2.0 / 3), inverse = 1 / J, one = C10 * a, two = C01 * a * a;
    const double one_J = -2.0 / 3 * one * inverse, two_J = -4.0 / 3 * two * inverse;
    return {one,   two,   one_J * I1 + two_J * I2 + kappa * (J - 1),
            one_J, two_J, (-5.0 / 3 * one_J * I1 - 7.0 / 3 * two_J * I2) * inverse + kappa};
  }
};
// (C10 + C20 p + C11 q) p + (C01 + C02 q) q + kappa/2 e + kappa_2 e^2, p = J^(-2/3) I1 - 3, q = J^(-4/3) I2 - 3, e = (J - 1)^2
struct PolynomialSlopes {
  static constexpr bool has_second_order = true;
  double C10, C01, C20, C11, C02, kappa, kappa_2;
  HOLO_INLINE BothSlopes slopes(double I1, double I2, double J) const {
    const double a = std::pow(J, -2.0 / 3), a2 = a * a, inverse = 1 / J, p = a * I1 - 3, q = a2 * I2 - 3;
    const double psi_p = C10 + 2 * C20 * p + C11 * q, psi_q = C01 + 2 * C02 * q + C11 * p;
    const double p_J = -2.0 / 3 * a * I1 * inverse, q_J = -4.0 / 3 * a2 * I2 * inverse;
    const double slope_p = 2 * C20 * p_J + C11 * q_J, slope_q = C11 * p_J + 2 * C02 * q_J;  // of psi_p and psi_q along J
    const double e = J - 1, e2 = kappa_2 * e * e;
    return {psi_p * a,
            psi_q * a2,
            psi_p * p_J + psi_q * q_J + e * (kappa + 4 * e2),
            a * (slope_p - 2.0 / 3 * psi_p * inverse),
            a2 * (slope_q - 4.0 / 3 * psi_q * inverse),
            slope_p * p_J + slope_q * q_J - (5.0 / 3 * psi_p * p_J + 7.0 / 3 * psi_q * q_J) * inverse + kappa + 12 * e2,
            2 * C20 * a2,
            C11 * a * a2,
            2 * C02 * a2 * a2};
  }
};

}  // namespace

std::vector<NamedKernel> hand_written_mooney_rivlin(DerivativeKind quantity, const std::vector<double>& c) {
  return codings(OfBothInvariants<MooneyRivlinSlopes>{{c[0], c[1], c[2]}}, quantity);
}
std::vector<NamedKernel> hand_written_polynomial(DerivativeKind quantity, const std::vector<double>& c) {
  return codings(OfBothInvariants<PolynomialSlopes>{{c[0], c[1], c[2], c[3], c[4], c[5], c[6]}}, quantity);
}

}  // namespace holo::comparison
