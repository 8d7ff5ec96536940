#pragma once
// Derivatives of an energy of the principal stretches, from its template `energy(s0, s1, s2)` in any scalar, by nilpotent
// numbers: what holo/diff/tensor/principal_stretches.h asks for.

#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/tensor/principal_stretches.h"

namespace holo {

template <class S>
struct StretchDerivatives {
  S value{};
  Vector3<S> gradient{};   // dE/ds_i
  Vector<S, 6> hessian{};  // d2E/ds_i ds_j, upper half by rows
};

template <class S, class Energy>
HOLO_INLINE StretchDerivatives<S> stretch_derivatives(const Energy& energy, const Vector3<S>& s) {
  using N = Nilpotent<2, S>;
  StretchDerivatives<S> result;
  detail::unroll<6>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    constexpr int i = row[index], j = column[index];
    N t[3] = {N(s[0]), N(s[1]), N(s[2])};
    t[i] = t[i] + N::seed(S(0.0), {S(1.0), S(0.0)});
    t[j] = t[j] + N::seed(S(0.0), {S(0.0), S(1.0)});
    const N e = energy(t[0], t[1], t[2]);
    result.value = e.value();
    result.gradient[i] = e.template coefficient<0b01>();
    result.hessian[index] = e.template coefficient<0b11>();
  });
  return result;
}

// The `curvature` of stretch_blocks().
template <class Energy>
constexpr auto energy_curvature(const Energy& energy) {
  return [energy](auto i, auto j, const auto& s) {
    using S = typename std::remove_cvref_t<decltype(s)>::Scalar;
    using N = Nilpotent<2, S>;
    N t[3] = {N(s[0]), N(s[1]), N(s[2])};
    t[i] = N::seed(s[i], {S(1.0), S(1.0)});
    t[j] = N::seed(s[j], {S(-1.0), S(-1.0)});
    return S(energy(t[0], t[1], t[2]).template coefficient<0b11>());
  };
}

}  // namespace holo
