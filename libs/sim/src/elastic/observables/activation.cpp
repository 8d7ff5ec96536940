// The activation of a segment of a muscle, in multiples of the shear modulus at rest of its body: activations of soft and of
// stiff bodies, and the weights of losses of them, are then of one size.

#include <cmath>
#include <stdexcept>

#include "holo/sim/elastic/observables/elastic_observable.h"

namespace holo {

namespace {

class Activation final : public ElasticObservable {
 public:
  Activation(Eigen::Index number, double shear_modulus) : number_(number), shear_modulus_(shear_modulus) {}

  void value(const ElasticPhase& at, double* z) const override { z[0] = at.activations[number_] / shear_modulus_; }
  void push_forward(const ElasticPhase&, const ElasticPhase& direction, double* dz) const override { value(direction, dz); }
  void pull_back(const ElasticPhase&, const double* gz, ElasticPhaseSum& result) const override {
    result.activations[number_] += gz[0] / shear_modulus_;
  }
  void second_order(const ElasticPhase&, const double*, const ElasticPhase&, ElasticPhaseSum&) const override {}

 private:
  Eigen::Index number_;
  double shear_modulus_;  // [Pa]
};

}  // namespace

std::unique_ptr<const ElasticObservable> observe_activation(const ElasticModel&, const ElasticSubject& subject,
                                                            const holo_observable&) {
  const double shear_modulus = subject.body->shear_modulus;
  if (!std::isfinite(shear_modulus) || shear_modulus <= 0)
    throw std::invalid_argument("observes the activation of '" + subject.name +
                                "', a multiple of the shear modulus at rest of '" + subject.body->name +
                                "', whose material has none: only isotropic materials do");
  return std::make_unique<Activation>(subject.activation, shear_modulus);
}

}  // namespace holo
