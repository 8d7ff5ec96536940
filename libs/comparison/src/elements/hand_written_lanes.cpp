// Closed forms written by hand in the same lanes as the plugins' kernels, with the same gather and stores: what is left of a
// plugin's time against these is the price of deriving the energy and of the operation's interface.

#include <algorithm>

#include "holo/comparison/element_kernels.h"
#include "holo/comparison/element_lanes.h"

namespace holo::comparison {
namespace {

using Lane = LaneBlock;
using LaneVector = Vector3<LaneBlock>;

// Slopes of psi(I1, J), psi_11 = 0.
struct LaneSlopes {
  Lane psi_1, psi_J, psi_1J, psi_JJ;
};

// kappa (J-1)^2/2 + mu (J^(-2/3) I1 - 3)/2
struct NeoHookeanInLanes {
  static constexpr bool has_psi_1J = true;
  double kappa, mu;
  HOLO_INLINE LaneSlopes slopes(const Lane& I1, const Lane& J) const {
    const Lane root = Lane::of(vector_math::inverse_cube_root(J.values)), power = root * root;
    const Lane inverse = power * root, slope = -mu / 3 * power * inverse, mixed = slope * I1;
    return {mu / 2 * power, kappa * (J - 1.0) + mixed, slope, kappa - 5.0 / 3 * mixed * inverse};
  }
};
// mu/2 (I1 - 3) - mu (J-1) + lambda_s/2 (J-1)^2
struct StableNeoHookeanInLanes {
  static constexpr bool has_psi_1J = false;
  double lambda_s, mu;
  HOLO_INLINE LaneSlopes slopes(const Lane&, const Lane& J) const {
    return {Lane(mu / 2), lambda_s * (J - 1.0) - mu, Lane(0.0), Lane(lambda_s)};
  }
};

struct Deformation {
  Matrix3<Lane> F, C;  // C = cof F
  Lane I1, J;
  explicit HOLO_INLINE Deformation(const double* from) {
    holo::detail::unroll<9>([&](auto k) HOLO_INLINE_LAMBDA { F[k] = Lane::load(from + k * width); });
    C = cofactor(F);
    I1 = squared_norm(F);
    J = F[0] * C[0] + F[1] * C[1] + F[2] * C[2];
  }
};

constexpr std::size_t blocks_at_a_time = 16 / width;  // the same number as in the plugins' kernels

// Gathers a few blocks and takes their slopes, then calls visit(F, slopes, geometry, element) for each: one block's long chain
// of dependent operations runs beside another's.
template <class Energy, class Visit>
HOLO_INLINE void for_each_block(const Energy& energy, std::span<const ElementRecord> elements, const Visit& visit) {
  alignas(HOLO_BLOCK_ALIGNMENT) double F[blocks_at_a_time][9 * width];
  BlockGeometry geometry[blocks_at_a_time];
  LaneSlopes slopes[blocks_at_a_time];
  for (std::size_t first = 0; first < elements.size(); first += blocks_at_a_time * width) {
    const std::size_t blocks = std::min(blocks_at_a_time, (elements.size() - first) / width);
    for (std::size_t b = 0; b < blocks; ++b) {
      gather_block(elements.data() + first + b * width, F[b], geometry[b]);
      const Deformation d(F[b]);
      slopes[b] = energy.slopes(d.I1, d.J);
    }
    for (std::size_t b = 0; b < blocks; ++b) visit(F[b], slopes[b], geometry[b], first + b * width);
  }
}

template <class Energy>
void gradients(const Energy& energy, std::span<const ElementRecord> elements, double* output) {
  for_each_block(energy, elements,
                 [&](const double* F, const LaneSlopes& s, const BlockGeometry& geometry, std::size_t element) {
                   const Deformation d(F);
                   const Lane twice_1 = 2.0 * s.psi_1;
                   Matrix3<Lane> P;
                   holo::detail::unroll<9>([&](auto k) HOLO_INLINE_LAMBDA { P[k] = twice_1 * d.F[k] + s.psi_J * d.C[k]; });
                   alignas(HOLO_BLOCK_ALIGNMENT) double rows[gradient_entries * width];
                   add_node_gradients<4, VertexRows>(P, geometry, rows);
                   complete_gradient<4, VertexRows>(rows);
                   scatter_gradient_rows(rows, output + element * gradient_entries);
                 });
}

// With m_a = F g_a, n_a = cof(F) g_a and k_a = 2 psi_1J m_a + psi_JJ n_a:
// K_ab = 2 psi_1 g_a.g_b I + n_a k_b' + 2 psi_1J m_a n_b' - psi_J [F (g_a x g_b)]x
template <class Energy>
__attribute__((noinline)) void hessian_rows(const double* F, const LaneSlopes& s, const BlockGeometry& geometry, double* rows) {
  const Deformation d(F);
  const Lane twice_1 = 2.0 * (geometry.weight * s.psi_1), slope_J = geometry.weight * s.psi_J;
  const Lane twice_1J = 2.0 * (geometry.weight * s.psi_1J), slope_JJ = geometry.weight * s.psi_JJ;
  const auto& g = geometry.gradients;
  LaneVector m[3], n[3];
  holo::detail::unroll<3>([&](auto a) HOLO_INLINE_LAMBDA {
    n[a] = holo::detail::times(d.C, g[a]);
    if constexpr (Energy::has_psi_1J) m[a] = twice_1J * holo::detail::times(d.F, g[a]);
  });
  holo::detail::unroll<3>([&](auto b) HOLO_INLINE_LAMBDA {
    LaneVector k = slope_JJ * n[b];
    if constexpr (Energy::has_psi_1J) k = k + m[b];
    holo::detail::unroll<b + 1>([&](auto a) HOLO_INLINE_LAMBDA {
      const Lane diagonal = twice_1 * holo::detail::product(g[a], g[b]);
      const Lane normal[3] = {g[a][1] * g[b][2] - g[a][2] * g[b][1], g[a][2] * g[b][0] - g[a][0] * g[b][2],
                              g[a][0] * g[b][1] - g[a][1] * g[b][0]};
      const LaneVector w = slope_J * holo::detail::times(d.F, normal);
      holo::detail::unroll<9>([&](auto index) HOLO_INLINE_LAMBDA {
        constexpr int i = index / 3, j = index % 3;
        if constexpr (a != b || i <= j) {
          Lane entry = n[a][i] * k[j];
          if constexpr (Energy::has_psi_1J) entry += m[a][i] * n[b][j];
          if constexpr (i == j) entry += diagonal;
          if constexpr (a != b && i != j) entry = (j - i + 3) % 3 == 1 ? entry + w[3 - i - j] : entry - w[3 - i - j];
          entry.store(rows + VertexRows::hessian(a + 1, i, b + 1, j) * width);
        }
      });
    });
  });
  complete_hessian<4, VertexRows>(rows);
}

template <class Energy>
void hessians(const Energy& energy, DerivativeKind quantity, std::span<const ElementRecord> elements, double* output) {
  for_each_block(energy, elements,
                 [&](const double* F, const LaneSlopes& s, const BlockGeometry& geometry, std::size_t element) {
                   alignas(HOLO_BLOCK_ALIGNMENT) double rows[symmetric_hessian_entries * width];
                   hessian_rows<Energy>(F, s, geometry, rows);
                   if (quantity == DerivativeKind::hessian)
                     scatter_hessian_rows(rows, output + element * hessian_entries);
                   else
                     scatter_symmetric_hessian_rows(rows, output + element * symmetric_hessian_entries);
                 });
}

template <class Energy>
std::vector<NamedKernel> lane_kernels(const Energy& energy, DerivativeKind quantity) {
  if (quantity == DerivativeKind::gradient)
    return {{lane_yardstick, [energy](auto elements, double* output) { gradients(energy, elements, output); }}};
  return {{lane_yardstick, [energy, quantity](auto elements, double* to) { hessians(energy, quantity, elements, to); }}};
}

}  // namespace

std::vector<NamedKernel> hand_written_lane_kernels(const std::string& material, DerivativeKind quantity,
                                                   const std::vector<double>& c) {
  if (material == "neo_hookean" && c.size() == 2) return lane_kernels(NeoHookeanInLanes{c[0], c[1]}, quantity);
  if (material == "stable_neo_hookean" && c.size() == 2) return lane_kernels(StableNeoHookeanInLanes{c[0], c[1]}, quantity);
  return {};
}

}  // namespace holo::comparison
