#include "holo/diff/derivative_status.h"

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/diff/drivers.h"

namespace holo {

namespace {

using Kind = DerivativeStatus::Kind;

std::string entry_name(std::ptrdiff_t status_index, std::size_t dimension) {
  const auto index = static_cast<std::size_t>(status_index);
  std::string what = "x[" + std::to_string(index) + "]";
  if (index >= dimension && dimension > 0) {
    const std::size_t entry = index - dimension;
    what = "x[" + std::to_string(entry / dimension) + "] and x[" + std::to_string(entry % dimension) + "]";
  }
  return what;
}

std::string sentence(const DerivativeStatus& status, std::size_t dimension) {
  const bool value = status.index == DerivativeStatus::value_index;
  const std::string derivative = value ? "" : "the derivative with respect to " + entry_name(status.index, dimension);
  switch (status.kind) {
    case Kind::ok:
      return "value and derivatives are finite";
    case Kind::kink:
      return "the function is not smooth here: it chose a side at a tie or a step, and its derivatives are one-sided";
    case Kind::singular_resolved:
      return "derivatives from both sides agree where ordinary evaluation divides by zero";
    case Kind::one_sided:
      return (value ? "the value" : derivative) + " is that of one side: the function has no real value on the other";
    case Kind::nondifferentiable:
      return value ? "the function jumps here: its limits from the two sides, or along several directions, differ"
                   : derivative + " differs from side to side, or with the direction: the function is not differentiable here";
    case Kind::infeasible:
      return "the value is infinite: the point lies outside the function's domain";
    case Kind::unrepresentable:
      return (value ? "the value" : derivative) +
             " is not finite, and the function has no series in powers of the distance here";
    case Kind::not_finite:
      break;
  }
  if (value) return "the value is not a number";
  return derivative + " is not finite: the function has none here, or it divides by zero";
}

// What is left of an entry's two sides.
struct Choice {
  Kind kind;
  double value;
};

double chosen(NondifferentiableChoice choice, double left, double right) {
  if (choice == NondifferentiableChoice::left) return left;
  return choice == NondifferentiableChoice::right ? right : 0.5 * left + 0.5 * right;
}

Choice outcome_of(const OneSidedDerivative& left, const OneSidedDerivative& right, double scale,
                  NondifferentiableChoice choice) {
  using Side = OneSidedDerivative::Kind;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (left.finite() && right.finite()) {
    if (detail::close(left.value, right.value, scale)) return {Kind::singular_resolved, 0.5 * left.value + 0.5 * right.value};
    return {Kind::nondifferentiable, chosen(choice, left.value, right.value)};
  }
  if (left.finite() && right.kind == Side::no_real_value) return {Kind::one_sided, left.value};
  if (right.finite() && left.kind == Side::no_real_value) return {Kind::one_sided, right.value};
  for (const OneSidedDerivative* side : {&right, &left})
    if (side->kind == Side::infinite) {
      const OneSidedDerivative& other = side == &right ? left : right;
      const bool opposed = other.kind == Side::infinite && other.value != side->value;
      return {Kind::not_finite, opposed ? nan : side->value};
    }
  for (const OneSidedDerivative* side : {&right, &left})
    if (side->kind == Side::unrepresentable || side->kind == Side::unresolved) return {Kind::unrepresentable, nan};
  return {Kind::not_finite, nan};
}

// How much an outcome says of the whole: the largest decides.
int severity(Kind kind) {
  switch (kind) {
    case Kind::singular_resolved:
      return 0;
    case Kind::one_sided:
      return 1;
    case Kind::nondifferentiable:
      return 2;
    case Kind::unrepresentable:
      return 3;
    default:
      return 4;
  }
}

// The value where it is known, else the limit; a limit that is not the value is a jump.
Choice value_at_point(const SingularPoint& point, double value, NondifferentiableChoice choice) {
  const Choice limit = outcome_of(point.left_value, point.right_value, point.scale, choice);
  if (std::isnan(value)) return limit;
  if (limit.kind == Kind::nondifferentiable) return {limit.kind, value};
  const bool usable = limit.kind == Kind::singular_resolved || limit.kind == Kind::one_sided;
  const bool jump = usable && !detail::close(limit.value, value, point.scale);
  return {jump ? Kind::nondifferentiable : Kind::singular_resolved, value};
}

}  // namespace

std::string to_string(const DerivativeStatus& status, std::size_t dimension) {
  std::string text = sentence(status, dimension);
  if (status.uncertified) text += "; by a full multicomplex step, which may be wrong at such points";
  if (status.without_one_sided) text += "; it was not evaluated in one-sided series";
  return text;
}

namespace detail {

DerivativeStatus resolve(const SingularPoint& point, const DerivativeOptions& options, double& value, std::span<double> first,
                         std::span<double> second) {
  DerivativeStatus status{Kind::singular_resolved};
  const auto note = [&status](Kind kind, std::ptrdiff_t index) {
    if (severity(kind) > severity(status.kind)) status.kind = kind, status.index = index;
  };
  const Choice at = value_at_point(point, value, options.nondifferentiable);
  value = at.value;
  note(at.kind, DerivativeStatus::value_index);
  for (std::size_t k = 0; k < point.left.size(); ++k) {
    const Choice entry = outcome_of(point.left[k], point.right[k], point.scale, options.nondifferentiable);
    (k < first.size() ? first[k] : second[k - first.size()]) = entry.value;
    note(entry.kind, static_cast<std::ptrdiff_t>(k));
  }
  if (!point.consistent) note(Kind::nondifferentiable, point.inconsistent_index);
  if (status.kind == Kind::nondifferentiable && options.nondifferentiable == NondifferentiableChoice::throw_error)
    throw Error(Failure::input,
                to_string(status, first.size()) + "; take one side or the mean (NondifferentiableChoice), or move the point");
  return status;
}

}  // namespace detail
}  // namespace holo
