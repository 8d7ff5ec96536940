#include "holo/diff/implicit/implicit_derivatives.h"

#include <string>

#include "holo/core/numerics/parallel.h"

namespace holo {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = ImplicitError::Kind;

namespace {

void require_finite(const Eigen::Ref<const MatrixXd>& x, const std::string& name) {
  if (!x.allFinite())
    throw ImplicitError(Kind::not_finite, name + " is not finite: derivatives through an equilibrium need a finite state");
}
void require_size(Index found, Index expected, const std::string& name) {
  if (found != expected)
    throw ImplicitError(Kind::dimension_mismatch,
                        name + " has " + std::to_string(found) + " entries, expected are " + std::to_string(expected));
}
// The largest absolute value.
double largest(const VectorXd& x) { return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff(); }

}  // namespace

ImplicitDerivatives::ImplicitDerivatives(ImplicitProblem& problem, ImplicitOptions options)
    : problem_(problem), n_(problem.state_dimension()), m_(problem.parameter_dimension()) {
  if (n_ <= 0 || m_ <= 0)
    throw ImplicitError(Kind::dimension_mismatch, "the state has " + std::to_string(n_) + " entries and there are " +
                                                      std::to_string(m_) + " parameters: at least one of each is needed");
  improve_state(options);
  loss_ = problem_.loss();
  const VectorXd by_state = problem_.loss_by_state(), by_parameters = problem_.loss_by_parameters();
  require_size(by_state.size(), n_, "the loss's derivative by the state");
  require_size(by_parameters.size(), m_, "the loss's derivative by the parameters");
  require_finite(by_state, "the loss's derivative by the state");
  require_finite(by_parameters, "the loss's derivative by the parameters");
  // The adjoint gradient: J' lambda = -ell_x, then dl/da = ell_a + r_a' lambda.
  MatrixXd lambda = -by_state, projected(m_, 1);
  problem_.solve_transposed(lambda);
  ++counts_.solves;
  require_finite(lambda, "the adjoint solution");
  lambda_ = lambda;
  problem_.residual_by_parameters_transposed(lambda, projected);
  gradient_ = by_parameters + projected.col(0);
  require_finite(gradient_, "the gradient");
}

void ImplicitDerivatives::factorize() {
  ++counts_.factorizations;
  if (!problem_.factorize())
    throw ImplicitError(Kind::singular,
                        "the Jacobian of the residual is singular at this state: the state does not depend "
                        "smoothly on the parameters here");
}

// One Newton step from the converged state, since the derivatives have errors of the size of the remaining residual. The
// Jacobian is factorized again only if the step is large enough to change it.
void ImplicitDerivatives::improve_state(const ImplicitOptions& options) {
  const VectorXd x = problem_.state();
  require_size(x.size(), n_, "the state");
  require_finite(x, "the state");
  const VectorXd r = problem_.residual();
  require_size(r.size(), n_, "the residual");
  require_finite(r, "the residual");
  const double bound = options.residual_tolerance * problem_.force_scale();
  if (!(largest(r) <= bound))
    throw ImplicitError(Kind::not_converged, "the residual's largest entry is " + std::to_string(largest(r) / bound) +
                                                 " times what is allowed (" +
                                                 std::to_string(options.residual_tolerance * 1e10) +
                                                 "e-10 of the force scale): converge the state before it is differentiated");
  factorize();
  MatrixXd step = r;
  problem_.solve(step);
  require_finite(step, "the Newton step");
  const double size = std::max(1.0, largest(x));
  if (largest(step) == 0) return;
  problem_.set_state(x - step);
  ++counts_.newton_steps;
  if (largest(step) > options.step_tolerance * size) factorize();
}

void ImplicitDerivatives::prepare_multipliers() {
  if (!multipliers_set_) problem_.set_multipliers(lambda_);
  multipliers_set_ = true;
}

// Calls body(first, count) for consecutive blocks of parameters.
template <class Body>
void ImplicitDerivatives::for_blocks(const Body& body) const {
  const auto run = [&](std::size_t begin, std::size_t end) { body(Index(begin), Index(end - begin)); };
  if (problem_.concurrent()) {
    parallel_for(std::size_t(m_), std::size_t(block), run);
  } else {
    for (Index first = 0; first < m_; first += block) body(first, std::min(block, m_ - first));
  }
}

// X = dx/da = -J^-1 r_a, a block of columns at a time.
const MatrixXd& ImplicitDerivatives::sensitivities() {
  if (sensitivities_.size() != 0) return sensitivities_;
  MatrixXd X(n_, m_);
  for_blocks([&](Index first, Index count) {
    const MatrixXd units = MatrixXd::Identity(m_, m_).middleCols(first, count);
    MatrixXd columns(n_, count);
    problem_.residual_by_parameters(units, columns);
    columns = -columns;
    problem_.solve(columns);
    X.middleCols(first, count) = columns;
  });
  require_finite(X, "the sensitivity of the state");
  counts_.solves += int(m_);
  counts_.residual_columns += int(m_);
  sensitivities_ = std::move(X);
  return sensitivities_;
}

// Columns of the Hessian by the adjoint form: ell_aa da + ell_ax dx + r_a' lambda', where lambda', the derivative of the
// multipliers along (dx, da), solves J' lambda' = -(ell_xx dx + ell_xa da).
void ImplicitDerivatives::adjoint_columns(const Eigen::Ref<const MatrixXd>& dx, const Eigen::Ref<const MatrixXd>& da,
                                          Eigen::Ref<MatrixXd> result) const {
  MatrixXd by_state(n_, dx.cols()), by_parameters(m_, dx.cols()), indirect(m_, dx.cols());
  problem_.lagrangian_directional(dx, da, by_state, by_parameters);
  by_state = -by_state;
  problem_.solve_transposed(by_state);
  problem_.residual_by_parameters_transposed(by_state, indirect);
  result = by_parameters + indirect;
}

ImplicitHessian ImplicitDerivatives::hessian(ImplicitForm form) {
  const MatrixXd& X = sensitivities();
  prepare_multipliers();
  MatrixXd H(m_, m_);
  for_blocks([&](Index first, Index count) {
    const MatrixXd units = MatrixXd::Identity(m_, m_).middleCols(first, count), dx = X.middleCols(first, count);
    if (form == ImplicitForm::adjoint) {
      adjoint_columns(dx, units, H.middleCols(first, count));
      return;
    }
    // Form II: with X = dx/da, H = ell_aa + ell_ax X + X' (ell_xa + ell_xx X), without further solves.
    MatrixXd by_state(n_, count), by_parameters(m_, count);
    problem_.lagrangian_directional(dx, units, by_state, by_parameters);
    by_parameters.noalias() += X.transpose() * by_state;
    H.middleCols(first, count) = by_parameters;
  });
  counts_.directional_columns += int(m_);
  if (form == ImplicitForm::adjoint) counts_.solves += int(m_);
  require_finite(H, "the Hessian");
  // Mirrored entries differ by rounding errors; their difference is a measure of the accuracy.
  ImplicitHessian result{loss_, gradient_, 0.5 * (H + H.transpose()), 0};
  const double size = H.cwiseAbs().maxCoeff();
  if (size > 0) result.asymmetry = (H - H.transpose()).cwiseAbs().maxCoeff() / size;
  return result;
}

ImplicitProduct ImplicitDerivatives::hessian_product(const VectorXd& v) {
  require_size(v.size(), m_, "the direction");
  require_finite(v, "the direction");
  prepare_multipliers();
  MatrixXd dx(n_, 1), result(m_, 1);
  problem_.residual_by_parameters(v, dx);
  dx = -dx;
  problem_.solve(dx);
  adjoint_columns(dx, v, result);
  counts_.solves += 2;
  ++counts_.directional_columns;
  ++counts_.residual_columns;
  require_finite(result, "the product with the Hessian");
  return {result.col(0)};
}

}  // namespace holo
