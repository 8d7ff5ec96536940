#pragma once
// Intersections of triangles with spheres and capsules, by distances that share no code with those of contact. They are of
// rounded arithmetic: a surface that is closer to an obstacle than some 1e-15 of the coordinates may count either way.

#include <array>
#include <span>
#include <vector>

#include "holo/sim/intersection/surface_intersections.h"

namespace holo {

// All within the radius of a segment; of a sphere both ends are its center.
struct RoundObstacle {
  std::array<double, 3> start, end;  // [m]
  double radius;                     // [m]
};

struct TriangleInObstacle {
  int triangle, obstacle;
  bool operator==(const TriangleInObstacle&) const = default;
};

// The triangles with a point in an obstacle, in the order of obstacles, then of triangles. Positions are finite.
std::vector<TriangleInObstacle> find_triangles_in(const TriangleSurface& surface, std::span<const RoundObstacle> obstacles);

}  // namespace holo
