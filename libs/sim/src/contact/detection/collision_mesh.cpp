#include "holo/sim/contact/detection/collision_mesh.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/error.h"

namespace holo {
namespace {

void require_obstacle(const CollisionMesh& mesh, int first_vertex, const ObstacleShape& shape) {
  const std::vector<std::array<int, 3>>& triangles = shape.triangles;
  if (!mesh.vertices.empty() && first_vertex <= mesh.vertices.back())
    throw Error(Failure::internal,
                fmt::format("the vertices of an obstacle are numbered from {}, but vertex {} belongs to an earlier body",
                            first_vertex, mesh.vertices.back()));
  if (triangles.empty() && shape.radius == 0)
    throw Error(Failure::input, "an obstacle has no triangles; it must have at least one");
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    if (std::min({a, b, c}) < 0 || a == b || b == c || c == a)
      throw Error(Failure::input,
                  fmt::format("triangle {} of an obstacle has the vertices {}, {}, {}; they must be different, and 0 or more",
                              t + 1, a, b, c));
  }
}

// The bodies of edges or triangles, from those of their first vertices.
template <class Primitives>
std::vector<int> bodies_of(const Primitives& primitives, const ContactSurface& surface) {
  std::vector<int> bodies;
  bodies.reserve(primitives.size());
  for (const auto& primitive : primitives) {
    const auto found = std::lower_bound(surface.vertices.begin(), surface.vertices.end(), primitive[0]);
    bodies.push_back(surface.bodies[static_cast<std::size_t>(found - surface.vertices.begin())]);
  }
  return bodies;
}

}  // namespace

void CollisionMesh::set_may_collide(int a, int b, bool value) {
  collision_mask[static_cast<std::size_t>(a * body_count + b)] = value;
  collision_mask[static_cast<std::size_t>(b * body_count + a)] = value;
}

CollisionMesh collision_mesh(const ContactSurface& surface, const std::vector<bool>& self_contact) {
  const int body_count = surface.bodies.empty() ? 0 : *std::max_element(surface.bodies.begin(), surface.bodies.end()) + 1;
  if (static_cast<int>(self_contact.size()) != body_count)
    throw Error(Failure::internal, fmt::format("contact of bodies with themselves is given for {} bodies; there are {}",
                                               self_contact.size(), body_count));
  CollisionMesh mesh;
  mesh.vertices = surface.vertices;
  mesh.edges = surface.edges;
  mesh.triangles = surface.triangles;
  mesh.vertex_bodies = surface.bodies;
  mesh.edge_bodies = bodies_of(surface.edges, surface);
  mesh.triangle_bodies = bodies_of(surface.triangles, surface);
  mesh.body_count = body_count;
  mesh.collision_mask.assign(static_cast<std::size_t>(body_count * body_count), 1);
  for (int body = 0; body < body_count; ++body) mesh.set_may_collide(body, body, self_contact[static_cast<std::size_t>(body)]);
  return mesh;
}

int add_obstacle(CollisionMesh& mesh, int obstacles_from, int first_vertex, const std::vector<std::array<int, 3>>& triangles) {
  return add_obstacle(mesh, obstacles_from, first_vertex, {{}, {}, triangles, 0});
}

int add_obstacle(CollisionMesh& mesh, int obstacles_from, int first_vertex, const ObstacleShape& shape) {
  require_obstacle(mesh, first_vertex, shape);
  const int body = mesh.body_count;
  std::vector<int> vertices;
  if (shape.triangles.empty())
    for (std::size_t v = 0; v < shape.vertices.size(); ++v) vertices.push_back(first_vertex + static_cast<int>(v));
  for (const auto& triangle : shape.triangles) {
    mesh.triangles.push_back({triangle[0] + first_vertex, triangle[1] + first_vertex, triangle[2] + first_vertex});
    for (const int vertex : triangle) vertices.push_back(vertex + first_vertex);
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  mesh.vertices.insert(mesh.vertices.end(), vertices.begin(), vertices.end());
  for (const auto& [a, b] : shape.triangles.empty() ? shape.edges : edges_of(shape.triangles))
    mesh.edges.push_back({a + first_vertex, b + first_vertex});
  mesh.vertex_bodies.resize(mesh.vertices.size(), body);
  mesh.edge_bodies.resize(mesh.edges.size(), body);
  mesh.triangle_bodies.resize(mesh.triangles.size(), body);
  mesh.radii.resize(static_cast<std::size_t>(body), 0.0);
  mesh.radii.push_back(shape.radius);

  // The mask grows by a row and a column.
  const std::vector<char> earlier = mesh.collision_mask;
  mesh.body_count = body + 1;
  mesh.collision_mask.assign(static_cast<std::size_t>(mesh.body_count * mesh.body_count), 0);
  for (int a = 0; a < body; ++a)
    for (int b = 0; b < body; ++b) mesh.set_may_collide(a, b, earlier[static_cast<std::size_t>(a * body + b)] != 0);
  for (int a = 0; a < obstacles_from; ++a) mesh.set_may_collide(a, body, true);
  return body;
}

}  // namespace holo
