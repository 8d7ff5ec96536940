// Evaluates the losses of a mechanism: gathers what a loss observes into lanes of instants, runs it, and pulls its derivatives
// back to the mechanism's unknowns.

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/kinematics/motion_tasks.h"
#include "holo/sim/mechanism/losses/mechanism_losses.h"
#include "loss_block.h"

namespace holo {

namespace {

constexpr int lanes = int(HOLO_LANE_WIDTH);

}  // namespace

bool MechanismLosses::has_term(std::size_t loss, const LossInstants& at, const LossData& data, int instant) const {
  if (terms_[loss].has_rates && !has_rate(data.task_beginnings, int(at.rates.cols()) + 1, instant)) return false;
  const holo_loss_description& description = losses_[loss].instance->description();
  return std::none_of(description.data, description.data + description.datum_count, [&](const holo_datum& datum) {
    return datum.kind == HOLO_DATUM_SIGNAL && std::isnan(data.signals[datum.subject](Eigen::Index(datum.index), instant));
  });
}

void MechanismLosses::evaluate(const LossInstants& at, const LossData& data, int first, int last, double* objective) const {
  Block& block = Block::of_this_thread();
  std::fill(objective, objective + (last - first), 0.0);
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    if (terms_[i].rated_state >= 0) continue;
    const int end = terms_[i].has_rates ? std::min<int>(last, int(at.rates.cols())) : last;
    for_blocks(first, end, [&](int begin, int count) {
      block.gather(terms_[i], losses_[i].instance->description(), at, data, begin, count);
      const double* values = block.run(*losses_[i].instance, HOLO_LOSS_VALUE, 1);
      for (int lane = 0; lane < count; ++lane)
        if (has_term(i, at, data, begin + lane)) objective[begin - first + lane] += values[lane];
    });
  }
  for (int k = 0; k < last - first; ++k)
    if (!(objective[k] < std::numeric_limits<double>::infinity())) objective[k] = std::numeric_limits<double>::infinity();
}

void MechanismLosses::differentiate(const LossInstants& at, const LossData& data, bool gauss_newton, int first, int last,
                                    double* gradient, double* hessian) const {
  Block& block = Block::of_this_thread();
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    const Term& term = terms_[i];
    const std::size_t size = std::size_t(term.size);
    if (term.rated_state >= 0) continue;
    const int end = term.has_rates ? std::min<int>(last, int(at.rates.cols())) : last;
    if (end <= first) continue;
    block.gather(term, losses_[i].instance->description(), at, data, first, end - first);
    const double* slopes = block.run(*losses_[i].instance, HOLO_LOSS_GRADIENT, size);
    const double* curvatures =
        block.run(*losses_[i].instance, gauss_newton ? HOLO_LOSS_GAUSS_NEWTON : HOLO_LOSS_HESSIAN, size * (size + 1) / 2);
    for (int lane = 0; lane < end - first; ++lane)
      if (has_term(i, at, data, first + lane))
        pull_back(term, slopes + lane, curvatures + lane, lane, gauss_newton, gradient + lane, hessian + lane);
  }
}

// To the unknowns y: J^T g, and J^T H J + sum_i g_i d2z_i/dy2 (without the last where `gauss_newton`).
void MechanismLosses::pull_back(const Term& term, const double* slopes, const double* curvatures, int lane, bool gauss_newton,
                                double* gradient, double* hessian) const {
  Block& block = Block::of_this_thread();
  const int n = int(term.unknowns.size()), size = term.size;
  block.gradient.resize(size);
  block.hessian.resize(size, size);
  for (int i = 0, entry = 0; i < size; ++i) {
    block.gradient[i] = slopes[i * lanes];
    for (int j = i; j < size; ++j, ++entry) block.hessian(i, j) = block.hessian(j, i) = curvatures[entry * lanes];
  }
  block.jacobian.setZero(size, n);
  for (const Observable& observable : term.observables) {
    const int z = observable.first, y = observable.unknown;
    for (int k = 0; k < observable.size; ++k) block.jacobian(z + k, y + k) = 1;
    if (observable.has_point())
      block.jacobian.block<3, 4>(z, y + 3) = rotated_point_jacobian(block.quaternion(observable, lane), observable.point);
    if (observable.is_part) block.jacobian.block<4, 4>(z + 3, y + 3) = quaternion_times(observable.turn);
  }
  block.pulled_gradient.noalias() = block.jacobian.transpose() * block.gradient;
  block.pulled.noalias() = block.jacobian.transpose() * block.hessian * block.jacobian;
  for (const Observable& observable : term.observables)
    if (observable.has_point() && !gauss_newton)
      block.pulled.block<4, 4>(observable.unknown + 3, observable.unknown + 3) +=
          rotated_point_hessian(observable.point, block.gradient.segment<3>(observable.first));
  for (int i = 0, entry = term.first_entry; i < n; ++i) {
    gradient[term.unknowns[std::size_t(i)].number * lanes] += term.unknowns[std::size_t(i)].scale * block.pulled_gradient[i];
    for (int j = i; j < n; ++j, ++entry)
      hessian[places_[std::size_t(entry)] * lanes] +=
          term.unknowns[std::size_t(i)].scale * term.unknowns[std::size_t(j)].scale * block.pulled(i, j);
  }
}

Eigen::MatrixXd MechanismLosses::measures(std::size_t loss, const LossInstants& at, const LossData& data) const {
  Block& block = Block::of_this_thread();
  const holo_loss_description& description = losses_[loss].instance->description();
  const Eigen::Index count = Eigen::Index(description.measure_count);
  Eigen::MatrixXd result = Eigen::MatrixXd::Constant(count, at.states.cols(), std::numeric_limits<double>::quiet_NaN());
  const int end = terms_[loss].has_rates ? int(at.rates.cols()) : int(at.states.cols());
  const Eigen::MatrixXd rates = state_rates(at.states, data.time_step);
  const LossInstants seen = as_seen(loss, at, rates);
  for_blocks(0, end, [&](int begin, int instants) {
    block.gather(terms_[loss], description, seen, data, begin, instants);
    const double* values = block.run(*losses_[loss].instance, HOLO_LOSS_MEASURES, std::size_t(count));
    for (int lane = 0; lane < instants; ++lane)
      for (Eigen::Index i = 0; i < count && has_term(loss, at, data, begin + lane); ++i)
        result(i, begin + lane) = values[i * lanes + lane];
  });
  return result;
}

// By linear interpolation, which is exact where a distance is linear in the unknowns.
double MechanismLosses::feasible_step(const LossInstants& at, const LossInstants& after, const LossData& data) const {
  constexpr double left = 0.01;  // of each distance
  Block& block = Block::of_this_thread();
  const Eigen::MatrixXd rates = state_rates(at.states, data.time_step), rates_after = state_rates(after.states, data.time_step);
  double length = 1;
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    const LossInstance& loss = *losses_[i].instance;
    const std::size_t count = loss.description().distance_count;
    const int end = terms_[i].has_rates ? int(at.rates.cols()) : int(at.states.cols());
    for_blocks(0, count > 0 ? end : 0, [&](int begin, int instants) {
      block.gather(terms_[i], loss.description(), as_seen(i, at, rates), data, begin, instants);
      const double* found = block.run(loss, HOLO_LOSS_DISTANCES, count);
      block.before.assign(found, found + count * lanes);
      block.gather(terms_[i], loss.description(), as_seen(i, after, rates_after), data, begin, instants);
      found = block.run(loss, HOLO_LOSS_DISTANCES, count);
      for (int lane = 0; lane < instants; ++lane)
        for (std::size_t k = 0; k < count && has_term(i, at, data, begin + lane); ++k) {
          const double before = block.before[k * lanes + std::size_t(lane)],
                       change = found[k * lanes + std::size_t(lane)] - before;
          if (before > 0 && before + change < left * before) length = std::min(length, (1 - left) * before / -change);
        }
    });
  }
  return length;
}

}  // namespace holo
