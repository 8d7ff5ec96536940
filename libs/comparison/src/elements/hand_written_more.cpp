#include "elements/hand_written_more.h"

#include <Eigen/Dense>
#include <algorithm>

#include "elements/hand_written_codings.h"
#include "holo/comparison/element_lanes.h"
#include "holo/diff/tensor/principal_stretches.h"

namespace holo::comparison {
namespace {

// C10 (J^(-2/3) I1 - 3) + C01 (J^(-4/3) I2 - 3) + kappa/2 (J - 1)^2
struct MooneyRivlin {
  double kappa, C10, C01;

  struct Point {
    Matrix F, C, B, cofactors, S;  // C = F'F, B = F F', S = I1 F - F C
    double I1, psi_1, psi_2, psi_J, psi_1J, psi_2J, psi_JJ;
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
    const double J = F[0] * p.cofactors[0] + F[1] * p.cofactors[1] + F[2] * p.cofactors[2];
    const double a = std::pow(J, -2.0 / 3), inverse = 1 / J, one = C10 * a, two = C01 * a * a;
    p.psi_1 = one;
    p.psi_2 = two;
    p.psi_1J = -2.0 / 3 * one * inverse;
    p.psi_2J = -4.0 / 3 * two * inverse;
    p.psi_J = p.psi_1J * p.I1 + p.psi_2J * I2 + kappa * (J - 1);
    p.psi_JJ = (-5.0 / 3 * p.psi_1J * p.I1 - 7.0 / 3 * p.psi_2J * I2) * inverse + kappa;
    return p;
  }
  HOLO_INLINE Matrix stress(const Point& p) const {
    Matrix P;
    for (int k = 0; k < 9; ++k) P[k] = 2 * p.psi_1 * p.F[k] + 2 * p.psi_2 * p.S[k] + p.psi_J * p.cofactors[k];
    return P;
  }

  // With m_a = F g_a, n_a = cof(F) g_a, r_a = 2 psi_1J m_a + 2 psi_2J S g_a + psi_JJ/2 n_a, w = F (g_a x g_b):
  // K_ab = (2 (psi_1 + psi_2 I1) g_a.g_b - 2 psi_2 g_a.C g_b) I + r_a n_b' + n_a r_b' - psi_J [w]x
  //        + psi_2 (4 m_a m_b' - 2 m_b m_a' - 2 (g_a.g_b) B)
  HOLO_INLINE void vertex_blocks(const Point& p, const Vec (&g)[3], double volume, double (&K)[9][9]) const {
    Vec m[3], n[3], r[3], Cg[3];
    for (int a = 0; a < 3; ++a) {
      m[a] = times(p.F, g[a]);
      n[a] = times(p.cofactors, g[a]);
      Cg[a] = times(p.C, g[a]);
      const Vec s = times(p.S, g[a]);
      for (int i = 0; i < 3; ++i) r[a][i] = volume * (2 * p.psi_1J * m[a][i] + 2 * p.psi_2J * s[i] + p.psi_JJ / 2 * n[a][i]);
    }
    const double two = 2 * volume * p.psi_2, one = 2 * volume * p.psi_1 + two * p.I1, third = volume * p.psi_J;
    holo::detail::unroll<9>([&](auto pair) HOLO_INLINE_LAMBDA {
      constexpr int a = pair / 3, b = pair % 3;
      if constexpr (a <= b) {
        const double w = dot(g[a], g[b]), d = one * w - two * dot(g[a], Cg[b]), s = two * w;
        for (int i = 0; i < 3; ++i) {
          const double ma = 2 * two * m[a][i], mb = two * m[b][i];
          for (int j = 0; j < 3; ++j)
            K[3 * a + i][3 * b + j] = r[a][i] * n[b][j] + n[a][i] * r[b][j] + ma * m[b][j] - mb * m[a][j] - s * p.B(i, j);
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
    for (int k = 0; k < 9; ++k) r[k] = 2 * p.psi_1J * p.F[k] + 2 * p.psi_2J * p.S[k] + p.psi_JJ / 2 * p.cofactors[k];
    const double two = 2 * p.psi_2, diagonal = 2 * p.psi_1 + two * p.I1;
    holo::detail::unroll<81>([&](auto index) HOLO_INLINE_LAMBDA {
      constexpr int row = index / 9, column = index % 9, i = row / 3, j = row % 3, k = column / 3, l = column % 3;
      if constexpr (row <= column) {
        double h = r[row] * p.cofactors[column] + p.cofactors[row] * r[column];
        h += two * (2 * p.F[row] * p.F[column] - p.F(i, l) * p.F(k, j));
        if constexpr (row == column) h += diagonal;
        if constexpr (i == k) h -= two * p.C(j, l);
        if constexpr (j == l) h -= two * p.B(i, k);
        if constexpr (i != k && j != l) {
          constexpr bool positive = ((k - i + 3) % 3 == 1) == ((l - j + 3) % 3 == 1);
          const double rest = p.F(3 - i - k, 3 - j - l) * p.psi_J;
          h += positive ? rest : -rest;
        }
        H[upper_index<9>(row, column)] = h;
      }
    });
  }
};

// mu |F - R|^2 + lambda/2 tr(R'F - I)^2 by the singular values of Eigen's 3x3 decomposition: for the spectral gate.
struct Corotational {
  double lambda, mu;

  struct Point {
    Matrix U, V;
    Vec s;
  };
  HOLO_INLINE Point at(const Matrix& F) const {
    // F'F by Eigen's closed-form eigenvectors of symmetric 3x3 matrices, refined by the orthogonality of F V.
    Eigen::Matrix3d f;
    for (int k = 0; k < 9; ++k) f(k / 3, k % 3) = F[k];
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver((f.transpose() * f).eval());
    Eigen::Matrix3d v = solver.eigenvectors();
    if (v.determinant() < 0) v.col(0) = -v.col(0);
    const Eigen::Matrix3d fv = f * v;
    Point p;
    for (int j = 0; j < 3; ++j) {
      p.s[j] = fv.col(j).norm();
      if (j == 0 &&
          F[0] * (F[4] * F[8] - F[5] * F[7]) + F[1] * (F[5] * F[6] - F[3] * F[8]) + F[2] * (F[3] * F[7] - F[4] * F[6]) < 0)
        p.s[j] = -p.s[j];
      for (int i = 0; i < 3; ++i) p.V(i, j) = v(i, j), p.U(i, j) = fv(i, j) / p.s[j];
    }
    return p;
  }
  HOLO_INLINE double slope(const Point& p, int i) const {
    return 2 * mu * (p.s[i] - 1) + lambda * (p.s[0] + p.s[1] + p.s[2] - 3);
  }
  HOLO_INLINE Matrix stress(const Point& p) const {
    Matrix P;
    const double g[3] = {slope(p, 0), slope(p, 1), slope(p, 2)};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        P(a, b) = p.U(a, 0) * g[0] * p.V(b, 0) + p.U(a, 1) * g[1] * p.V(b, 1) + p.U(a, 2) * g[2] * p.V(b, 2);
    return P;
  }
  // 2 mu I + lambda R R' + (lambda (tr s - 3) - 2 mu) sum over pairs 2/(s_i + s_j) w w', w = (u_i v_j' - u_j v_i')/sqrt 2
  HOLO_INLINE void hessian(const Point& p, double* H) const {
    Matrix R = p.U * transpose(p.V), w[3];
    const double c = lambda * (p.s[0] + p.s[1] + p.s[2] - 3) - 2 * mu;
    double weight[3];
    for (int pair = 0; pair < 3; ++pair) {
      const int i = pair == 2, j = pair == 0 ? 1 : 2;
      weight[pair] = c / (p.s[i] + p.s[j]);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) w[pair](a, b) = p.U(a, i) * p.V(b, j) - p.U(a, j) * p.V(b, i);
    }
    holo::detail::unroll<81>([&](auto index) HOLO_INLINE_LAMBDA {
      constexpr int row = index / 9, column = index % 9;
      if constexpr (row <= column) {
        double h = lambda * R[row] * R[column];
        for (int pair = 0; pair < 3; ++pair) h += weight[pair] * w[pair][row] * w[pair][column];
        if constexpr (row == column) h += 2 * mu;
        H[upper_index<9>(row, column)] = h;
      }
    });
  }
};

// mu/2 (I1 - 3 - 2 ln J) + k/2 max(|F a| - 1, 0)^2
struct FibreReinforced {
  double mu, k;

  struct Point {
    Matrix F, C;          // C = cof F
    Vec m;                // F a
    double inverse;       // 1/J
    double force, slope;  // of the fibre: k (1 - 1/t), k/t^3 with t = |m|
  };
  static constexpr double a[3] = {0.36, 0.48, 0.8};

  HOLO_INLINE Point at(const Matrix& F) const {
    Point p{F, cofactor(F), times(F, Vec{a[0], a[1], a[2]}), 0, 0, 0};
    p.inverse = 1 / (F[0] * p.C[0] + F[1] * p.C[1] + F[2] * p.C[2]);
    const double square = p.m[0] * p.m[0] + p.m[1] * p.m[1] + p.m[2] * p.m[2];
    if (square > 1) {
      const double t = 1 / std::sqrt(square);
      p.force = k * (1 - t);
      p.slope = k * t * t * t;
    }
    return p;
  }
  HOLO_INLINE Matrix stress(const Point& p) const {
    Matrix P;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) P(i, j) = mu * (p.F(i, j) - p.inverse * p.C(i, j)) + p.force * p.m[i] * a[j];
    return P;
  }
  // K_ab = (mu g_a.g_b + f a_a a_b) I + s a_a a_b m m' + mu/J^2 n_a n_b' + mu/J [w]x,  a_a = a.g_a
  HOLO_INLINE void vertex_blocks(const Point& p, const Vec (&g)[3], double volume, double (&K)[9][9]) const {
    Vec n[3];
    double along[3];
    for (int v = 0; v < 3; ++v) {
      n[v] = times(p.C, g[v]);
      along[v] = a[0] * g[v][0] + a[1] * g[v][1] + a[2] * g[v][2];
    }
    const double one = volume * mu, third = one * p.inverse, second = third * p.inverse;
    holo::detail::unroll<9>([&](auto pair) HOLO_INLINE_LAMBDA {
      constexpr int u = pair / 3, v = pair % 3;
      if constexpr (u <= v) {
        const double both = volume * along[u] * along[v], d = one * dot(g[u], g[v]) + both * p.force, s = both * p.slope;
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) K[3 * u + i][3 * v + j] = s * p.m[i] * p.m[j] + second * n[u][i] * n[v][j];
          K[3 * u + i][3 * v + i] += d;
        }
        if constexpr (u < v) {
          const Vec w = times(p.F, cross(g[u], g[v]));
          for (int i = 0; i < 3; ++i) {
            K[3 * u + (i + 1) % 3][3 * v + (i + 2) % 3] -= third * w[i];
            K[3 * u + (i + 2) % 3][3 * v + (i + 1) % 3] += third * w[i];
          }
        }
      }
    });
  }
  HOLO_INLINE void hessian(const Point& p, double* H) const {
    const double third = mu * p.inverse, second = third * p.inverse;
    holo::detail::unroll<81>([&](auto index) HOLO_INLINE_LAMBDA {
      constexpr int row = index / 9, column = index % 9, i = row / 3, j = row % 3, m = column / 3, l = column % 3;
      if constexpr (row <= column) {
        double h = second * p.C[row] * p.C[column] + p.slope * p.m[i] * p.m[m] * (a[j] * a[l]);
        if constexpr (i == m) h += p.force * (a[j] * a[l]);
        if constexpr (row == column) h += mu;
        if constexpr (i != m && j != l) {
          constexpr bool positive = ((m - i + 3) % 3 == 1) == ((l - j + 3) % 3 == 1);
          const double rest = p.F(3 - i - m, 3 - j - l) * third;
          h += positive ? -rest : rest;
        }
        H[upper_index<9>(row, column)] = h;
      }
    });
  }
};

// The corotational energy by hand in lanes: nothing but the decomposition and its closed-form blocks.
void corotational_in_lanes(const holo_batch* batch, bool stress) {
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    Matrix3<LaneBlock> F{};
    for (int k = 0; k < 9; ++k) F[k] = LaneBlock::load(batch->deformation_gradient + (block * 9 + std::uint64_t(k)) * width);
    const LaneBlock lambda = LaneBlock::load(batch->coefficients),
                    two_mu = LaneBlock(2.0) * LaneBlock::load(batch->coefficients + width);
    const SignedSvd<LaneBlock> svd = signed_svd(F);
    const Vector3<LaneBlock>& s = svd.stretches;
    const LaneBlock pressure = lambda * (s[0] + s[1] + s[2] - LaneBlock(3.0)), c = LaneBlock(2.0) * (pressure - two_mu);
    if (stress) {
      const LaneBlock one(1.0);
      const Matrix3<LaneBlock> P = spectral_stress(
          svd, {two_mu * (s[0] - one) + pressure, two_mu * (s[1] - one) + pressure, two_mu * (s[2] - one) + pressure});
      for (int k = 0; k < 9; ++k) P[k].store(batch->output + (block * 9 + std::uint64_t(k)) * width);
      continue;
    }
    const LaneBlock diagonal = lambda + two_mu;
    const StretchBlocks<LaneBlock> blocks = {
        {diagonal, lambda, lambda, diagonal, lambda, diagonal},
        {two_mu, two_mu, two_mu},
        {two_mu + c / (s[0] + s[1]), two_mu + c / (s[0] + s[2]), two_mu + c / (s[1] + s[2])}};
    double* to = batch->output + block * upper_count_9 * width;
    spectral_hessian(svd, blocks, [to](int k, const LaneBlock& value) HOLO_INLINE_LAMBDA { value.store(to + k * width); });
  }
}

}  // namespace

std::vector<NamedKernel> hand_written_mooney_rivlin(Quantity quantity, const std::vector<double>& c) {
  return codings(MooneyRivlin{c[0], c[1], c[2]}, quantity);
}
std::vector<NamedKernel> hand_written_corotational(Quantity quantity, const std::vector<double>& c) {
  std::vector<NamedKernel> result = codings(Corotational{c[0], c[1]}, quantity);
  const holo_batch_function operation = quantity == Quantity::gradient
                                            ? [](const holo_batch* batch) { corotational_in_lanes(batch, true); }
                                            : [](const holo_batch* batch) { corotational_in_lanes(batch, false); };
  result.push_back({"hand-written, spectral in lanes", plugin_kernel(operation, quantity, c)});
  return result;
}
std::vector<NamedKernel> hand_written_fibre_reinforced(Quantity quantity, const std::vector<double>& c) {
  return codings(FibreReinforced{c[0], c[1]}, quantity);
}

}  // namespace holo::comparison
