#include "dense/secant_newton.h"

#include <algorithm>
#include <cmath>

#include "dense/value_resolution.h"

namespace holo {

namespace {

// Accepted steps with one Hessian. For the inverse problems of docs/elastic-control.md three cost the least time: with more,
// the model knows less of the point than the trials that a new Hessian costs.
constexpr int steps_per_hessian = 3;

// The ratio of actual and predicted decrease below which the trust region shrinks and above which it grows, its factors, the
// part of the radius from which on a step is said to end at its border, and the factor after a point without a value.
constexpr double poor_ratio = 0.25, good_ratio = 0.7, region_shrinking = 0.5, region_growth = 2, at_border = 0.8,
                 refusal_shrinking = 0.25;

constexpr double least_secant = 1e-8;  // of the denominator of a change of the model, over what it could be

}  // namespace

void SecantNewton::start(int dimension, const DenseOptions& options) {
  trust_region_.resize(dimension);
  free_.reserve(std::size_t(dimension));
  model_.resize(dimension, dimension);
  for (Eigen::VectorXd* vector : {&step_, &product_, &trial_, &trial_gradient_, &defect_}) vector->resize(dimension);
  radius_ = options.trust_radius;
}

SecantNewton::Outcome SecantNewton::iterate(DenseProblem& problem, const DenseBox& box, const DenseOptions& options,
                                            Point point, int& unseen_steps, DenseIteration& log) {
  model_.triangularView<Eigen::StrictlyUpper>() = model_.transpose();
  if (!find_step(box, options, point, log)) return Outcome::not_finite;
  // A region that kinks have made so small that f resolves no step in it says nothing of a minimum.
  if (std::abs(point.gradient.dot(step_)) <= value_resolution(point.value) && step_.norm() > at_border * radius_) {
    radius_ = options.trust_radius;
    if (!find_step(box, options, point, log)) return Outcome::not_finite;
  }
  for (int trial = 0; trial <= options.max_halvings; ++trial) {
    const Trial result = try_step(problem, box, options, point, unseen_steps, log);
    if (result == Trial::last || log.steps == steps_per_hessian) break;
    if (result == Trial::accepted && box.projected_gradient(point.x, point.gradient) <= options.tolerance) break;
    if (!find_step(box, options, point, log)) break;
  }
  return log.steps > 0 ? Outcome::moved : Outcome::stuck;
}

// The step of the model in the trust region, not longer than the options allow.
bool SecantNewton::find_step(const DenseBox& box, const DenseOptions& options, Point point, DenseIteration& log) {
  box.find_free(point.x, point.gradient, free_);
  if (!trust_region_.find(model_, point.gradient, box, point.x, free_, radius_, step_) || !step_.allFinite()) return false;
  if (const double reach = step_.lpNorm<Eigen::Infinity>(); reach > options.longest_step) step_ *= options.longest_step / reach;
  if (log.evaluations == 0) {
    log.shift = trust_region_.shift();
    first_length_ = step_.norm();
  }
  return true;
}

// Steps whose gain is below the rounding of f are accepted, at most a few times, unless f increases visibly: they give Newton's
// method its last digits. Only the first trial of an iteration may be one, and it is the last.
SecantNewton::Trial SecantNewton::try_step(DenseProblem& problem, const DenseBox& box, const DenseOptions& options, Point point,
                                           int& unseen_steps, DenseIteration& log) {
  const double resolution = value_resolution(point.value), length = step_.norm();
  product_.noalias() = model_ * step_;
  const double slope = point.gradient.dot(step_), predicted = -slope - step_.dot(product_) / 2;
  const bool is_first = log.evaluations == 0, is_unseen = std::abs(slope) <= resolution;
  if (is_first) unseen_steps = is_unseen ? unseen_steps + 1 : 0;
  if (is_unseen && !is_first) return Trial::last;
  trial_ = box.project(point.x + step_);
  const double value = problem.value(trial_);
  ++log.evaluations;
  if (std::isfinite(value)) problem.trial_gradient(trial_, trial_gradient_);
  if (!std::isfinite(value) || !trial_gradient_.allFinite()) {
    radius_ = refusal_shrinking * length;
    return is_unseen ? Trial::last : Trial::refused;
  }
  const double decrease = point.value - value;
  const bool is_newton = options.method == DenseMethod::newton;
  if (is_newton) update_model(point.gradient);
  if (is_unseen ? decrease < -resolution : !(predicted > 0) || decrease < options.sufficient_decrease * predicted) {
    radius_ = region_shrinking * length;
    return is_unseen ? Trial::last : Trial::refused;
  }
  if (decrease < poor_ratio * predicted && !is_unseen)
    radius_ = region_shrinking * length;
  else if (decrease > good_ratio * predicted && length > at_border * radius_)
    radius_ *= region_growth;
  point.x.swap(trial_);
  point.gradient.swap(trial_gradient_);
  point.value = value;
  if (++log.steps == 1) log.step_length = length > 0 ? length / first_length_ : 1;
  return is_unseen || !is_newton ? Trial::last : Trial::accepted;
}

// The symmetric rank-one change by which the model has the trial's gradient, where it is well defined.
void SecantNewton::update_model(const Eigen::VectorXd& gradient) {
  defect_ = trial_gradient_ - gradient - product_;
  const double curvature = defect_.dot(step_);
  if (std::abs(curvature) > least_secant * defect_.norm() * step_.norm())
    model_.noalias() += (defect_ / curvature) * defect_.transpose();
}

}  // namespace holo
