#pragma once
// The members of a loss as its operations use them, static assertions for missing members, and the first run of a loss, which
// lists what it observes.

#include <concepts>
#include <stdexcept>
#include <vector>

#include "holo/core/abi.h"
#include "holo/plugin/observer.h"

namespace holo::plugin {

template <class L>
constexpr const char* loss_documentation() {
  if constexpr (requires { L::documentation; }) {
    return L::documentation;
  } else {
    return "";
  }
}

template <class L>
concept HasLossRead = requires(const LossReader& p) {
  { L::read(p) } -> std::same_as<L>;
};
template <class L>
concept HasLossResiduals = requires(const L& loss, const Observer<double>& observe, LossResiduals<double>& residuals) {
  loss.residuals(observe, residuals);
};

// Stops the compilation with a sentence for each thing that a loss must have. True when nothing is missing.
template <class L>
constexpr bool check_loss() {
  static_assert(HasLossRead<L>, "A loss needs its parameters: static L read(const LossReader& p)");
  static_assert(HasLossResiduals<L>,
                "A loss needs its residuals: template <class S> void residuals(const Observer<S>& observe, LossResiduals<S>& "
                "residuals) const");
  return HasLossRead<L> && HasLossResiduals<L>;
}

// The requests and results of a loss in its first run.
struct ListedLoss {
  Observations observations;
  std::vector<holo_measure> measures;
  int residual_count = 0, plain_value_count = 0, distance_count = 0;

  // Its arrays live as long as this.
  holo_loss_description description() const {
    return {sizeof(holo_loss_description),
            std::uint32_t(observations.observables.size()),
            observations.observables.data(),
            std::uint32_t(observations.data.size()),
            observations.data.data(),
            std::uint32_t(measures.size()),
            measures.data(),
            std::uint32_t(residual_count),
            std::uint32_t(plain_value_count),
            std::uint32_t(distance_count)};
  }
};

// Throws std::invalid_argument if the loss adds neither a residual nor a value.
template <class L>
ListedLoss list_loss(const L& loss) {
  ListedLoss listed;
  LossResiduals<double> residuals;
  loss.residuals(Observer<double>(listed.observations), residuals);
  listed.observations.sort();
  if (residuals.weighted().empty() && residuals.values().empty())
    throw std::invalid_argument("residuals() adds neither a residual nor a value: the loss would always be 0");
  for (const auto& measure : residuals.measures()) listed.measures.push_back({measure.name, measure.unit});
  listed.residual_count = int(residuals.weighted().size());
  listed.plain_value_count = int(residuals.values().size());
  listed.distance_count = int(residuals.distances().size());
  return listed;
}

}  // namespace holo::plugin
