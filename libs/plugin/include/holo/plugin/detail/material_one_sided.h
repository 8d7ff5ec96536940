#pragma once
// A material at a deformation where its plain derivatives are not finite: one-sided series (holo/diff/singular/one_sided.h) of
// the energy in its invariants or principal stretches, where it has some, so that 22 evaluations give a Hessian; else in the
// entries of F, which takes 182.

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/diff/singular/one_sided.h"
#include "holo/diff/singular/singular_outcome.h"
#include "holo/diff/solid/invariants.h"
#include "holo/diff/tensor/principal_stretches.h"
#include "holo/plugin/detail/material_traits.h"

namespace holo::plugin {

template <class M>
struct OneSidedOperation {
  static constexpr int n = coefficient_count<M>();
  static constexpr bool of_invariants = HasInvariantEnergy<M, Puiseux>, of_stretches = HasStretchEnergy<M, Puiseux>;

  // The energy over the entries of F, over I1, I2, J, or over the principal stretches.
  struct Energy {
    Puiseux coefficients[n > 0 ? n : 1];

    explicit Energy(const double* c) {
      for (int k = 0; k < n; ++k) coefficients[k] = c[k];
    }
    static Puiseux call(void* self, std::span<const Puiseux> x) {
      const auto c = coefficients_of<M, Puiseux>(static_cast<const Energy*>(self)->coefficients);
      if constexpr (of_invariants) {
        return M::energy_of_invariants(x[0], x[1], x[2], c);
      } else if constexpr (of_stretches) {
        return M::energy_of_stretches(x[0], x[1], x[2], c);
      } else {
        return M::energy_density(Matrix3<Puiseux>{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]}, c);
      }
    }
  };

  template <int dimension>
  struct Derivatives {
    double value = std::numeric_limits<double>::quiet_NaN();
    double first[dimension] = {}, second[dimension * dimension] = {};
    DerivativeStatus status;

    Derivatives(const double* x, const double* c, int order, const DerivativeOptions& options) {
      Energy energy(c);
      OneSidedDerivatives sides({&energy, Energy::call}, std::span<const double>(x, dimension));
      const SingularPoint point = order == 2 ? sides.hessian() : sides.gradient();
      status = holo::detail::resolve(point, options, value, first, second);
    }
  };

  static std::uint32_t abi_status(DerivativeStatus::Kind kind) {
    using Kind = DerivativeStatus::Kind;
    switch (kind) {
      case Kind::singular_resolved:
        return HOLO_ONE_SIDED_RESOLVED;
      case Kind::one_sided:
        return HOLO_ONE_SIDED_ONE_SIDE;
      case Kind::nondifferentiable:
        return HOLO_ONE_SIDED_NONDIFFERENTIABLE;
      case Kind::unrepresentable:
        return HOLO_ONE_SIDED_UNREPRESENTABLE;
      default:
        return HOLO_ONE_SIDED_NOT_FINITE;
    }
  }

  static DerivativeOptions options_of(std::uint32_t choice) {
    DerivativeOptions options;
    if (choice == HOLO_ONE_SIDED_RIGHT) options.nondifferentiable = NondifferentiableChoice::right;
    if (choice == HOLO_ONE_SIDED_LEFT) options.nondifferentiable = NondifferentiableChoice::left;
    return options;
  }

  static std::uint32_t in_invariants(const double* entries, const double* c, int order, std::uint32_t choice, double* output) {
    Matrix3<double> F{};
    std::copy(entries, entries + 9, F.entries);
    const Vector3<double> I = invariants<true>(F);
    const Derivatives<3> psi(I.entries, c, order, options_of(choice));
    constexpr InvariantPattern all{};
    InvariantSlopes<double> slopes{};
    for (int a = 0, ab = 0; a < 3; ++a) {
      slopes.first[a] = psi.first[a];
      for (int b = a; b < 3; ++b) slopes.second[ab++] = psi.second[3 * a + b];
    }
    if (order == 0) {
      output[0] = psi.value;
    } else if (order == 1) {
      const Matrix3<double> P = invariant_stress<all>(F, I, slopes.first);
      std::copy(P.entries, P.entries + 9, output);
    } else {
      invariant_hessian<all>(F, I, slopes, [output](int k, double value) { output[k] = value; });
    }
    return abi_status(psi.status.kind);
  }

  // Derivatives in the stretches, at the points that a Hessian's chain asks for; the worst status counts.
  class Stretches {
   public:
    Stretches(const double* c, const DerivativeOptions& options) : c_(c), options_(options) {}

    Derivatives<3> at(const Vector3<double>& s, int order) {
      const Derivatives<3> psi(s.entries, c_, order, options_);
      note(psi.status.kind);
      return psi;
    }
    void note(DerivativeStatus::Kind kind) {
      if (holo::detail::severity(kind) > holo::detail::severity(kind_)) kind_ = kind;
    }
    DerivativeStatus::Kind kind() const { return kind_; }

   private:
    const double* c_;
    DerivativeOptions options_;
    DerivativeStatus::Kind kind_ = DerivativeStatus::Kind::singular_resolved;
  };

  static Vector<double, 6> upper_half(const Derivatives<3>& psi) {
    return {psi.second[0], psi.second[1], psi.second[2], psi.second[4], psi.second[5], psi.second[8]};
  }
  static bool are_equal(const Vector3<double>& a, const Vector3<double>& b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
  }
  static bool are_opposite(double a, double b) { return std::abs(a + b) < 1e-9; }

  // Where equal stretches have other slopes, or opposite ones slopes that are not opposite, the energy has a kink in F.
  static void check_pairs(const Vector3<double>& s, const Vector3<double>& g, Stretches& psi) {
    const double rounding = 1e-10 * (std::abs(g[0]) + std::abs(g[1]) + std::abs(g[2]));
    for (int pair = 0; pair < 3; ++pair) {
      const int i = holo::detail::pair_first[pair], j = holo::detail::pair_second[pair];
      const bool split = s[i] == s[j] && std::abs(g[i] - g[j]) > rounding;
      if (split || (are_opposite(s[i], s[j]) && std::abs(g[i] + g[j]) > rounding))
        psi.note(DerivativeStatus::Kind::nondifferentiable);
    }
  }

  // What a kink's chosen side says of near stretches, their own slopes tell and not those between them.
  static StretchBlocks<double> blocks_of(const Vector3<double>& s, const Vector3<double>& g, const Derivatives<3>& here,
                                         Stretches& psi) {
    const Vector<double, 6> h = upper_half(here);
    const double gap = psi.kind() == DerivativeStatus::Kind::nondifferentiable ? 0.0 : holo::detail::near_gap;
    const auto second = [&](const Vector3<double>& t) { return are_equal(t, s) ? h : upper_half(psi.at(t, 2)); };
    StretchBlocks<double> blocks = stretch_blocks(s, g, h, pair_curvature(second), gap);
    for (int pair = 0; pair < 3; ++pair) {
      constexpr auto& index = holo::detail::stretch_index;
      const int i = holo::detail::pair_first[pair], j = holo::detail::pair_second[pair];
      if (are_opposite(s[i], s[j]))  // from either side (g_i + g_j)/(s_i + s_j) less its kink
        blocks.skew[pair] = 0.5 * (h[index[i][i]] + h[index[j][j]]) + h[index[i][j]];
    }
    return blocks;
  }

  static std::uint32_t in_stretches(const double* entries, const double* c, int order, std::uint32_t choice, double* output) {
    Matrix3<double> F{};
    std::copy(entries, entries + 9, F.entries);
    const SignedSvd<double> svd = signed_svd(F);
    Stretches psi(c, options_of(choice));
    const Derivatives<3> here = psi.at(svd.stretches, order);
    const Vector3<double> g{here.first[0], here.first[1], here.first[2]};
    if (order > 0) check_pairs(svd.stretches, g, psi);
    if (order == 0) {
      output[0] = here.value;
    } else if (order == 1) {
      const Matrix3<double> P = spectral_stress(svd, g);
      std::copy(P.entries, P.entries + 9, output);
    } else {
      spectral_hessian(svd, blocks_of(svd.stretches, g, here, psi), [output](int k, double value) { output[k] = value; });
    }
    return abi_status(psi.kind());
  }

  static std::uint32_t in_entries(const double* F, const double* c, int order, std::uint32_t choice, double* output) {
    const Derivatives<9> psi(F, c, order, options_of(choice));
    if (order == 0) output[0] = psi.value;
    if (order == 1) std::copy(psi.first, psi.first + 9, output);
    if (order == 2)
      for (int i = 0, k = 0; i < 9; ++i)
        for (int j = i; j < 9; ++j) output[k++] = psi.second[9 * i + j];
    return abi_status(psi.status.kind);
  }

  // No exception may cross the plugin ABI: where memory runs out, there is no derivative.
  static std::uint32_t run(const double* F, const double* c, std::uint32_t order, std::uint32_t choice,
                           double* output) noexcept {
    try {
      if constexpr (of_invariants) {
        return in_invariants(F, c, int(order), choice, output);
      } else if constexpr (of_stretches) {
        return in_stretches(F, c, int(order), choice, output);
      } else if constexpr (HasEnergy<M, Puiseux>) {
        return in_entries(F, c, int(order), choice, output);
      }
    } catch (...) {
    }
    std::fill(output, output + (order == 0 ? 1 : order == 1 ? 9 : 45), std::numeric_limits<double>::quiet_NaN());
    return HOLO_ONE_SIDED_UNREPRESENTABLE;
  }
};

}  // namespace holo::plugin
