// The yardstick: what a careful programmer writes for one element at a time, in two codings. "vertex blocks" is the closed
// form per pair of vertices; "9x9" forms dpsi/dF and the upper half of d2psi/dF2 in closed form, then chains to the vertices.
// All of it is scalar code; the compiler may vectorize within an element as it likes.

#include <cmath>
#include <utility>

#include "holo/diff/matrix.h"
#include "holo/diff/tetrahedron_chain.h"
#include "holo/comparison/element_kernels.h"
#include "elements/stream.h"

namespace holo::comparison {
namespace {

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

// psi(I1, J), I1 = tr F'F: with psi_1 = dpsi/dI1 and so on. psi_11 = 0 in all of these.
struct InvariantSlopes {
  double psi_1, psi_J, psi_1J, psi_JJ;
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
    const InvariantSlopes s = {volume * p.s.psi_1, volume * p.s.psi_J, volume * p.s.psi_1J, volume * p.s.psi_JJ};
    Vec n[3], k[3];
    for (int a = 0; a < 3; ++a) {
      n[a] = times(p.C, g[a]);
      const Vec m = times(p.F, g[a]);
      for (int i = 0; i < 3; ++i) k[a][i] = 2 * s.psi_1J * m[i] + s.psi_JJ / 2 * n[a][i];
    }
    holo::detail::unroll<3>([&](auto a) HOLO_INLINE_LAMBDA {
      holo::detail::unroll<3>([&](auto b) HOLO_INLINE_LAMBDA {
        if constexpr (a <= b) {
          const double d = 2 * s.psi_1 * dot(g[a], g[b]);
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) K[3 * a + i][3 * b + j] = k[a][i] * n[b][j] + n[a][i] * k[b][j];
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
  double bulk, shear;
  HOLO_INLINE InvariantSlopes slopes(double I1, double J) const {
    const double power = std::pow(J, -2.0 / 3), inverse = 1 / J, slope = -shear / 3 * power * inverse;
    return {shear / 2 * power, bulk * (J - 1) + slope * I1, slope, bulk - 5.0 / 3 * slope * inverse * I1};
  }
};
// mu/2 (I1 - 3) - mu (J-1) + lambda_s/2 (J-1)^2
struct StableNeoHookeanSlopes {
  double lambda_s, mu;
  HOLO_INLINE InvariantSlopes slopes(double, double J) const { return {mu / 2, lambda_s * (J - 1) - mu, 0, lambda_s}; }
};

// The 9x9 block of vertices 1 to 3 (upper half of its 3x3 blocks) to the full 12x12.
HOLO_INLINE void store_full(const double (&K)[9][9], double* out) {
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

template <class Material>
void hessian(const Material& material, std::span<const ElementRecord> elements, double* output) {
  for (const ElementRecord& e : elements) {
    const Vec g[3] = {shape_gradient(e, 0), shape_gradient(e, 1), shape_gradient(e, 2)};
    double K[9][9];
    material.vertex_blocks(material.at(deformation_gradient_of(e)), g, e.volume, K);
    store_full(K, output);
    output += hessian_entries;
  }
}

// The same by way of a small array in the cache, streamed out.
template <class Material>
void hessian_streamed(const Material& material, std::span<const ElementRecord> elements, double* output) {
  alignas(64) double full[hessian_entries];
  for (const ElementRecord& e : elements) {
    const Vec g[3] = {shape_gradient(e, 0), shape_gradient(e, 1), shape_gradient(e, 2)};
    double K[9][9];
    material.vertex_blocks(material.at(deformation_gradient_of(e)), g, e.volume, K);
    store_full(K, full);
    for (int k = 0; k < hessian_entries; k += LaneBlock::width) stream(output + k, LaneBlock::load(full + k).values);
    output += hessian_entries;
  }
}

template <class Material>
void hessian_by_matrices(const Material& material, std::span<const ElementRecord> elements, double* output) {
  for (const ElementRecord& e : elements) {
    Matrix inverse;
    for (int k = 0; k < 9; ++k) inverse[k] = e.inverse_rest[k];
    double H[upper_count_9], upper[upper_count_12];
    material.hessian(material.at(deformation_gradient_of(e)), H);
    vertex_hessian<double>([&](int k) HOLO_INLINE_LAMBDA { return H[k]; }, inverse, e.volume,
                           [&](int k, double value) HOLO_INLINE_LAMBDA { upper[k] = value; });
    holo::detail::unroll<144>([&](auto k) HOLO_INLINE_LAMBDA { output[k] = upper[upper_index<12>(k / 12, k % 12)]; });
    output += hessian_entries;
  }
}

template <class Material>
std::vector<NamedKernel> codings(const Material& m, Quantity quantity) {
  using Elements = std::span<const ElementRecord>;
  if (quantity == Quantity::gradient)
    return {{"hand-written, vertex blocks", [m](Elements e, double* out) { gradient(m, e, out); }},
            {"hand-written, 9x9", [m](Elements e, double* out) { gradient_by_matrices(m, e, out); }}};
  return {{"hand-written, vertex blocks", [m](Elements e, double* out) { hessian(m, e, out); }},
          {"hand-written, vertex blocks, streamed", [m](Elements e, double* out) { hessian_streamed(m, e, out); }},
          {"hand-written, 9x9", [m](Elements e, double* out) { hessian_by_matrices(m, e, out); }}};
}

}  // namespace

std::vector<NamedKernel> hand_written_kernels(const std::string& material, Quantity quantity, const std::vector<double>& c) {
  if (c.size() != 2) return {};
  if (material == "stvk") return codings(SaintVenantKirchhoff{c[0], c[1]}, quantity);
  if (material == "neo_hookean") return codings(OfInvariants<NeoHookeanSlopes>{{c[0], c[1]}}, quantity);
  if (material == "neo_hookean_paper") return codings(OfInvariants<NeoHookeanSlopes>{{2 * c[0], 2 * c[1]}}, quantity);
  if (material == "stable_neo_hookean") return codings(OfInvariants<StableNeoHookeanSlopes>{{c[0], c[1]}}, quantity);
  return {};
}

}  // namespace holo::comparison
