#include "holo/sim/mechanism/losses/mechanism_losses.h"

#include <algorithm>
#include <limits>

namespace holo {

namespace {

constexpr int stride = int(HOLO_LANE_WIDTH);  // from an entry of a lane to its next
constexpr double infinity = std::numeric_limits<double>::infinity();

// The states whose rates some loss observes, ascending.
std::vector<int> rated_states_of(const std::vector<NamedLoss>& losses, const MechanismLayout& layout) {
  std::vector<int> states;
  for (const NamedLoss& loss : losses)
    if (const UnknownIndex* rated = StateRateObservables::observed_by(loss, layout)) states.push_back(rated->index);
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

// Scratch memory of one thread.
struct AssemblyScratch {
  Eigen::MatrixXd jacobian, hessian, pulled;  // dz/dy, d2L/dz2, d2L/dy2
  Eigen::VectorXd gradient, pulled_gradient;

  static AssemblyScratch& of_this_thread() {
    thread_local AssemblyScratch scratch;
    return scratch;
  }
};

}  // namespace

MechanismLosses::MechanismLosses(const std::shared_ptr<const MechanismLayout>& layout, std::vector<NamedLoss> losses)
    : losses_(std::move(losses)),
      knot_losses_(MechanismObservables(layout)),
      rate_losses_(StateRateObservables(layout, rated_states_of(losses_, *layout))) {
  // Losses of rates of dependent controls couple two knots, so that they form a sum of their own. All other losses belong to
  // one knot; their Hessians occupy consecutive entries, one for each pair of their unknowns.
  int entry = 0;
  for (const NamedLoss& loss : losses_) {
    if (StateRateObservables::observed_by(loss, *layout) != nullptr) {
      position_of_.push_back({true, rate_losses_.size()});
      rate_losses_.add(loss);
      continue;
    }
    position_of_.push_back({false, knot_losses_.size()});
    knot_losses_.add(loss);
    const int n = int(knot_losses_.binding(knot_losses_.size() - 1).unknowns.size());
    first_entry_.push_back(entry);
    entry += n * (n + 1) / 2;
  }
}

std::vector<std::pair<int, int>> MechanismLosses::hessian_entries() const {
  std::vector<std::pair<int, int>> entries;
  for (std::size_t loss = 0; loss < knot_losses_.size(); ++loss) {
    const auto& unknowns = knot_losses_.binding(loss).unknowns;
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      for (std::size_t j = i; j < unknowns.size(); ++j) entries.push_back(std::minmax(unknowns[i].number, unknowns[j].number));
  }
  return entries;
}

void MechanismLosses::evaluate(const MechanismKnots& at, const LossData& data, int first, int last, double* objective) const {
  knot_losses_.evaluate(at, data, first, last, objective);
}

void MechanismLosses::differentiate(const MechanismKnots& at, const LossData& data, bool gauss_newton, int first, int last,
                                    double* gradient, double* hessian) const {
  for (std::size_t i = 0; i < knot_losses_.size(); ++i) {
    const int end = knot_losses_.end(i, at, last);
    if (end <= first) continue;
    // For each loss and block of knots: observables, then the plugin's gradient and Hessian in all lanes, then the chain rule
    // lane by lane.
    // The observables are the same for both operations.
    const LossInstance& instance = *knot_losses_.loss(i).instance;
    double* z = observable_lanes(instance.observable_size());
    knot_losses_.observables().values(knot_losses_.binding(i), at, first, end - first, z);
    const double* slopes = run_loss(instance, HOLO_LOSS_GRADIENT, z, data, first, end - first);
    const double* curvatures =
        run_loss(instance, gauss_newton ? HOLO_LOSS_GAUSS_NEWTON : HOLO_LOSS_HESSIAN, z, data, first, end - first);
    for (int lane = 0; lane < end - first; ++lane)
      if (knot_losses_.has_term(i, at, data, first + lane))
        pull_back(i, at, first + lane, slopes + lane, curvatures + lane, gauss_newton, gradient + lane, hessian + lane);
  }
}

// Chain rule from the observables z to the unknowns y with J = dz/dy: gradient J^T g, Hessian J^T H J + sum_i g_i d2z_i/dy2.
// The Gauss-Newton Hessian omits the last term.
void MechanismLosses::pull_back(std::size_t loss, const MechanismKnots& at, int knot, const double* slopes,
                                const double* curvatures, bool gauss_newton, double* gradient, double* hessian) const {
  AssemblyScratch& scratch = AssemblyScratch::of_this_thread();
  const MechanismObservables& observables = knot_losses_.observables();
  const MechanismObservables::Binding& binding = knot_losses_.binding(loss);
  const int n = int(binding.unknowns.size()), size = binding.size;
  // The plugin returns the upper triangle of H, [entry][lane].
  scratch.gradient.resize(size);
  scratch.hessian.resize(size, size);
  for (int i = 0, entry = 0; i < size; ++i) {
    scratch.gradient[i] = slopes[i * stride];
    for (int j = i; j < size; ++j, ++entry) scratch.hessian(i, j) = scratch.hessian(j, i) = curvatures[entry * stride];
  }
  observables.jacobian(binding, at, knot, scratch.jacobian);
  scratch.pulled_gradient.noalias() = scratch.jacobian.transpose() * scratch.gradient;
  scratch.pulled.noalias() = scratch.jacobian.transpose() * scratch.hessian * scratch.jacobian;
  if (!gauss_newton) observables.add_curvature(binding, scratch.gradient, scratch.pulled);
  // Scales convert derivatives from SI units to the layout's units.
  for (int i = 0, entry = first_entry_[loss]; i < n; ++i) {
    const MechanismObservables::Unknown& row = binding.unknowns[std::size_t(i)];
    gradient[row.number * stride] += row.scale * scratch.pulled_gradient[i];
    for (int j = i; j < n; ++j, ++entry)
      hessian[hessian_values_[std::size_t(entry)] * stride] +=
          row.scale * binding.unknowns[std::size_t(j)].scale * scratch.pulled(i, j);
  }
}

double MechanismLosses::evaluate_state_rates(const Eigen::MatrixXd& rates, const LossData& data) const {
  const StateRateObservables::Motion at = {rates};
  double sum = 0;
  for (std::size_t i = 0; i < rate_losses_.size(); ++i)
    for_blocks(0, int(rates.cols()), [&](int begin, int count) {
      const double* values = rate_losses_.run(i, HOLO_LOSS_VALUE, at, data, begin, count);
      for (int lane = 0; lane < count; ++lane)
        if (rate_losses_.has_term(i, at, data, begin + lane)) sum += values[lane];
    });
  // NaN fails the comparison and becomes +infinity, too.
  return sum < infinity ? sum : infinity;
}

void MechanismLosses::differentiate_state_rates(const Eigen::MatrixXd& rates, const LossData& data, Eigen::MatrixXd& slopes,
                                                Eigen::MatrixXd& curvatures) const {
  const StateRateObservables::Motion at = {rates};
  slopes.setZero(rates.rows(), rates.cols());
  curvatures.setZero(rates.rows(), rates.cols());
  for (std::size_t i = 0; i < rate_losses_.size(); ++i)
    for_blocks(0, int(rates.cols()), [&](int begin, int count) {
      const StateRateObservables::Binding& rate = rate_losses_.binding(i);
      const double* first = rate_losses_.run(i, HOLO_LOSS_GRADIENT, at, data, begin, count);
      const double* second = rate_losses_.run(i, HOLO_LOSS_HESSIAN, at, data, begin, count);
      for (int lane = 0; lane < count; ++lane) {
        if (!rate_losses_.has_term(i, at, data, begin + lane)) continue;
        slopes(rate.index, begin + lane) += rate.scale * first[lane];
        curvatures(rate.index, begin + lane) += rate.scale * rate.scale * second[lane];
      }
    });
}

// Measures of rate losses have one column for each rate; knots without a term are NaN.
Eigen::MatrixXd MechanismLosses::measures(std::size_t loss, const MechanismKnots& at, const LossData& data) const {
  const int knots = int(at.states.cols());
  const LossPosition& position = position_of_[loss];
  if (!position.is_rate) return knot_losses_.measures(position.index, at, data, 0, knots);
  const Eigen::MatrixXd rates = rate_losses_.observables().rates(at.states, data.time_step);
  return rate_losses_.measures(position.index, {rates}, data, 0, knots);
}

double MechanismLosses::feasible_step(const MechanismKnots& at, const MechanismKnots& after, const LossData& data) const {
  const StateRateObservables& observables = rate_losses_.observables();
  const Eigen::MatrixXd rates = observables.rates(at.states, data.time_step),
                        rates_after = observables.rates(after.states, data.time_step);
  const int knots = int(at.states.cols());
  return std::min(knot_losses_.feasible_step(at, after, data, knots),
                  rate_losses_.feasible_step({rates}, {rates_after}, data, knots));
}

}  // namespace holo
