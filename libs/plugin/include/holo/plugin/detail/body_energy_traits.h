#pragma once
// The members of a body energy as its operations use them, static assertions for missing members, and the first run, which
// lists its observables and targets.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "holo/core/abi.h"
#include "holo/plugin/body_observer.h"
#include "holo/plugin/detail/aggregate.h"

namespace holo::plugin {

template <class E>
constexpr const char* body_energy_documentation() {
  if constexpr (requires { E::documentation; }) {
    return E::documentation;
  } else {
    return "";
  }
}

template <class E>
concept HasBodyEnergyRead = requires(const BodyEnergyReader& p) {
  { E::read(p) } -> std::same_as<E>;
};
template <class E>
concept HasQuantities = requires(const E& energy, const BodyObserver<double>& observe) {
  { energy.quantities(observe) } -> std::same_as<typename E::template Quantities<double>>;
  {std::size(E::quantity_names)};
};
template <class E>
concept HasBodyEnergyDensity = requires(const E& energy, const Matrix3<double>& F,
                                        const typename E::template Quantities<double>& quantities,
                                        const Targets<double>& target) {
  { energy.energy_density(F, quantities, target) } -> std::same_as<double>;
};

template <class E>
constexpr int quantity_count = scalar_count<typename E::template Quantities<double>>();

// Stops the compilation with a sentence for each thing that a body energy must have. True when nothing is missing.
template <class E>
constexpr bool check_body_energy() {
  static_assert(HasBodyEnergyRead<E>, "A body energy needs its parameters: static E read(const BodyEnergyReader& p)");
  static_assert(
      HasQuantities<E>,
      "A body energy needs what all elements share: template <class S> struct Quantities { S ...; }, static constexpr "
      "BodyQuantity quantity_names[] with a name and a unit for each, and template <class S> Quantities<S> quantities(const "
      "BodyObserver<S>& observe) const");
  if constexpr (HasQuantities<E>) {
    static_assert(
        HasBodyEnergyDensity<E>,
        "A body energy needs its density: template <class S> S energy_density(const Matrix3<S>& F, const Quantities<S>& "
        "body, const Targets<S>& target) const");
    static_assert(quantity_count<E> >= 1 && quantity_count<E> <= int(HOLO_BODY_QUANTITY_MAXIMUM),
                  "Quantities has 1 to 8 members of type S");
    static_assert(std::size(E::quantity_names) == quantity_count<E>, "quantity_names has a name and a unit for each quantity");
    return HasBodyEnergyRead<E> && HasBodyEnergyDensity<E>;
  }
  return false;
}

template <class E, class S>
using QuantitiesOf = typename E::template Quantities<S>;

// The quantities at observables, as an array [quantity_count].
template <class E, class S>
std::vector<S> quantities_at(const E& energy, const Observer<S>& now, const Observer<S>& start) {
  const QuantitiesOf<E, S> quantities = energy.quantities(BodyObserver<S>(now, start));
  const S* members = reinterpret_cast<const S*>(&quantities);
  static_assert(sizeof(quantities) == std::size_t(quantity_count<E>) * sizeof(S),
                "Every member of Quantities must be of type S, Vector3<S> or Matrix3<S>");
  return {members, members + quantity_count<E>};
}

template <class E, class S>
S density_at(const E& energy, const S* F, const S* quantities, const Targets<S>& targets) {
  Matrix3<S> gradient{};
  for (int k = 0; k < 9; ++k) gradient[k] = F[k];
  return energy.energy_density(gradient, aggregate_of<QuantitiesOf<E, S>, quantity_count<E>>(quantities), targets);
}

// The requests of a body energy in its first run.
struct ListedBodyEnergy {
  Observations observations;
  std::vector<std::uint32_t> targets;
  std::vector<holo_measure> quantities;

  // Its arrays live as long as this.
  holo_body_energy_description description() const {
    return {sizeof(holo_body_energy_description),
            std::uint32_t(observations.observables.size()),
            observations.observables.data(),
            std::uint32_t(quantities.size()),
            quantities.data(),
            std::uint32_t(targets.size()),
            targets.data()};
  }
};

// Throws std::invalid_argument if the energy observes nothing, or too much.
template <class E>
ListedBodyEnergy list_body_energy(const E& energy) {
  ListedBodyEnergy listed;
  for (const BodyQuantity& quantity : E::quantity_names) listed.quantities.push_back({quantity.name, quantity.unit});
  const Observer<double> listing(listed.observations);
  const std::vector<double> quantities = quantities_at<E>(energy, listing, listing);
  listed.observations.sort();
  if (listed.observations.size == 0)
    throw std::invalid_argument("quantities() observes nothing: without a quantity of the body, write a material");
  if (listed.observations.size > int(HOLO_BODY_OBSERVABLE_MAXIMUM))
    throw std::invalid_argument("quantities() observes " + std::to_string(listed.observations.size / 3) +
                                " centers of mass and mean positions; at most " +
                                std::to_string(HOLO_BODY_OBSERVABLE_MAXIMUM / 3) + " are allowed");
  constexpr double F[9] = {1.05, 0.02, 0.01, -0.03, 0.95, 0.04, 0.02, -0.01, 1.02};
  density_at<E>(energy, F, quantities.data(), Targets<double>(listed.targets));
  std::sort(listed.targets.begin(), listed.targets.end());  // whichever operand the compiler evaluates first
  return listed;
}

}  // namespace holo::plugin
