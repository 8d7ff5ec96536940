#pragma once
// Distance, normal and their derivatives of an obstacle at a point of the world, over any scalar.
//
//   Obstacle floor;  // the plane z = 0, below which it is solid
//   obstacle_distance(floor, Vector3<double>{0, 0, -0.1}).distance;  // -0.1
//
// docs/articulated-dynamics.md#obstacles derives the distances and says how smooth each is.

#include "holo/sim/articulated/dynamics/distance_grid.h"
#include "holo/sim/articulated/dynamics/height_field.h"
#include "holo/sim/articulated/dynamics/obstacle_shapes.h"

namespace holo::articulated {

template <class S>
HOLO_FN constexpr DistanceSample<S> obstacle_distance(const Obstacle& obstacle, const Vector3<S>& world_point) {
  const RigidFrame<S> frame = frame_cast<S>(obstacle.frame);
  const Vector3<S> point = point_in(frame, world_point);
  DistanceSample<S> sample{};
  switch (obstacle.kind) {
    case ObstacleKind::plane:
      sample.distance = point[2];
      sample.gradient = sample.normal = Vector3<S>{S(0.0), S(0.0), S(1.0)};
      break;
    case ObstacleKind::sphere:
      sample = detail::sphere_distance(obstacle.size[0], point);
      break;
    case ObstacleKind::box:
      sample = detail::box_distance(obstacle.size, obstacle.sharpness, point);
      break;
    case ObstacleKind::height_field:
      sample = detail::height_field_distance(obstacle, point);
      break;
    case ObstacleKind::distance_grid:
      sample = detail::grid_distance(obstacle, point);
      break;
  }
  sample.gradient = frame.rotation * sample.gradient;
  sample.normal = frame.rotation * sample.normal;
  sample.normal_gradient = frame.rotation * sample.normal_gradient * transpose(frame.rotation);
  return sample;
}

}  // namespace holo::articulated
