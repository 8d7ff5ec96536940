#include "staged/sqp/convexified_step.h"

#include <algorithm>

#include "holo/core/numerics/stopwatch.h"

namespace holo {

namespace {

constexpr double smallest_shift = 1e-6, shift_growth = 8;  // in units of the model's scales
constexpr int most_tries = 12;

}  // namespace

ConvexifiedStep::ConvexifiedStep(const OptimalControlProblem& problem, const StagedSqpOptions& options)
    : problem_(problem),
      options_(options),
      solver_(make_staged_step(options.step, problem.layout(), options.factorization)),
      quadratic_(problem.layout()),
      direction_(problem.layout()),
      scales_{Eigen::VectorXd::Ones(problem.layout().parameter_count), Eigen::VectorXd::Ones(problem.layout().control_count),
              Eigen::VectorXd::Ones(problem.layout().control_count)} {}

void ConvexifiedStep::set_shift(double shift) {
  quadratic_.parameter_shift = shift * scales_.parameters;
  quadratic_.control_shift = shift * scales_.controls;
  quadratic_.rate_shift = shift * scales_.rates;
}

ConvexifiedStep::Outcome ConvexifiedStep::find(const StagedPoint& point, const StagedMultipliers& multipliers,
                                               StagedSqpIteration& log) {
  // The exact Hessian first; the Gauss-Newton Hessian if the exact one has no minimum.
  Outcome outcome = find(point, multipliers, options_.gauss_newton, log);
  if (outcome.failure == StagedSqpStatus::not_convex && !options_.gauss_newton) outcome = find(point, multipliers, true, log);
  return outcome;
}

ConvexifiedStep::Outcome ConvexifiedStep::find(const StagedPoint& point, const StagedMultipliers& multipliers,
                                               bool gauss_newton, StagedSqpIteration& log) {
  using Status = StagedStepOutcome::Status;
  log.gauss_newton = gauss_newton;
  Stopwatch watch;
  // Linearize, factor dC/ds and condense once; then try growing shifts of the Hessian until the condensed model is convex.
  const int bad = quadratic_.linearize(problem_, point, multipliers.states, gauss_newton);
  log.assembly_time += watch.lap();
  if (bad >= 0) return {StagedSqpStatus::not_finite, bad};
  StagedStepOutcome outcome = solver_->prepare(quadratic_);
  log.factor_time += solver_->times().factor;
  log.condense_time += solver_->times().condense;
  if (!outcome.solved()) return {StagedSqpStatus::singular, outcome.stage};
  set_shift(0);
  double shift = 0;
  for (int attempt = 0; attempt <= most_tries; ++attempt) {
    outcome = solver_->solve(quadratic_, direction_);
    ++log.factorizations;
    log.recursion_time += solver_->times().recursion;
    if (outcome.solved()) {
      log.recovery_time += solver_->times().recovery;
      log.shift = last_shift_ = shift;
      return {};
    }
    if (outcome.status == Status::singular) return {StagedSqpStatus::singular, outcome.stage};
    if (outcome.status == Status::infeasible) return {StagedSqpStatus::infeasible_bounds, -1};
    // A design has directions that hardly matter, which a shift that is large enough for the others makes stiff; the
    // Gauss-Newton model leaves them as they are. Without a design the shifted model is the better one.
    if (!gauss_newton && problem_.layout().parameter_count > 0) break;
    if (attempt == 0) solver_->find_scales(scales_);
    shift = shift == 0 ? std::max(smallest_shift, last_shift_ / 3) : shift * shift_growth;
    set_shift(shift);
  }
  set_shift(0);
  return {StagedSqpStatus::not_convex, outcome.stage};
}

}  // namespace holo
