#pragma once
// Numbers of a scene that several readers ask for.

#include <array>
#include <cmath>

#include "elastic/element/vector3d.h"
#include "holo/core/configuration.h"

namespace holo {

inline NumberSpec positive(const char* unit, const char* documentation) {
  return {.unit = unit, .minimum = 0, .minimum_excluded = true, .documentation = documentation};
}

inline NumberSpec not_negative(const char* unit, double default_value, const char* documentation) {
  return {.unit = unit, .minimum = 0, .default_value = default_value, .documentation = documentation};
}

// The unit vector along `axis`, by default the third one; [0, 0, 0] is a problem.
inline Vector3d read_axis(Configuration& parameters) {
  const Vector3d axis =
      parameters.vector3("axis", {.default_value = Vector3d{0, 0, 1}, .documentation = "any length but 0; right-handed"});
  const double length = std::sqrt(squared_length(axis));
  if (length > 0 && std::isfinite(length)) return (1 / length) * axis;
  parameters.problem(parameters.location("axis"), "axis is [0, 0, 0]; a direction is needed.");
  return {0, 0, 1};
}

}  // namespace holo
