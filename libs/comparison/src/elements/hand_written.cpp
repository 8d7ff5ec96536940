// The yardstick: what a careful programmer writes for one element at a time, in two codings. "vertex blocks" is the closed
// form per pair of vertices; "9x9" forms dpsi/dF and the upper half of d2psi/dF2 in closed form, then chains to the vertices.

#include "elements/hand_written_codings.h"
#include "elements/hand_written_more.h"

namespace holo::comparison {
namespace {

// mu E:E + lambda/2 tr(E)^2
struct SaintVenantKirchhoff {
  double lambda, mu;

  struct Point {
    Matrix F, S;  // S = 2 mu E + lambda tr(E) I
  };
  HOLO_INLINE Point at(const Matrix& F) const {
    Point p{F, {}};
    double trace = -3;
    for (int k = 0; k < 9; ++k) trace += F[k] * F[k];
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) p.S(i, j) = p.S(j, i) = mu * (F(0, i) * F(0, j) + F(1, i) * F(1, j) + F(2, i) * F(2, j));
    for (int i = 0; i < 3; ++i) p.S(i, i) += lambda / 2 * trace - mu;
    return p;
  }
  HOLO_INLINE Matrix stress(const Point& p) const { return p.F * p.S; }

  // K_ab = (g_b.S g_a) I + mu (g_a.g_b) F F' + mu (F g_b)(F g_a)' + lambda (F g_a)(F g_b)'
  HOLO_INLINE void vertex_blocks(const Point& p, const Vec (&g)[3], double volume, double (&K)[9][9]) const {
    Matrix FF;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        FF(i, j) = FF(j, i) = mu * (p.F(i, 0) * p.F(j, 0) + p.F(i, 1) * p.F(j, 1) + p.F(i, 2) * p.F(j, 2));
    Vec m[3], Sg[3];
    for (int a = 0; a < 3; ++a) m[a] = times(p.F, g[a]), Sg[a] = times(p.S, g[a]);
    holo::detail::unroll<3>([&](auto a) HOLO_INLINE_LAMBDA {
      holo::detail::unroll<3>([&](auto b) HOLO_INLINE_LAMBDA {
        if constexpr (a <= b) {
          const double s = volume * dot(g[b], Sg[a]), w = volume * dot(g[a], g[b]), vl = volume * lambda, vm = volume * mu;
          for (int i = 0; i < 3; ++i) {
            const double ma = vl * m[a][i], mb = vm * m[b][i];
            for (int j = 0; j < 3; ++j) K[3 * a + i][3 * b + j] = w * FF(i, j) + ma * m[b][j] + mb * m[a][j];
            K[3 * a + i][3 * b + i] += s;
          }
        }
      });
    });
  }

  // d2psi/dF_ij dF_kl = delta_ik S_jl + lambda F_ij F_kl + mu F_il F_kj + mu delta_jl (F F')_ik
  HOLO_INLINE void hessian(const Point& p, double* H) const {
    Matrix FF;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        FF(i, j) = FF(j, i) = mu * (p.F(i, 0) * p.F(j, 0) + p.F(i, 1) * p.F(j, 1) + p.F(i, 2) * p.F(j, 2));
    holo::detail::unroll<9>([&](auto row) HOLO_INLINE_LAMBDA {
      holo::detail::unroll<9>([&](auto column) HOLO_INLINE_LAMBDA {
        constexpr int i = row / 3, j = row % 3, k = column / 3, l = column % 3;
        if constexpr (row <= column) {
          double h = lambda * p.F[row] * p.F[column] + mu * p.F(i, l) * p.F(k, j);
          if constexpr (i == k) h += p.S(j, l);
          if constexpr (j == l) h += FF(i, k);
          H[upper_index<9>(row, column)] = h;
        }
      });
    });
  }
};

// psi(I1, J), I1 = tr F'F: with psi_1 = dpsi/dI1 and so on. psi_11 only where the energy has it.
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

// lambda-like a (J-1)^2/2 + b (J^(-2/3) I1 - 3)/2
struct NeoHookeanSlopes {
  static constexpr bool has_psi_11 = false;
  double bulk, shear;
  HOLO_INLINE InvariantSlopes slopes(double I1, double J) const {
    const double power = std::pow(J, -2.0 / 3), inverse = 1 / J, slope = -shear / 3 * power * inverse;
    return {shear / 2 * power, bulk * (J - 1) + slope * I1, slope, bulk - 5.0 / 3 * slope * inverse * I1};
  }
};
// mu/2 (I1 - 3) - mu (J-1) + lambda_s/2 (J-1)^2
struct StableNeoHookeanSlopes {
  static constexpr bool has_psi_11 = false;
  double lambda_s, mu;
  HOLO_INLINE InvariantSlopes slopes(double, double J) const { return {mu / 2, lambda_s * (J - 1) - mu, 0, lambda_s}; }
};

// mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2
struct LogNeoHookeanSlopes {
  static constexpr bool has_psi_11 = false;
  double lambda, mu;
  HOLO_INLINE InvariantSlopes slopes(double, double J) const {
    const double log_J = std::log(J), inverse = 1 / J, slope = (lambda * log_J - mu) * inverse;
    return {mu / 2, slope, 0, (lambda * inverse - slope) * inverse};
  }
};
// mu/(2 b) (exp(b (J^(-2/3) I1 - 3)) - 1) + kappa/2 (J - 1)^2
struct FungSlopes {
  static constexpr bool has_psi_11 = true;
  double kappa, mu, b;
  HOLO_INLINE InvariantSlopes slopes(double I1, double J) const {
    const double a = std::pow(J, -2.0 / 3), third = 2.0 / 3 / J, growth = mu / 2 * std::exp(b * (a * I1 - 3));
    const double x_J = -a * I1 * third, x_JJ = -x_J * (third + 1 / J);  // of a I1
    return {growth * a, growth * x_J + kappa * (J - 1), growth * (b * a * x_J - a * third),
            growth * (b * x_J * x_J + x_JJ) + kappa, growth * b * a * a};
  }
};

}  // namespace

std::vector<NamedKernel> hand_written_kernels(const std::string& material, Quantity quantity, const std::vector<double>& c) {
  if (material == "fung" && c.size() == 3) return codings(OfInvariants<FungSlopes>{{c[0], c[1], c[2]}}, quantity);
  if (material == "mooney_rivlin" && c.size() == 3) return hand_written_mooney_rivlin(quantity, c);
  if (c.size() != 2) return {};
  if (material == "fibre_reinforced") return hand_written_fibre_reinforced(quantity, c);
  if (material == "corotational") return hand_written_corotational(quantity, c);
  if (material == "neo_hookean_log") return codings(OfInvariants<LogNeoHookeanSlopes>{{c[0], c[1]}}, quantity);
  if (material == "stvk") return codings(SaintVenantKirchhoff{c[0], c[1]}, quantity);
  if (material == "neo_hookean") return codings(OfInvariants<NeoHookeanSlopes>{{c[0], c[1]}}, quantity);
  if (material == "neo_hookean_paper") return codings(OfInvariants<NeoHookeanSlopes>{{2 * c[0], 2 * c[1]}}, quantity);
  if (material == "stable_neo_hookean") return codings(OfInvariants<StableNeoHookeanSlopes>{{c[0], c[1]}}, quantity);
  return {};
}

}  // namespace holo::comparison
