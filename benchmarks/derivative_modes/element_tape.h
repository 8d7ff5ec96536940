#pragma once
// The library's tape on an element's energy: recorded anew for each element, its memory kept.

#include "element_modes.h"
#include "holo/diff/tape/drivers.h"
#include "material_energy.h"

namespace holo::benchmark {

template <class M>
struct TapedEnergy {
  std::vector<double> coefficients;

  template <class T>
  Variable<T> operator()(std::span<const Variable<T>> F) const {
    return energy_of_entries<M>(F.data(), ConstantCoefficients<M, Variable<T>>(coefficients).values);
  }
};

template <class M>
void add_tape_modes(std::vector<Mode>& modes, const ElementInputs& inputs) {
  const auto taped = std::make_shared<TapedFunction<TapedEnergy<M>>>(TapedEnergy<M>{inputs.coefficients}, std::size_t(9));
  if (inputs.quantity == DerivativeKind::gradient) {
    modes.push_back(element_mode("tape", Family::tape, inputs, [taped](const double* F, double* P) {
      taped->gradient(std::span<const double>(F, 9), std::span<double>(P, 9));
    }));
    return;
  }
  modes.push_back(element_mode("tape, columns in lanes", Family::tape, inputs, [taped](const double* F, double* H) {
    double g[9], h[81];
    taped->hessian(std::span<const double>(F, 9), g, h);
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j) *H++ = h[9 * i + j];
  }));
}

}  // namespace holo::benchmark
