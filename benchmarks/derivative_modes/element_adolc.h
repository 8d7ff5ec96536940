#pragma once
// ADOL-C on an element's energy: a tape of psi(F), recorded once and read for all elements (recorded again where it
// says that a branch went the other way), and the tapeless numbers of first order with nine directions at once.

#include <adolc/adolc.h>
#include <adolc/adtl.h>

#include "adolc_tags.h"
#include "element_modes.h"
#include "material_energy.h"

// Functions that ADOL-C 2.7 lacks, where argument-dependent lookup finds them.
inline adouble expm1(const adouble& x) { return exp(x) - 1.0; }
inline adouble log1p(const adouble& x) { return log(1.0 + x); }
// Its temporaries cannot be copied, as a choice between two of them would.
inline adouble select(bool condition, const adub& a, const adub& b) { return condition ? adouble(a) : adouble(b); }
namespace adtl {
inline adouble expm1(const adouble& x) { return exp(x) - 1.0; }
inline adouble log1p(const adouble& x) { return log(1.0 + x); }
}  // namespace adtl

namespace holo::benchmark {

template <class M>
void record_energy(const double* F, const std::vector<double>& coefficients) {
  trace_on(element_tag);
  adouble entries[9], constants[coefficient_entries<M>];
  for (int k = 0; k < 9; ++k) entries[k] <<= F[k];
  for (std::size_t k = 0; k < coefficients.size(); ++k) constants[k] = coefficients[k];
  double value;
  adouble energy = energy_of_entries<M>(entries, constants);
  energy >>= value;
  trace_off();
}

// read(F), which answers with a negative number where the tape does not hold at F.
template <class M, class Read>
void read_tape(double* F, const std::vector<double>& coefficients, Read read) {
  if (read(F) >= 0) return;
  record_energy<M>(F, coefficients);
  read(F);
}

// ADOL-C's number of tapeless directions is global, and setting it prints a warning: once for all materials.
inline void set_nine_directions() {
  [[maybe_unused]] static const bool is_set = [] {
    adtl::setNumDir(9);
    return true;
  }();
}

template <class M>
void add_adolc_modes(std::vector<Mode>& modes, const ElementInputs& inputs) {
  // The other drivers use the tape's number, too: every run begins with its own tape.
  // Away from rest, where stretches coincide.
  static constexpr double start[9] = {1.1, 0.1, 0, 0, 1, 0, 0, 0, 0.9};
  const auto add_taped = [&](const char* name, auto read) {
    Mode mode = element_mode(name, Family::peer, inputs, [read, coefficients = inputs.coefficients](double* F, double* result) {
      read_tape<M>(F, coefficients, [&](double* at) { return read(at, result); });
    });
    mode.run = [run = mode.run, coefficients = inputs.coefficients](std::size_t items, double* output) {
      record_energy<M>(start, coefficients);
      run(items, output);
    };
    modes.push_back(std::move(mode));
  };
  if (inputs.quantity == DerivativeKind::gradient) {
    set_nine_directions();
    add_taped("ADOL-C, tape reused", [](double* F, double* P) { return ::gradient(element_tag, 9, F, P); });
    modes.push_back(element_mode("ADOL-C, tapeless, 9 directions", Family::peer, inputs,
                                 [coefficients = inputs.coefficients](const double* F, double* P) {
                                   const ConstantCoefficients<M, adtl::adouble> constants(coefficients);
                                   adtl::adouble entries[9];
                                   for (int k = 0; k < 9; ++k) {
                                     entries[k] = F[k];
                                     entries[k].setADValue(unsigned(k), 1.0);
                                   }
                                   const adtl::adouble energy = energy_of_entries<M>(entries, constants.values);
                                   for (int k = 0; k < 9; ++k) P[k] = energy.getADValue(unsigned(k));
                                 }));
    return;
  }
  const auto with = [](auto driver) {
    return [driver](double* F, double* H) {
      double lower[9][9], *rows[9];
      for (int k = 0; k < 9; ++k) rows[k] = lower[k];
      const int status = driver(element_tag, 9, F, rows);
      for (int i = 0; i < 9; ++i)
        for (int j = i; j < 9; ++j) *H++ = lower[j][i];
      return status;
    };
  };
  add_taped("ADOL-C, tape reused, hessian", with(::hessian));
  add_taped("ADOL-C, tape reused, hessian2", with(::hessian2));
}

}  // namespace holo::benchmark
