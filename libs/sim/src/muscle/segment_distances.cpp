#include "muscle/segment_distances.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "mesh/tetrahedron_faces.h"

namespace holo {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

Eigen::Vector3d closest_point(const Eigen::Vector3d& start, const Eigen::Vector3d& end, const Eigen::Vector3d& point) {
  const Eigen::Vector3d along = end - start;
  return start + std::clamp((point - start).dot(along) / along.squaredNorm(), 0.0, 1.0) * along;
}

std::vector<int> face_neighbors(const TetrahedralMesh& mesh) {
  std::vector<int> identity(mesh.vertices.size());
  for (std::size_t v = 0; v < identity.size(); ++v) identity[v] = static_cast<int>(v);
  const std::vector<TetrahedronFace> faces = sorted_faces(mesh, identity);
  std::vector<int> neighbors(4 * mesh.tetrahedra.size(), -1);
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    end = end_of_same_face(faces, begin);
    if (end != begin + 2) continue;
    neighbors[faces[begin].number] = static_cast<int>(faces[begin + 1].element());
    neighbors[faces[begin + 1].number] = static_cast<int>(faces[begin].element());
  }
  return neighbors;
}

}  // namespace

SegmentDistances::SegmentDistances(const TetrahedralMesh& mesh)
    : mesh_(mesh), neighbors_(face_neighbors(mesh)), first_of_vertex_(mesh.vertices.size() + 1, 0) {
  for (const auto& tetrahedron : mesh.tetrahedra) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const int v : tetrahedron) {
      sum += vertex(v);
      ++first_of_vertex_[static_cast<std::size_t>(v) + 1];
    }
    centroids_.push_back(sum / 4);
    for (const auto& face : tetrahedron_faces) {
      const Eigen::Vector3d a = vertex(tetrahedron[face[0]]), b = vertex(tetrahedron[face[1]]),
                            c = vertex(tetrahedron[face[2]]);
      const Eigen::Vector3d normal = (b - a).cross(c - a).normalized();
      planes_.emplace_back(normal.x(), normal.y(), normal.z(), -normal.dot(a));
    }
  }
  for (std::size_t v = 1; v < first_of_vertex_.size(); ++v) first_of_vertex_[v] += first_of_vertex_[v - 1];
  elements_of_vertices_.resize(4 * mesh.tetrahedra.size());
  std::vector<int> next = first_of_vertex_;
  for (std::size_t element = 0; element < mesh.tetrahedra.size(); ++element)
    for (const int v : mesh.tetrahedra[element])
      elements_of_vertices_[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<int>(element);
}

SegmentDistances::Result SegmentDistances::from(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double limit) {
  Result result;
  result.nearest_distance = unreached;
  distances_.assign(centroids_.size(), unreached);
  hidden_.assign(centroids_.size(), 0);
  char hidden = 0;
  for (std::size_t i = 0; i < centroids_.size(); ++i) {
    const int element = static_cast<int>(i);
    const Eigen::Vector3d target = closest_point(start, end, centroids_[i]);
    const double straight = (target - centroids_[i]).norm();
    if (straight < result.nearest_distance) {
      result.nearest_distance = straight;
      result.nearest_element = element;
    }
    const bool cut = is_cut(element, start, end);
    result.inside = result.inside || cut;
    if (straight > limit) continue;
    if (cut || is_seen(element, target))
      distances_[i] = straight;
    else
      hidden = hidden_[i] = 1;
  }
  if (hidden) find_paths(limit);
  for (std::size_t i = 0; i < distances_.size(); ++i)
    if (distances_[i] <= limit) result.reached.push_back({static_cast<int>(i), distances_[i]});
  return result;
}

// The piece is clipped by the planes of the four faces. An element that it touches is cut.
bool SegmentDistances::is_cut(int element, const Eigen::Vector3d& start, const Eigen::Vector3d& end) const {
  const Eigen::Vector3d along = end - start;
  const double tolerance = 1e-9 * along.norm();
  double enter = 0, leave = 1;
  for (std::size_t f = 0; f < 4; ++f) {
    const Eigen::Vector4d& plane = planes_[4 * static_cast<std::size_t>(element) + f];
    const double height = plane.dot(start.homogeneous()) - tolerance, change = plane.head<3>().dot(along);
    if (height > 0 && height + change > 0) return false;
    if (change > 0) leave = std::min(leave, -height / change);
    if (change < 0) enter = std::max(enter, -height / change);
    if (enter > leave) return false;
  }
  return true;
}

// Walks from the centroid to the target, from element to element through the face by which the line leaves.
bool SegmentDistances::is_seen(int element, const Eigen::Vector3d& target) const {
  const Eigen::Vector3d origin = centroids_[static_cast<std::size_t>(element)], line = target - origin;
  const double parallel = 1e-14 * line.norm();
  for (std::size_t step = 0; step < centroids_.size(); ++step) {
    double exit = unreached;
    std::size_t through = 0;
    for (std::size_t f = 0; f < 4; ++f) {
      const Eigen::Vector4d& plane = planes_[4 * static_cast<std::size_t>(element) + f];
      const double change = plane.head<3>().dot(line);
      if (change <= parallel) continue;  // does not leave through this face
      const double at = -plane.dot(origin.homogeneous()) / change;
      if (at < exit) {
        exit = at;
        through = f;
      }
    }
    if (exit >= 1 - 1e-9) return true;
    element = neighbors_[4 * static_cast<std::size_t>(element) + through];
    if (element < 0) return false;
  }
  return false;  // around and around a vertex; the path along centroids takes over
}

// Dijkstra's algorithm from all elements with a distance. Straight distances are the smallest already.
void SegmentDistances::find_paths(double limit) {
  using Candidate = std::pair<double, int>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  for (std::size_t i = 0; i < distances_.size(); ++i)
    if (distances_[i] < unreached) queue.emplace(distances_[i], static_cast<int>(i));
  while (!queue.empty()) {
    const auto [distance, element] = queue.top();
    queue.pop();
    const std::size_t from = static_cast<std::size_t>(element);
    if (distance > distances_[from]) continue;
    for (const int v : mesh_.tetrahedra[from])
      for (int k = first_of_vertex_[static_cast<std::size_t>(v)]; k < first_of_vertex_[static_cast<std::size_t>(v) + 1]; ++k) {
        const std::size_t to = static_cast<std::size_t>(elements_of_vertices_[static_cast<std::size_t>(k)]);
        if (!hidden_[to]) continue;
        const double longer = distance + (centroids_[to] - centroids_[from]).norm();
        if (longer > limit || longer >= distances_[to]) continue;
        distances_[to] = longer;
        queue.emplace(longer, static_cast<int>(to));
      }
  }
}

}  // namespace holo
