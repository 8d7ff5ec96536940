#include "holo/sim/contact/mesh_distance.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "holo/core/error.h"

namespace holo {

namespace {

constexpr int triangles_of_a_leaf = 4;
constexpr int mesh_tree_depth_limit = 64;  // a node's triangles are halved: of 2^31 triangles the tree is half as deep

Eigen::Vector3d mesh_vertex(const SurfaceMesh& mesh, int vertex) {
  return Eigen::Map<const Eigen::Vector3d>(mesh.vertices[std::size_t(vertex)].data());
}

void require_finite_triangles(const SurfaceMesh& mesh) {
  const auto fail = [&](const std::string& text) { throw Error(Failure::input, mesh.source + ": " + text); };
  if (mesh.triangles.empty()) fail("the surface has no triangles");
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& [a, b, c] = mesh.triangles[i];
    for (const int vertex : {a, b, c})
      if (vertex < 0 || vertex >= int(mesh.vertices.size()))
        fail(fmt::format("the triangle {} has the vertex {}; there are {}", i + 1, vertex + 1, mesh.vertices.size()));
    const Eigen::Vector3d x = mesh_vertex(mesh, a), ab = mesh_vertex(mesh, b) - x, ac = mesh_vertex(mesh, c) - x;
    const double area = ab.cross(ac).norm() / 2;
    if (!std::isfinite(area)) fail(fmt::format("the triangle {} has a corner whose coordinates are not finite numbers", i + 1));
    if (!(area > 0))
      fail(fmt::format("the triangle {} near [{:.6g}, {:.6g}, {:.6g}] has no area, so that it has no normal: collapse it",
                       i + 1, x.x(), x.y(), x.z()));
  }
}

// Around a vertex of a closed surface each triangle's next corner is the corner before of the next triangle: one cycle of all
// triangles, or several where parts of the surface meet at the vertex alone.
void require_one_fan_at_vertices(const SurfaceMesh& mesh) {
  std::vector<std::map<int, int>> next(mesh.vertices.size());  // [vertex]: of a triangle's second corner, its third one
  for (const std::array<int, 3>& triangle : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) next[std::size_t(triangle[k])][triangle[(k + 1) % 3]] = triangle[(k + 2) % 3];
  for (std::size_t v = 0; v < next.size(); ++v) {
    if (next[v].empty()) continue;
    const int start = next[v].begin()->first;
    std::size_t length = 1;
    for (int corner = next[v].at(start); corner != start; corner = next[v].at(corner)) ++length;
    if (length < next[v].size())
      throw Error(Failure::input,
                  fmt::format("{}: at the vertex {} at [{:.6g}, {:.6g}, {:.6g}] parts of the surface meet that have no common "
                              "edge there; give each part a vertex of its own, moved apart",
                              mesh.source, v + 1, mesh.vertices[v][0], mesh.vertices[v][1], mesh.vertices[v][2]));
  }
}

}  // namespace

MeshDistance::MeshDistance(SurfaceMesh mesh) : mesh_(std::move(mesh)) {
  require_finite_triangles(mesh_);
  require_surface(mesh_, false);
  require_one_fan_at_vertices(mesh_);
  find_normals();
  order_.resize(mesh_.triangles.size());
  std::iota(order_.begin(), order_.end(), 0);
  build(0, int(order_.size()));
}

Eigen::Vector3d MeshDistance::corner(int triangle, int k) const {
  return mesh_vertex(mesh_, mesh_.triangles[std::size_t(triangle)][std::size_t(k)]);
}

// Normals of vertices are the sum of those of their faces, weighted by the angles at the vertex; normals of edges the sum of
// those of their two faces. Their lengths do not count.
void MeshDistance::find_normals() {
  vertex_normals_.assign(mesh_.vertices.size(), Eigen::Vector3d::Zero());
  std::map<std::array<int, 2>, int> triangle_of_edge;  // directed, as its triangle has it
  for (int t = 0; t < int(mesh_.triangles.size()); ++t) {
    const std::array<int, 3>& triangle = mesh_.triangles[std::size_t(t)];
    face_normals_.push_back((corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)).normalized());
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d to_next = corner(t, (k + 1) % 3) - corner(t, k), to_last = corner(t, (k + 2) % 3) - corner(t, k);
      const double angle = std::atan2(to_next.cross(to_last).norm(), to_next.dot(to_last));
      vertex_normals_[std::size_t(triangle[std::size_t(k)])] += angle * face_normals_.back();
      triangle_of_edge[{triangle[std::size_t(k)], triangle[std::size_t((k + 1) % 3)]}] = t;
    }
  }
  opposite_edge_normals_.resize(mesh_.triangles.size());
  for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::array<int, 2> reversed = {mesh_.triangles[t][(k + 2) % 3], mesh_.triangles[t][(k + 1) % 3]};
      opposite_edge_normals_[t][k] = face_normals_[t] + face_normals_[std::size_t(triangle_of_edge.at(reversed))];
    }
}

// Halves the triangles by the centers of their boxes along the longest axis. Returns the node's number.
int MeshDistance::build(int first, int count) {
  Node node;
  node.lower.setConstant(std::numeric_limits<double>::infinity());
  node.upper = -node.lower;
  node.first = first;
  node.count = count;
  for (int i = first; i < first + count; ++i)
    for (int k = 0; k < 3; ++k) {
      node.lower = node.lower.cwiseMin(corner(order_[std::size_t(i)], k));
      node.upper = node.upper.cwiseMax(corner(order_[std::size_t(i)], k));
    }
  const int number = int(nodes_.size());
  nodes_.push_back(node);
  if (count <= triangles_of_a_leaf) return number;
  Eigen::Index axis = 0;
  (node.upper - node.lower).maxCoeff(&axis);
  const auto middle = [&](int t) {
    const double a = corner(t, 0)[axis], b = corner(t, 1)[axis], c = corner(t, 2)[axis];
    return std::min({a, b, c}) + std::max({a, b, c});
  };
  const auto begin = order_.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count, [&](int s, int t) {
    const double a = middle(s), b = middle(t);
    return a < b || (a == b && s < t);  // an order of all triangles: the tree does not depend on the library
  });
  const int left = build(first, count / 2), right = build(first + count / 2, count - count / 2);
  nodes_[std::size_t(number)].left = left;
  nodes_[std::size_t(number)].right = right;
  return number;
}

double MeshDistance::squared_distance_to(const Node& node, const Eigen::Vector3d& point) const {
  return (node.lower - point).cwiseMax(point - node.upper).cwiseMax(0).squaredNorm();
}

// The closest of the triangles that were considered.
struct MeshDistance::Nearest {
  PairVector x;  // the point, then the corners of a triangle
  double squared_distance = std::numeric_limits<double>::infinity();
  Eigen::Vector3d difference = Eigen::Vector3d::Zero();  // from the closest point to the point
  ClosestFeatures features;
  int triangle = -1;

  explicit Nearest(const Eigen::Vector3d& point) { x.head<3>() = point; }
  void consider(const MeshDistance& mesh, int candidate) {
    for (int k = 0; k < 3; ++k) x.segment<3>(3 + 3 * k) = mesh.corner(candidate, k);
    const ClosestFeatures found = closest_features(PairKind::point_triangle, x);
    const Eigen::Vector3d vector = Eigen::Map<const Eigen::Matrix<double, 3, 4>>(x.data()) * closest_weights(found, x);
    if (!(vector.squaredNorm() < squared_distance)) return;
    squared_distance = vector.squaredNorm();
    difference = vector;
    features = found;
    triangle = candidate;
  }
};

// The normal of the closest face, edge or vertex.
const Eigen::Vector3d& MeshDistance::normal_of(const Nearest& nearest) const {
  const std::size_t t = std::size_t(nearest.triangle);
  const std::array<int, 4>& nodes = nearest.features.nodes;  // 0 is the point, 1, 2 and 3 are the corners
  if (nearest.features.stratum == Stratum::point_triangle) return face_normals_[t];
  if (nearest.features.stratum == Stratum::point_edge) return opposite_edge_normals_[t][std::size_t(5 - nodes[1] - nodes[2])];
  return vertex_normals_[std::size_t(mesh_.triangles[t][std::size_t(nodes[1] - 1)])];
}

// Goes down the tree to the nearer half first, and leaves out boxes that are farther than the closest triangle so far.
ClosestPoint MeshDistance::closest(const Eigen::Vector3d& point) const {
  Nearest nearest(point);
  std::array<int, mesh_tree_depth_limit> waiting{};  // nodes; the first one is the root
  for (std::size_t count = 1; count > 0;) {
    const Node& node = nodes_[std::size_t(waiting[--count])];
    if (squared_distance_to(node, point) >= nearest.squared_distance) continue;
    if (node.left < 0) {
      for (int i = node.first; i < node.first + node.count; ++i) nearest.consider(*this, order_[std::size_t(i)]);
      continue;
    }
    const bool left_first = squared_distance_to(nodes_[std::size_t(node.left)], point) <
                            squared_distance_to(nodes_[std::size_t(node.right)], point);
    waiting[count++] = left_first ? node.right : node.left;
    waiting[count++] = left_first ? node.left : node.right;
  }
  if (nearest.triangle < 0) throw Error(Failure::internal, "a point whose coordinates are not finite has no closest point");
  const Eigen::Vector3d& normal = normal_of(nearest);
  const double length = nearest.difference.norm(), rounding = 4 * std::numeric_limits<double>::epsilon() * point.norm();
  const double sign = nearest.difference.dot(normal) < 0 ? -1 : 1;
  const Eigen::Vector3d direction =
      length > rounding ? Eigen::Vector3d(sign / length * nearest.difference) : normal.normalized();
  return {sign * length, point - nearest.difference, direction, nearest.triangle, nearest.features.stratum};
}

}  // namespace holo
