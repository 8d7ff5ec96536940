#include "holo/sim/control/inverse_step.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "holo/sim/elastic/elastic_observations.h"

namespace holo {
namespace {

// Adds the time until its end to a sum.
class StageClock {
 public:
  explicit StageClock(double& sum) : sum_(sum), start_(std::chrono::steady_clock::now()) {}
  ~StageClock() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  StageClock(const StageClock&) = delete;

 private:
  double& sum_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

InverseStep::InverseStep(ImplicitEuler& integrator, StepLoss& loss, const InverseStepOptions& options)
    : integrator_(integrator),
      potential_(integrator.potential()),
      loss_(&loss),
      options_(options),
      range_(potential_.activations()),
      definite_(make_sparse_solver({.matrix = MatrixKind::positive_definite})),
      indefinite_(make_sparse_solver({.matrix = MatrixKind::indefinite})) {
  if (range_.count == 0) throw Error(Failure::internal, "a control needs muscles");
}

void InverseStep::set_activations(const Eigen::VectorXd& u) {
  Eigen::VectorXd parameters = potential_.parameters();
  parameters.segment(range_.first, range_.count) = options_.unit * u;
  potential_.set_parameters(parameters);
}

bool InverseStep::begin(const ElasticState& state, const Eigen::VectorXd& activations, double share) {
  u_ = share * activations / options_.unit;
  trial_u_.resize(0);
  has_factor_ = has_sensitivity_ = false;
  set_activations(u_);
  if (!integrator_.begin(state, x_)) {
    diagnosis_ = "the step has no start of finite energy";
    return false;
  }
  start_ = state.positions;
  potential_.apply_targets(start_);
  set_activations(u_);  // begin_step gave muscles that follow a signal its values
  const bool solved = solve(u_, x_);
  base_u_ = u_;
  base_x_ = x_;
  return solved;
}

Eigen::VectorXd InverseStep::lagged_forces(const Eigen::VectorXd& x) {
  Eigen::VectorXd forces = Eigen::VectorXd::Zero(x.size());
  for (const auto& term : potential_.potential_terms())
    if (term->lags_its_end()) term->add_gradient(x, forces);
  return forces;
}

bool InverseStep::update_lag(const Eigen::VectorXd& positions) {
  trial_u_.resize(0);
  has_factor_ = has_sensitivity_ = false;
  const Eigen::VectorXd before = lagged_forces(positions);
  const bool updated = potential_.update_lag_of_end(positions);
  const Eigen::VectorXd change = lagged_forces(positions) - before;
  lag_change_ = 0;
  for (Eigen::Index i = 0; i < change.size(); i += 3) lag_change_ += change.segment<3>(i).norm();
  return updated;
}

bool InverseStep::finish(const Eigen::VectorXd& unknowns) { return accept(unknowns); }

// Minimizes the potential from x. Materials that are defined for every F let the minimum be an inverted one. Then, and where
// there is no convergence, the minimization begins again at the start of the step and inverts no element on its way.
bool InverseStep::solve(const Eigen::VectorXd& u, Eigen::VectorXd& x) {
  const StageClock clock(times_.forward);
  set_activations(u);
  ++counts_.forward_solves;
  const ElasticModel& model = *integrator_.scene().model;
  if (descend(x) && determinants(model, x).inverted_elements == 0) return true;
  ++counts_.restarts;
  x = start_;
  if (determinants(model, x).inverted_elements == 0) {
    potential_.prevent_inversion(true);
    const bool converged = descend(x);
    potential_.prevent_inversion(false);
    if (converged) return true;
  } else {
    diagnosis_ = "handles invert an element";
  }
  ++counts_.failed_solves;
  return false;
}

bool InverseStep::descend(Eigen::VectorXd& x) {
  const NewtonResult result = minimize(potential_, x, options_.forward, integrator_.workspace());
  counts_.newton_iterations += static_cast<int>(result.iterations.size());
  counts_.factorizations += result.factorizations;
  counts_.back_substitutions += result.back_substitutions;
  if (result.status == NewtonStatus::converged) return true;
  diagnosis_ = result.diagnosis;
  return false;
}

// The x from which trials start, moved along its sensitivity as far as the domain reaches; that x itself where its energy is
// lower.
void InverseStep::predict(const Eigen::VectorXd& u, Eigen::VectorXd& x) {
  x = base_x_;
  if (!has_sensitivity_ || u == base_u_) return;
  set_activations(u);
  const Eigen::VectorXd direction = sensitivity_ * (u - base_u_);
  const Eigen::VectorXd moved = base_x_ + potential_.feasible_step(base_x_, direction) * direction;
  if (potential_.energy(moved) <= potential_.energy(base_x_)) x = moved;
}

// Whether a solution may end a step: no element is crushed, and it belongs to the branch that was predicted.
bool InverseStep::is_allowed(const Eigen::VectorXd& predicted, const Eigen::VectorXd& x) {
  const double determinant = determinants(*integrator_.scene().model, x).minimum;
  if (!(determinant > options_.least_determinant)) {
    ++counts_.crushed_points;
    diagnosis_ = fmt::format("an element is compressed to {:.3g} of its volume at these activations; {:g} are allowed",
                             determinant, options_.least_determinant);
    return false;
  }
  if (const double jump = potential_.step_size(x - predicted); !(jump <= options_.largest_jump)) {
    ++counts_.branch_jumps;
    diagnosis_ = fmt::format("the bodies leave their branch of solutions: they move {:.3g} of the scene's length away", jump);
    return false;
  }
  return true;
}

double InverseStep::value(const Eigen::VectorXd& u) {
  trial_u_ = u;
  predict(u, trial_x_);
  const Eigen::VectorXd predicted = trial_x_;
  if (!solve(u, trial_x_) || !is_allowed(predicted, trial_x_)) {
    trial_u_.resize(0);
    return std::numeric_limits<double>::infinity();
  }
  loss_->set_activations(options_.unit * u);
  const double value = loss_->value(trial_x_);
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

// Makes u the point from which trials start, with x(u) converged deeply and its factor.
bool InverseStep::accept(const Eigen::VectorXd& u) {
  if (!converge_at(u)) return false;
  has_sensitivity_ = has_sensitivity_ && u == base_u_;
  base_u_ = u_;
  base_x_ = x_;
  return true;
}

// Converges x(u) deeply and factorizes there.
bool InverseStep::converge_at(const Eigen::VectorXd& u) {
  if (has_factor_ && u == u_) {
    set_activations(u);  // the potential has those of the last trial
    return true;
  }
  Eigen::VectorXd x;
  if (u.size() == trial_u_.size() && u == trial_u_) {
    x = trial_x_;
    set_activations(u);
  } else {
    predict(u, x);
    if (!solve(u, x)) return false;
  }
  has_factor_ = false;  // also where the next one is not found
  if (const StageClock clock(times_.forward); !converge_deeply(x)) {
    diagnosis_ = "the step's potential has no regular minimum at these activations";
    return false;
  }
  u_ = u;
  x_ = x;
  has_factor_ = true;
  return true;
}

void InverseStep::gradient(const Eigen::VectorXd& u, Eigen::VectorXd& gradient) {
  if (accept(u))
    trial_gradient(u, gradient);
  else
    gradient.setConstant(range_.count, std::numeric_limits<double>::quiet_NaN());  // which ends a minimization
}

void InverseStep::trial_gradient(const Eigen::VectorXd& u, Eigen::VectorXd& gradient) {
  if (!converge_at(u)) {
    gradient.setConstant(range_.count, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const StageClock clock(times_.gradient);
  ++counts_.gradients;
  Eigen::VectorXd of_x = Eigen::VectorXd::Zero(x_.size());
  loss_->set_activations(activations());
  loss_->add_gradient(x_, of_x);
  potential_.clear_prescribed(of_x);
  adjoint_.resize(x_.size());
  solver_->solve(-of_x, adjoint_);
  ++counts_.back_substitutions;
  activation_gradient_ = options_.unit * potential_.activation_gradient(x_);
  gradient = activation_gradient_.transpose() * adjoint_;
  Eigen::VectorXd of_activations = Eigen::VectorXd::Zero(range_.count);
  loss_->add_activation_gradient(x_, of_activations);
  gradient += options_.unit * of_activations;
}

const Eigen::MatrixXd& InverseStep::sensitivity() {
  if (has_sensitivity_) return sensitivity_;
  sensitivity_.resize(x_.size(), range_.count);
  solver_->solve(-activation_gradient_, sensitivity_);
  counts_.back_substitutions += static_cast<int>(range_.count);
  has_sensitivity_ = u_ == base_u_;  // trials start with that of the accepted point
  return sensitivity_;
}

// (S, I)^T d2L/d(x, a)2 (S, I) at the accepted point.
Eigen::MatrixXd InverseStep::loss_hessian(bool gauss_newton) {
  const Eigen::MatrixXd& S = sensitivity();
  const StepColumns directions{S, options_.unit * Eigen::MatrixXd::Identity(range_.count, range_.count)};
  StepColumns products{Eigen::MatrixXd::Zero(S.rows(), S.cols()), Eigen::MatrixXd::Zero(range_.count, range_.count)};
  loss_->set_activations(activations());
  loss_->add_joint_hessian_products(x_, directions, gauss_newton, products);
  return S.transpose() * products.positions + options_.unit * products.activations;
}

bool InverseStep::gauss_newton_hessian(const Eigen::VectorXd&, Eigen::MatrixXd& hessian) {
  const StageClock clock(times_.hessian);
  hessian = loss_hessian(true);
  return true;
}

bool InverseStep::hessian(const Eigen::VectorXd&, Eigen::MatrixXd& hessian) {
  const StageClock clock(times_.hessian);
  ++counts_.hessians;
  const Eigen::MatrixXd& S = sensitivity();
  Eigen::MatrixXd parameters = Eigen::MatrixXd::Zero(potential_.parameter_count(), range_.count);
  parameters.middleRows(range_.first, range_.count).diagonal().setConstant(options_.unit);
  hessian = loss_hessian(false) + potential_.adjoint_hessian(x_, adjoint_, {S, parameters});
  hessian = Eigen::MatrixXd(0.5 * (hessian + hessian.transpose()));
  return true;
}

}  // namespace holo
