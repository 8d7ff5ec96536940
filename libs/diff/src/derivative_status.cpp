#include "holo/diff/derivative_status.h"

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/diff/drivers.h"

namespace holo {

namespace {

using Kind = DerivativeStatus::Kind;

std::string coordinate(std::size_t index) { return "x[" + std::to_string(index) + "]"; }

// The names of the directions of a mask: "v1 and v3" for 0b101.
std::string directions(std::size_t mask) {
  std::string text;
  for (int k = 1; mask != 0; ++k, mask >>= 1)
    if (mask & 1) text += (text.empty() ? "v" : " and v") + std::to_string(k);
  return text;
}

std::string derivative_name(std::size_t index, std::size_t dimension, DerivativeEntries entries) {
  const std::string by = "the derivative with respect to ";
  if (entries == DerivativeEntries::by_directions) return "the derivative along " + directions(index + 1);
  if (index < dimension || dimension == 0) return by + coordinate(index);
  const std::size_t entry = index - dimension;
  if (entries == DerivativeEntries::contracted) return "the derivative along the directions and " + coordinate(entry);
  return by + coordinate(entry / dimension) + " and " + coordinate(entry % dimension);
}

std::string sentence(const DerivativeStatus& status, std::size_t dimension, DerivativeEntries entries) {
  const bool value = status.index == DerivativeStatus::value_index;
  const std::string derivative = value ? "" : derivative_name(static_cast<std::size_t>(status.index), dimension, entries);
  switch (status.kind) {
    case Kind::ok:
      return "value and derivatives are finite";
    case Kind::kink:
      return "the function is not smooth here: it chose a side at a tie or a step, and its derivatives may be one-sided";
    case Kind::singular_resolved:
      return "derivatives from both sides agree where ordinary evaluation divides by zero or chooses a side";
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
  if (status.too_large) return derivative + " is too large for a number: it exceeds 1.8e308";
  return derivative +
         " is not finite: the function has none here, it divides by zero, or the derivative is too large for a number";
}

}  // namespace

std::string to_string(const DerivativeStatus& status, std::size_t dimension, DerivativeEntries entries) {
  std::string text = sentence(status, dimension, entries);
  if (status.uncertified) text += "; by a full multicomplex step, which may be wrong at such points";
  if (status.without_one_sided) text += "; it was not evaluated in one-sided series";
  return text;
}

namespace detail {

void throw_nondifferentiable(const DerivativeStatus& status, std::size_t dimension, DerivativeEntries entries) {
  throw Error(Failure::input, to_string(status, dimension, entries) +
                                  "; take one side or the mean (NondifferentiableChoice), or move the point");
}

}  // namespace detail
}  // namespace holo
