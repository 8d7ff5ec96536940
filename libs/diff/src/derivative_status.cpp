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

}  // namespace

std::string to_string(const DerivativeStatus& status, std::size_t dimension) {
  std::string text = sentence(status, dimension);
  if (status.uncertified) text += "; by a full multicomplex step, which may be wrong at such points";
  if (status.without_one_sided) text += "; it was not evaluated in one-sided series";
  return text;
}

namespace detail {

void throw_nondifferentiable(const DerivativeStatus& status, std::size_t dimension) {
  throw Error(Failure::input,
              to_string(status, dimension) + "; take one side or the mean (NondifferentiableChoice), or move the point");
}

}  // namespace detail
}  // namespace holo
