#pragma once
// What a material's author wrote, as the thunks need it; and readable errors where something is missing.

#include <array>
#include <concepts>
#include <type_traits>
#include <utility>

#include "holo/core/abi.h"
#include "holo/diff/matrix.h"

namespace holo {

// Where an energy is defined; a material may declare `static constexpr auto domain = Domain::positive_determinant;`.
enum class Domain { all = HOLO_DOMAIN_ALL, positive_determinant = HOLO_DOMAIN_POSITIVE_DETERMINANT };

namespace plugin {

template <class M>
concept HasCoefficients = requires {
  typename M::template Coefficients<double>;
};
template <class M, class S>
concept HasEnergy = requires(const Matrix3<S>& F, const typename M::template Coefficients<S>& c) {
  M::energy_density(F, c);
};
template <class M, class S>
concept HasStress = requires(const Matrix3<S>& F, const typename M::template Coefficients<S>& c) {
  M::first_piola_stress(F, c);
};
template <class M, class S>
concept HasStressDifferential = requires(const Matrix3<S>& F, const typename M::template Coefficients<S>& c) {
  M::first_piola_stress_differential(F, F, c);
};

// The coefficients are nothing but scalars (or vectors and matrices of them), so their number is a quotient of sizes.
template <class M>
constexpr int coefficient_count() {
  using C = typename M::template Coefficients<double>;
  return std::is_empty_v<C> ? 0 : int(sizeof(C) / sizeof(double));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"  // a vector among the coefficients is filled through its braces left out
template <class M, class S, std::size_t... k>
constexpr auto coefficients_of(const S* values, std::index_sequence<k...>) {
  return typename M::template Coefficients<S>{values[k]...};
}
#pragma GCC diagnostic pop
template <class M, class S>
constexpr typename M::template Coefficients<S> coefficients_of([[maybe_unused]] const S* values) {
  return coefficients_of<M, S>(values, std::make_index_sequence<std::size_t(coefficient_count<M>())>{});
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

// Stops the compilation with a sentence for each thing that a material must have. True when nothing is missing.
template <class M>
constexpr bool check_material() {
  static_assert(HasCoefficients<M>,
                "A material needs its coefficients: template <class S> struct Coefficients { S mu, lambda; };");
  if constexpr (HasCoefficients<M>) {
    using C = typename M::template Coefficients<double>;
    static_assert(std::is_aggregate_v<C>, "Coefficients must be a plain struct without constructors");
    // A member of a fixed type shows by the sizes for two scalars.
    static_assert(std::is_empty_v<C> || sizeof(typename M::template Coefficients<char>) * sizeof(double) == sizeof(C),
                  "Every member of Coefficients<S> must be of type S, Vector3<S> or Matrix3<S>");
    static_assert(
        HasEnergy<M, double>,
        "A material needs its energy: template <class S> static constexpr S energy_density(const Matrix3<S>& F, const "
        "Coefficients<S>& c)");
    if constexpr (HasEnergy<M, double>) {
      using Energy = decltype(M::energy_density(std::declval<const Matrix3<double>&>(), std::declval<const C&>()));
      static_assert(std::same_as<Energy, double>, "energy_density must return its scalar type S");
      return std::same_as<Energy, double> && std::is_aggregate_v<C>;
    }
  }
  return false;
}

}  // namespace plugin
}  // namespace holo
