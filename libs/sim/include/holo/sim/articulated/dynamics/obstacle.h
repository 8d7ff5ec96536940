#pragma once
// Obstacles of a character as plain data. obstacle_distance.h has their distances.

#include "holo/sim/articulated/dynamics/rigid_frame.h"

namespace holo::articulated {

enum class ObstacleKind : int {
  plane,          // z <= 0 of the frame is solid
  sphere,         // of the radius `size[0]`
  box,            // of the half sizes `size`, with edges and corners rounded by `sharpness`
  height_field,   // z <= h(x, y), a uniform bicubic B-spline
  distance_grid,  // a uniform tricubic B-spline is negative
};

struct Obstacle {
  ObstacleKind kind = ObstacleKind::plane;
  RigidFrame<double> frame = identity_frame<double>();  // X_WO
  Vector3<double> size = {0, 0, 0};                     // [m]
  double sharpness = 200;                               // of a box [1/m]: its distance is at most log(6) / sharpness too large
  // The coefficients of a height field's spline [m], row after row along x, or of a distance grid's spline [m], layer after
  // layer along z, and their spacing [m]. The first coefficient stands at the frame's origin. Beyond the last coefficients the
  // last ones repeat: the distance from a grid must be positive there.
  const double* heights = nullptr;
  const double* distances = nullptr;
  int columns = 0, rows = 0, layers = 0;
  double spacing = 1;
};

// Distance [m] and outward unit normal of an obstacle at a point, and their derivatives by the point. The normal is that of
// the surface for distance 0; elsewhere it need not be the distance's gradient.
template <class S>
struct DistanceSample {
  S distance;                  // negative inside
  Vector3<S> gradient;         // of the distance
  Vector3<S> normal;           // of length 1
  Matrix3<S> normal_gradient;  // d normal / d point [1/m]
};

}  // namespace holo::articulated
