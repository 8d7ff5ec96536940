#include "holo/opt/staged/staged_sqp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/numerics/stopwatch.h"
#include "sqp/armijo_search.h"
#include "sqp/merit_penalty.h"
#include "sqp/sqp_convergence.h"
#include "staged/arrow/lane_access.h"
#include "staged/arrow/stage_recovery.h"
#include "staged/sqp/convexified_step.h"
#include "staged/sqp/regularizer_schedule.h"
#include "staged/sqp/staged_merit.h"
#include "staged/sqp/staged_sqp_diagnosis.h"

namespace holo {

namespace {

// Largest predicted gain over the objective at which the regularizer's center moves: a new center changes more than that.
constexpr double settled_gain = 1e-2;

double largest_change(const StagedPoint& step) {
  return std::max(
      {largest_entry(step.parameters), largest_entry(step.controls), largest_entry(step.rates), largest_entry(step.states)});
}

// The scale of stationarity, max(100, mean |multiplier|) / 100.
double stationarity_scale(const StagedMultipliers& multipliers) {
  double sum = 0, count = 0;
  auto add = [&](const auto& matrix) {
    if (matrix.size() > 0) sum += matrix.cwiseAbs().sum();
    count += double(matrix.size());
  };
  add(multipliers.states);
  add(multipliers.rates);
  add(multipliers.parameters_equal);
  add(multipliers.parameter_constraints);
  add(multipliers.control_quaternions);
  return std::max(100.0, sum / count) / 100;
}

void move_multipliers(const StagedMultipliers& target, double length, StagedMultipliers& multipliers) {
  multipliers.states += length * (target.states - multipliers.states);
  multipliers.rates += length * (target.rates - multipliers.rates);
  multipliers.parameters_equal += length * (target.parameters_equal - multipliers.parameters_equal);
  multipliers.parameter_constraints += length * (target.parameter_constraints - multipliers.parameter_constraints);
  multipliers.control_quaternions += length * (target.control_quaternions - multipliers.control_quaternions);
  multipliers.parameter_bounds += length * (target.parameter_bounds - multipliers.parameter_bounds);
}

void set_zero(StagedPoint& point) {
  point.parameters.setZero();
  point.controls.setZero();
  point.rates.setZero();
  point.states.setZero();
}

}  // namespace

class StagedSqp::Implementation {
 public:
  Implementation(OptimalControlProblem& problem, const StagedSqpOptions& options)
      : problem_(problem),
        options_(options),
        step_(problem, options_),
        merit_(problem, step_.solver().factors()),
        regularizer_(problem, options.schedule),
        convergence_(options.tolerance),
        trial_(zero_point(problem.layout())),
        corrected_(zero_point(problem.layout())),
        multipliers_(zero_multipliers(problem.layout())) {
    values_.constraints = trial_values_.constraints = shifted_ = StagedConstraints(problem.layout());
  }

  StagedSqpState begin(const StagedPoint& point) const {
    require_valid(problem_.layout(), point);
    StagedSqpState state;
    state.multipliers = zero_multipliers(problem_.layout());
    ScheduledRegularizer::begin(options_.schedule, point, state);
    return state;
  }

  StagedSqpResult advance(StagedPoint& point, StagedSqpState& state, int iterations) {
    require_valid(problem_.layout(), point);
    load(state);
    const int last = std::min(options_.max_iterations, iteration_ + std::min(iterations, options_.max_iterations));
    result_ = {};
    result_.iterations.reserve(std::size_t(std::max(last - iteration_, 0)) + 1);
    merit_.evaluate(point, values_);
    result_.status = std::isfinite(values_.objective) ? iterate(point, last) : StagedSqpStatus::infeasible_start;
    merit_.evaluate(point, values_);
    result_.objective = values_.objective;
    result_.constraint_largest = values_.constraints.largest();
    if (result_.status != StagedSqpStatus::converged && result_.status != StagedSqpStatus::unfinished) explain();
    result_.multipliers = multipliers_;
    store(state);
    return std::move(result_);
  }

 private:
  void load(const StagedSqpState& state) {
    multipliers_ = state.multipliers;
    iteration_ = state.iteration;
    step_.begin(state.shift);
    penalty_.load(state);
    convergence_.load(state);
    regularizer_.load(state);
  }

  void store(StagedSqpState& state) const {
    state.multipliers = multipliers_;
    state.iteration = iteration_;
    state.shift = step_.shift();
    penalty_.store(state);
    convergence_.store(state);
    regularizer_.store(state);
  }

  // Each iteration: the exact step of the quadratic model, its test for optimality, the line search on the merit function, and
  // where the point has settled, the move of the regularizer's center.
  StagedSqpStatus iterate(StagedPoint& point, int last_iteration) {
    while (iteration_ < last_iteration) {
      StagedSqpIteration log;
      log.iteration = ++iteration_;
      problem_.linearize(point);
      const auto outcome = step_.find(point, multipliers_, log);
      if (outcome.failure != StagedSqpStatus::converged) {
        result_.stage = outcome.stage;
        return outcome.failure;
      }
      describe(point, log);
      if (convergence_.is_optimal(log)) {
        move_multipliers(step_.direction().multipliers, 1, multipliers_);
        log.recentered = regularizer_.at_minimum(point);
        result_.iterations.push_back(log);
        if (!log.recentered) return StagedSqpStatus::converged;
        continue;
      }
      Stopwatch watch;
      const bool moved = search(point, log);
      log.line_search_time = watch.lap();
      if (!moved) {
        result_.iterations.push_back(log);
        return StagedSqpStatus::line_search_failed;
      }
      const bool last = convergence_.is_last(log, gain_, values_.constraints.largest());
      log.recentered = last || is_settled(log) ? regularizer_.at_minimum(point) : regularizer_.after(iteration_, point);
      if (log.recentered) convergence_.restart();
      result_.iterations.push_back(log);
      if (last && !log.recentered) return StagedSqpStatus::converged;
    }
    return iteration_ < options_.max_iterations ? StagedSqpStatus::unfinished : StagedSqpStatus::iteration_limit;
  }

  // Fills the log, and updates the penalty.
  void describe(const StagedPoint& point, StagedSqpIteration& log) {
    const StagedQuadratic& quadratic = step_.quadratic();
    const StagedDirection& direction = step_.direction();
    log.objective = quadratic.objective;
    log.constraint_sum = quadratic.constraints.sum();
    log.constraint_largest = quadratic.constraints.largest();
    log.stationarity = direction.largest_hessian_step / stationarity_scale(direction.multipliers);
    log.step_largest = largest_change(direction.step);
    log.largest_redundant_residual = problem_.largest_redundant_residual(point);
    log.active_bounds = int((direction.multipliers.parameter_bounds.array() != 0).count());
    if (options_.estimate_singular_values) log.smallest_singular_value = step_.solver().recovery().smallest_singular_value();
    slope_ = slope(quadratic, direction.step);
    penalty_.update(largest_multiplier(direction.multipliers), slope_, direction.curvature, log.constraint_sum);
    log.penalty = penalty_.value();
  }

  // The longest step within the barriers and the limits of changes.
  double longest_step(const StagedPoint& point) const {
    const StagedPoint& step = step_.direction().step;
    double length = std::min(1.0, problem_.feasible_step(point, step));
    const double parameters = largest_entry(step.parameters), states = largest_entry(step.states);
    if (parameters > options_.parameter_step_limit) length = std::min(length, options_.parameter_step_limit / parameters);
    if (states > options_.state_step_limit) length = std::min(length, options_.state_step_limit / states);
    return length;
  }

  // Moves trial_ along the step and evaluates it; false if it may not be accepted.
  bool try_step(const StagedPoint& point, const StagedPoint& step, double length, double bound, StagedSqpIteration& log) {
    ++log.evaluations;
    if (options_.retract) {
      log.retractions =
          merit_.move_and_retract(point, step, step_.quadratic().constraints.rates, length, trial_, trial_values_);
    } else {
      merit_.move(point, step, length, trial_);
      merit_.evaluate(trial_, trial_values_);
    }
    const double penalty = penalty_.value(), merit = trial_values_.merit(penalty);
    if (!std::isfinite(merit)) return false;
    return merit <= bound + trial_values_.merit_error(penalty) && problem_.is_on_branch(trial_);
  }

  // Armijo's search; only the full step may get a second-order correction.
  bool search(StagedPoint& point, StagedSqpIteration& log) {
    const double penalty = penalty_.value();
    const MeritSlope start{log.objective + penalty * log.constraint_sum, slope_ - penalty * log.constraint_sum,
                           values_.merit_error(penalty)};
    log.step_length = armijo_search(start, longest_step(point), [&](double length, double bound) {
      if (try_step(point, step_.direction().step, length, bound, log)) return true;
      if (length < 1 || !options_.second_order_correction) return false;
      return log.second_order_correction = try_correction(point, bound, log);
    });
    if (log.step_length > 0) accept(point, log);
    return log.step_length > 0;
  }

  // Second-order correction: the step for the constraints C(x + d) - C' d, where C' d = -C(x), so that their curvature is
  // included.
  bool try_correction(const StagedPoint& point, double bound, StagedSqpIteration& log) {
    const StagedQuadratic& quadratic = step_.quadratic();
    merit_.move(point, step_.direction().step, 1, trial_);
    merit_.evaluate(trial_, trial_values_);
    const bool grew = trial_values_.constraints.sum() > quadratic.constraints.sum();
    if (!std::isfinite(trial_values_.objective) || !grew) return false;
    shifted_.states = trial_values_.constraints.states + quadratic.constraints.states;
    shifted_.rates = trial_values_.constraints.rates + quadratic.constraints.rates;
    shifted_.control_quaternions = trial_values_.constraints.control_quaternions + quadratic.constraints.control_quaternions;
    shifted_.parameter_constraints =
        trial_values_.constraints.parameter_constraints + quadratic.constraints.parameter_constraints;
    if (!step_.solver().correct(quadratic, shifted_, corrected_).solved()) return false;
    if (problem_.feasible_step(point, corrected_) < 1) return false;
    return try_step(point, corrected_, 1, bound, log);
  }

  void accept(StagedPoint& point, const StagedSqpIteration& log) {
    constexpr double short_step = 0.1;
    StagedDirection& direction = step_.direction();
    gain_ = log.objective - trial_values_.objective;
    if (options_.retract &&
        log.step_length < short_step) {  // short: use the multipliers at the point, not those after the full step
      set_zero(direction.step);
      step_.solver().find_multipliers(step_.quadratic(), direction);
      move_multipliers(direction.multipliers, 1, multipliers_);
    } else {
      move_multipliers(direction.multipliers, log.step_length, multipliers_);
    }
    std::swap(point, trial_);
    std::swap(values_, trial_values_);
  }

  // Whether the minimum for the regularizer's present center is found well enough to move the center, after a full step.
  bool is_settled(const StagedSqpIteration& log) const {
    const double promised = -(slope_ + 0.5 * step_.direction().curvature);
    return log.step_length == 1 && std::abs(promised) <= settled_gain * std::abs(log.objective);
  }

  void explain() {
    result_.diagnosis = "sequential quadratic programming: " + what_happened(result_, options_);
    Eigen::Index row = 0, stage = 0;
    if (values_.constraints.states.allFinite()) {
      const double largest = values_.constraints.states.cwiseAbs().maxCoeff(&row, &stage);
      result_.row = int(row);
      result_.diagnosis += fmt::format(" The largest of the constraints is {} with {:.3g}.",
                                       problem_.constraint_name(int(row), int(stage)), largest);
      if (result_.stage < 0) result_.stage = int(stage);
    }
  }

  OptimalControlProblem& problem_;
  const StagedSqpOptions options_;
  ConvexifiedStep step_;
  StagedMerit merit_;
  ScheduledRegularizer regularizer_;
  MeritPenalty penalty_;
  SqpConvergence convergence_;
  StagedPoint trial_, corrected_;
  StagedMerit::Values values_, trial_values_;
  StagedConstraints shifted_;
  StagedMultipliers multipliers_;
  StagedSqpResult result_;
  double slope_ = 0, gain_ = 0;
  int iteration_ = 0;
};

StagedSqp::StagedSqp(OptimalControlProblem& problem, const StagedSqpOptions& options)
    : implementation_(std::make_unique<Implementation>(problem, options)) {}

StagedSqp::~StagedSqp() = default;

StagedSqpState StagedSqp::begin(const StagedPoint& point) const { return implementation_->begin(point); }

StagedSqpResult StagedSqp::advance(StagedPoint& point, StagedSqpState& state, int iterations) {
  return implementation_->advance(point, state, iterations);
}

StagedSqpResult StagedSqp::solve(StagedPoint& point) {
  StagedSqpState state = begin(point);
  return advance(point, state, std::numeric_limits<int>::max());
}

}  // namespace holo
