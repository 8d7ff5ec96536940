#pragma once
// The members of a material, with their defaults, as its operations use them; static assertions for missing members.

#include <array>
#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include "holo/core/abi.h"
#include "holo/diff/matrix.h"
#include "holo/plugin/detail/aggregate.h"

namespace holo {

// Where an energy is defined, as an open interval of det F; a material may declare `static constexpr auto domain =
// Domain::positive_determinant;` or `Domain::determinant_between(0.5, 1.5)`.
struct Domain {
  double determinant_minimum, determinant_maximum;  // -inf, +inf where unbounded

  static const Domain all, positive_determinant;
  // 0 <= minimum < 1 < maximum, as a body at rest must be inside.
  static constexpr Domain determinant_between(double minimum, double maximum) { return {minimum, maximum}; }

  constexpr bool is_bounded() const { return is_bounded_below() || is_bounded_above(); }
  constexpr bool is_bounded_below() const { return determinant_minimum > -std::numeric_limits<double>::infinity(); }
  constexpr bool is_bounded_above() const { return determinant_maximum < std::numeric_limits<double>::infinity(); }
  constexpr holo_material_domain kind() const {
    if (!is_bounded()) return HOLO_DOMAIN_ALL;
    return determinant_minimum == 0 && !is_bounded_above() ? HOLO_DOMAIN_POSITIVE_DETERMINANT
                                                           : HOLO_DOMAIN_DETERMINANT_INTERVAL;
  }
};
inline constexpr Domain Domain::all = {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
inline constexpr Domain Domain::positive_determinant = {0.0, std::numeric_limits<double>::infinity()};

namespace plugin {

template <class M>
concept HasCoefficients = requires {
  typename M::template Coefficients<double>;
};
template <class M, class S>
concept HasEnergy = requires(const Matrix3<S>& F, const typename M::template Coefficients<S>& c) {
  M::energy_density(F, c);
};
// Of I1 = tr C, I2 = (I1^2 - tr C^2)/2 and J = det F, with C = F^T F.
template <class M, class S>
concept HasInvariantEnergy = requires(const S& invariant, const typename M::template Coefficients<S>& c) {
  M::energy_of_invariants(invariant, invariant, invariant, c);
};
// Of the principal stretches.
template <class M, class S>
concept HasStretchEnergy = requires(const S& stretch, const typename M::template Coefficients<S>& c) {
  M::energy_of_stretches(stretch, stretch, stretch, c);
};
template <class M, class S>
concept HasStress = requires(const Matrix3<S>& F, const typename M::template Coefficients<S>& c) {
  M::first_piola_stress(F, c);
};
template <class M, class S>
concept HasStressDifferential = requires(const Matrix3<S>& F, const typename M::template Coefficients<S>& c) {
  M::first_piola_stress_differential(F, F, c);
};

template <class M>
constexpr int coefficient_count() {
  return scalar_count<typename M::template Coefficients<double>>();
}

template <class M, class S>
constexpr typename M::template Coefficients<S> coefficients_of(const S* values) {
  return aggregate_of<typename M::template Coefficients<S>, coefficient_count<M>()>(values);
}

// psi(F) of a material that declares it in F or in the invariants, for any scalar.
template <class M, class S>
constexpr S energy_density(const Matrix3<S>& F, const typename M::template Coefficients<S>& c) {
  if constexpr (HasInvariantEnergy<M, S>) {
    const S I1 = squared_norm(F), I2 = squared_norm(cofactor(F)), J = determinant(F);
    return M::energy_of_invariants(I1, I2, J, c);
  } else {
    return M::energy_density(F, c);
  }
}

template <class M>
constexpr Domain domain_of() {
  if constexpr (requires { M::domain; }) {
    return M::domain;
  } else {
    return Domain::all;
  }
}

template <class M>
constexpr bool is_calibrated() {
  if constexpr (requires { M::is_calibrated; }) {
    return M::is_calibrated;
  } else {
    return false;
  }
}

template <class M>
constexpr bool is_isotropic() {
  if constexpr (requires { M::is_isotropic; }) {
    return M::is_isotropic;
  } else {
    return HasInvariantEnergy<M, double> || HasStretchEnergy<M, double>;
  }
}

template <class M>
constexpr const char* documentation_of() {
  if constexpr (requires { M::documentation; }) {
    return M::documentation;
  } else {
    return "";
  }
}

// Names of the coefficients, as the author gave them, or null.
template <class M>
constexpr const char* const* coefficient_names_of() {
  if constexpr (requires { M::coefficient_names; }) {
    static_assert(std::size(M::coefficient_names) == std::size_t(coefficient_count<M>()),
                  "coefficient_names has another length than Coefficients");
    return std::data(M::coefficient_names);
  } else {
    return nullptr;
  }
}

// Its value does not matter: check_material looks at its type.
template <class M>
auto any_energy() {
  const typename M::template Coefficients<double> c{};
  if constexpr (HasStretchEnergy<M, double>) {
    return M::energy_of_stretches(1.0, 1.0, 1.0, c);
  } else if constexpr (HasInvariantEnergy<M, double>) {
    return M::energy_of_invariants(3.0, 3.0, 1.0, c);
  } else {
    return M::energy_density(identity3<double>(), c);
  }
}

// Stops the compilation with a sentence for each thing that a material must have. True when nothing is missing.
template <class M>
constexpr bool check_material() {
  static_assert(HasCoefficients<M>,
                "A material needs its coefficients: template <class S> struct Coefficients { S mu, lambda; };");
  if constexpr (HasCoefficients<M>) {
    using C = typename M::template Coefficients<double>;
    static_assert(std::is_aggregate_v<C>, "Coefficients must be a plain struct without constructors");
    // A member of a fixed type shows by the sizes for two scalars.
    static_assert(std::is_empty_v<C> || int(sizeof(typename M::template Coefficients<char>)) == scalar_count<C>(),
                  "Every member of Coefficients<S> must be of type S, Vector3<S> or Matrix3<S>");
    constexpr int forms = HasEnergy<M, double> + HasInvariantEnergy<M, double> + HasStretchEnergy<M, double>;
    static_assert(
        forms > 0,
        "A material needs its energy: template <class S> static constexpr S energy_density(const Matrix3<S>& F, const "
        "Coefficients<S>& c), or energy_of_invariants(I1, I2, J, c), or energy_of_stretches(s1, s2, s3, c)");
    static_assert(forms < 2,
                  "A material declares its energy once: energy_density, energy_of_invariants or energy_of_stretches");
    constexpr Domain domain = domain_of<M>();
    static_assert(!domain.is_bounded() ||
                      (domain.determinant_minimum >= 0 && domain.determinant_minimum < 1 && domain.determinant_maximum > 1),
                  "The domain of a material contains det F = 1 and no inversion, or it is Domain::all");
    if constexpr (forms == 1) {
      using Energy = decltype(any_energy<M>());
      static_assert(std::same_as<Energy, double>, "the energy must return its scalar type S");
      return std::same_as<Energy, double> && std::is_aggregate_v<C>;
    }
  }
  return false;
}

}  // namespace plugin
}  // namespace holo
