#pragma once
// Slow modes of stress and Hessian in the entries of F, one element at a time: full (multi)complex arithmetic, the same in its
// Cauchy-Riemann form, the accelerated step with one real part for all directions (the methods of [Luo2019] Fig 11), and
// reverse sweeps over a tape. An energy of principal stretches is differentiated in the stretches, since these numbers have no
// singular value decomposition, and is chained to F in closed form.

#include <algorithm>
#include <limits>

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/cauchy_riemann_number.h"
#include "holo/diff/scalars/multicomplex.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/scalars/reverse_number.h"
#include "holo/diff/tensor/stretch_energy.h"
#include "holo/plugin/detail/material_traits.h"

namespace holo::plugin {

// Runs what may run out of memory; nothing may cross the plugin ABI, so the result is then NaN.
template <class Run>
void run_or_nan(double* output, int count, Run run) {
  try {
    run();
  } catch (...) {
    std::fill_n(output, count, std::numeric_limits<double>::quiet_NaN());
  }
}

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

  // The same steps as matrices.
  static void cauchy_riemann_stress(const double* F, const double* c, double* P) {
    using S = CauchyRiemannNumber<1>;
    for (int i = 0; i < 9; ++i) {
      S entries[9];
      for (int k = 0; k < 9; ++k) entries[k] = S::seed(F[k], {k == i ? 1.0 : 0.0});
      P[i] = energy<S>(entries, c).derivative();
    }
  }
  static void cauchy_riemann_hessian(const double* F, const double* c, double* H) {
    using S = CauchyRiemannNumber<2>;
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j, ++H) {
        S entries[9];
        for (int k = 0; k < 9; ++k) entries[k] = S::seed(F[k], {k == i ? 1.0 : 0.0, k == j ? 1.0 : 0.0});
        *H = energy<S>(entries, c).derivative();
      }
  }

  // One sweep.
  static void reverse_ad_stress(const double* F, const double* c, double* P) {
    run_or_nan(P, 9, [&] {
      ReverseTape tape;
      ReverseNumber entries[9];
      for (int k = 0; k < 9; ++k) entries[k] = tape.variable(F[k]);
      tape.sweep(energy<ReverseNumber>(entries, c));
      for (int k = 0; k < 9; ++k) P[k] = tape.adjoint(entries[k]);
    });
  }
  // A sweep for each column, from the derivative along it.
  static void reverse_ad_hessian(const double* F, const double* c, double* H) {
    using S = Nilpotent<1, ReverseNumber>;
    run_or_nan(H, 45, [&] {
      ReverseTape tape;
      for (int i = 0; i < 9; ++i) {
        tape.clear();
        ReverseNumber variables[9];
        S entries[9];
        for (int k = 0; k < 9; ++k) {
          variables[k] = tape.variable(F[k]);
          entries[k] = S::seed(variables[k], {ReverseNumber(k == i ? 1.0 : 0.0)});
        }
        tape.sweep(energy<S>(entries, c).derivative());
        for (int j = i; j < 9; ++j) *H++ = tape.adjoint(variables[j]);
      }
    });
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

template <class M>
struct StretchModes {
  static constexpr int n = coefficient_count<M>();

  // In any scalar.
  struct Energy {
    const double* c;
    template <class S>
    S operator()(const S& s0, const S& s1, const S& s2) const {
      S values[n > 0 ? n : 1];
      for (int k = 0; k < n; ++k) values[k] = c[k];
      return M::energy_of_stretches(s0, s1, s2, coefficients_of<M, S>(values));
    }
  };
  static SignedSvd<double> decompose(const double* entries) {
    Matrix3<double> F{};
    for (int k = 0; k < 9; ++k) F[k] = entries[k];
    return signed_svd(F);
  }
  static void write_stress(const SignedSvd<double>& svd, const Vector3<double>& g, double* P) {
    const Matrix3<double> stress = spectral_stress(svd, g);
    for (int k = 0; k < 9; ++k) P[k] = stress[k];
  }

  // Three evaluations.
  static Vector3<double> complex_step_gradient(const Energy& energy, const Vector3<double>& s) {
    using S = Complex<double>;
    Vector3<double> g{};
    for (int i = 0; i < 3; ++i) {
      const auto seed = [&](int k) { return S::seed(s[k], k == i ? 1.0 : 0.0); };
      g[i] = energy(seed(0), seed(1), seed(2)).derivative();
    }
    return g;
  }
  static double multicomplex_step(const Energy& energy, const Vector3<double>& s, const Vector3<double>& u,
                                  const Vector3<double>& v) {
    const auto seed = [&](int k) { return Multicomplex<2>::seed(s[k], {u[k], v[k]}); };
    return energy(seed(0), seed(1), seed(2)).derivative();
  }
  static Vector3<double> axis(int i) { return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0}; }

  static void complex_step_stress(const double* F, const double* c, double* P) {
    const SignedSvd<double> svd = decompose(F);
    write_stress(svd, complex_step_gradient(Energy{c}, svd.stretches), P);
  }

  // Nine evaluations, and three more for each pair of near stretches.
  static void multicomplex_step_hessian(const double* F, const double* c, double* H) {
    const SignedSvd<double> svd = decompose(F);
    const Energy energy{c};
    Vector<double, 6> h{};
    for (int i = 0, k = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, ++k) h[k] = multicomplex_step(energy, svd.stretches, axis(i), axis(j));
    const auto curvature = [&](int i, int j, const Vector3<double>& t) {
      const Vector3<double> across = axis(i) - axis(j);
      return multicomplex_step(energy, t, across, across);
    };
    const Vector3<double> g = complex_step_gradient(energy, svd.stretches);
    spectral_hessian(svd, stretch_blocks(svd.stretches, g, h, curvature), [H](int k, double value) { H[k] = value; });
  }

  // A sweep over the tape of three numbers gives the gradient, and one for each stretch the Hessian.
  static Vector3<double> reverse_gradient(const Energy& energy, const Vector3<double>& s) {
    ReverseTape tape;
    const ReverseNumber x[3] = {tape.variable(s[0]), tape.variable(s[1]), tape.variable(s[2])};
    tape.sweep(energy(x[0], x[1], x[2]));
    return {tape.adjoint(x[0]), tape.adjoint(x[1]), tape.adjoint(x[2])};
  }
  // The Hessian times u.
  static Vector3<double> reverse_product(const Energy& energy, const Vector3<double>& s, const Vector3<double>& u) {
    using S = Nilpotent<1, ReverseNumber>;
    ReverseTape tape;
    const ReverseNumber x[3] = {tape.variable(s[0]), tape.variable(s[1]), tape.variable(s[2])};
    const auto seed = [&](int k) { return S::seed(x[k], {ReverseNumber(u[k])}); };
    tape.sweep(energy(seed(0), seed(1), seed(2)).derivative());
    return {tape.adjoint(x[0]), tape.adjoint(x[1]), tape.adjoint(x[2])};
  }
  static void reverse_ad_stress(const double* F, const double* c, double* P) {
    run_or_nan(P, 9, [&] {
      const SignedSvd<double> svd = decompose(F);
      write_stress(svd, reverse_gradient(Energy{c}, svd.stretches), P);
    });
  }
  static void reverse_ad_hessian(const double* F, const double* c, double* H) {
    run_or_nan(H, 45, [&] {
      const SignedSvd<double> svd = decompose(F);
      const Energy energy{c};
      Vector<double, 6> h{};
      for (int i = 0, k = 0; i < 3; ++i) {
        const Vector3<double> column = reverse_product(energy, svd.stretches, axis(i));
        for (int j = i; j < 3; ++j, ++k) h[k] = column[j];
      }
      const auto curvature = [&](int i, int j, const Vector3<double>& t) {
        const Vector3<double> across = axis(i) - axis(j);
        return dot(across, reverse_product(energy, t, across));
      };
      const Vector3<double> g = reverse_gradient(energy, svd.stretches);
      spectral_hessian(svd, stretch_blocks(svd.stretches, g, h, curvature), [H](int k, double value) { H[k] = value; });
    });
  }

  static void accelerated_stress(const double* F, const double* c, double* P) {
    const SignedSvd<double> svd = decompose(F);
    Vector3<double> g{};
    for (int i = 0; i < 3; ++i) {
      const auto seed = [&](int k) { return Nilpotent<1>::seed(svd.stretches[k], {k == i ? 1.0 : 0.0}); };
      g[i] = Energy{c}(seed(0), seed(1), seed(2)).derivative();
    }
    write_stress(svd, g, P);
  }
  static void accelerated_hessian(const double* F, const double* c, double* H) {
    const SignedSvd<double> svd = decompose(F);
    const Energy energy{c};
    const auto psi = stretch_derivatives(energy, svd.stretches);
    spectral_hessian(svd, stretch_blocks(svd.stretches, psi.gradient, psi.hessian, energy_curvature(energy)),
                     [H](int k, double value) { H[k] = value; });
  }
};

}  // namespace holo::plugin
