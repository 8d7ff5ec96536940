#pragma once
// The closest features of two primitives of surfaces, a point and a triangle or two edges: which of their vertices, edges and
// faces the distance is between, and at which points. The positions that decide are real numbers; derivatives of the distance
// (pair_distance.h) are those of the features that were found.

#include <Eigen/Core>
#include <array>

namespace holo {

// The four nodes of a pair, [3 * node] [m].
using PairVector = Eigen::Matrix<double, 12, 1>;
using PairMatrix = Eigen::Matrix<double, 12, 12>;

enum class PairKind {
  point_triangle,  // nodes: the point, then the corners of the triangle
  edge_edge        // nodes: the ends of the first edge, then those of the second
};

// The kinds of features that a distance may be between. The distance of two primitives and its gradient are continuous where
// the features change; second derivatives jump.
enum class Stratum {
  point_point,     // nodes: both points
  point_edge,      // nodes: the point, the ends of the edge
  point_triangle,  // nodes: the point, the corners of the triangle
  edge_edge        // nodes: the ends of the first line, those of the second
};

struct ClosestFeatures {
  PairKind kind = PairKind::point_triangle;
  Stratum stratum = Stratum::point_point;
  int node_count = 2;             // 2, 3, 4 and 4 of the strata
  std::array<int, 4> nodes = {};  // [node_count] among those of the pair, in the order of the stratum
  bool operator==(const ClosestFeatures&) const = default;
};

// The features of the pair that its distance is between: of a point and a triangle 7 cases (3 vertices, 3 edges, the face), of
// two edges 9 (4 pairs of vertices, 4 of a vertex and an edge, the interiors).
//
// The face and the interiors are chosen only where their common normal n is better known than the error that the neighboring
// features make: where the sine between two edges, or of a triangle the height over the length, is 1.5e-8 or less, the rounding
// error of n exceeds that sine, while the distance of the boundary's features is right to the product of sine and length. So
// parallel edges, flat triangles and edges without length have their distance between points and edges. Positions must be
// finite; of those that are not the result has no meaning.
ClosestFeatures closest_features(PairKind kind, const PairVector& x);

// Weights g [node] of the closest points: p = sum of g_i x_i is the vector from the point on the second primitive to that on
// the first [m], and |p| the distance. The weights of each primitive have the sum 1 and -1; those of nodes outside of the
// features are 0.
Eigen::Vector4d closest_weights(const ClosestFeatures& features, const PairVector& x);

// The directions of a pair's contact.
struct PairFrame {
  Eigen::Vector4d weights;               // closest_weights
  Eigen::Vector3d normal;                // unit, from the second primitive to the first
  Eigen::Matrix<double, 3, 2> tangents;  // orthonormal, orthogonal to the normal
};

// Throws Error(internal) where the features are points, or a point and an edge, that coincide: they have no normal. A point on
// a face and edges that cross have one, whose sign is then arbitrary.
PairFrame pair_frame(const ClosestFeatures& features, const PairVector& x);

}  // namespace holo
