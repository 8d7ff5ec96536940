#pragma once
// Closed surfaces of triangles for tests: boxes, spheres, stars, tori.

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "holo/sim/mesh/surface_mesh.h"

namespace holo::test {

inline SurfaceMesh box_surface(const Eigen::Vector3d& half_sizes) {
  SurfaceMesh mesh;
  mesh.source = "box";
  for (int corner = 0; corner < 8; ++corner)
    mesh.vertices.push_back(
        {(corner & 1 ? 1 : -1) * half_sizes[0], (corner & 2 ? 1 : -1) * half_sizes[1], (corner & 4 ? 1 : -1) * half_sizes[2]});
  for (const auto& [a, b, c, d] : {std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4},
                                   std::array{2, 6, 7, 3}, std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}}) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
  return mesh;
}

// An octahedron whose faces are cut into `cuts`^2 triangles each, with vertices at radius(number of the vertex) [m] from the
// origin.
inline SurfaceMesh star_surface(int cuts, const std::function<double(int)>& radius) {
  SurfaceMesh mesh;
  mesh.source = "star";
  const auto vertex = [&](const Eigen::Vector3d& place) {
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
      if ((Eigen::Map<const Eigen::Vector3d>(mesh.vertices[i].data()) - place).norm() < 1e-9) return int(i);
    mesh.vertices.push_back({place.x(), place.y(), place.z()});
    return int(mesh.vertices.size()) - 1;
  };
  for (int octant = 0; octant < 8; ++octant) {
    const Eigen::Vector3d a = (octant & 1 ? 1 : -1) * Eigen::Vector3d::UnitX(),
                          b = (octant & 2 ? 1 : -1) * Eigen::Vector3d::UnitY(),
                          c = (octant & 4 ? 1 : -1) * Eigen::Vector3d::UnitZ();
    const bool mirrored = a.cross(b).dot(c) < 0;
    const auto at = [&](int i, int j) { return vertex((i * a + j * b + (cuts - i - j) * c) / cuts); };
    const auto add = [&](int p, int q, int r) {
      mesh.triangles.push_back(mirrored ? std::array{p, r, q} : std::array{p, q, r});
    };
    for (int i = 0; i < cuts; ++i)
      for (int j = 0; i + j < cuts; ++j) {
        add(at(i, j), at(i + 1, j), at(i, j + 1));
        if (i + j + 1 < cuts) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
      }
  }
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    Eigen::Map<Eigen::Vector3d> place(mesh.vertices[i].data());
    place *= radius(int(i)) / place.norm();
  }
  return mesh;
}

// Around the z axis, whose circle has the radius `large`.
inline SurfaceMesh torus_surface(double large, double small, int around, int across) {
  SurfaceMesh mesh;
  mesh.source = "torus";
  const auto vertex = [&](int u, int v) { return (u % around) * across + v % across; };
  for (int u = 0; u < around; ++u)
    for (int v = 0; v < across; ++v) {
      const double a = 2 * std::numbers::pi * u / around, b = 2 * std::numbers::pi * v / across;
      const double distance = large + small * std::cos(b);
      mesh.vertices.push_back({distance * std::cos(a), distance * std::sin(a), small * std::sin(b)});
      mesh.triangles.push_back({vertex(u, v), vertex(u + 1, v), vertex(u + 1, v + 1)});
      mesh.triangles.push_back({vertex(u, v), vertex(u + 1, v + 1), vertex(u, v + 1)});
    }
  return mesh;
}

}  // namespace holo::test
