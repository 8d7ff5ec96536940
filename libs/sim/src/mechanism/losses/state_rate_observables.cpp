#include "holo/sim/mechanism/losses/state_rate_observables.h"

#include <algorithm>

#include "holo/sim/motion/motion_tasks.h"

namespace holo {

const UnknownIndex* StateRateObservables::observed_by(const NamedLoss& loss, const MechanismLayout& layout) {
  const holo_loss_description& description = loss.instance->description();
  for (std::uint32_t i = 0; i < description.observable_count; ++i) {
    const holo_observable& wanted = description.observables[i];
    if (wanted.kind != HOLO_OBSERVABLE_CONTROL_RATE) continue;
    const UnknownIndex& unknown = layout.all_controls()[std::size_t(wanted.subject)];
    if (unknown.kind == UnknownIndex::Kind::state) return &unknown;
  }
  return nullptr;
}

Eigen::MatrixXd StateRateObservables::rates(const Eigen::MatrixXd& states, double time_step) const {
  const Eigen::Index count = std::max<Eigen::Index>(states.cols() - 1, 0);
  Eigen::MatrixXd rates(Eigen::Index(rated_states_.size()), count);
  for (std::size_t j = 0; j < rated_states_.size(); ++j)
    for (Eigen::Index k = 0; k < count; ++k)
      rates(Eigen::Index(j), k) = (states(rated_states_[j], k + 1) - states(rated_states_[j], k)) / time_step;
  return rates;
}

StateRateObservables::Binding StateRateObservables::bind(const NamedLoss& loss) const {
  const UnknownIndex& unknown = *observed_by(loss, *layout_);
  if (loss.instance->description().observable_count != 1) {
    const std::vector<int>& states = layout_->dependent_states();
    const auto of = std::find(states.begin(), states.end(), unknown.index) - states.begin();
    refuse_loss(
        loss,
        "observes the rate of '" + layout_->dependent_names()[std::size_t(of)] +
            "', a dependent actuator, and another observable, too. The rate of a dependent actuator couples two knots, so "
            "a loss may observe nothing else with it. Use a loss of that rate only, or make other actuators the dependent "
            "ones");
  }
  const auto at = std::find(rated_states_.begin(), rated_states_.end(), unknown.index);
  return {int(at - rated_states_.begin()), unknown.scale};
}

bool StateRateObservables::exists(const Binding&, const Motion& at, const LossData& data, int knot) const {
  return has_rate(data.task_beginnings, int(at.rates.cols()) + 1, knot);
}

void StateRateObservables::values(const Binding& binding, const Motion& at, int first, int count, double* z) const {
  for (int lane = 0; lane < int(HOLO_LANE_WIDTH); ++lane)
    z[lane] = binding.scale * at.rates(binding.index, first + std::min(lane, count - 1));
}

}  // namespace holo
