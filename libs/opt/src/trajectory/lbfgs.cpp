#include "holo/opt/trajectory/lbfgs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "dense/lbfgs_direction.h"
#include "dense/value_resolution.h"
#include "holo/core/error.h"
#include "trajectory/strong_wolfe_search.h"
#include "trajectory/unconstrained_diagnosis.h"

namespace holo {

namespace {

constexpr int most_unseen_descents = 3;

void require_valid(const LbfgsOptions& options) {
  if (options.history >= 1 && options.max_iterations >= 0 && options.stationarity_tolerance > 0 &&
      options.sufficient_decrease > 0 && options.sufficient_decrease < 0.5 && options.curvature > options.sufficient_decrease &&
      options.curvature < 1 && options.first_step > 0 && options.max_evaluations >= 1)
    return;
  throw Error(Failure::internal,
              fmt::format("L-BFGS: history {}, max_iterations {}, stationarity_tolerance {}, sufficient_decrease {}, curvature "
                          "{}, first_step {}, max_evaluations {}; history and max_evaluations must be at least 1, "
                          "max_iterations at least 0, the others positive, sufficient_decrease below 0.5 and curvature "
                          "between that and 1.",
                          options.history, options.max_iterations, options.stationarity_tolerance, options.sufficient_decrease,
                          options.curvature, options.first_step, options.max_evaluations));
}

}  // namespace

class Lbfgs::Implementation final : LineFunction {
 public:
  Implementation(SmoothFunction& function, const LbfgsOptions& options)
      : function_(function), options_((require_valid(options), options)) {
    const int n = function.unknown_count();
    for (Eigen::VectorXd* vector : {&gradient_, &direction_, &trial_, &trial_gradient_}) vector->setZero(n);
    history_.resize(n, options.history);
  }

  UnconstrainedResult advance(Eigen::VectorXd& point, LbfgsState& state, int iterations) {
    require_sizes(point, state);
    iteration_ = state.iteration;
    unseen_steps_ = state.unseen_steps;
    history_.load(state.steps, state.gradient_changes);
    const int last = std::min(options_.max_iterations, iteration_ + std::min(iterations, options_.max_iterations));
    result_ = {};
    result_.iterations.reserve(std::size_t(std::max(last - iteration_, 0)));
    point_ = &point;
    result_.value = function_.value(point);
    result_.status = std::isfinite(result_.value) ? begin_iterations(last) : UnconstrainedStatus::outside_the_domain;
    SqpIteration parts;
    function_.describe(parts);
    result_.objective = parts.objective;
    result_.constraint_largest = parts.constraint_largest;
    result_.diagnosis =
        what_happened(result_, options_.max_iterations, options_.stationarity_tolerance, function_.description());
    state.iteration = iteration_;
    state.unseen_steps = unseen_steps_;
    history_.store(state.steps, state.gradient_changes);
    return std::move(result_);
  }

 private:
  void require_sizes(const Eigen::VectorXd& point, const LbfgsState& state) const {
    const Eigen::Index n = function_.unknown_count(), pairs = state.steps.cols();
    const bool fits = pairs == 0 || (state.steps.rows() == n && state.gradient_changes.rows() == n);
    if (point.size() != n || !fits || state.gradient_changes.cols() != pairs || pairs > options_.history)
      throw Error(Failure::internal,
                  fmt::format("L-BFGS: the point has {} entries, the state {} x {} steps and {} x {} changes of the gradient; "
                              "the function needs {} entries, and at most {} pairs.",
                              point.size(), state.steps.rows(), pairs, state.gradient_changes.rows(),
                              state.gradient_changes.cols(), n, options_.history));
  }

  UnconstrainedStatus begin_iterations(int last) {
    function_.gradient(*point_, gradient_);
    if (!gradient_.allFinite()) return UnconstrainedStatus::not_finite;
    while (iteration_ < last) {
      UnconstrainedIteration log;
      function_.describe(log);
      log.iteration = ++iteration_;
      log.value = result_.value;
      log.stationarity = result_.stationarity = gradient_.lpNorm<Eigen::Infinity>();
      const auto end = log.stationarity < options_.stationarity_tolerance ? UnconstrainedStatus::converged : descend(log);
      result_.iterations.push_back(log);
      if (end) return *end;
    }
    result_.stationarity = gradient_.lpNorm<Eigen::Infinity>();
    return iteration_ < options_.max_iterations ? UnconstrainedStatus::unfinished : UnconstrainedStatus::iteration_limit;
  }

  using End = std::optional<UnconstrainedStatus>;  // the reason to stop

  // Along the direction of the history, and where this does not lead down, along the gradient with a new history.
  End descend(UnconstrainedIteration& log) {
    history_.find(gradient_, direction_);
    double slope = gradient_.dot(direction_);
    if (!(slope < 0) || !direction_.allFinite()) history_.clear();
    if (history_.count() == 0) slope = steepest_descent();
    WolfeStep step = search(slope, log);
    if (!step.is_found && history_.count() > 0) {
      history_.clear();
      slope = steepest_descent();
      step = search(slope, log);
    }
    if (!step.is_found) {
      function_.value(*point_);  // whose parts the result has
      return is_not_finite_ ? UnconstrainedStatus::not_finite : UnconstrainedStatus::stalled;
    }
    take(step, slope, log);
    unseen_steps_ = -slope * step.length <= value_resolution(log.value) ? unseen_steps_ + 1 : 0;
    return unseen_steps_ > most_unseen_descents ? UnconstrainedStatus::stalled : End();
  }

  double steepest_descent() {
    const double largest = gradient_.lpNorm<Eigen::Infinity>();
    direction_ = -(largest > options_.first_step ? options_.first_step / largest : 1) * gradient_;
    return gradient_.dot(direction_);
  }

  WolfeStep search(double slope, UnconstrainedIteration& log) {
    is_not_finite_ = false;
    const WolfeStep step = find_wolfe_step(
        *this, result_.value, slope, 1,
        {options_.sufficient_decrease, options_.curvature, options_.max_evaluations, value_resolution(result_.value)});
    log.evaluations += step.evaluations;
    log.gradients += step.slopes;
    return step;
  }

  double value(double length) override {
    trial_ = *point_ + length * direction_;
    return function_.value(trial_);
  }
  double slope() override {
    function_.gradient(trial_, trial_gradient_);
    is_not_finite_ |= !trial_gradient_.allFinite();
    return trial_gradient_.dot(direction_);
  }

  // The step is the last trial of the search.
  void take(const WolfeStep& step, double slope, UnconstrainedIteration& log) {
    direction_ = trial_ - *point_;
    gradient_ = trial_gradient_ - gradient_;
    history_.add(direction_, gradient_);
    point_->swap(trial_);
    gradient_.swap(trial_gradient_);
    log.step_length = step.length;
    log.step_norm = direction_.norm();
    log.step_largest = direction_.lpNorm<Eigen::Infinity>();
    log.ratio = (step.value - result_.value) / (slope * step.length);
    result_.value = step.value;
  }

  SmoothFunction& function_;
  const LbfgsOptions options_;
  LbfgsDirection history_;
  UnconstrainedResult result_;
  int iteration_ = 0, unseen_steps_ = 0;
  bool is_not_finite_ = false;  // a gradient of the last search
  Eigen::VectorXd* point_ = nullptr;
  Eigen::VectorXd gradient_, direction_, trial_, trial_gradient_;  // [unknown]
};

Lbfgs::Lbfgs(SmoothFunction& function, const LbfgsOptions& options)
    : implementation_(std::make_unique<Implementation>(function, options)) {}

Lbfgs::~Lbfgs() = default;

LbfgsState Lbfgs::begin() const { return {}; }

UnconstrainedResult Lbfgs::advance(Eigen::VectorXd& point, LbfgsState& state, int iterations) {
  return implementation_->advance(point, state, iterations);
}

UnconstrainedResult Lbfgs::solve(Eigen::VectorXd& point) {
  LbfgsState state = begin();
  return advance(point, state, std::numeric_limits<int>::max());
}

}  // namespace holo
