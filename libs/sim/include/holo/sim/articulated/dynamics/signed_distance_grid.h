#pragma once
// Obstacles of any shape: uniform tricubic B-splines fitted to signed distances, of closed surfaces or of functions.
//
//   const SignedDistanceGrid rock = bake_signed_distance(read_surface_mesh("rock.obj"), 0.01, 0.05);
//   const Obstacle obstacle = rock.obstacle(pose);  // points into the grid
//
// docs/articulated-dynamics.md#distance-grids derives the errors of the fit.

#include <Eigen/Geometry>
#include <vector>

#include "holo/sim/articulated/dynamics/obstacle.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/sim/mesh/surface_mesh.h"

namespace holo::articulated {

struct SignedDistanceGrid {
  std::vector<double> coefficients;  // layer after layer along z, row after row along x [m]
  int columns = 0, rows = 0, layers = 0;
  double spacing = 0;                                // [m]
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  // of the first coefficient, in the frame of the distances [m]

  // The obstacle whose distances are those of the fitted function in a frame with the pose X_WO. It has pointers into this
  // grid.
  Obstacle obstacle(const Eigen::Isometry3d& pose = Eigen::Isometry3d::Identity()) const;
};

// Fits the distance within the region, and samples it up to three spacings beyond; on several threads at the same time. Throws
// Error(input): a spacing [m] that is not positive, a region without volume, more than 1e8 coefficients, a distance that is not
// finite.
SignedDistanceGrid fit_signed_distance(const SignedDistance& distance, const BoundingBox& region, double spacing);

// The signed distance from the solid that a closed surface bounds, fitted in the surface's bounding box enlarged on each side
// by `margin` [m] >= 0: at least the largest radius of the spheres that shall touch it. Throws Error(input) as
// fit_signed_distance and MeshDistance do, and with the surface's source: triangles that intersect each other, corners that are
// clockwise as seen from outside.
SignedDistanceGrid bake_signed_distance(const SurfaceMesh& surface, double spacing, double margin);

}  // namespace holo::articulated
