#pragma once
// The library's own ways to an element's derivatives, from the energy's source.

#include "element_modes.h"
#include "holo/diff/drivers.h"
#include "holo/diff/graph/interpreter.h"
#include "holo/diff/scalars/multicomplex.h"
#include "holo/diff/scalars/nilpotent.h"
#include "material_energy.h"

namespace holo::benchmark {

template <class M>
struct EnergyOfF {
  static constexpr int input_count = 9, parameter_count = plugin::coefficient_count<M>(), output_count = 1;
  template <class S>
  static constexpr void evaluate(const S* F, const S* coefficients, S* energy) {
    energy[0] = energy_of_entries<M>(F, coefficients);
  }
};

// psi of one block at F with steps in up to two entries.
template <class M>
class SteppedEnergy {
 public:
  SteppedEnergy(const double* F, const ConstantCoefficients<M, LaneBlock>& coefficients) : coefficients_(coefficients) {
    for (int k = 0; k < 9; ++k) F_[k] = LaneBlock::load(F + k * width);
  }
  LaneBlock operator()(int i = 0, double step_i = 0, int j = 0, double step_j = 0) const {
    LaneBlock F[9];
    for (int k = 0; k < 9; ++k) F[k] = F_[k];
    F[i] += step_i;
    F[j] += step_j;
    return energy_of_entries<M>(F, coefficients_.values);
  }

 private:
  LaneBlock F_[9];
  const ConstantCoefficients<M, LaneBlock>& coefficients_;
};

template <class M>
void forward_differences(DerivativeKind quantity, const SteppedEnergy<M>& energy, double* result) {
  const LaneBlock origin = energy();
  if (quantity == DerivativeKind::gradient) {
    constexpr double h = 0x1p-26;
    for (int i = 0; i < 9; ++i) ((energy(i, h) - origin) / h).store(result + i * width);
    return;
  }
  constexpr double h = 0x1p-17;
  LaneBlock single[9];
  for (int i = 0; i < 9; ++i) single[i] = energy(i, h);
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, result += width)
      ((energy(i, h, j, h) - single[i] - single[j] + origin) / (h * h)).store(result);
}

template <class M>
void central_differences(DerivativeKind quantity, const SteppedEnergy<M>& energy, double* result) {
  if (quantity == DerivativeKind::gradient) {
    constexpr double h = 0x1p-17;
    for (int i = 0; i < 9; ++i) ((energy(i, h) - energy(i, -h)) / (2 * h)).store(result + i * width);
    return;
  }
  constexpr double h = 0x1p-13;
  for (int i = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, result += width)
      ((energy(i, h, j, h) - energy(i, h, j, -h) - energy(i, -h, j, h) + energy(i, -h, j, -h)) / (4 * h * h)).store(result);
}

template <class M>
void add_difference_modes(std::vector<Mode>& modes, const ElementInputs& inputs) {
  const DerivativeKind quantity = inputs.quantity;
  const ConstantCoefficients<M, LaneBlock> coefficients(inputs.coefficients);
  // The errors where truncation and rounding balance: 2^-26, 2^-17 forward, 2^-34, 2^-26 central, times the ratios of the
  // energy's intermediate terms and of its higher derivatives to what is asked for.
  constexpr double ratios = 1e4;
  const bool first = quantity == DerivativeKind::gradient;
  modes.push_back(block_mode("forward differences", Family::differences, inputs, [=](const double* F, double* result) {
    forward_differences<M>(quantity, SteppedEnergy<M>(F, coefficients), result);
  }));
  modes.back().tolerance = ratios * (first ? 0x1p-26 : 0x1p-17);
  modes.push_back(block_mode("central differences", Family::differences, inputs, [=](const double* F, double* result) {
    central_differences<M>(quantity, SteppedEnergy<M>(F, coefficients), result);
  }));
  modes.back().tolerance = ratios * (first ? 0x1p-34 : 0x1p-26);
}

// psi at F with the unit step(s) of S = Nilpotent<order, LaneBlock> in the entries i and j.
template <class M, class S>
__attribute__((noinline)) LaneBlock accelerated_step(const double* F, const S* coefficients, int i, int j) {
  S seeded[9];
  for (int k = 0; k < 9; ++k) {
    const LaneBlock value = LaneBlock::load(F + k * width), one(k == i ? 1.0 : 0.0), two(k == j ? 1.0 : 0.0);
    if constexpr (S::order == 1)
      seeded[k] = S::seed(value, {one});
    else
      seeded[k] = S::seed(value, {one, two});
  }
  return energy_of_entries<M>(seeded, coefficients).derivative();
}

template <class M>
void add_accelerated_modes(std::vector<Mode>& modes, const ElementInputs& inputs) {
  if (inputs.quantity == DerivativeKind::gradient) {
    using S = Nilpotent<1, LaneBlock>;
    const ConstantCoefficients<M, S> coefficients(inputs.coefficients);
    modes.push_back(block_mode("accelerated, 9 directions", Family::complex_step, inputs, [=](const double* F, double* result) {
      for (int i = 0; i < 9; ++i) accelerated_step<M, S>(F, coefficients.values, i, i).store(result + i * width);
    }));
    modes.push_back(element_mode("gradient(), one element at a time", Family::complex_step, inputs,
                                 [coefficients = inputs.coefficients](const double* F, double* result) {
                                   std::array<double, 9> x;
                                   std::copy_n(F, 9, x.data());
                                   const auto g = gradient(
                                       [&]<class T>(const std::array<T, 9>& entries) {
                                         return energy_of_entries<M>(entries.data(),
                                                                     ConstantCoefficients<M, T>(coefficients).values);
                                       },
                                       x);
                                   std::copy_n(g.gradient.data(), 9, result);
                                 }));
    return;
  }
  using S = Nilpotent<2, LaneBlock>;
  const ConstantCoefficients<M, S> coefficients(inputs.coefficients);
  modes.push_back(block_mode("accelerated, 45 pairs", Family::complex_step, inputs, [=](const double* F, double* result) {
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j, result += width) accelerated_step<M, S>(F, coefficients.values, i, j).store(result);
  }));
  modes.push_back(element_mode("hessian(), one element at a time", Family::complex_step, inputs,
                               [coefficients = inputs.coefficients](const double* F, double* result) {
                                 std::array<double, 9> x;
                                 std::copy_n(F, 9, x.data());
                                 const auto h = hessian(
                                     [&]<class T>(const std::array<T, 9>& entries) {
                                       return energy_of_entries<M>(entries.data(),
                                                                   ConstantCoefficients<M, T>(coefficients).values);
                                     },
                                     x);
                                 for (int i = 0; i < 9; ++i)
                                   for (int j = i; j < 9; ++j) *result++ = h.hessian[9 * i + j];
                               }));
}

// The published way: full complex arithmetic with a tiny step, one element at a time.
template <class M>
void add_complex_modes(std::vector<Mode>& modes, const ElementInputs& inputs) {
  if (inputs.quantity == DerivativeKind::gradient) {
    using S = Complex<double>;
    modes.push_back(element_mode("naive complex step, 9 directions", Family::complex_step, inputs,
                                 [constants = ConstantCoefficients<M, S>(inputs.coefficients)](const double* F, double* P) {
                                   for (int i = 0; i < 9; ++i) {
                                     S entries[9];
                                     for (int k = 0; k < 9; ++k) entries[k] = S::seed(F[k], k == i ? 1.0 : 0.0);
                                     P[i] = energy_of_entries<M>(entries, constants.values).derivative();
                                   }
                                 }));
    return;
  }
  using S = Multicomplex<2>;
  modes.push_back(element_mode("multicomplex, 45 pairs", Family::complex_step, inputs,
                               [constants = ConstantCoefficients<M, S>(inputs.coefficients)](const double* F, double* H) {
                                 for (int i = 0; i < 9; ++i)
                                   for (int j = i; j < 9; ++j) {
                                     S entries[9];
                                     for (int k = 0; k < 9; ++k)
                                       entries[k] = S::seed(F[k], {k == i ? 1.0 : 0.0, k == j ? 1.0 : 0.0});
                                     *H++ = energy_of_entries<M>(entries, constants.values).derivative();
                                   }
                               }));
}

template <class M>
void add_interpreted_mode(std::vector<Mode>& modes, const ElementInputs& inputs) {
  const auto derivative =
      inputs.quantity == DerivativeKind::gradient ? graph::Derivative::jacobian : graph::Derivative::hessian;
  const auto interpreter = std::make_shared<const graph::Interpreter>(graph::interpret<EnergyOfF<M>>(derivative));
  const auto values = std::make_shared<std::vector<LaneBlock>>(std::size_t(interpreter->counts().nodes) + 1);
  modes.push_back(block_mode(
      "run-time graph", Family::graph, inputs,
      [interpreter, values, coefficients = inputs.coefficients](const double* F, double* result) {
        interpreter->run(
            values->data(),
            [&](int k) { return k < 9 ? LaneBlock::load(F + k * width) : LaneBlock(coefficients[std::size_t(k - 9)]); },
            [&](int k, const LaneBlock& value) { value.store(result + k * width); });
      }));
  modes.back().note = std::to_string(interpreter->counts().operations) + " operations";
}

template <class M>
void add_own_modes(std::vector<Mode>& modes, const ElementInputs& inputs) {
  add_difference_modes<M>(modes, inputs);
  add_complex_modes<M>(modes, inputs);
  add_accelerated_modes<M>(modes, inputs);
  add_interpreted_mode<M>(modes, inputs);
}

}  // namespace holo::benchmark
