#pragma once
// Materials written by hand, energy, stress and Hessian, so that the tests of the dynamics need no plugin:
// psi = mu/2 (F:F - 3) + g(J), with coefficients [mu, lambda] in Pa and
//   stable   g = -mu (J - 1) + lambda/2 (J - 1)^2           finite for every F; lambda is Lame's plus mu
//   log      g = -mu ln J + lambda/2 (ln J)^2               det F > 0

#include "holo/core/abi.h"
#include "holo/diff/lanes/lanes.h"

namespace holo::test {

enum class HandEnergy { stable, log };

template <HandEnergy kind>
struct HandMaterial {
  static constexpr int W = HOLO_LANE_WIDTH;
  struct Volume {
    LaneBlock value, first, second;  // g, g', g''
  };

  static Volume volume(LaneBlock J, LaneBlock mu, LaneBlock lambda) {
    if constexpr (kind == HandEnergy::stable) {
      const LaneBlock d = J - LaneBlock(1.0);
      return {LaneBlock(0.5) * lambda * d * d - mu * d, lambda * d - mu, lambda};
    } else {
      const LaneBlock l = log(J), inverse = LaneBlock(1.0) / J;
      return {LaneBlock(0.5) * lambda * l * l - mu * l, (lambda * l - mu) * inverse,
              (mu + lambda - lambda * l) * inverse * inverse};
    }
  }

  template <class Visit>
  static void each_block(const holo_batch* batch, int entries, Visit visit) {
    for (std::uint64_t block = 0; block < batch->block_count; ++block) {
      LaneBlock F[9], C[9];
      for (int k = 0; k < 9; ++k) F[k] = LaneBlock::load(batch->deformation_gradient + (block * 9 + k) * W);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
          C[3 * i + j] = F[3 * i1 + j1] * F[3 * i2 + j2] - F[3 * i1 + j2] * F[3 * i2 + j1];
        }
      const LaneBlock J = F[0] * C[0] + F[1] * C[1] + F[2] * C[2];
      const double* c = batch->coefficients + block * batch->coefficient_stride;
      const LaneBlock mu = LaneBlock::load(c), lambda = LaneBlock::load(c + W);
      visit(F, C, mu, volume(J, mu, lambda), batch->output + block * static_cast<std::uint64_t>(entries * W));
    }
  }

  static void energy(const holo_batch* batch) {
    each_block(batch, 1, [](const LaneBlock* F, const LaneBlock*, LaneBlock mu, const Volume& g, double* out) {
      LaneBlock squares(-3.0);
      for (int k = 0; k < 9; ++k) squares += F[k] * F[k];
      (LaneBlock(0.5) * mu * squares + g.value).store(out);
    });
  }

  static void stress(const holo_batch* batch) {
    each_block(batch, 9, [](const LaneBlock* F, const LaneBlock* C, LaneBlock mu, const Volume& g, double* out) {
      for (int k = 0; k < 9; ++k) (mu * F[k] + g.first * C[k]).store(out + k * W);
    });
  }

  static void hessian(const holo_batch* batch) {
    each_block(batch, 45, [](const LaneBlock* F, const LaneBlock* C, LaneBlock mu, const Volume& g, double* out) {
      for (int a = 0; a < 9; ++a)
        for (int b = a; b < 9; ++b, out += W) {
          LaneBlock value = g.second * C[a] * C[b];
          if (a == b) value += mu;
          const int i = a / 3, j = a % 3, k = b / 3, l = b % 3;
          if (i != k && j != l) {  // d2J/dF_ij dF_kl = e_ikp e_jlq F_pq
            const LaneBlock f = F[3 * (3 - i - k) + (3 - j - l)];
            const bool even = ((k - i + 3) % 3 == 1) == ((l - j + 3) % 3 == 1);
            value += even ? g.first * f : -(g.first * f);
          }
          value.store(out);
        }
    });
  }

  static const holo_material& material() {
    static const holo_material result = [] {
      holo_material m{};
      m.stamp = HOLO_STAMP;
      m.name = kind == HandEnergy::stable ? "hand_stable" : "hand_log";
      m.summary = m.documentation = "";
      m.domain = kind == HandEnergy::stable ? HOLO_DOMAIN_ALL : HOLO_DOMAIN_POSITIVE_DETERMINANT;
      m.is_isotropic = 1;
      m.coefficient_count = 2;
      m.operations[HOLO_MATERIAL_ENERGY] = energy;
      m.operations[HOLO_MATERIAL_STRESS] = m.operations[HOLO_MATERIAL_ANALYTIC_STRESS] = stress;
      m.operations[HOLO_MATERIAL_HESSIAN] = m.operations[HOLO_MATERIAL_ANALYTIC_HESSIAN] = hessian;
      m.kernels[HOLO_MATERIAL_STRESS] = m.kernels[HOLO_MATERIAL_HESSIAN] = "by hand";
      return m;
    }();
    return result;
  }
};

}  // namespace holo::test
