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

Eigen::Vector3d rest_position(const ElasticBody& body, int vertex) {
  return Eigen::Vector3d(body.mesh.vertices[static_cast<std::size_t>(vertex - body.first_vertex)].data());
}

// Appends the edges of the body's triangles, which have the areas `areas`. Vertices of a later body have larger numbers, so
// that all edges ascend.
void add_edges(const ElasticBody& body, const std::vector<std::array<int, 3>>& triangles, const std::vector<double>& areas,
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
  for (const auto& [a, b] : edges) surface.edge_lengths.push_back((rest_position(body, b) - rest_position(body, a)).norm());
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
  std::vector<double> areas(static_cast<std::size_t>(model.vertex_count()), 0.0);
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const ElasticBody& body = model.bodies()[b];
    std::vector<std::array<int, 3>> triangles = boundary_triangles(body.mesh);
    std::vector<double> triangle_areas;
    for (auto& triangle : triangles) {
      for (int& vertex : triangle) vertex += body.first_vertex;
      const Eigen::Vector3d corner = rest_position(body, triangle[0]);
      const double area =
          0.5 * (rest_position(body, triangle[1]) - corner).cross(rest_position(body, triangle[2]) - corner).norm();
      for (const int vertex : triangle) areas[static_cast<std::size_t>(vertex)] += area / 3;
      triangle_areas.push_back(area);
    }
    surface.triangles.insert(surface.triangles.end(), triangles.begin(), triangles.end());
    add_edges(body, triangles, triangle_areas, surface);
    for (int vertex = body.first_vertex; vertex < body.first_vertex + body.vertex_count; ++vertex)
      if (const double area = areas[static_cast<std::size_t>(vertex)]; area > 0) {
        surface.vertices.push_back(vertex);
        surface.areas.push_back(area);
        surface.bodies.push_back(static_cast<int>(b));
      }
  }
  return surface;
}

}  // namespace holo
