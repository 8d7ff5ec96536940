#pragma once
// Distances of points from the solid that a closed surface of triangles bounds, negative inside, with the closest points.
//
//   const MeshDistance distance(read_surface_mesh("part.obj"));
//   const ClosestPoint nearest = distance.closest({0, 0, 1});
//
// Closest points are exact but for rounding, found in a tree of boxes. The sign is that of the angle-weighted normal of the
// closest face, edge or vertex, which is right for each point [Baerentzen2005].

#include <Eigen/Core>
#include <array>
#include <vector>

#include "holo/sim/contact/pairs/closest_features.h"
#include "holo/sim/mesh/surface_mesh.h"

namespace holo {

struct ClosestPoint {
  double distance = 0;                                  // [m], negative inside
  Eigen::Vector3d point = Eigen::Vector3d::Zero();      // of the surface [m]
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // outward, unit: the distance's gradient where it has one
  int triangle = -1;                                    // one of those with the closest point
  Stratum stratum = Stratum::point_point;               // whether it is in a face, on an edge, or a vertex
};

class MeshDistance {
 public:
  // Throws Error(input) with the mesh's source: no triangles, a coordinate that is not finite, a surface that is not closed
  // (require_surface), a triangle without area, a vertex at which parts of the surface meet that have no common edge there.
  explicit MeshDistance(SurfaceMesh mesh);

  // Of a point [m]. At points of the surface, as far as rounding tells, the direction is the normal. Throws Error(internal)
  // for coordinates that are not finite.
  ClosestPoint closest(const Eigen::Vector3d& point) const;
  double distance(const Eigen::Vector3d& point) const { return closest(point).distance; }  // [m]
  const SurfaceMesh& mesh() const { return mesh_; }

 private:
  // A box around the triangles order_[first ... first + count), and its two halves unless it is a leaf.
  struct Node {
    Eigen::Vector3d lower, upper;
    int first = 0, count = 0;
    int left = -1, right = -1;
  };
  struct Nearest;
  Eigen::Vector3d corner(int triangle, int k) const;
  void find_normals();
  int build(int first, int count);
  const Eigen::Vector3d& normal_of(const Nearest& nearest) const;
  double squared_distance_to(const Node& node, const Eigen::Vector3d& point) const;

  SurfaceMesh mesh_;
  std::vector<Eigen::Vector3d> face_normals_;    // [triangle] unit
  std::vector<Eigen::Vector3d> vertex_normals_;  // [vertex], of any length
  // [triangle][corner]: of the edge opposite to the corner, of any length
  std::vector<std::array<Eigen::Vector3d, 3>> opposite_edge_normals_;
  std::vector<int> order_;  // triangles, those of a node in a row
  std::vector<Node> nodes_;
};

}  // namespace holo
