#include "trajectory/unconstrained_diagnosis.h"

#include <fmt/format.h>

namespace holo {

std::string to_string(UnconstrainedStatus status) {
  switch (status) {
    case UnconstrainedStatus::converged:
      return "converged";
    case UnconstrainedStatus::stalled:
      return "stalled";
    case UnconstrainedStatus::iteration_limit:
      return "iteration_limit";
    case UnconstrainedStatus::outside_the_domain:
      return "outside_the_domain";
    case UnconstrainedStatus::not_finite:
      return "not_finite";
    case UnconstrainedStatus::singular:
      return "singular";
    case UnconstrainedStatus::unfinished:
      return "unfinished";
  }
  return "unknown";
}

std::string what_happened(const UnconstrainedResult& result, int max_iterations, double tolerance,
                          const std::string& description) {
  const std::string clause = description.empty() ? "" : ", and " + description;
  const std::string figures =
      fmt::format("the value is {:.6g}, the largest entry of the gradient {:.3g} with a tolerance of {:.3g}{}", result.value,
                  result.stationarity, tolerance, clause);
  switch (result.status) {
    case UnconstrainedStatus::converged:
    case UnconstrainedStatus::unfinished:
      return "";
    case UnconstrainedStatus::stalled:
      return "no step decreases the function by more than its rounding: " + figures +
             "; check the derivatives where this is not enough.";
    case UnconstrainedStatus::iteration_limit:
      return fmt::format("after {} iterations {}; allow more iterations.", max_iterations, figures);
    case UnconstrainedStatus::outside_the_domain:
      return "the function is not finite at the start" + clause + "; start inside its domain.";
    case UnconstrainedStatus::not_finite:
      return fmt::format("a derivative is not finite at a point where the value {:.6g} is{}.", result.value, clause);
    case UnconstrainedStatus::singular:
      return "the saddle-point system has no accurate solution with the largest damping; scale the unknowns, so that the "
             "entries "
             "of the Hessian and the Jacobian differ less.";
  }
  return "";
}

}  // namespace holo
