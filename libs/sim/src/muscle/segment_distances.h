#pragma once
// Distances within a mesh at rest, from straight pieces to the centroids of elements.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

class SegmentDistances {
 public:
  struct Entry {
    int element;
    double distance;  // [m]
  };
  struct Result {
    std::vector<Entry> reached;   // ascending elements, those within the limit
    int nearest_element = -1;     // by the straight distance of its centroid
    double nearest_distance = 0;  // [m]
    bool inside = false;          // an element is cut by the piece
  };

  explicit SegmentDistances(const TetrahedralMesh& mesh);  // the mesh must be valid and outlive this

  // The distance of an element is the straight one, of its centroid from the piece, where that line stays inside the mesh, and
  // where the piece cuts the element. Of the others it is the shortest path from those elements along lines between centroids
  // of elements with a common vertex (Dijkstra), which is at least the distance within the mesh but for short cuts of a line
  // between two such centroids. Elements beyond `limit` [m] are left out.
  Result from(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double limit);

 private:
  Eigen::Vector3d vertex(int v) const { return Eigen::Vector3d::Map(mesh_.vertices[static_cast<std::size_t>(v)].data()); }
  bool is_cut(int element, const Eigen::Vector3d& start, const Eigen::Vector3d& end) const;
  bool is_seen(int element, const Eigen::Vector3d& target) const;
  void find_paths(double limit);

  const TetrahedralMesh& mesh_;
  std::vector<Eigen::Vector3d> centroids_;  // [element]
  std::vector<int> neighbors_;              // [element][face] across the face opposite each vertex; -1: none
  std::vector<Eigen::Vector4d> planes_;     // [element][face] unit outward normal n, and -n . x of a point x of the face
  std::vector<char> hidden_;                // [element] 1: not seen from the piece at hand, though within the limit
  std::vector<int> first_of_vertex_;        // [vertex + 1], into:
  std::vector<int> elements_of_vertices_;
  std::vector<double> distances_;  // [element] of the piece at hand; infinite: not reached
};

}  // namespace holo
