#include "contact/pairs/pair_checks.h"

#include <cmath>
#include <string>

#include "holo/core/error.h"

namespace holo::pairs {
namespace {

[[gnu::cold]] std::string text_of(const ClosestFeatures& features) {
  static const char* const names[] = {"two points", "a point and an edge", "a point and a triangle", "two edges"};
  std::string text = names[static_cast<int>(features.stratum)];
  text += " (nodes";
  for (int i = 0; i < features.node_count; ++i)
    text.append(" ").append(std::to_string(features.nodes[static_cast<std::size_t>(i)]));
  return text + (features.kind == PairKind::point_triangle ? " of a point and a triangle)" : " of two edges)");
}

}  // namespace

double finite(double squared_distance, const ClosestFeatures& features) {
  if (!std::isfinite(squared_distance))
    throw Error(Failure::internal, "The squared distance of " + text_of(features) + " is " + std::to_string(squared_distance) +
                                       ": positions must be finite and below 1e50 m.");
  return squared_distance;
}

double apart(double squared_distance, const ClosestFeatures& features) {
  if (finite(squared_distance, features) < 1e-80)
    throw Error(Failure::internal,
                "The distance of " + text_of(features) + " is " + std::to_string(std::sqrt(squared_distance)) +
                    " m: surfaces touch or intersect. Derivatives of distance and barrier exist from 1e-40 m on.");
  return squared_distance;
}

}  // namespace holo::pairs
