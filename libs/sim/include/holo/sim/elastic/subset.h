#pragma once
// Sets of points of a body, by where they are at the start of the scene (placed, before anything moves).

#include <array>

#include "holo/core/parameters.h"

namespace holo {

using Vector3d = std::array<double, 3>;

// Boundaries belong to it.
struct SubsetDefinition {
  enum class Kind { all, box, sphere };
  Kind kind = Kind::all;
  Vector3d minimum = {}, maximum = {};  // of the box [m], infinite where it is open
  Vector3d center = {};                 // of the sphere [m]
  double radius = 0;                    // of the sphere [m], > 0
  Location location;

  bool contains(const Vector3d& point) const;
};

// Reads {box: {min, max}}, {sphere: {center, radius}} or {all: true}. Problems go to the file's account.
SubsetDefinition read_subset(Parameters& parameters);

}  // namespace holo
