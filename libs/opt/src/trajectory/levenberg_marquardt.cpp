#include "holo/opt/trajectory/levenberg_marquardt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "holo/core/error.h"
#include "trajectory/scaled_linearization.h"
#include "trajectory/unconstrained_diagnosis.h"

namespace holo {

namespace {

constexpr double shortest_damped_step = 1e-13;  // |p|_W of a refused step: the minimization has stalled
constexpr double first_growth = 2, singular_growth = 10;
constexpr int most_singular_dampings = 8;
constexpr int most_unseen_steps = 3;

void require_valid(const LevenbergMarquardtOptions& options) {
  if (options.max_iterations >= 0 && options.stationarity_tolerance > 0 && options.initial_damping > 0 &&
      options.least_damping > 0 && options.least_ratio > 0 && options.least_ratio < 1)
    return;
  throw Error(
      Failure::internal,
      fmt::format("Levenberg-Marquardt: max_iterations {}, stationarity_tolerance {}, initial_damping {}, least_damping "
                  "{}, least_ratio {}; the first must be at least 0, the others positive, the last below 1.",
                  options.max_iterations, options.stationarity_tolerance, options.initial_damping, options.least_damping,
                  options.least_ratio));
}

}  // namespace

class LevenbergMarquardt::Implementation {
 public:
  Implementation(PenalizedProblem& problem, const LevenbergMarquardtOptions& options)
      : problem_(problem), options_((require_valid(options), options)), system_(problem.constrained().system()) {
    const int n = problem.unknown_count(), m = system_.constraint_count();
    for (Eigen::VectorXd* vector : {&gradient_, &step_, &product_, &trial_, &diagonal_}) vector->setZero(n);
    rows_.setZero(m);
    constraint_shift_.setConstant(m, 1 / (2 * problem.weight()));
    right_side_.setZero(n + m, 1);
    solution_.setZero(n + m, 1);
  }

  LevenbergMarquardtState begin() const {
    LevenbergMarquardtState state;
    state.damping = options_.initial_damping;
    state.growth = first_growth;
    return state;
  }

  UnconstrainedResult advance(Eigen::VectorXd& point, LevenbergMarquardtState& state, int iterations) {
    require_sizes(point, state);
    state_ = state;
    const int last = std::min(options_.max_iterations, state_.iteration + std::min(iterations, options_.max_iterations));
    result_ = {};
    result_.iterations.reserve(std::size_t(std::max(last - state_.iteration, 0)));
    is_linearized_ = false;
    result_.value = problem_.value(point);
    problem_.describe(parts_);
    result_.status = std::isfinite(result_.value) ? iterate(point, last) : UnconstrainedStatus::outside_the_domain;
    if (result_.status != UnconstrainedStatus::outside_the_domain)
      problem_.value(point);  // for the parts: not of a refused trial
    problem_.describe(parts_);
    result_.objective = parts_.objective;
    result_.constraint_largest = parts_.constraint_largest;
    result_.diagnosis =
        what_happened(result_, options_.max_iterations, options_.stationarity_tolerance, problem_.description());
    state = state_;
    return std::move(result_);
  }

 private:
  using End = std::optional<UnconstrainedStatus>;  // the reason to stop

  void require_sizes(const Eigen::VectorXd& point, const LevenbergMarquardtState& state) const {
    const int n = problem_.unknown_count();
    if (point.size() != n || (state.metric.size() != n && state.metric.size() != 0))
      throw Error(Failure::internal, fmt::format("Levenberg-Marquardt: the point has {} entries, the state's metric {}; the "
                                                 "problem needs {}, or none of the metric before the first iteration.",
                                                 point.size(), state.metric.size(), n));
  }

  // Each iteration is one trial. Every trial has a damping of its own, and a factorization.
  UnconstrainedStatus iterate(Eigen::VectorXd& point, int last) {
    while (state_.iteration < last) {
      UnconstrainedIteration log;
      log.iteration = ++state_.iteration;
      End end = is_linearized_ ? End() : linearize(point, log);
      if (!end) describe(log);
      if (!end && log.stationarity < options_.stationarity_tolerance) end = UnconstrainedStatus::converged;
      if (!end && !find_step(log)) end = UnconstrainedStatus::singular;
      if (!end) end = try_step(point, log);
      result_.iterations.push_back(log);
      if (end) return *end;
    }
    return state_.iteration < options_.max_iterations ? UnconstrainedStatus::unfinished : UnconstrainedStatus::iteration_limit;
  }

  End linearize(const Eigen::VectorXd& point, UnconstrainedIteration& log) {
    problem_.linearize(point, gradient_);
    log.gradients = 1;
    if (!gradient_.allFinite()) return UnconstrainedStatus::not_finite;
    if (state_.metric.size() == 0) state_.metric = find_scales(system_, options_.metric).metric;
    system_.hessian_diagonal(diagonal_);
    system_.jacobian_row_norms(rows_);
    // Of H + 2 w A^T A; the trace of A^T A is the sum of the squared rows.
    curvature_ = (diagonal_.cwiseAbs().sum() + 2 * problem_.weight() * rows_.squaredNorm()) / double(diagonal_.size());
    result_.stationarity = gradient_.lpNorm<Eigen::Infinity>();
    is_linearized_ = true;
    return {};
  }

  void describe(UnconstrainedIteration& log) const {
    static_cast<SqpIteration&>(log) = parts_;
    log.iteration = state_.iteration;
    log.value = result_.value;
    log.stationarity = result_.stationarity;
  }

  // (H + lambda W + 2 w A^T A) p = -gradient, as the first part of K1 (p, y) = (-gradient, 0) with Dc = 1 / (2 w): its second
  // row gives y = 2 w A p. Where K1 has no accurate solution, lambda grows.
  bool find_step(UnconstrainedIteration& log) {
    right_side_.setZero();
    right_side_.col(0).head(gradient_.size()) = -gradient_;
    for (int attempt = 0; attempt <= most_singular_dampings; ++attempt) {
      if (attempt > 0) state_.damping *= singular_growth;
      const double damping = state_.damping * (curvature_ > 0 ? curvature_ : 1) / state_.metric.mean();
      ++log.factorizations;
      const auto outcome = system_.factor(SaddlePointSelection::model, state_.metric, damping, constraint_shift_);
      log.damping = state_.damping;
      if (outcome == SaddlePointOutcome::factorized && system_.solve(SaddlePointMatrix::model, right_side_, solution_)) {
        step_ = solution_.col(0).head(gradient_.size());
        return true;
      }
    }
    return false;
  }

  // -(g . p + p . H p / 2 + w |A p|^2).
  double predicted_decrease() {
    system_.multiply_hessian(step_, product_);
    system_.multiply_jacobian(step_, rows_);
    return -(gradient_.dot(step_) + step_.dot(product_) / 2 + problem_.weight() * rows_.squaredNorm());
  }

  End try_step(Eigen::VectorXd& point, UnconstrainedIteration& log) {
    const double predicted = predicted_decrease(), before = result_.value;
    const double rounding = 10 * std::numeric_limits<double>::epsilon() * std::abs(before);
    log.step_norm = std::sqrt((step_.array().square() * state_.metric.array()).sum());
    log.step_largest = step_.lpNorm<Eigen::Infinity>();
    trial_ = point + step_;
    const double value = problem_.value(trial_), actual = before - value;
    log.evaluations = 1;
    const bool is_unseen = std::abs(predicted) < rounding && std::abs(actual) < rounding;
    log.ratio = std::isfinite(value) ? (predicted > 0 ? actual / predicted : -1) : std::numeric_limits<double>::quiet_NaN();
    if (is_unseen) log.ratio = 1;
    const bool is_taken = log.ratio >= options_.least_ratio;
    update_damping(is_taken, log.ratio);
    log.step_length = is_taken ? 1 : 0;
    if (!is_taken) return log.step_norm < shortest_damped_step ? UnconstrainedStatus::stalled : End();
    point.swap(trial_);
    result_.value = value;
    problem_.describe(parts_);
    is_linearized_ = false;
    state_.unseen_steps = is_unseen ? state_.unseen_steps + 1 : 0;
    return state_.unseen_steps > most_unseen_steps ? UnconstrainedStatus::stalled : End();
  }

  // [Nielsen1999]: a continuous function of the ratio, and growth that accelerates.
  void update_damping(bool is_taken, double ratio) {
    if (is_taken) {
      const double excess = 2 * std::min(ratio, 2.0) - 1;
      state_.damping = std::max(state_.damping * std::max(1.0 / 3, 1 - excess * excess * excess), options_.least_damping);
      state_.growth = first_growth;
    } else {
      state_.damping *= state_.growth;
      state_.growth *= 2;
    }
  }

  PenalizedProblem& problem_;
  const LevenbergMarquardtOptions options_;
  SaddlePointSystem& system_;
  LevenbergMarquardtState state_;
  UnconstrainedResult result_;
  SqpIteration parts_;  // of the value at the point
  bool is_linearized_ = false;
  double curvature_ = 0;                                          // mean diagonal of H + 2 w A^T A
  Eigen::VectorXd gradient_, step_, product_, trial_, diagonal_;  // [unknown]
  Eigen::VectorXd rows_, constraint_shift_;                       // [constraint]
  Eigen::MatrixXd right_side_, solution_;                         // [unknown, then constraint][1]
};

LevenbergMarquardt::LevenbergMarquardt(PenalizedProblem& problem, const LevenbergMarquardtOptions& options)
    : implementation_(std::make_unique<Implementation>(problem, options)) {}

LevenbergMarquardt::~LevenbergMarquardt() = default;

LevenbergMarquardtState LevenbergMarquardt::begin() const { return implementation_->begin(); }

UnconstrainedResult LevenbergMarquardt::advance(Eigen::VectorXd& point, LevenbergMarquardtState& state, int iterations) {
  return implementation_->advance(point, state, iterations);
}

UnconstrainedResult LevenbergMarquardt::solve(Eigen::VectorXd& point) {
  LevenbergMarquardtState state = begin();
  return advance(point, state, std::numeric_limits<int>::max());
}

}  // namespace holo
