#include "holo/sim/dynamics/element_energy.h"

#include <typeinfo>

#include "holo/core/error.h"

namespace holo {
namespace {

[[noreturn]] void throw_missing(const ElementEnergy& energy, const char* function) {
  throw Error(Failure::internal, std::string("an energy of elements (") + typeid(energy).name() +
                                     ") has parameters, a lag or depends on the start, and does not override " + function +
                                     ".");
}

}  // namespace

Eigen::VectorXd ElementEnergy::parameters() const {
  if (parameter_count() > 0) throw_missing(*this, "parameters()");
  return Eigen::VectorXd(0);
}

void ElementEnergy::set_parameters(const Eigen::Ref<const Eigen::VectorXd>&) {
  if (parameter_count() > 0) throw_missing(*this, "set_parameters()");
}

void ElementEnergy::add_parameter_stress(const ElementBlocks&, const double*, double*) const {
  if (parameter_count() > 0) throw_missing(*this, "add_parameter_stress()");
}

void ElementEnergy::add_parameter_stress_change(const ElementBlocks&, const double*, const double*, double*) const {
  if (parameter_count() > 0) throw_missing(*this, "add_parameter_stress_change()");
}

void ElementEnergy::add_lag_stress(const ElementBlocks&, const double*, double*) const {
  if (lag_count() > 0) throw_missing(*this, "add_lag_stress()");
}

void ElementEnergy::lag_derivative(const ElasticModel&, const double*, const CoefficientDirections&, double*) const {
  if (lag_count() > 0) throw_missing(*this, "lag_derivative()");
}

void ElementEnergy::add_lag_curvature(const ElasticModel&, const ElementBlocks&, const double*,
                                      const Eigen::Ref<const Eigen::MatrixXd>&, const std::vector<CoefficientDirections>&,
                                      Eigen::MatrixXd&) const {
  if (lag_count() > 0) throw_missing(*this, "add_lag_curvature()");
}

void ElementEnergy::add_start_stress(const ElementBlocks&, const double*, double*) const {
  if (depends_on_start()) throw_missing(*this, "add_start_stress()");
}

void ElementEnergy::add_mixed_products(const ElementBlocks&, const double*, const ElementDirections&, Eigen::MatrixXd&) const {
  if (lag_count() > 0 || depends_on_start()) throw_missing(*this, "add_mixed_products()");
}

}  // namespace holo
