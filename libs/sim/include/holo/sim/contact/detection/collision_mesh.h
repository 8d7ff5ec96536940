#pragma once
// The surfaces of bodies and obstacles that may collide, as one list of vertices, edges and triangles.
//
// Positions and displacements of its vertices are vectors [3 * vertex]: those of a model, followed by those of the vertices of
// obstacles, whose motion is prescribed.

#include <array>
#include <vector>

#include "holo/sim/contact/contact_surface.h"
#include "holo/sim/contact/obstacle_shape.h"

namespace holo {

struct CollisionMesh {
  std::vector<int> vertices;                  // numbers in the vector of positions, ascending
  std::vector<std::array<int, 2>> edges;      // each once, the smaller vertex first, ascending
  std::vector<std::array<int, 3>> triangles;  // of the same numbers
  // The body of each entry of the lists above. Obstacles are bodies, too.
  std::vector<int> vertex_bodies, edge_bodies, triangle_bodies;
  int body_count = 0;
  // [body * body_count + body] not 0: the two may collide, on the diagonal a body with itself. Symmetric.
  std::vector<char> collision_mask;

  // [body] how thick its primitives are: the surface is at this distance from them [m]; empty: they are the surfaces.
  std::vector<double> radii = {};

  double radius_of(int body) const { return radii.empty() ? 0 : radii[static_cast<std::size_t>(body)]; }
  bool may_collide(int a, int b) const { return collision_mask[static_cast<std::size_t>(a * body_count + b)] != 0; }
  void set_may_collide(int a, int b, bool value);
};

// The bodies of a model, each of which may collide with each other one, and with itself where `self_contact` [body] says so.
// Vertices, edges and triangles are the entries of the surface, in its order. Throws Error(internal) for `self_contact` of
// another length than the number of bodies.
CollisionMesh collision_mesh(const ContactSurface& surface, const std::vector<bool>& self_contact);

// Appends an obstacle whose vertex v has the number first_vertex + v, and returns its number as a body. It may collide with all
// bodies of the model and with no obstacle. `obstacles_from` is the number of the first obstacle: that of the model's bodies.
// Throws Error(input) for no triangles of a shape that is not thick, a negative vertex and a repeated one in a triangle,
// Error(internal) for a first_vertex that is not above all earlier numbers.
int add_obstacle(CollisionMesh& mesh, int obstacles_from, int first_vertex, const ObstacleShape& shape);
// The same of triangles alone.
int add_obstacle(CollisionMesh& mesh, int obstacles_from, int first_vertex, const std::vector<std::array<int, 3>>& triangles);

}  // namespace holo
