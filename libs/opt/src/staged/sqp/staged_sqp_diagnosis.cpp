#include "staged/sqp/staged_sqp_diagnosis.h"

#include <fmt/format.h>

namespace holo {

std::string to_string(StagedSqpStatus status) {
  switch (status) {
    case StagedSqpStatus::converged:
      return "converged";
    case StagedSqpStatus::iteration_limit:
      return "iteration_limit";
    case StagedSqpStatus::line_search_failed:
      return "line_search_failed";
    case StagedSqpStatus::singular:
      return "singular";
    case StagedSqpStatus::not_convex:
      return "not_convex";
    case StagedSqpStatus::infeasible_start:
      return "infeasible_start";
    case StagedSqpStatus::not_finite:
      return "not_finite";
    case StagedSqpStatus::infeasible_bounds:
      return "infeasible_bounds";
    case StagedSqpStatus::unfinished:
      return "unfinished";
  }
  return "unknown";
}

std::string what_happened(const StagedSqpResult& result, const StagedSqpOptions& options) {
  const StagedSqpIteration last = result.iterations.empty() ? StagedSqpIteration{} : result.iterations.back();
  switch (result.status) {
    case StagedSqpStatus::converged:
    case StagedSqpStatus::unfinished:
      return "";
    case StagedSqpStatus::iteration_limit:
      return fmt::format(
          "after {} iterations stationarity is {:.3g} and the largest constraint {:.3g}, the tolerance is {:.3g}; "
          "allow more iterations.",
          options.max_iterations, last.stationarity, last.constraint_largest, options.tolerance);
    case StagedSqpStatus::line_search_failed:
      return fmt::format("iteration {} found no point along its step (largest change {:.3g}) that lowers the merit function.",
                         last.iteration, last.step_largest);
    case StagedSqpStatus::singular:
      return fmt::format("the constraints do not determine the states at knot {}: their Jacobian is singular.", result.stage);
    case StagedSqpStatus::not_convex:
      return fmt::format(
          "no shift of the Hessian makes the step a minimum (first at knot {}); add a regularizer of the unknowns that the "
          "objective does not determine.",
          result.stage);
    case StagedSqpStatus::infeasible_start:
      return "the objective is not finite at the starting point; start inside all limits.";
    case StagedSqpStatus::not_finite:
      return fmt::format("a derivative at knot {} is not finite.", result.stage);
    case StagedSqpStatus::infeasible_bounds:
      return "no step satisfies both the bounds of the parameters and the other conditions on them; widen the bounds.";
  }
  return "";
}

}  // namespace holo
