#include "elements/hand_written_codings.h"
#include "elements/hand_written_materials.h"

namespace holo::comparison {
namespace {

// mu/2 (I1 - 3 - 2 ln J) + k/2 max(|F a| - 1, 0)^2
struct FiberReinforced {
  double mu, k;
  double a[3];  // of length 1

  struct Point {
    Matrix F, C;          // C = cof F
    Vec m;                // F a
    double inverse;       // 1/J
    double force, slope;  // of the fiber: k (1 - 1/t), k/t^3 with t = |m|
  };

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

}  // namespace

std::vector<NamedKernel> hand_written_fiber_reinforced(DerivativeKind quantity, const std::vector<double>& c) {
  return codings(FiberReinforced{c[0], c[1], {c[2], c[3], c[4]}}, quantity);
}

}  // namespace holo::comparison
