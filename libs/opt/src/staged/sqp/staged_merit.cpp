#include "staged/sqp/staged_merit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "staged/arrow/lane_access.h"

namespace holo {

namespace {

constexpr int most_retractions = 3;
constexpr double retracted = 1e-12;  // largest residual that needs no step

// The part of the constraints' sum that retraction does not resolve: residuals too small to need a step.
double sum_of_unresolved(const StagedConstraints& constraints) {
  const auto sum = [](const auto& residual) {
    double result = 0;
    for (const double value : residual.reshaped()) result += std::abs(value) <= retracted ? std::abs(value) : 0;
    return result;
  };
  return sum(constraints.states) + sum(constraints.rates) + sum(constraints.control_quaternions) +
         sum(constraints.parameter_constraints);
}

}  // namespace

double largest_multiplier(const StagedMultipliers& multipliers) {
  return std::max({largest_entry(multipliers.states), largest_entry(multipliers.rates),
                   largest_entry(multipliers.control_quaternions), largest_entry(multipliers.parameter_constraints)});
}

// The error of the merit function: rounding of its terms, and residuals that retraction leaves.
double StagedMerit::Values::merit_error(double penalty) const {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  return rounding * (terms + penalty * constraints.sum()) + 2 * penalty * unresolved;
}

StagedMerit::StagedMerit(const OptimalControlProblem& problem, StateFactors& factors)
    : problem_(problem),
      factors_(factors),
      scratch_([&layout = problem.layout()] {
        auto scratch = std::make_unique<Scratch>();
        scratch->work.setZero(3 * layout.state_count, stage_lanes);
        scratch->states.setZero(layout.state_count, stage_lanes);
        scratch->residual.setZero(layout.state_count, stage_lanes);
        scratch->objective.setZero(stage_lanes);
        return scratch;
      }),
      objectives_(problem.layout().stage_count),
      rows_jacobian_(Eigen::Index(problem.layout().parameter_quaternions.size()) + problem.layout().parameter_constraint_count,
                     problem.layout().parameter_count),
      retractions_(std::size_t(problem.layout().block_count())) {
  scratch_.fill();
}

void StagedMerit::finish(const StagedPoint& point, Values& values) {
  values.objective = values.terms = 0;
  for (double objective : objectives_) {
    values.objective += objective;
    values.terms += std::abs(objective);
  }
  if (!problem_.layout().rated_states.empty()) {
    find_state_rates(problem_.layout(), point.states, state_rates_);
    const double of_rates = problem_.evaluate_state_rates(state_rates_);
    values.objective += of_rates;
    values.terms += std::abs(of_rates);
  }
  evaluate_linear_constraints(problem_, point, values.constraints, rows_jacobian_);
  values.unresolved = sum_of_unresolved(values.constraints);
}

void StagedMerit::evaluate(const StagedPoint& point, Values& values) {
  const StagedLayout& layout = problem_.layout();
  for_each_block(layout.block_count(), [&](int block) {
    const int first = block * stage_lanes, count = std::min(stage_lanes, layout.stage_count - first);
    problem_.evaluate(point, first, first + count, objectives_.data() + first,
                      values.constraints.states.middleCols(first, count));
  });
  finish(point, values);
}

void StagedMerit::move(const StagedPoint& point, const StagedPoint& step, double length, StagedPoint& trial) const {
  trial.parameters = point.parameters + length * step.parameters;
  // The step ends within the bounds but for its rounding.
  if (problem_.layout().has_bounds())
    trial.parameters = trial.parameters.cwiseMax(problem_.layout().parameter_lower).cwiseMin(problem_.layout().parameter_upper);
  trial.controls = point.controls + length * step.controls;
  trial.rates = point.rates + length * step.rates;
  trial.states = point.states + length * step.states;
}

int StagedMerit::move_and_retract(const StagedPoint& point, const StagedPoint& step, const Eigen::MatrixXd& rates_residual,
                                  double length, StagedPoint& trial, Values& values) {
  const StagedLayout& layout = problem_.layout();
  const int count = layout.stage_count;
  move(point, step, length, trial);
  for (int place : layout.parameter_quaternions) trial.parameters.segment<4>(place).normalize();
  for (int place : layout.control_quaternions)
    for (int k = 0; k < count; ++k) trial.controls.col(k).segment<4>(place).normalize();
  // Rates follow from the controls; their residual shrinks by the length, as along a step of the linearized constraint.
  trial.rates = (trial.controls.rightCols(count - 1) - trial.controls.leftCols(count - 1)) / layout.time_step -
                (1 - length) * rates_residual;
  for_each_block(layout.block_count(), [&](int block) {
    WorkspacePool<Scratch>::Lease scratch(scratch_);
    retractions_[std::size_t(block)] = retract_block(trial, block, values, *scratch);
  });
  finish(trial, values);
  return *std::max_element(retractions_.begin(), retractions_.end());
}

// Chord Newton steps s -= C_s^-1 C with the factors of the last point, each stage for itself: a step that does not halve its
// residual is taken back and ends that stage's retraction.
int StagedMerit::retract_block(StagedPoint& trial, int block, Values& values, Scratch& scratch) {
  const StagedLayout& layout = problem_.layout();
  const int ns = layout.state_count, first = block * stage_lanes, count = std::min(stage_lanes, layout.stage_count - first);
  auto residual = values.constraints.states.middleCols(first, count);
  problem_.evaluate(trial, first, first + count, objectives_.data() + first, residual);
  // Chord Newton steps with the factors of the point. A lane stops when its residual is small, or when a step does not halve
  // it; that step is taken back.
  bool stopped[stage_lanes] = {};
  int steps = 0;
  for (; steps < most_retractions; ++steps) {
    auto change = scratch.work.topRows(ns);
    change.setZero();
    bool any = false;
    for (int lane = 0; lane < count; ++lane) {
      stopped[lane] |= !(residual.col(lane).lpNorm<Eigen::Infinity>() > retracted);  // NaN stops, too
      any |= !stopped[lane];
      if (!stopped[lane]) change.col(lane) = residual.col(lane);
    }
    if (!any) break;
    factors_.solve(block, change.data(), scratch.work.data() + ns * stage_lanes);
    for (int lane = 0; lane < count; ++lane) {
      scratch.states.col(lane) = trial.states.col(first + lane);
      if (!stopped[lane]) trial.states.col(first + lane) -= change.col(lane);
    }
    problem_.evaluate(trial, first, first + count, scratch.objective.data(), scratch.residual.leftCols(count));
    for (int lane = 0; lane < count; ++lane) {
      if (stopped[lane]) continue;
      const bool better = scratch.residual.col(lane).lpNorm<1>() < 0.5 * residual.col(lane).lpNorm<1>() &&
                          (std::isfinite(scratch.objective[lane]) || !std::isfinite(objectives_[first + lane]));
      stopped[lane] = !better;
      if (better) {
        residual.col(lane) = scratch.residual.col(lane);
        objectives_[first + lane] = scratch.objective[lane];
      } else {
        trial.states.col(first + lane) = scratch.states.col(lane);
      }
    }
  }
  return steps;
}

}  // namespace holo
