// Losses of rates of controls that are states: these rates are differences of two instants.

#include <limits>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/losses/mechanism_losses.h"
#include "loss_block.h"

namespace holo {

Eigen::MatrixXd MechanismLosses::state_rates(const Eigen::MatrixXd& states, double time_step) const {
  const Eigen::Index count = std::max<Eigen::Index>(states.cols() - 1, 0);
  Eigen::MatrixXd rates(Eigen::Index(rated_states_.size()), count);
  for (std::size_t j = 0; j < rated_states_.size(); ++j)
    for (Eigen::Index k = 0; k < count; ++k)
      rates(Eigen::Index(j), k) = (states(rated_states_[j], k + 1) - states(rated_states_[j], k)) / time_step;
  return rates;
}

LossInstants MechanismLosses::as_seen(std::size_t loss, const LossInstants& at, const Eigen::MatrixXd& rates) const {
  return {at.states, at.controls, terms_[loss].rated_state >= 0 ? rates : at.rates, at.parameters};
}

template <class Body>
void MechanismLosses::for_rate_terms(Eigen::Index instants, const Body& body) const {
  for (std::size_t i = 0; i < losses_.size(); ++i)
    if (terms_[i].rated_state >= 0) for_blocks(0, int(instants), [&](int begin, int count) { body(i, begin, count); });
}

double MechanismLosses::evaluate_state_rates(const Eigen::MatrixXd& rates, const LossData& data) const {
  Block& block = Block::of_this_thread();
  const Eigen::VectorXd nothing;
  const LossInstants at = {rates, rates, rates, nothing};  // nothing but rates is read
  double sum = 0;
  for_rate_terms(rates.cols(), [&](std::size_t i, int begin, int count) {
    block.gather(terms_[i], losses_[i].instance->description(), at, data, begin, count);
    const double* values = block.run(*losses_[i].instance, HOLO_LOSS_VALUE, 1);
    for (int lane = 0; lane < count; ++lane)
      if (has_term(i, at, data, begin + lane)) sum += values[lane];
  });
  return sum < std::numeric_limits<double>::infinity() ? sum : std::numeric_limits<double>::infinity();
}

void MechanismLosses::differentiate_state_rates(const Eigen::MatrixXd& rates, const LossData& data, Eigen::MatrixXd& slopes,
                                                Eigen::MatrixXd& curvatures) const {
  Block& block = Block::of_this_thread();
  const Eigen::VectorXd nothing;
  const LossInstants at = {rates, rates, rates, nothing};
  slopes.setZero(rates.rows(), rates.cols());
  curvatures.setZero(rates.rows(), rates.cols());
  for_rate_terms(rates.cols(), [&](std::size_t i, int begin, int count) {
    const Unknown& rate = terms_[i].unknowns[0];
    block.gather(terms_[i], losses_[i].instance->description(), at, data, begin, count);
    const double* first = block.run(*losses_[i].instance, HOLO_LOSS_GRADIENT, 1);
    const double* second = block.run(*losses_[i].instance, HOLO_LOSS_HESSIAN, 1);
    for (int lane = 0; lane < count; ++lane) {
      if (!has_term(i, at, data, begin + lane)) continue;
      slopes(rate.index, begin + lane) += rate.scale * first[lane];
      curvatures(rate.index, begin + lane) += rate.scale * rate.scale * second[lane];
    }
  });
}

}  // namespace holo
