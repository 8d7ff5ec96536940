#pragma once
// The section `placement` of bodies and obstacles.

#include "elastic/scene_numbers.h"

namespace holo {

// x = R X + translation.
struct Placement {
  Vector3d rotation_axis = {0, 0, 1};  // unit
  double rotation_angle = 0;           // [rad]
  Vector3d translation = {};           // [m]
};

inline Placement read_placement(Configuration& parameters, const char* documentation) {
  Placement result;
  Configuration placement = parameters.section("placement", documentation, false);
  // Farther out, the rounding error of a position is no longer small against an element of a millimeter.
  constexpr double farthest = 1e7;
  result.translation =
      placement.vector3("translate", {.unit = "m", .minimum = -farthest, .maximum = farthest, .default_value = Vector3d{}});
  Configuration rotate = placement.section("rotate", "rotation about the mesh's origin", false);
  result.rotation_axis = read_axis(rotate);
  result.rotation_angle = rotate.number("angle", {.unit = "rad", .default_value = 0.0});
  return result;
}

}  // namespace holo
