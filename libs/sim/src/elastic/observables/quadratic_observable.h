#pragma once
// Base of observables that are quadratic forms of positions, z_i = x . Q_i x with symmetric Q_i.

#include "holo/sim/elastic/observables/elastic_observable.h"

namespace holo {

class QuadraticObservable : public ElasticObservable {
 public:
  void value(const ElasticPhase& at, double* z) const final { form(at.positions, at.positions, 1, z); }
  void push_forward(const ElasticPhase& at, const ElasticPhase& direction, double* dz) const final {
    form(at.positions, direction.positions, 2, dz);
  }
  void pull_back(const ElasticPhase& at, const double* gz, ElasticPhaseSum& result) const final {
    add_gradient(at.positions, gz, result.positions);
  }
  // The gradient is linear in x: its derivative along d is its value at d.
  void second_order(const ElasticPhase&, const double* gz, const ElasticPhase& direction, ElasticPhaseSum& result) const final {
    add_gradient(direction.positions, gz, result.positions);
  }

 protected:
  using Values = Eigen::Ref<const Eigen::VectorXd>;

  // z_i = factor x . Q_i y
  virtual void form(const Values& x, const Values& y, double factor, double* z) const = 0;
  // result += 2 sum_i gz_i Q_i x
  virtual void add_gradient(const Values& x, const double* gz, Eigen::Ref<Eigen::VectorXd>& result) const = 0;
};

}  // namespace holo
