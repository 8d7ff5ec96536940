// The yardstick: what a careful programmer writes for one element at a time, in two codings. "vertex blocks" is the closed
// form per pair of vertices; "9x9" forms dpsi/dF and the upper half of d2psi/dF2 in closed form, then chains to the vertices.

#include "elements/hand_written_codings.h"
#include "elements/hand_written_materials.h"

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

std::vector<NamedKernel> hand_written_stvk(DerivativeKind quantity, const std::vector<double>& c) {
  return codings(SaintVenantKirchhoff{c[0], c[1]}, quantity);
}

struct Entry {
  const char* material;
  std::size_t coefficients;
  std::vector<NamedKernel> (*kernels)(DerivativeKind, const std::vector<double>&);
};
constexpr Entry entries[] = {
    {"arruda_boyce", 3, hand_written_arruda_boyce},
    {"corotational", 2, hand_written_corotational},
    {"fiber_reinforced", 5, hand_written_fiber_reinforced},
    {"fung", 3, hand_written_fung},
    {"mooney_rivlin", 3, hand_written_mooney_rivlin},
    {"neo_hookean", 2, hand_written_neo_hookean},
    {"neo_hookean_log", 2, hand_written_neo_hookean_log},
    {"neo_hookean_paper", 2, hand_written_neo_hookean_paper},
    {"ogden", 7, hand_written_ogden},
    {"polynomial", 7, hand_written_polynomial},
    {"stable_neo_hookean", 2, hand_written_stable_neo_hookean},
    {"stable_neo_hookean_smith", 2, hand_written_stable_neo_hookean_smith},
    {"stvk", 2, hand_written_stvk},
    {"stvk_invertible", 2, hand_written_stvk_invertible},
    {"volume_preserving", 3, hand_written_volume_preserving},
    {"yeoh", 5, hand_written_yeoh},
};

}  // namespace

std::vector<NamedKernel> hand_written_kernels(const std::string& material, DerivativeKind quantity,
                                              const std::vector<double>& c) {
  for (const Entry& entry : entries)
    if (material == entry.material && c.size() == entry.coefficients) return entry.kernels(quantity, c);
  return {};
}

}  // namespace holo::comparison
