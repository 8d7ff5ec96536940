#include "holo/sim/control/equilibrium_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dynamics/coefficient_derivatives.h"
#include "holo/core/error.h"

namespace holo {

namespace {

constexpr double parameter_step = 0x1p-8;
constexpr double equilibrium_tolerance = 1e-12;  // of equilibria, over the scene's length

}  // namespace

MaterialParameters::MaterialParameters(std::shared_ptr<const MaterialPlugin> plugin,
                                       std::vector<std::pair<std::string, double>> values,
                                       const std::vector<std::string>& designed)
    : plugin_(std::move(plugin)), values_(std::move(values)) {
  for (const std::string& name : designed) {
    const auto found = std::find_if(values_.begin(), values_.end(), [&](const auto& value) { return value.first == name; });
    if (found == values_.end())
      throw Error(Failure::input, fmt::format("the material '{}' has no value for the parameter '{}'.", plugin_->name(), name));
    places_.push_back(std::size_t(found - values_.begin()));
  }
}

Eigen::VectorXd MaterialParameters::start() const {
  Eigen::VectorXd result(count());
  for (Eigen::Index k = 0; k < count(); ++k) result[k] = values_[places_[std::size_t(k)]].second;
  return result;
}

std::vector<std::pair<std::string, double>> MaterialParameters::at(const Eigen::VectorXd& designed) const {
  std::vector<std::pair<std::string, double>> values = values_;
  for (Eigen::Index k = 0; k < count(); ++k) values[places_[std::size_t(k)]].second = designed[k];
  return values;
}

std::vector<double> MaterialParameters::coefficients(const Eigen::VectorXd& designed) const {
  return plugin_->coefficients(at(designed));
}

Eigen::MatrixXd MaterialParameters::jacobian(const Eigen::VectorXd& designed) const {
  const std::vector<double> all = plugin_->coefficient_jacobian(at(designed));
  const Eigen::Index columns = Eigen::Index(values_.size());
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> by_value(
      all.data(), Eigen::Index(all.size()) / columns, columns);
  Eigen::MatrixXd result(by_value.rows(), count());
  for (Eigen::Index k = 0; k < count(); ++k) result.col(k) = by_value.col(Eigen::Index(places_[std::size_t(k)]));
  return result;
}

Eigen::MatrixXd MaterialParameters::curvature(const Eigen::VectorXd& designed, const Eigen::VectorXd& weights) const {
  constexpr double factors[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(count(), count());
  for (Eigen::Index k = 0; k < count(); ++k) {
    const double step = parameter_step * designed[k];
    for (int n = 1; n <= 3; ++n)
      for (const int side : {1, -1}) {
        Eigen::VectorXd moved = designed;
        moved[k] += side * n * step;
        result.col(k) += side * factors[n - 1] / step * (jacobian(moved).transpose() * weights);
      }
  }
  return 0.5 * (result + result.transpose());
}

EquilibriumDesign::EquilibriumDesign(const ElasticScene& scene, StepLoss& loss, const MaterialParameters& material,
                                     Eigen::VectorXd units)
    : statics_(scene, {.newton = {.tolerance = equilibrium_tolerance, .max_iterations = 1000}, .smallest_increment = 1e-4}),
      loss_(loss),
      material_(material),
      units_(std::move(units)),
      end_(initial_state(*scene.model)),
      solver_(make_sparse_solver({.matrix = MatrixKind::positive_definite})) {
  if (!has_coefficient_parameters(scene.model->bodies().front()))
    throw Error(Failure::input, "the designed material is not uniform, or does not state its derivatives by coefficients.");
}

bool EquilibriumDesign::set_material(const Eigen::VectorXd& u) {
  try {
    const std::vector<double> coefficients = material_.coefficients(u.cwiseProduct(units_));
    Eigen::VectorXd parameters = statics_.potential().parameters();
    for (std::size_t k = 0; k < coefficients.size(); ++k) parameters[Eigen::Index(k)] = coefficients[k];
    statics_.potential().set_parameters(parameters);
    return true;
  } catch (const Error& error) {
    diagnosis_ = error.what();
    return false;
  }
}

bool EquilibriumDesign::begin(const Eigen::VectorXd& u) {
  if (!set_material(u)) return false;
  ElasticState state = initial_state(*statics_.scene().model);
  while (state.step < statics_.scene().integration.step_count) {
    const QuasiStaticResult result = statics_.step(state, workspace_);
    factorizations_ += result.factorizations;
    if (result.newton.status == NewtonStatus::converged) continue;
    diagnosis_ = result.newton.diagnosis;
    return false;
  }
  end_ = state;
  x_ = trial_x_ = state.positions;
  trial_u_ = u;
  return true;
}

// From the equilibrium of the last derivatives.
bool EquilibriumDesign::solve(const Eigen::VectorXd& u, Eigen::VectorXd& x) {
  if (trial_u_.size() == u.size() && trial_u_ == u) {
    x = trial_x_;
    return set_material(u);
  }
  if (!set_material(u)) return false;
  statics_.hold(end_);
  x = x_;
  workspace_.forget_factor();
  const NewtonResult result =
      minimize(statics_.potential(), x, {.tolerance = equilibrium_tolerance, .max_iterations = 1000}, workspace_);
  factorizations_ += result.factorizations;
  diagnosis_ = result.diagnosis;
  if (result.status != NewtonStatus::converged) return false;
  trial_u_ = u;
  trial_x_ = x;
  return true;
}

double EquilibriumDesign::value(const Eigen::VectorXd& u) {
  Eigen::VectorXd x;
  return solve(u, x) ? loss_.value(x) : std::numeric_limits<double>::infinity();
}

void EquilibriumDesign::gradient(const Eigen::VectorXd& u, Eigen::VectorXd& gradient) {
  gradient.setConstant(units_.size(), std::numeric_limits<double>::quiet_NaN());
  Eigen::VectorXd x, ignored;
  if (!solve(u, x)) return;
  x_ = x;
  IncrementalPotential& potential = statics_.potential();
  statics_.hold(end_);
  if (potential.derivatives(x_, Curvature::exact, ignored, hessian_) == PatternChange::changed) solver_->analyze(hessian_);
  ++factorizations_;
  if (!solver_->factorize(hessian_)) {
    diagnosis_ = "the equilibrium is not stable: the Hessian of the energy " + to_string(solver_->outcome());
    return;
  }
  Eigen::VectorXd of_x = Eigen::VectorXd::Zero(x_.size());
  loss_.add_gradient(x_, of_x);
  potential.clear_prescribed(of_x);
  adjoint_.resize(x_.size());
  solver_->solve(-of_x, adjoint_);
  const Eigen::MatrixXd jacobian = material_.jacobian(u.cwiseProduct(units_));
  by_coefficients_ = potential.parameter_gradient(x_).leftCols(jacobian.rows());
  gradient = units_.cwiseProduct(jacobian.transpose() * (by_coefficients_.transpose() * adjoint_));
}

bool EquilibriumDesign::hessian(const Eigen::VectorXd& u, Eigen::MatrixXd& hessian) {
  const Eigen::VectorXd p = u.cwiseProduct(units_);
  const Eigen::MatrixXd jacobian = material_.jacobian(p) * units_.asDiagonal();
  IncrementalPotential& potential = statics_.potential();
  Eigen::MatrixXd S(x_.size(), units_.size()), products = Eigen::MatrixXd::Zero(x_.size(), units_.size());
  solver_->solve(-by_coefficients_ * jacobian, S);
  loss_.add_hessian_products(x_, S, false, products);
  Eigen::MatrixXd parameters = Eigen::MatrixXd::Zero(potential.parameter_count(), units_.size());
  parameters.topRows(jacobian.rows()) = jacobian;
  hessian = S.transpose() * products + potential.adjoint_hessian(x_, adjoint_, {S, parameters}) +
            units_.asDiagonal() * material_.curvature(p, by_coefficients_.transpose() * adjoint_) * units_.asDiagonal();
  hessian = Eigen::MatrixXd(0.5 * (hessian + hessian.transpose()));
  return true;
}

}  // namespace holo
