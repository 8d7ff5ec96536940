#pragma once
// Triangle meshes of the solids of a drawn character and its obstacles.

#include <Eigen/Geometry>

#include "holo/sim/articulated/articulated_model.h"
#include "holo/sim/mesh/surface_mesh.h"
#include "holo/study/scene.h"

namespace holo {

// Adds a solid to a rigid body of the scene. `pose` and `size` are those of a CollisionShape: sphere, capsule, cylinder,
// ellipsoid or box; other kinds add nothing.
void add_solid_mesh(CollisionShape::Kind kind, const Eigen::Isometry3d& pose, const Eigen::Vector3d& size, SceneBody& body);

// Adds a surface of triangles, which `pose` places.
void add_triangles(const SurfaceMesh& surface, const Eigen::Isometry3d& pose, SceneBody& body);

// Adds a grid of columns times rows points, row after row, as a surface.
void add_surface_mesh(const std::vector<Eigen::Vector3d>& points, int columns, int rows, SceneBody& body);

}  // namespace holo
