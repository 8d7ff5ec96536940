#include "holo/sim/contact/contact_surface.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace holo {
namespace {

// The edge of a triangle that begins at its corner i.
std::array<int, 2> edge_at(const std::array<int, 3>& triangle, std::size_t i) {
  const int a = triangle[i], b = triangle[(i + 1) % 3];
  return {std::min(a, b), std::max(a, b)};
}

// A mesh of a body whose first vertex has the number `first`.
struct BodyMesh {
  int body;  // of the model
  int first;
  const TetrahedralMesh& mesh;

  Eigen::Vector3d rest_position(int vertex) const {
    return Eigen::Vector3d(mesh.vertices[static_cast<std::size_t>(vertex - first)].data());
  }
};

// Points of affine bodies have the largest numbers, so that those bodies come last.
std::vector<BodyMesh> meshes_in_order_of_numbers(const ElasticModel& model) {
  std::vector<BodyMesh> meshes;
  for (std::size_t b = 0; b < model.bodies().size(); ++b)
    if (const ElasticBody& body = model.bodies()[b]; !body.is_affine)
      meshes.push_back({static_cast<int>(b), body.first_vertex, body.mesh});
  if (model.embedding())
    for (const EmbeddedBody& body : model.embedding()->bodies()) meshes.push_back({body.body, body.first_point, body.mesh});
  return meshes;
}

// Appends the edges of the body's triangles, which have the areas `areas`. Vertices of a later mesh have larger numbers, so
// that all edges ascend.
void add_edges(const BodyMesh& body, const std::vector<std::array<int, 3>>& triangles, const std::vector<double>& areas,
               ContactSurface& surface) {
  const std::vector<std::array<int, 2>> edges = edges_of(triangles);
  const std::size_t first = surface.edges.size();
  surface.edges.insert(surface.edges.end(), edges.begin(), edges.end());
  surface.edge_areas.resize(surface.edges.size(), 0.0);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto found = std::lower_bound(edges.begin(), edges.end(), edge_at(triangles[t], i));
      surface.edge_areas[first + static_cast<std::size_t>(found - edges.begin())] += areas[t] / 3;
    }
  for (const auto& [a, b] : edges) surface.edge_lengths.push_back((body.rest_position(b) - body.rest_position(a)).norm());
}

}  // namespace

std::vector<std::array<int, 2>> edges_of(const std::vector<std::array<int, 3>>& triangles) {
  std::vector<std::array<int, 2>> edges;
  edges.reserve(3 * triangles.size());
  for (const auto& triangle : triangles)
    for (std::size_t i = 0; i < 3; ++i) edges.push_back(edge_at(triangle, i));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

ContactSurface contact_surface(const ElasticModel& model) {
  ContactSurface surface;
  surface.embedding = model.embedding();
  const int count = surface.embedding ? surface.embedding->point_count() : model.vertex_count();
  std::vector<double> areas(static_cast<std::size_t>(count), 0.0);
  for (const BodyMesh& body : meshes_in_order_of_numbers(model)) {
    std::vector<std::array<int, 3>> triangles = boundary_triangles(body.mesh);
    std::vector<double> triangle_areas;
    for (auto& triangle : triangles) {
      for (int& vertex : triangle) vertex += body.first;
      const Eigen::Vector3d corner = body.rest_position(triangle[0]);
      const double area =
          0.5 * (body.rest_position(triangle[1]) - corner).cross(body.rest_position(triangle[2]) - corner).norm();
      for (const int vertex : triangle) areas[static_cast<std::size_t>(vertex)] += area / 3;
      triangle_areas.push_back(area);
    }
    surface.triangles.insert(surface.triangles.end(), triangles.begin(), triangles.end());
    add_edges(body, triangles, triangle_areas, surface);
    const int behind = body.first + static_cast<int>(body.mesh.vertices.size());
    for (int vertex = body.first; vertex < behind; ++vertex)
      if (const double area = areas[static_cast<std::size_t>(vertex)]; area > 0) {
        surface.vertices.push_back(vertex);
        surface.areas.push_back(area);
        surface.bodies.push_back(body.body);
      }
  }
  return surface;
}

}  // namespace holo
