// Evaluates the losses of a mechanism: gathers what a loss observes into lanes of instants, runs it, and pulls its derivatives
// back to the mechanism's unknowns.

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/core/error.h"
#include "holo/core/loss_plugin.h"
#include "holo/sim/mechanism/mechanism_losses.h"
#include "holo/sim/mechanism/motion_tasks.h"
#include "loss_block.h"

namespace holo {

namespace {

constexpr int lanes = int(HOLO_LANE_WIDTH);

// q r as a matrix on q; quaternions (w, x, y, z).
Eigen::Matrix4d times(const Eigen::Vector4d& r) {
  Eigen::Matrix4d matrix;
  matrix << r[0], -r[1], -r[2], -r[3],  //
      r[1], r[0], r[3], -r[2],          //
      r[2], -r[3], r[0], r[1],          //
      r[3], r[2], -r[1], r[0];
  return matrix;
}

struct AlignedValues {
  void resize(std::size_t size) {
    if (size <= values.size() * lanes) return;
    values.resize((size + lanes - 1) / lanes);
  }
  double* data() { return values.empty() ? nullptr : values.front().lane; }
  struct alignas(HOLO_BLOCK_ALIGNMENT) Lanes {
    double lane[lanes];
  };
  std::vector<Lanes> values;
};

}  // namespace

// Scratch memory of one thread.
class MechanismLosses::Block {
 public:
  static Block& of_this_thread() {
    thread_local Block block;
    return block;
  }

  // Instants first, ..., first + count - 1 with count <= lanes; the last again in the lanes left.
  void gather(const Term& term, const holo_loss_description& description, const LossInstants& at, const LossData& data,
              int first, int count) {
    const std::size_t n = term.unknowns.size();
    unknowns_.resize(n * lanes);
    observables_.resize(std::size_t(term.size) * lanes);
    data_.resize(std::size_t(description.datum_count) * lanes);
    for (std::size_t i = 0; i < n; ++i)
      for (int lane = 0; lane < lanes; ++lane)
        unknowns_.data()[i * lanes + std::size_t(lane)] = value(term.unknowns[i], at, first + std::min(lane, count - 1));
    for (const Observable& observable : term.observables) observe(observable);
    for (std::uint32_t i = 0; i < description.datum_count; ++i)
      for (int lane = 0; lane < lanes; ++lane)
        data_.data()[i * lanes + std::uint32_t(lane)] = datum(description.data[i], data, first + std::min(lane, count - 1));
  }

  const double* run(const LossInstance& loss, holo_loss_operation operation, std::size_t outputs) {
    AlignedValues& to = outputs_[operation];
    to.resize(outputs * lanes);
    const holo_loss_batch batch = {sizeof(holo_loss_batch), 1, observables_.data(), data_.data(), to.data()};
    loss.run(operation, batch);
    return to.data();
  }

  Eigen::Vector4d quaternion(const Observable& observable, int lane) const {
    const double* from = const_cast<AlignedValues&>(unknowns_).data() + (observable.unknown + 3) * lanes + lane;
    return {from[0], from[lanes], from[2 * lanes], from[3 * lanes]};
  }

  Eigen::MatrixXd jacobian, hessian, pulled;  // dz/dy, d2L/dz2, d2L/dy2
  Eigen::VectorXd gradient, pulled_gradient;

 private:
  static double value(const Unknown& unknown, const LossInstants& at, int instant) {
    switch (unknown.kind) {
      case Unknown::Kind::parameter:
        return unknown.scale * at.parameters[unknown.index];
      case Unknown::Kind::control:
        return unknown.scale * at.controls(unknown.index, instant);
      case Unknown::Kind::rate:
        return unknown.scale * at.rates(unknown.index, instant);
      default:
        return unknown.scale * at.states(unknown.index, instant);
    }
  }

  void observe(const Observable& observable) {
    for (int lane = 0; lane < lanes; ++lane) {
      const double* from = unknowns_.data() + observable.unknown * lanes + lane;
      double* to = observables_.data() + observable.first * lanes + lane;
      if (!observable.has_point()) {
        for (int k = 0; k < observable.size; ++k) to[k * lanes] = from[k * lanes];
        continue;
      }
      const Eigen::Vector4d q = quaternion(observable, lane);
      const Eigen::Vector3d turned = rotated_point(q, observable.point);
      for (int k = 0; k < 3; ++k) to[k * lanes] = from[k * lanes] + turned[k];
      if (!observable.is_part) continue;
      const Eigen::Vector4d product = times(observable.turn) * q;
      for (int k = 0; k < 4; ++k) to[(3 + k) * lanes] = product[k];
    }
  }

  static double datum(const holo_datum& wanted, const LossData& data, int instant) {
    switch (wanted.kind) {
      case HOLO_DATUM_SIGNAL:
        return data.signals[wanted.subject](Eigen::Index(wanted.index), instant);
      case HOLO_DATUM_INITIAL_VALUE:
        return wanted.index == HOLO_OBSERVABLE_CONTROL ? data.initial_controls(wanted.subject, instant)
                                                       : data.initial_parameters[wanted.subject];
      default:
        return data.time_step * (instant - beginning(data.task_beginnings, instant));
    }
  }

  static int beginning(const std::vector<int>& beginnings, int instant) {
    const auto next = std::upper_bound(beginnings.begin(), beginnings.end(), instant);
    return next == beginnings.begin() ? 0 : *(next - 1);
  }

  AlignedValues unknowns_, observables_, data_, outputs_[HOLO_LOSS_OPERATION_COUNT];
};

namespace {

// body(begin, count) for blocks of instants.
template <class Body>
void for_blocks(int first, int last, const Body& body) {
  for (int begin = first; begin < last; begin += lanes) body(begin, std::min(lanes, last - begin));
}

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
    if (observable.is_part) block.jacobian.block<4, 4>(z + 3, y + 3) = times(observable.turn);
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

Eigen::MatrixXd MechanismLosses::measures(std::size_t loss, const LossInstants& at, const LossData& data) const {
  Block& block = Block::of_this_thread();
  const holo_loss_description& description = losses_[loss].instance->description();
  const Eigen::Index count = Eigen::Index(description.measure_count);
  Eigen::MatrixXd result = Eigen::MatrixXd::Constant(count, at.states.cols(), std::numeric_limits<double>::quiet_NaN());
  const int end = terms_[loss].has_rates ? int(at.rates.cols()) : int(at.states.cols());
  Eigen::MatrixXd state_rates(Eigen::Index(rated_states_.size()), at.rates.cols());
  for (std::size_t j = 0; j < rated_states_.size() && terms_[loss].rated_state >= 0; ++j)
    for (Eigen::Index k = 0; k < state_rates.cols(); ++k)
      state_rates(Eigen::Index(j), k) = (at.states(rated_states_[j], k + 1) - at.states(rated_states_[j], k)) / data.time_step;
  const LossInstants seen = {at.states, at.controls, terms_[loss].rated_state >= 0 ? state_rates : at.rates, at.parameters};
  for_blocks(0, end, [&](int begin, int instants) {
    block.gather(terms_[loss], description, seen, data, begin, instants);
    const double* values = block.run(*losses_[loss].instance, HOLO_LOSS_MEASURES, std::size_t(count));
    for (int lane = 0; lane < instants; ++lane)
      for (Eigen::Index i = 0; i < count && has_term(loss, at, data, begin + lane); ++i)
        result(i, begin + lane) = values[i * lanes + lane];
  });
  return result;
}

}  // namespace holo
