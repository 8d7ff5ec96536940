#pragma once
// The broad phase of collision detection: pairs of a vertex and a triangle, and of two edges, that may be close to each other
// or meet during a motion.

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "holo/sim/contact/detection/collision_mesh.h"

namespace holo {

struct PointTrianglePair {
  int vertex, triangle;  // entries of the mesh's lists
  // NOLINTNEXTLINE(modernize-use-nullptr): there is none
  friend auto operator<=>(const PointTrianglePair&, const PointTrianglePair&) = default;
};

struct EdgePair {
  int first, second;  // entries of the mesh's list of edges, first < second
  // NOLINTNEXTLINE(modernize-use-nullptr): there is none
  friend auto operator<=>(const EdgePair&, const EdgePair&) = default;
};

// Both lists ascend. No pair has a common vertex, and the mesh's mask lets the bodies of each pair collide.
struct CandidatePairs {
  std::vector<PointTrianglePair> point_triangle;
  std::vector<EdgePair> edge_edge;
};

// Finds all pairs whose axis-aligned boxes, of thick primitives enlarged by their radius, are at most `distance` (>= 0) [m]
// apart along each axis. A pair that is missing has a larger distance, also where positions are rounded. Boxes lie in a hash of
// uniform cells of twice the mean size of the edges' boxes, and larger ones in coarser levels; so a primitive of any size is in
// one cell.
//
// A search of the grid finds the pairs of boxes that are larger by a tenth of the edges' median extent. Calls whose boxes lie
// within those only look through these pairs, which takes a fraction of the time. Results are those of a new search.
//
// Positions and directions are [3 * vertex] [m] and have to be finite: otherwise Error(internal) names the vertex. Results live
// until the next call. Memory is allocated again only for more pairs than before, and the results do not depend on the number
// of threads.
class CandidateSearch {
 public:
  explicit CandidateSearch(std::shared_ptr<const CollisionMesh> mesh);
  ~CandidateSearch();
  CandidateSearch(CandidateSearch&&) noexcept;
  CandidateSearch& operator=(CandidateSearch&&) noexcept;

  // Pairs at positions x.
  const CandidatePairs& at(const Eigen::VectorXd& x, double distance);
  // Pairs during the motion x + t direction, 0 <= t <= 1: the boxes contain all of it.
  const CandidatePairs& swept(const Eigen::VectorXd& x, const Eigen::VectorXd& direction, double distance);

  int searches() const;  // of the grid so far

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

// The vertices of a pair, as columns: the point and the triangle's corners, or the two ends of the first and of the second
// edge. `values` are positions or displacements [3 * vertex].
using PairColumns = Eigen::Matrix<double, 3, 4>;
PairColumns columns_of(const CollisionMesh& mesh, const PointTrianglePair& pair, const Eigen::VectorXd& values);
PairColumns columns_of(const CollisionMesh& mesh, const EdgePair& pair, const Eigen::VectorXd& values);

}  // namespace holo
