#include "holo/sim/dynamics/potential_term.h"

#include <fmt/format.h>

#include "holo/core/error.h"

namespace holo {
namespace {

void require_none(const PotentialTerm& term, Eigen::Index count, const char* what, const char* missing) {
  if (count > 0)
    throw Error(Failure::internal,
                fmt::format("the term '{}' has {} {} and does not override {}.", term.name(), count, what, missing));
}

}  // namespace

const Eigen::MatrixXd& TermDirections::none() {
  static const Eigen::MatrixXd no_rows(0, 0);
  return no_rows;
}

void PotentialTerm::add_derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                                    BlockAssembler& assembler) {
  add_gradient(x, gradient);
  add_hessian(x, curvature, assembler);
}

std::vector<PotentialTerm::Part> PotentialTerm::parts(const Eigen::VectorXd& x) {
  Part whole{name(), energy(x), Eigen::VectorXd::Zero(x.size())};
  add_gradient(x, whole.gradient);
  return {std::move(whole)};
}

Eigen::VectorXd PotentialTerm::parameters() const {
  require_none(*this, parameter_count(), "parameters", "parameters()");
  return Eigen::VectorXd(0);
}

void PotentialTerm::set_parameters(const Eigen::Ref<const Eigen::VectorXd>&) {
  require_none(*this, parameter_count(), "parameters", "set_parameters()");
}

void PotentialTerm::add_parameter_gradient(const Eigen::VectorXd&, Eigen::Ref<Eigen::MatrixXd>) {
  require_none(*this, parameter_count(), "parameters", "add_parameter_gradient()");
}

void PotentialTerm::add_lag_gradient(const Eigen::VectorXd&, const Eigen::Ref<const Eigen::MatrixXd>&,
                                     Eigen::Ref<Eigen::MatrixXd>) {
  require_none(*this, lag_count(), "lagged numbers", "add_lag_gradient()");
}

Eigen::MatrixXd PotentialTerm::lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                              const Eigen::Ref<const Eigen::MatrixXd>&) {
  require_none(*this, lag_count(), "lagged numbers", "lag_derivative()");
  return Eigen::MatrixXd(0, positions.cols());
}

void PotentialTerm::add_lag_curvature(const Eigen::VectorXd&, const Eigen::VectorXd&, const Eigen::Ref<const Eigen::MatrixXd>&,
                                      const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::MatrixXd&) {
  require_none(*this, lag_count(), "lagged numbers", "add_lag_curvature()");
}

void PotentialTerm::add_start_gradient(const Eigen::VectorXd&, const Eigen::Ref<const Eigen::MatrixXd>&,
                                       const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::Ref<Eigen::MatrixXd>) {}

}  // namespace holo
