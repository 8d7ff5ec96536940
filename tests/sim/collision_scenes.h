#pragma once
// Surfaces for the tests of collision detection.

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "holo/sim/contact/detection/collision_mesh.h"
#include "scenes.h"

namespace holo::test {

// Triangles with the positions of their vertices, in the numbering of one vector.
struct TriangleMesh {
  std::vector<std::array<int, 3>> triangles;
  std::vector<double> positions;  // [3 * vertex]
};

inline Eigen::VectorXd positions_of(const std::vector<TriangleMesh>& bodies) {
  std::vector<double> all;
  for (const TriangleMesh& body : bodies) all.insert(all.end(), body.positions.begin(), body.positions.end());
  return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

// The bodies as those of a model, one after the other in the numbering.
inline CollisionMesh collision_mesh_of(const std::vector<TriangleMesh>& bodies, const std::vector<bool>& self_contact) {
  ContactSurface surface;
  int first = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    for (const auto& [i, j, k] : bodies[b].triangles) surface.triangles.push_back({i + first, j + first, k + first});
    for (std::size_t v = 0; v < bodies[b].positions.size() / 3; ++v) {
      surface.vertices.push_back(first++);
      surface.bodies.push_back(static_cast<int>(b));
    }
  }
  surface.edges = edges_of(surface.triangles);
  return collision_mesh(surface, self_contact);
}

// Separate triangles at random places of the unit cube, of edge lengths from `smallest` to `largest`, evenly in the logarithm.
inline TriangleMesh triangle_soup(int count, double smallest, double largest, std::size_t seed) {
  TriangleMesh soup;
  std::size_t draw = seed * 1000003;
  for (int t = 0; t < count; ++t) {
    const double size = smallest * std::pow(largest / smallest, 0.5 * (1 + wiggle(draw++)));
    Vector3d center;
    for (double& coordinate : center) coordinate = 0.5 * (1 + wiggle(draw++));
    for (int i = 0; i < 9; ++i) soup.positions.push_back(center[static_cast<std::size_t>(i % 3)] + 0.5 * size * wiggle(draw++));
    soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return soup;
}

// A sphere of 8 n^2 triangles: the faces of an octahedron, each divided into n^2 triangles.
inline TriangleMesh sphere_surface(int n, double radius, const Eigen::Vector3d& center) {
  TriangleMesh sphere;
  std::map<std::array<int, 3>, int> numbers;
  const auto vertex = [&](const std::array<int, 3>& lattice) {
    const auto [found, is_new] = numbers.try_emplace(lattice, static_cast<int>(numbers.size()));
    if (is_new) {
      const Eigen::Vector3d place = center + radius * Eigen::Vector3d(lattice[0], lattice[1], lattice[2]).normalized();
      sphere.positions.insert(sphere.positions.end(), place.begin(), place.end());
    }
    return found->second;
  };
  for (const int sx : {1, -1})
    for (const int sy : {1, -1})
      for (const int sz : {1, -1})
        for (int i = 0; i < n; ++i)
          for (int j = 0; i + j < n; ++j) {
            const auto at = [&](int a, int b) { return vertex({sx * a, sy * b, sz * (n - a - b)}); };
            const bool is_flipped = sx * sy * sz < 0;
            const auto add = [&](int a, int b, int c) {
              sphere.triangles.push_back(is_flipped ? std::array{a, c, b} : std::array{a, b, c});
            };
            add(at(i, j), at(i + 1, j), at(i, j + 1));
            if (i + j + 2 <= n) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
          }
  return sphere;
}

// A square of two triangles in the plane z = height.
inline TriangleMesh square(double half_size, double height) {
  const double a = half_size, z = height;
  return {{{0, 1, 2}, {0, 2, 3}}, {-a, -a, z, a, -a, z, a, a, z, -a, a, z}};
}

}  // namespace holo::test
