#pragma once
// The ways of [Luo2019] Fig 11 to stress and Hessian, straight through the entries of F, for comparisons: brute force in full
// (multi)complex arithmetic, and without it and with the real part computed once. One element at a time. Energies of principal
// stretches have none of them: stretches are no function of F that these numbers know.

#include "holo/diff/lanes.h"
#include "holo/diff/multicomplex.h"
#include "holo/diff/nilpotent.h"
#include "holo/plugin/detail/material_traits.h"

namespace holo::plugin {

template <class M>
struct ReferenceModes {
  static constexpr int n = coefficient_count<M>();

  template <class S>
  static auto constants(const double* c) {
    S values[n > 0 ? n : 1];
    for (int k = 0; k < n; ++k) values[k] = c[k];
    return coefficients_of<M, S>(values);
  }
  template <class S>
  static S energy(const S* F, const double* c) {
    Matrix3<S> matrix{};
    for (int k = 0; k < 9; ++k) matrix[k] = F[k];
    return energy_density<M, S>(matrix, constants<S>(c));
  }

  // Nine evaluations.
  static void complex_step_stress(const double* F, const double* c, double* P) {
    using S = Complex<double>;
    for (int i = 0; i < 9; ++i) {
      S entries[9];
      for (int k = 0; k < 9; ++k) entries[k] = S::seed(F[k], k == i ? 1.0 : 0.0);
      P[i] = energy<S>(entries, c).derivative();
    }
  }

  // 45 evaluations.
  static void multicomplex_step_hessian(const double* F, const double* c, double* H) {
    using S = Multicomplex<2>;
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j, ++H) {
        S entries[9];
        for (int k = 0; k < 9; ++k) entries[k] = S::seed(F[k], {k == i ? 1.0 : 0.0, k == j ? 1.0 : 0.0});
        *H = energy<S>(entries, c).derivative();
      }
  }

  // Directions in lanes, which share one real part.
  static void accelerated_stress(const double* F, const double* c, double* P) {
    using Number = Directions<1>;
    using S = typename Number::Type;
    for (int first = 0; first < 9; first += LaneBlock::width) {
      S entries[9];
      for (int k = 0; k < 9; ++k) entries[k] = Number::seed(F[k], k - first);
      const S result = energy<S>(entries, c);
      for (int lane = 0; lane < LaneBlock::width && first + lane < 9; ++lane) P[first + lane] = result.derivative()[lane];
    }
  }

  static void accelerated_hessian(const double* F, const double* c, double* H) {
    using Number = Directions<2>;
    using S = typename Number::Type;
    double full[9][9];
    for (int i = 0; i < 9; ++i)
      for (int first = i / LaneBlock::width * LaneBlock::width; first < 9; first += LaneBlock::width) {
        S entries[9];
        for (int k = 0; k < 9; ++k) {
          entries[k] = Number::seed(F[k], k - first);
          if (k == i) entries[k].template set_coefficient<1>(1.0);
        }
        const S result = energy<S>(entries, c);
        for (int lane = 0; lane < LaneBlock::width && first + lane < 9; ++lane)
          full[i][first + lane] = result.derivative()[lane];
      }
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j, ++H) *H = full[i][j];
  }

 private:
  template <int order>
  struct Directions {
    using Type = Nilpotent<order, double, LaneBlock>;
    // A one in the lane, where there is such a lane.
    static Type seed(double value, int lane) {
      LaneBlock unit(0.0);
      if (lane >= 0 && lane < LaneBlock::width) unit.set(lane, 1.0);
      return Type::seed_last(value, unit);
    }
  };
};

}  // namespace holo::plugin
