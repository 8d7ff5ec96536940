#pragma once
// Sum of losses over the knots of a motion: runs the losses' plugins on the simulation's observables, and applies the
// chain rule in first and second order.
//
// Each simulator gives a class that is Observables: z, the numbers that a loss observes, as a function of the simulator's
// unknowns at a knot, with derivatives that are applied and never assembled (a center of mass depends on all vertices).

#include <Eigen/Core>
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/losses/loss_data.h"

namespace holo {

using ConstVector = Eigen::Ref<const Eigen::VectorXd>;
using VectorReference = Eigen::Ref<Eigen::VectorXd>;

// Motion: the simulator's unknowns at the knots. Binding: the observables of one loss, with resolved names and steps.
template <class T>
concept Observables = requires(const T& observables, const NamedLoss& loss, const typename T::Binding& binding,
                               const typename T::Motion& at, const LossData& data, int knot, double* z, const ConstVector& in,
                               VectorReference& out) {
  // Throws Error(input) for an observable that the simulator lacks.
  { observables.bind(loss) } -> std::same_as<typename T::Binding>;
  // The number of knots, from the first on, with these observables.
  { observables.knot_count(binding, at) } -> std::convertible_to<int>;
  // True if the observables exist at this knot: rates and earlier steps may not.
  { observables.exists(binding, at, data, knot) } -> std::same_as<bool>;
  // z [nz][lane] at `count` knots from `knot` on, at most HOLO_LANE_WIDTH; the other lanes repeat the last knot.
  observables.values(binding, at, knot, knot, z);
  // The number of unknowns of one knot.
  { observables.unknown_count(at) } -> std::convertible_to<Eigen::Index>;
  observables.push_forward(binding, at, knot, in, out);      // dz [nz] = z'(x) dx
  observables.pull_back(binding, at, knot, in, out);         // gx [unknown] += z'(x)^T gz
  observables.second_order(binding, at, knot, in, in, out);  // out [unknown] += sum_i gz_i z_i''(x) dx
};

// Calls body(begin, count) for blocks of knots, one lane each.
template <class Body>
void for_blocks(int first, int last, const Body& body) {
  for (int begin = first; begin < last; begin += int(HOLO_LANE_WIDTH))
    body(begin, std::min(int(HOLO_LANE_WIDTH), last - begin));
}

// Runs one loss's operation on `observables` [nz][lane] at knots first, ..., first + count - 1. The result, [output][lane],
// stays valid until the same operation runs on this thread again.
const double* run_loss(const LossInstance& loss, holo_loss_operation operation, const double* observables, const LossData& data,
                       int first, int count);
// Memory of this thread for z, [size][lane].
double* observable_lanes(std::size_t size);

template <class T>
class LossSum {
 public:
  using Motion = typename T::Motion;

  explicit LossSum(T observables) : observables_(std::move(observables)) {}
  // Throws Error(input) for an observable that the simulator lacks, with both names and the available ones.
  void add(const NamedLoss& loss) {
    bindings_.push_back(observables_.bind(loss));
    losses_.push_back(loss);
  }

  const T& observables() const { return observables_; }
  std::size_t size() const { return losses_.size(); }
  const NamedLoss& loss(std::size_t i) const { return losses_[i]; }
  const typename T::Binding& binding(std::size_t i) const { return bindings_[i]; }

  bool has_term(std::size_t i, const Motion& at, const LossData& data, int knot) const {
    return observables_.exists(bindings_[i], at, data, knot) && data.has_signals(losses_[i].instance->description(), knot);
  }
  int end(std::size_t i, const Motion& at, int last) const { return std::min(last, observables_.knot_count(bindings_[i], at)); }
  // An operation of one loss at a block of knots, [output][lane].
  const double* run(std::size_t i, holo_loss_operation operation, const Motion& at, const LossData& data, int first,
                    int count) const {
    const LossInstance& instance = *losses_[i].instance;
    double* z = observable_lanes(instance.observable_size());
    observables_.values(bindings_[i], at, first, count, z);
    return run_loss(instance, operation, z, data, first, count);
  }

  // Adds the losses at the knots [first, last) to objective[knot - first]; what is not finite becomes +infinity.
  void evaluate(const Motion& at, const LossData& data, int first, int last, double* objective) const {
    std::fill(objective, objective + (last - first), 0.0);
    for (std::size_t i = 0; i < losses_.size(); ++i)
      for_blocks(first, end(i, at, last), [&](int begin, int count) {
        const double* values = run(i, HOLO_LOSS_VALUE, at, data, begin, count);
        for (int lane = 0; lane < count; ++lane)
          if (has_term(i, at, data, begin + lane)) objective[begin - first + lane] += values[lane];
      });
    for (int k = 0; k < last - first; ++k)
      if (!(objective[k] < std::numeric_limits<double>::infinity())) objective[k] = std::numeric_limits<double>::infinity();
  }

  // gradient [unknown] += dL/dx of the losses at one knot.
  void add_gradient(const Motion& at, const LossData& data, int knot, Eigen::Ref<Eigen::VectorXd> gradient) const {
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      if (knot >= end(i, at, knot + 1) || !has_term(i, at, data, knot)) continue;
      observables_.pull_back(bindings_[i], at, knot, slopes(i, at, data, knot), gradient);
    }
  }

  // The derivatives of one loss in its observables: dL/dz, and d2L/dz2 or its Gauss-Newton model.
  struct Quadratic {
    std::size_t loss;
    Eigen::VectorXd slopes;
    Eigen::MatrixXd curvature;
  };
  // Those of the losses with a term at one knot, for products with many directions.
  std::vector<Quadratic> quadratics(const Motion& at, const LossData& data, bool gauss_newton, int knot) const {
    std::vector<Quadratic> result;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      if (knot >= end(i, at, knot + 1) || !has_term(i, at, data, knot)) continue;
      result.push_back({i, slopes(i, at, data, knot), {}});
      const double* upper = run(i, gauss_newton ? HOLO_LOSS_GAUSS_NEWTON : HOLO_LOSS_HESSIAN, at, data, knot, 1);
      const Eigen::Index size = result.back().slopes.size();
      Eigen::MatrixXd& curvature = result.back().curvature;
      curvature.resize(size, size);
      for (Eigen::Index r = 0, entry = 0; r < size; ++r)
        for (Eigen::Index c = r; c < size; ++c, ++entry)
          curvature(r, c) = curvature(c, r) = upper[entry * Eigen::Index(HOLO_LANE_WIDTH)];
    }
    return result;
  }

  // result [unknown] += d2L/dx2 dx of the losses at one knot, or of their Gauss-Newton model; of_observables are the
  // `quadratics` there.
  void add_hessian_product(const std::vector<Quadratic>& of_observables, const Motion& at, bool gauss_newton, int knot,
                           const ConstVector& dx, Eigen::Ref<Eigen::VectorXd> result) const {
    for (const Quadratic& each : of_observables) {
      // d2L/dx2 dx = z'^T (d2L/dz2 (z' dx)) + sum_i dL/dz_i z_i'' dx
      const typename T::Binding& binding = bindings_[each.loss];
      Eigen::VectorXd dz = Eigen::VectorXd::Zero(each.slopes.size());
      observables_.push_forward(binding, at, knot, dx, dz);
      const Eigen::VectorXd hz = each.curvature * dz;
      observables_.pull_back(binding, at, knot, hz, result);
      if (!gauss_newton) observables_.second_order(binding, at, knot, each.slopes, dx, result);
    }
  }
  void add_hessian_product(const Motion& at, const LossData& data, bool gauss_newton, int knot, const ConstVector& dx,
                           Eigen::Ref<Eigen::VectorXd> result) const {
    add_hessian_product(quadratics(at, data, gauss_newton, knot), at, gauss_newton, knot, dx, result);
  }

  // The measures of one loss at the knots [first, last): [measure][knot - first]; NaN at knots without a term.
  Eigen::MatrixXd measures(std::size_t i, const Motion& at, const LossData& data, int first, int last) const {
    const auto count = Eigen::Index(losses_[i].instance->description().measure_count);
    Eigen::MatrixXd result = Eigen::MatrixXd::Constant(count, last - first, std::numeric_limits<double>::quiet_NaN());
    for_blocks(first, end(i, at, last), [&](int begin, int lanes) {
      const double* values = run(i, HOLO_LOSS_MEASURES, at, data, begin, lanes);
      for (int lane = 0; lane < lanes; ++lane)
        for (Eigen::Index k = 0; k < count && has_term(i, at, data, begin + lane); ++k)
          result(k, begin - first + lane) = values[k * Eigen::Index(HOLO_LANE_WIDTH) + lane];
    });
    return result;
  }

  // The longest fraction in (0, 1] of the way from `at` to `after` that keeps a hundredth of each positive distance from a
  // limit, by linear interpolation of the distances.
  double feasible_step(const Motion& at, const Motion& after, const LossData& data, int knots) const {
    constexpr double left = 0.01;  // of each distance
    constexpr std::size_t lanes = HOLO_LANE_WIDTH;
    double length = 1;
    std::vector<double> here;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      const std::size_t count = losses_[i].instance->description().distance_count;
      for_blocks(0, count > 0 ? end(i, at, knots) : 0, [&](int begin, int used) {
        const double* found = run(i, HOLO_LOSS_DISTANCES, at, data, begin, used);
        here.assign(found, found + count * lanes);
        found = run(i, HOLO_LOSS_DISTANCES, after, data, begin, used);
        for (int lane = 0; lane < used; ++lane)
          for (std::size_t k = 0; k < count && has_term(i, at, data, begin + lane); ++k) {
            const double before = here[k * lanes + std::size_t(lane)], change = found[k * lanes + std::size_t(lane)] - before;
            if (before > 0 && before + change < left * before) length = std::min(length, (1 - left) * before / -change);
          }
      });
    }
    return length;
  }

 private:
  // dL/dz at one knot.
  Eigen::VectorXd slopes(std::size_t i, const Motion& at, const LossData& data, int knot) const {
    const double* lanes = run(i, HOLO_LOSS_GRADIENT, at, data, knot, 1);
    Eigen::VectorXd result{Eigen::Index(losses_[i].instance->observable_size())};
    for (Eigen::Index k = 0; k < result.size(); ++k) result[k] = lanes[k * Eigen::Index(HOLO_LANE_WIDTH)];
    return result;
  }

  T observables_;
  std::vector<NamedLoss> losses_;
  std::vector<typename T::Binding> bindings_;
};

}  // namespace holo
