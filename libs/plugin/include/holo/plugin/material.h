#pragma once
// Header for authors of materials. A material is its energy per rest volume [J/m^3], written once:
//
//   // Psi(F) = mu/2 (tr F^T F - 3) - mu ln J + lambda/2 (ln J)^2   [J/m^3]
//   #include <holo/plugin/material.h>
//   struct LogNeoHookean {
//     template <class S> struct Coefficients { S mu, lambda; };                       // Pa
//     template <class P> static Coefficients<P> read(const ParameterReader<P>& p) {
//       P E = p.positive("youngs_modulus", "Pa"), nu = p.in_range("poissons_ratio", "1", -1, 0.5);
//       return {E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))};
//     }
//     template <class S> static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
//       S log_J = log(determinant(F));
//       return c.mu / 2 * (squared_norm(F) - 3) - c.mu * log_J + c.lambda / 2 * log_J * log_J;
//     }
//   };
//   HOLO_MATERIAL(LogNeoHookean, "neo_hookean_log", "compressible neo-Hookean solid")
//
// An isotropic material may declare one of these instead of energy_density; they are faster:
//   template <class S> static constexpr S energy_of_invariants(const S& I1, const S& I2, const S& J, const Coefficients<S>& c)
//       of I1 = tr C, I2 = (I1^2 - tr C^2)/2 and J = det F, with C = F^T F; an invariant that is not used takes no time
//   template <class S> static constexpr S energy_of_stretches(const S& s1, const S& s2, const S& s3, const Coefficients<S>& c)
//       of the principal stretches, the singular values of F with the sign of det F on the smallest; symmetric in the three
//
// Optional static members:
//   constexpr auto domain = Domain::positive_determinant;   outside, the energy is infinite (default: Domain::all), or
//   constexpr auto domain = Domain::determinant_between(0.5, 1.5);
//   constexpr bool is_calibrated = true;                    youngs_modulus and poissons_ratio are the moduli of small strains
//   constexpr bool is_isotropic = true;                     of an energy_density; those of invariants and stretches are
//   constexpr const char* documentation = "...";            shown by `holo describe`
//   constexpr const char* coefficient_names[] = {"mu", "lambda"};   for the printed formula
//   constexpr int graph_capacity = 8192;                    compile graphs of more than 4096 nodes
//   template <class S> static Matrix3<S> first_piola_stress(const Matrix3<S>& F, const Coefficients<S>& c)
//   template <class S> static Matrix3<S> first_piola_stress_differential(const Matrix3<S>& F, const Matrix3<S>& dF,
//                                                                        const Coefficients<S>& c)
// The last two are dPsi/dF [Pa] and its derivative along dF, written by hand for `differentiation.elements: analytic`; tests
// compare them with the derivatives of the energy.
//
// A branch on a scalar is written select(condition, a, b), with both branches of type S; both are evaluated. Conditions combine
// by &&, || and !; min, max and abs are available.

#include "holo/diff/matrix.h"
#include "holo/diff/scalars/elementary.h"
#include "holo/plugin/detail/entry.h"
#include "holo/plugin/detail/material_traits.h"
#ifdef HOLO_REFERENCE
#include "holo/plugin/detail/material_reference.h"
#else
#include "holo/plugin/detail/material_entry.h"
#endif
#include "holo/plugin/isotropic_moduli.h"
#include "holo/plugin/parameters.h"

// A plugin's source is included nowhere, and formulas read best without qualified names.
using namespace holo;  // NOLINT

// Makes this shared library the plugin of the material `Type`. `name` equals the library's file name.
#define HOLO_MATERIAL(Type, name, summary)                                                                             \
  extern "C" HOLO_EXPORT int holo_plugin(const holo_stamp* host, const holo_registrar* registrar, holo_error* error) { \
    return ::holo::plugin::enter<Type>(name, summary, host, registrar, error);                                         \
  }
