#pragma once
// Combines the derivatives from both sides of a point into one number for each entry, and a status.

#include <cmath>
#include <limits>
#include <span>

#include "holo/diff/derivative_status.h"
#include "holo/diff/singular/rays.h"

namespace holo::detail {

// The result of an entry from its two one-sided derivatives.
struct Choice {
  DerivativeStatus::Kind kind;
  double value;
};

inline double chosen(NondifferentiableChoice choice, double left, double right) {
  if (choice == NondifferentiableChoice::left) return left;
  return choice == NondifferentiableChoice::right ? right : 0.5 * left + 0.5 * right;
}

// Equal finite sides give their mean, different ones the option's choice, one real side its derivative. Otherwise the entry is
// infinite (NaN for opposite signs), or has no series, or is not finite. `scale` is that of SingularPoint.
inline Choice outcome_of(const OneSidedDerivative& left, const OneSidedDerivative& right, double scale,
                         NondifferentiableChoice choice) {
  using Outcome = OneSidedDerivative::Kind;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (left.finite() && right.finite()) {
    if (close(left.value, right.value, scale))
      return {DerivativeStatus::Kind::singular_resolved, 0.5 * left.value + 0.5 * right.value};
    return {DerivativeStatus::Kind::nondifferentiable, chosen(choice, left.value, right.value)};
  }
  if (left.finite() && right.kind == Outcome::no_real_value) return {DerivativeStatus::Kind::one_sided, left.value};
  if (right.finite() && left.kind == Outcome::no_real_value) return {DerivativeStatus::Kind::one_sided, right.value};
  for (const OneSidedDerivative* side : {&right, &left})
    if (side->kind == Outcome::infinite) {
      const OneSidedDerivative& other = side == &right ? left : right;
      const bool opposed = other.kind == Outcome::infinite && other.value != side->value;
      return {DerivativeStatus::Kind::not_finite, opposed ? nan : side->value};
    }
  for (const OneSidedDerivative* side : {&right, &left})
    if (side->kind == Outcome::unrepresentable || side->kind == Outcome::unresolved)
      return {DerivativeStatus::Kind::unrepresentable, nan};
  return {DerivativeStatus::Kind::not_finite, nan};
}

// The rank of an entry's kind: the entry of the largest rank determines the status of the complete result.
inline int severity(DerivativeStatus::Kind kind) {
  switch (kind) {
    case DerivativeStatus::Kind::singular_resolved:
      return 0;
    case DerivativeStatus::Kind::one_sided:
      return 1;
    case DerivativeStatus::Kind::nondifferentiable:
      return 2;
    case DerivativeStatus::Kind::unrepresentable:
      return 3;
    default:
      return 4;
  }
}

// The function's value if it is a number, else its limit. A limit that differs from the value is a jump.
inline Choice value_at_point(const SingularPoint& point, double value, NondifferentiableChoice choice) {
  const Choice limit = outcome_of(point.left_value, point.right_value, point.scale, choice);
  if (std::isnan(value)) return limit;
  if (limit.kind == DerivativeStatus::Kind::nondifferentiable) return {limit.kind, value};
  const bool usable =
      limit.kind == DerivativeStatus::Kind::singular_resolved || limit.kind == DerivativeStatus::Kind::one_sided;
  const bool jump = usable && !close(limit.value, value, point.scale);
  return {jump ? DerivativeStatus::Kind::nondifferentiable : DerivativeStatus::Kind::singular_resolved, value};
}

// If the series give no information from either side (because they overflowed, for example), the entry is the result of
// ordinary evaluation, unless that is NaN.
inline Choice with_ordinary(const Choice& choice, const OneSidedDerivative& left, const OneSidedDerivative& right,
                            double ordinary) {
  const bool is_known = left.exists() || right.exists() || !std::isnan(choice.value);
  if (is_known || std::isnan(ordinary)) return choice;
  return {std::isinf(ordinary) ? DerivativeStatus::Kind::not_finite : DerivativeStatus::Kind::singular_resolved, ordinary};
}

// Writes the results that the options select, the mean for throw_error. `first` and `second` receive the entries of the point
// in their order; `ordinary` has the results of ordinary evaluation, [entries] or empty. Returns the status.
inline DerivativeStatus resolve(const SingularPoint& point, const DerivativeOptions& options, double& value,
                                std::span<double> first, std::span<double> second, std::span<const double> ordinary = {}) {
  using Kind = DerivativeStatus::Kind;
  DerivativeStatus status{Kind::singular_resolved};
  const auto note = [&status](Kind kind, std::ptrdiff_t index) {
    if (severity(kind) > severity(status.kind)) status.kind = kind, status.index = index;
  };
  const Choice at = value_at_point(point, value, options.nondifferentiable);
  value = at.value;
  note(at.kind, DerivativeStatus::value_index);
  for (std::size_t k = 0; k < point.left.size(); ++k) {
    const Choice series = outcome_of(point.left[k], point.right[k], point.scale, options.nondifferentiable);
    const Choice entry = ordinary.empty() ? series : with_ordinary(series, point.left[k], point.right[k], ordinary[k]);
    (k < first.size() ? first[k] : second[k - first.size()]) = entry.value;
    note(entry.kind, static_cast<std::ptrdiff_t>(k));
    const bool overflowed = std::isnan(series.value) && std::isinf(entry.value);
    if (status.index == static_cast<std::ptrdiff_t>(k)) status.too_large = overflowed;
  }
  if (!point.consistent) note(Kind::nondifferentiable, point.inconsistent_index);
  return status;
}

}  // namespace holo::detail
