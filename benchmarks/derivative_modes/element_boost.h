#pragma once
// Boost.Math's automatic differentiation on an element's energy, one direction or pair of directions at a time.

#include <boost/math/differentiation/autodiff.hpp>

#include "element_modes.h"
#include "material_energy.h"

// Functions that Boost 1.74 lacks, where argument-dependent lookup finds them.
namespace boost::math::differentiation::autodiff_v1::detail {
template <class Real, std::size_t order>
fvar<Real, order> expm1(const fvar<Real, order>& x) {
  return exp(x) - 1.0;
}
template <class Real, std::size_t order>
fvar<Real, order> log1p(const fvar<Real, order>& x) {
  return log(x + 1.0);
}
}  // namespace boost::math::differentiation::autodiff_v1::detail

namespace holo::benchmark {

template <class M>
void add_boost_modes(std::vector<Mode>& modes, const ElementInputs& inputs) {
  using boost::math::differentiation::detail::fvar;
  using First = fvar<double, 1>;
  using Second = fvar<First, 1>;
  if (inputs.quantity == DerivativeKind::gradient) {
    modes.push_back(element_mode("Boost autodiff, 9 directions", Family::peer, inputs,
                                 [constants = ConstantCoefficients<M, First>(inputs.coefficients)](const double* F, double* P) {
                                   for (int i = 0; i < 9; ++i) {
                                     First entries[9];
                                     for (int k = 0; k < 9; ++k) entries[k] = First(F[k], k == i);
                                     P[i] = energy_of_entries<M>(entries, constants.values).derivative(1);
                                   }
                                 }));
    return;
  }
  modes.push_back(element_mode("Boost autodiff, 45 pairs", Family::peer, inputs,
                               [constants = ConstantCoefficients<M, Second>(inputs.coefficients)](const double* F, double* H) {
                                 const Second unit = Second(First(0.0, true)), other(0.0, true);
                                 for (int i = 0; i < 9; ++i)
                                   for (int j = i; j < 9; ++j) {
                                     Second entries[9];
                                     for (int k = 0; k < 9; ++k) entries[k] = Second(F[k]);
                                     entries[i] += unit;
                                     entries[j] += other;
                                     *H++ = energy_of_entries<M>(entries, constants.values).derivative(1, 1);
                                   }
                               }));
}

}  // namespace holo::benchmark
