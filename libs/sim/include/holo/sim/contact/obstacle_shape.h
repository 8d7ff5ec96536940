#pragma once
// Shapes of obstacles as points, segments and triangles, which pairs of surface primitives are made of. A sphere is a point and
// a capsule a segment, whose neighborhoods of a radius are the obstacle; so they are exactly round, and collide with vertices,
// edges and triangles of bodies alike.

#include <array>
#include <functional>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// All within `radius` of the primitives. Edges of triangles are not in `edges`. A radius above 0 is that of an obstacle without
// triangles.
struct ObstacleShape {
  std::vector<std::array<double, 3>> vertices;  // [m]
  std::vector<std::array<int, 2>> edges;        // vertices
  std::vector<std::array<int, 3>> triangles;    // vertices, outwards
  double radius = 0;                            // [m], >= 0
};
using ObstacleShapeSource = std::function<ObstacleShape()>;

ObstacleShape sphere_obstacle(const std::array<double, 3>& center, double radius);
// A cylinder from `start` to `end` with half spheres at its ends.
ObstacleShape capsule_obstacle(const std::array<double, 3>& start, const std::array<double, 3>& end, double radius);
// A prism with flat ends around a cylinder from `start` to `end`: its `sides` (>= 3) faces touch the cylinder in their middle.
ObstacleShape cylinder_obstacle(const std::array<double, 3>& start, const std::array<double, 3>& end, double radius, int sides);
// [0, size], of twelve triangles.
ObstacleShape box_obstacle(const std::array<double, 3>& size);
// The boundary of a mesh.
ObstacleShape boundary_obstacle(const TetrahedralMesh& mesh);

// The types of obstacles that have such a shape, beside `mesh`: what reads the keys of each. Problems are reported through the
// configuration file.
struct ObstacleType {
  const char* name;
  const char* documentation;
  ObstacleShapeSource (*read)(Configuration& parameters);
};
const std::vector<ObstacleType>& obstacle_types();

}  // namespace holo
