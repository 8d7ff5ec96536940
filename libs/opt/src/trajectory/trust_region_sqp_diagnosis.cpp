#include "trajectory/trust_region_sqp_diagnosis.h"

#include <fmt/format.h>

#include <cmath>

#include "holo/core/error.h"

namespace holo {

std::string to_string(TrustRegionSqpStatus status) {
  switch (status) {
    case TrustRegionSqpStatus::converged:
      return "converged";
    case TrustRegionSqpStatus::small_step:
      return "small_step";
    case TrustRegionSqpStatus::infeasible:
      return "infeasible";
    case TrustRegionSqpStatus::stalled:
      return "stalled";
    case TrustRegionSqpStatus::iteration_limit:
      return "iteration_limit";
    case TrustRegionSqpStatus::outside_the_domain:
      return "outside_the_domain";
    case TrustRegionSqpStatus::not_finite:
      return "not_finite";
    case TrustRegionSqpStatus::singular:
      return "singular";
    case TrustRegionSqpStatus::unfinished:
      return "unfinished";
  }
  return "unknown";
}

namespace {

std::string largest_constraint(const TrustRegionSqpResult& result, const EqualityConstrainedProblem& problem) {
  if (result.largest_constraint < 0) return "there are no constraints";
  return fmt::format("the largest constraint is {:.3g} ({})", result.constraint_largest,
                     problem.constraint_name(result.largest_constraint));
}

std::string residuals(const TrustRegionSqpResult& result, const TrustRegionSqpOptions& options,
                      const EqualityConstrainedProblem& problem) {
  return fmt::format("stationarity is {:.3g} with a tolerance of {:.3g}, and {} with a tolerance of {:.3g}",
                     result.stationarity, options.stationarity_tolerance, largest_constraint(result, problem),
                     options.constraint_tolerance);
}

}  // namespace

std::string what_happened(const TrustRegionSqpResult& result, const TrustRegionSqpOptions& options,
                          const EqualityConstrainedProblem& problem, double norm, double slope) {
  switch (result.status) {
    case TrustRegionSqpStatus::converged:
    case TrustRegionSqpStatus::unfinished:
      return "";
    case TrustRegionSqpStatus::small_step:
      return "the last step was small: " + residuals(result, options, problem) + ".";
    case TrustRegionSqpStatus::infeasible:
      return fmt::format(
          "the constraints contradict each other near the point: {}, and their scaled norm {:.3g} has the slope {:.3g}; change "
          "the constraints or the start.",
          largest_constraint(result, problem), norm, slope);
    case TrustRegionSqpStatus::stalled:
      return "no step decreases the merit function by more than its rounding: " + residuals(result, options, problem) +
             "; check the derivatives where this is not enough.";
    case TrustRegionSqpStatus::iteration_limit:
      return fmt::format("after {} iterations {}; allow more iterations.", options.max_iterations,
                         residuals(result, options, problem));
    case TrustRegionSqpStatus::outside_the_domain:
      return std::isfinite(result.constraint_largest)
                 ? "the objective is not finite at the start; start inside its domain."
                 : problem.constraint_name(result.largest_constraint) + " is not finite at the start; start inside its domain.";
    case TrustRegionSqpStatus::not_finite:
      return "a derivative of the objective or of a constraint is not finite at a point where their values are; " +
             largest_constraint(result, problem) + ".";
    case TrustRegionSqpStatus::singular:
      return "the saddle-point systems have no accurate solution with the largest shifts; scale the unknowns, so that the "
             "entries of the Hessian and the Jacobian differ less.";
  }
  return "";
}

void require_valid(const TrustRegionSqpOptions& options, EqualityConstrainedProblem& problem) {
  const auto require = [](bool is_valid, const char* name, const char* allowed, double found) {
    if (!is_valid)
      throw Error(Failure::internal, fmt::format("trust-region optimization: {} is {}; it must be {}.", name, found, allowed));
  };
  const auto in_unit_interval = [](double value) { return value > 0 && value < 1; };
  require(options.max_iterations >= 0, "max_iterations", "at least 0", options.max_iterations);
  require(options.constraint_tolerance > 0, "constraint_tolerance", "positive", options.constraint_tolerance);
  require(options.stationarity_tolerance > 0, "stationarity_tolerance", "positive", options.stationarity_tolerance);
  require(options.step_tolerance > 0, "step_tolerance", "positive", options.step_tolerance);
  require(options.initial_radius > 0, "initial_radius", "positive", options.initial_radius);
  require(options.initial_penalty > 0, "initial_penalty", "positive", options.initial_penalty);
  require(in_unit_interval(options.normal_fraction), "normal_fraction", "between 0 and 1", options.normal_fraction);
  require(in_unit_interval(options.penalty_margin), "penalty_margin", "between 0 and 1", options.penalty_margin);
  require(in_unit_interval(options.least_ratio), "least_ratio", "between 0 and 1", options.least_ratio);
  require(options.unknown_shift > 0, "unknown_shift", "positive", options.unknown_shift);
  require(options.constraint_shift > 0, "constraint_shift", "positive", options.constraint_shift);
  require(options.constraint_cap > 0, "constraint_cap", "positive", options.constraint_cap);
  require_equal_sizes(problem);
}

void require_equal_sizes(EqualityConstrainedProblem& problem) {
  const SaddlePointSystem& system = problem.system();
  if (system.unknown_count() != problem.unknown_count() || system.constraint_count() != problem.constraint_count())
    throw Error(Failure::internal, fmt::format("the problem has {} unknowns and {} constraints, its system {} and {}; "
                                               "they must be equal.",
                                               problem.unknown_count(), problem.constraint_count(), system.unknown_count(),
                                               system.constraint_count()));
}

}  // namespace holo
