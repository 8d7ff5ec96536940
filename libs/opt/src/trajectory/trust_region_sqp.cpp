#include "holo/opt/trajectory/trust_region_sqp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "holo/core/error.h"
#include "trajectory/byrd_omojokun_step.h"
#include "trajectory/constraint_merit.h"
#include "trajectory/constraint_values.h"
#include "trajectory/penalty_reset.h"
#include "trajectory/scaled_linearization.h"
#include "trajectory/trust_region_sqp_diagnosis.h"

namespace holo {

namespace {

constexpr double smallest_radius = 1e-13;    // of |p|_W: below it the optimization has stalled
constexpr double least_first_radius = 1e-3;  // of |p|_W
constexpr double largest_correction = 1.2;   // of |p|_W over the radius, with a second-order correction
// Above it a step to the radius doubles that. Along curved constraints, where corrections of second order pay for a part of
// each step, ratios stay near 1/2 for hundreds of iterations: a usual bound of 3/4 would keep the radius small there.
constexpr double good_ratio = 0.5;
constexpr double divergent_penalty = 1e6;          // over the first one
constexpr double infeasible_slope = 1e-6;          // |A^T C| over |C|, below it the norm of C is stationary
constexpr double stalled_infeasible_slope = 1e-3;  // where the optimization has stalled, for some other reason otherwise

}  // namespace

class TrustRegionSqp::Implementation {
 public:
  Implementation(EqualityConstrainedProblem& problem, const TrustRegionSqpOptions& options)
      : problem_(problem),
        options_((require_valid(options, problem), options)),
        linearization_(problem.system(), options.unknown_shift, options.constraint_shift),
        merit_(options.merit, options.penalty_margin),
        step_(problem.system(), options.normal_fraction),
        values_(problem.constraint_count()),
        trial_values_(problem.constraint_count()) {
    const int n = problem.unknown_count(), m = problem.constraint_count();
    for (Eigen::VectorXd* vector : {&gradient_, &stationarity_, &projected_, &negative_gradient_, &trial_, &correction_})
      vector->setZero(n);
    for (Eigen::VectorXd* vector : {&multipliers_, &model_multipliers_, &scaled_multipliers_}) vector->setZero(m);
  }

  TrustRegionSqpState begin() const {
    TrustRegionSqpState state;
    state.radius = options_.initial_radius;
    state.penalty = options_.initial_penalty;
    state.shift = options_.unknown_shift;
    state.multipliers.setZero(problem_.constraint_count());
    return state;
  }

  TrustRegionSqpResult advance(Eigen::VectorXd& point, TrustRegionSqpState& state, int iterations) {
    require_sizes(point, state);
    load(state);
    const int last = std::min(options_.max_iterations, iteration_ + std::min(iterations, options_.max_iterations));
    result_ = {};
    result_.iterations.reserve(std::size_t(std::max(last - iteration_, 0)));
    is_linearized_ = false;
    result_.status = values_.evaluate(problem_, point) ? iterate(point, last) : TrustRegionSqpStatus::outside_the_domain;
    result_.multipliers = multipliers_;
    result_.objective = values_.objective;
    result_.constraint_largest = values_.largest;
    result_.largest_constraint = values_.largest_constraint;
    result_.diagnosis = what_happened(result_, options_, problem_, values_.norm, step_.constraint_slope());
    store(state);
    return std::move(result_);
  }

 private:
  using End = std::optional<TrustRegionSqpStatus>;  // the reason to stop

  void require_sizes(const Eigen::VectorXd& point, const TrustRegionSqpState& state) const {
    const auto require = [](const char* name, Eigen::Index found, Eigen::Index wanted) {
      if (found != wanted)
        throw Error(Failure::internal,
                    fmt::format("trust-region optimization: {} has {} entries; the problem needs {}.", name, found, wanted));
    };
    const int n = problem_.unknown_count(), m = problem_.constraint_count();
    require("the point", point.size(), n);
    require("the state's multipliers", state.multipliers.size(), m);
    if (state.metric.size() == 0) return;  // before the first iteration
    require("the state's metric", state.metric.size(), n);
    require("the state's constraint_scales", state.constraint_scales.size(), m);
  }

  void load(const TrustRegionSqpState& state) {
    iteration_ = state.iteration;
    radius_ = state.radius;
    merit_.set_penalty(state.penalty);
    penalty_reset_.load(state);
    linearization_.set_shift(state.shift);
    linearization_.set_scales({state.constraint_scales, state.metric});
    multipliers_ = state.multipliers;
    has_scales_ = state.metric.size() > 0;
  }

  void store(TrustRegionSqpState& state) const {
    state.iteration = iteration_;
    state.radius = radius_;
    state.penalty = merit_.penalty();
    penalty_reset_.store(state);
    state.shift = linearization_.shift();
    state.multipliers = is_linearized_ ? model_multipliers_ : multipliers_;  // for the same model after a refused trial
    state.constraint_scales = linearization_.scales().constraints;
    state.metric = linearization_.scales().metric;
  }

  // Each iteration is one trial. A taken one is followed by a linearization with its factorizations; a refused one leaves these
  // as they are.
  TrustRegionSqpStatus iterate(Eigen::VectorXd& point, int last) {
    while (iteration_ < last) {
      TrustRegionSqpIteration log;
      log.iteration = ++iteration_;
      const int factorizations = linearization_.factorizations();
      End end = is_linearized_ ? End() : linearize(point);
      if (!end) {
        describe(log);
        end = find_end(log);
      }
      if (!end && !step_.find(linearization_, gradient_, radius_)) end = TrustRegionSqpStatus::singular;
      if (!end) try_step(point, log);
      log.shift = linearization_.shift();
      log.factorizations = linearization_.factorizations() - factorizations;
      result_.iterations.push_back(log);
      if (end) return *end;
      if (log.is_small_step && options_.stop_at_small_step) return TrustRegionSqpStatus::small_step;
      if (radius_ < smallest_radius)
        return is_infeasible(stalled_infeasible_slope) ? TrustRegionSqpStatus::infeasible : TrustRegionSqpStatus::stalled;
    }
    return iteration_ < options_.max_iterations ? TrustRegionSqpStatus::unfinished : TrustRegionSqpStatus::iteration_limit;
  }

  // Derivatives, factors, the path of normal steps, and the least-squares multipliers with the gradient of the Lagrangian.
  End linearize(const Eigen::VectorXd& point) {
    model_multipliers_ = multipliers_;
    problem_.linearize(point, model_multipliers_, gradient_);
    if (!gradient_.allFinite()) return TrustRegionSqpStatus::not_finite;
    if (!has_scales_) linearization_.set_scales(find_scales(problem_.system(), options_.metric));
    has_scales_ = true;
    values_.scale(linearization_.scales().constraints);
    switch (linearization_.factor(SaddlePointSelection::both)) {
      case SaddlePointOutcome::not_finite:
        return TrustRegionSqpStatus::not_finite;
      case SaddlePointOutcome::singular:
        return TrustRegionSqpStatus::singular;
      case SaddlePointOutcome::factorized:
        break;
    }
    negative_gradient_ = -gradient_;
    if (!step_.begin(linearization_, values_.scaled) ||
        !linearization_.project(negative_gradient_, projected_, scaled_multipliers_))
      return TrustRegionSqpStatus::singular;
    linearization_.multiply_jacobian_transposed(scaled_multipliers_, stationarity_);
    stationarity_ += gradient_;
    multipliers_ = scaled_multipliers_.cwiseProduct(linearization_.scales().constraints);
    result_.stationarity = stationarity_.lpNorm<Eigen::Infinity>();
    is_linearized_ = true;
    return {};
  }

  void describe(TrustRegionSqpIteration& log) {
    if (options_.merit == TrajectoryMerit::l2 && values_.largest < options_.constraint_tolerance)
      penalty_reset_.update(scaled_multipliers_.norm(), options_.initial_penalty, merit_);
    else
      penalty_reset_.restart();
    log.objective = values_.objective;
    log.constraint_sum = values_.unscaled.lpNorm<1>();
    log.constraint_largest = values_.largest;
    log.stationarity = result_.stationarity;
    log.penalty = merit_.penalty();
    log.radius = radius_;
  }

  bool is_infeasible(double largest_slope) const {
    return values_.largest >= options_.constraint_tolerance && step_.constraint_slope() <= largest_slope * values_.norm;
  }

  // Where A vanishes with the slope of |C| the multipliers diverge and the point never becomes stationary, but the penalty
  // grows without bound.
  End find_end(const TrustRegionSqpIteration& log) const {
    const bool is_stationary = log.stationarity < options_.stationarity_tolerance;
    if (is_stationary && log.constraint_largest < options_.constraint_tolerance) return TrustRegionSqpStatus::converged;
    const bool diverges = log.penalty > divergent_penalty * std::max(1.0, options_.initial_penalty);
    if ((is_stationary || diverges) && is_infeasible(infeasible_slope)) return TrustRegionSqpStatus::infeasible;
    return {};
  }

  // Actual over predicted decrease of the merit function for trial_values_; 1 where both are rounding.
  double ratio(const PredictedStep& predicted) const {
    const double before = merit_.value(values_.objective, values_.norm);
    const double actual = before - merit_.value(trial_values_.objective, trial_values_.norm);
    const double expected = merit_.predicted(predicted);
    const double rounding = 10 * std::numeric_limits<double>::epsilon() * std::abs(before);
    if (std::abs(expected) < rounding && std::abs(actual) < rounding) return 1;
    return expected > 0 ? actual / expected : -std::numeric_limits<double>::infinity();
  }

  // Evaluates the trial point + step; its ratio, or NaN outside the domain.
  double evaluate_trial(const Eigen::VectorXd& point, const Eigen::VectorXd& step, TrustRegionSqpIteration& log) {
    ++log.evaluations;
    trial_ = point + step;
    if (!trial_values_.evaluate(problem_, trial_)) return std::numeric_limits<double>::quiet_NaN();
    trial_values_.scale(linearization_.scales().constraints);
    return ratio(step_.predicted());
  }

  // The penalty, the trial, its second-order correction, and the decision.
  void try_step(Eigen::VectorXd& point, TrustRegionSqpIteration& log) {
    if (std::isinf(radius_)) radius_ = std::max(step_.norm(), least_first_radius);
    merit_.update(step_.predicted());
    log.penalty = merit_.penalty();
    log.radius = radius_;
    log.step_norm = step_.norm();
    log.step_largest = step_.step().lpNorm<Eigen::Infinity>();
    log.ratio = evaluate_trial(point, step_.step(), log);
    if (log.ratio < options_.least_ratio && options_.second_order_correction && options_.merit == TrajectoryMerit::l2)
      try_correction(point, log);
    const bool is_taken = is_acceptable(log.ratio);
    update_radius(is_taken, log);
    log.step_length = is_taken ? 1 : 0;
    if (is_taken) {
      point.swap(trial_);
      std::swap(values_, trial_values_);
      linearization_.relax_shift();
      is_linearized_ = false;
    } else {
      log.second_order_correction = false;
    }
    log.is_small_step = log.step_largest < options_.step_tolerance && values_.largest < options_.constraint_tolerance;
  }

  // Adds to the step the least-norm step for the constraints at the trial, so that their curvature is included.
  void try_correction(const Eigen::VectorXd& point, TrustRegionSqpIteration& log) {
    if (!linearization_.least_norm_step(trial_values_.scaled, correction_)) return;
    correction_ += step_.step();
    const double norm = linearization_.norm(correction_);
    if (!(norm <= largest_correction * radius_)) return;
    log.ratio = evaluate_trial(point, correction_, log);
    log.second_order_correction = true;
    log.step_norm = norm;
    log.step_largest = correction_.lpNorm<Eigen::Infinity>();
  }

  bool is_acceptable(double ratio) const {
    if (options_.merit == TrajectoryMerit::l2)
      return ratio >= options_.least_ratio && trial_values_.largest <= std::max(options_.constraint_cap, values_.largest);
    return !std::isnan(ratio) && trial_values_.largest < options_.constraint_cap &&
           merit_.value(trial_values_.objective, trial_values_.norm) < merit_.value(values_.objective, values_.norm);
  }

  void update_radius(bool is_taken, const TrustRegionSqpIteration& log) {
    if (options_.merit == TrajectoryMerit::paper) {
      radius_ = is_taken ? 1.2 * radius_ : 0.8 * log.step_norm;
    } else if (!is_taken) {
      radius_ = 0.25 * log.step_norm;
    } else if (log.ratio > good_ratio && log.step_norm > 0.8 * radius_) {
      radius_ *= 2;
    } else if (log.ratio < 0.25) {
      radius_ = 0.5 * log.step_norm;
    }
  }

  EqualityConstrainedProblem& problem_;
  const TrustRegionSqpOptions options_;
  ScaledLinearization linearization_;
  ConstraintMerit merit_;
  PenaltyReset penalty_reset_;
  ByrdOmojokunStep step_;
  ConstraintValues values_, trial_values_;
  TrustRegionSqpResult result_;
  int iteration_ = 0;
  double radius_ = 0;
  bool has_scales_ = false, is_linearized_ = false;
  Eigen::VectorXd gradient_, stationarity_, projected_, negative_gradient_, trial_, correction_;  // [unknown]
  Eigen::VectorXd multipliers_, model_multipliers_, scaled_multipliers_;                          // [constraint]
};

TrustRegionSqp::TrustRegionSqp(EqualityConstrainedProblem& problem, const TrustRegionSqpOptions& options)
    : implementation_(std::make_unique<Implementation>(problem, options)) {}

TrustRegionSqp::~TrustRegionSqp() = default;

TrustRegionSqpState TrustRegionSqp::begin() const { return implementation_->begin(); }

TrustRegionSqpResult TrustRegionSqp::advance(Eigen::VectorXd& point, TrustRegionSqpState& state, int iterations) {
  return implementation_->advance(point, state, iterations);
}

TrustRegionSqpResult TrustRegionSqp::solve(Eigen::VectorXd& point) {
  TrustRegionSqpState state = begin();
  return advance(point, state, std::numeric_limits<int>::max());
}

}  // namespace holo
