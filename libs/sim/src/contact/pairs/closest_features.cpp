#include "holo/sim/contact/pairs/closest_features.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "holo/core/error.h"

namespace holo {
namespace {

// The square of a sine below which directions are taken as parallel: at the sine 2^-26 the rounding error of a normal, 2^-52
// over the sine, is as large as the sine itself.
constexpr double parallel_squared_sine = 0x1p-52;

Eigen::Vector3d pair_node(const PairVector& x, int node) { return x.segment<3>(3 * node); }

// Features that may be the closest: their squared distance, and the vector from the closest point of the edge to the point.
struct Candidate {
  double squared_distance;
  Eigen::Vector3d difference;
  ClosestFeatures features;
};

Candidate two_points(PairKind kind, const PairVector& x, int point, int other) {
  const Eigen::Vector3d difference = pair_node(x, point) - pair_node(x, other);
  return {difference.squaredNorm(), difference, {kind, Stratum::point_point, 2, {point, other}}};
}

// The point and an edge, between whose ends the closest point lies or not. An edge that is shorter than the rounding of its
// distance to the point counts as a point.
Candidate point_and_edge(PairKind kind, const PairVector& x, int point, int first, int second) {
  const Eigen::Vector3d edge = pair_node(x, second) - pair_node(x, first), r = pair_node(x, point) - pair_node(x, first);
  const double along = edge.dot(r), squared_length = edge.squaredNorm();
  if (along <= 0 || squared_length <= 0x1p-104 * r.squaredNorm()) return two_points(kind, x, point, first);
  if (along >= squared_length) return two_points(kind, x, point, second);
  return {edge.cross(r).squaredNorm() / squared_length,
          r - along / squared_length * edge,
          {kind, Stratum::point_edge, 3, {point, first, second}}};
}

template <std::size_t count>
ClosestFeatures nearest_candidate(const std::array<Candidate, count>& candidates) {
  const auto nearer = [](const Candidate& a, const Candidate& b) { return a.squared_distance < b.squared_distance; };
  return std::min_element(candidates.begin(), candidates.end(), nearer)->features;
}

// The barycentric coordinates, times |n|^2, of the point of the triangle's plane that is closest to the point p.
Eigen::Vector3d scaled_barycentric(const Eigen::Vector3d& p, const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                                   const Eigen::Vector3d& c, const Eigen::Vector3d& n) {
  const Eigen::Vector3d to_a = a - p, to_b = b - p, to_c = c - p;
  return {to_b.cross(to_c).dot(n), to_c.cross(to_a).dot(n), to_a.cross(to_b).dot(n)};
}

// By the regions of points that are closest to the face, to an edge, to a vertex, which are disjoint [Ericson2005]. Distances
// would not tell: they differ by the square of the way to another region, which is lost from 1e-8 of the lengths on, where
// gradients would jump.
ClosestFeatures features_of_point_and_triangle(const PairVector& x) {
  const PairKind kind = PairKind::point_triangle;
  const Eigen::Vector3d p = pair_node(x, 0), a = pair_node(x, 1), b = pair_node(x, 2), c = pair_node(x, 3);
  const Eigen::Vector3d ab = b - a, ac = c - a, bc = c - b, n = ab.cross(ac);
  const double length = std::max({ab.squaredNorm(), ac.squaredNorm(), bc.squaredNorm()});
  const std::array<Candidate, 3> edges = {point_and_edge(kind, x, 0, 2, 3), point_and_edge(kind, x, 0, 3, 1),
                                          point_and_edge(kind, x, 0, 1, 2)};  // [opposite corner]
  if (!(n.squaredNorm() > parallel_squared_sine * length * length)) return nearest_candidate(edges);
  const Eigen::Vector3d inside = scaled_barycentric(p, a, b, c, n);
  if ((inside.array() > 0).all()) return {kind, Stratum::point_triangle, 4, {0, 1, 2, 3}};
  for (int i = 0; i < 3; ++i) {  // between the ends of an edge and outside of it
    const ClosestFeatures& features = edges[static_cast<std::size_t>(i)].features;
    if (inside[i] <= 0 && features.stratum == Stratum::point_edge) return features;
  }
  for (int corner = 1; corner <= 3; ++corner) {  // both edges of a corner lead away
    const Eigen::Vector3d r = p - pair_node(x, corner);
    if (r.dot(pair_node(x, corner % 3 + 1) - pair_node(x, corner)) <= 0 &&
        r.dot(pair_node(x, (corner + 1) % 3 + 1) - pair_node(x, corner)) <= 0)
      return two_points(kind, x, 0, corner).features;
  }
  return nearest_candidate(edges);  // between regions, by rounding
}

// Where a_0 + s e_1 and b_0 + t e_2, the closest points of the lines of two edges, lie: (s, t), with n = e_1 x e_2.
Eigen::Vector2d closest_on_lines(const Eigen::Vector3d& r, const Eigen::Vector3d& e1, const Eigen::Vector3d& e2,
                                 const Eigen::Vector3d& n) {
  return Eigen::Vector2d(r.cross(e2).dot(n), r.cross(e1).dot(n)) / n.squaredNorm();
}

// If the closest points of the lines are not both inside, one of the closest points is an end, from which the way along its own
// edge leads away from the other edge. Of several such ends, which parallel edges have, the first is taken.
ClosestFeatures features_of_edges(const PairVector& x) {
  const PairKind kind = PairKind::edge_edge;
  const Eigen::Vector3d e1 = pair_node(x, 1) - pair_node(x, 0), e2 = pair_node(x, 3) - pair_node(x, 2), n = e1.cross(e2);
  if (n.squaredNorm() > parallel_squared_sine * e1.squaredNorm() * e2.squaredNorm()) {
    const Eigen::Array2d at = closest_on_lines(pair_node(x, 2) - pair_node(x, 0), e1, e2, n).array();
    if ((at > 0).all() && (at < 1).all()) return {kind, Stratum::edge_edge, 4, {0, 1, 2, 3}};
  }
  const std::array<Candidate, 4> ends = {point_and_edge(kind, x, 0, 2, 3), point_and_edge(kind, x, 1, 2, 3),
                                         point_and_edge(kind, x, 2, 0, 1), point_and_edge(kind, x, 3, 0, 1)};
  const Eigen::Vector3d away[] = {e1, -e1, e2, -e2};
  for (std::size_t i = 0; i < 4; ++i)
    if (away[i].dot(ends[i].difference) >= 0) return ends[i].features;
  return nearest_candidate(ends);  // none, by rounding
}

// The sign of the first primitive's weights is +, that of the second -.
double side_of(const ClosestFeatures& features, int node) {
  return node < (features.kind == PairKind::point_triangle ? 1 : 2) ? 1 : -1;
}

// A direction of the closest points' difference that does not suffer where it is small: normals of faces and of crossing edges,
// and the part of a difference that is orthogonal to an edge. Its sign is set afterwards.
Eigen::Vector3d direction_of(const ClosestFeatures& features, const PairVector& x) {
  const auto at = [&](std::size_t i) { return pair_node(x, features.nodes[i]); };
  switch (features.stratum) {
    case Stratum::point_point:
      return at(0) - at(1);
    case Stratum::point_edge: {
      const Eigen::Vector3d e = at(2) - at(1);
      return e.cross((at(0) - at(1)).cross(e)) / e.squaredNorm();
    }
    case Stratum::point_triangle:
      return (at(2) - at(1)).cross(at(3) - at(1));
    case Stratum::edge_edge:
      break;
  }
  return (at(1) - at(0)).cross(at(3) - at(2));
}

}  // namespace

ClosestFeatures closest_features(PairKind kind, const PairVector& x) {
  return kind == PairKind::point_triangle ? features_of_point_and_triangle(x) : features_of_edges(x);
}

Eigen::Vector4d closest_weights(const ClosestFeatures& features, const PairVector& x) {
  const auto at = [&](std::size_t i) { return pair_node(x, features.nodes[i]); };
  Eigen::Vector4d local(1, 1, 0, 0);
  switch (features.stratum) {
    case Stratum::point_point:
      break;
    case Stratum::point_edge: {
      const Eigen::Vector3d e = at(2) - at(1);
      const double t = e.dot(at(0) - at(1)) / e.squaredNorm();
      local << 1, 1 - t, t, 0;
      break;
    }
    case Stratum::point_triangle: {
      const Eigen::Vector3d areas = scaled_barycentric(at(0), at(1), at(2), at(3), direction_of(features, x));
      local << 1, areas / areas.sum();
      break;
    }
    case Stratum::edge_edge: {
      const Eigen::Vector3d e1 = at(1) - at(0), e2 = at(3) - at(2);
      const Eigen::Vector2d s = closest_on_lines(at(2) - at(0), e1, e2, e1.cross(e2));
      local << 1 - s[0], s[0], 1 - s[1], s[1];
    }
  }
  Eigen::Vector4d weights = Eigen::Vector4d::Zero();
  for (int i = 0; i < features.node_count; ++i) {
    const int node = features.nodes[static_cast<std::size_t>(i)];
    weights[node] = side_of(features, node) * local[i];
  }
  return weights;
}

PairFrame pair_frame(const ClosestFeatures& features, const PairVector& x) {
  PairFrame frame;
  frame.weights = closest_weights(features, x);
  const Eigen::Vector3d direction = direction_of(features, x);
  const double length = direction.stableNorm();
  if (!(length > 0))
    throw Error(Failure::internal,
                "The closest features of a contact pair are points at distance 0, which have no normal: surfaces intersect or "
                "touch before the frame of their contact is computed.");
  // From the second primitive to the first, as the difference of the closest points.
  Eigen::Vector3d difference = Eigen::Vector3d::Zero();
  for (int node = 0; node < 4; ++node) difference += frame.weights[node] * (pair_node(x, node) - pair_node(x, 0));
  frame.normal = direction / (difference.dot(direction) < 0 ? -length : length);
  // Orthogonal to the normal and to the axis that it has the least of.
  int axis = 0;
  frame.normal.cwiseAbs().minCoeff(&axis);
  frame.tangents.col(0) = frame.normal.cross(Eigen::Vector3d::Unit(axis)).normalized();
  frame.tangents.col(1) = frame.normal.cross(frame.tangents.col(0));
  return frame;
}

}  // namespace holo
