#include "holo/opt/factor_reuse.h"

#include <algorithm>
#include <cmath>

namespace holo {
namespace {

// Costs of a factorization in back-substitutions: for its memory traffic, and flops per entry of L that cost one. Measured:
// docs/elastic-dynamics.md#factorizations-that-are-used-again.
constexpr double solves_of_traffic = 5, flops_of_solve = 60;

}  // namespace

double relative_cost_of_solve(const SparseSolver& factor) {
  const double flops = factor.factorization_flops(), entries = static_cast<double>(factor.factor_nonzeros());
  return flops > 0 ? 1 / (solves_of_traffic + flops / (flops_of_solve * entries)) : 1;
}

void FactorReuse::precondition(const SparseSolver& factor) {
  correction_.resize(residual_.size());
  factor.solve(residual_, correction_);
  ++back_substitutions_;
}

// p = M^-1 b and r = b - H p for b = -g. The Rayleigh quotient b.p / p.H p, which is p.M p over p.H p.
double FactorReuse::begin(const SparseSolver& factor, const SparseMatrix& hessian, const Eigen::VectorXd& gradient,
                          Eigen::VectorXd& direction) {
  back_substitutions_ = 0;
  residual_ = -gradient;
  precondition(factor);
  direction = correction_;
  product_.noalias() = hessian.selfadjointView<Eigen::Lower>() * direction;
  const double of_factor = residual_.dot(direction);
  residual_ -= product_;
  return of_factor / direction.dot(product_);
}

FactorReuse::Outcome FactorReuse::solve(const SparseSolver& factor, const SparseMatrix& hessian,
                                        const Eigen::VectorXd& gradient,
                                        const std::function<double(const Eigen::VectorXd&)>& size,
                                        const FactorReuseOptions& options, Eigen::VectorXd& direction) {
  const double quotient = begin(factor, hessian, gradient, direction);
  if (!std::isfinite(quotient)) return Outcome::failed;
  if (!(quotient > 0)) return Outcome::negative_curvature;
  double stretch = std::max(1.0, quotient), of_residual = 0;
  if (stretch * size(direction) <= options.smallest_error) return Outcome::solved;  // its error, too
  for (;;) {
    precondition(factor);
    const double length = size(direction), error = stretch * size(correction_);
    if (!std::isfinite(error) || !std::isfinite(length)) return Outcome::failed;
    if (error <= (length <= options.smallest ? options.smallest_error : options.forcing * length)) break;
    if (back_substitutions_ >= options.back_substitutions)
      return error < length && length > options.smallest ? Outcome::truncated : Outcome::failed;
    const double before = of_residual;
    of_residual = residual_.dot(correction_);
    if (back_substitutions_ == 2)
      search_ = correction_;
    else
      search_ = correction_ + of_residual / before * search_;
    product_.noalias() = hessian.selfadjointView<Eigen::Lower>() * search_;
    const double curvature = search_.dot(product_);
    if (!(curvature > 0)) return Outcome::negative_curvature;
    const double step = of_residual / curvature;
    stretch = std::max(stretch, step);
    direction += step * search_;
    residual_ -= step * product_;
  }
  direction += correction_;
  return Outcome::solved;
}

}  // namespace holo
