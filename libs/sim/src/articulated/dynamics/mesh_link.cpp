#include "holo/sim/articulated/dynamics/mesh_link.h"

#include <algorithm>
#include <limits>

#include "holo/core/error.h"
#include "holo/sim/articulated/mesh_mass.h"

namespace holo::articulated {

namespace {

std::vector<int> vertices_of_triangles(const SurfaceMesh& mesh) {
  std::vector<int> vertices;
  for (const std::array<int, 3>& triangle : mesh.triangles) vertices.insert(vertices.end(), triangle.begin(), triangle.end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

Eigen::Vector3d link_vertex(const SurfaceMesh& mesh, int number) {
  return Eigen::Map<const Eigen::Vector3d>(mesh.vertices[std::size_t(number)].data());
}

}  // namespace

std::vector<int> extreme_vertices(const SurfaceMesh& mesh) {
  const std::vector<int> candidates = vertices_of_triangles(mesh);
  if (candidates.empty())
    throw Error(Failure::input, mesh.source + ": the mesh has no triangles, so that nothing can touch it");
  std::vector<int> chosen;
  for (int number = 0; number < 27; ++number) {
    const int column = number % 3, row = number / 3 % 3, layer = number / 9;
    const Eigen::Vector3d direction(column - 1, row - 1, layer - 1);
    if (direction.isZero()) continue;
    int farthest = candidates.front();
    double reach = -std::numeric_limits<double>::infinity();
    for (const int vertex : candidates) {
      const double along = direction.dot(link_vertex(mesh, vertex));
      if (!(along > reach)) continue;
      reach = along;
      farthest = vertex;
    }
    chosen.push_back(farthest);
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

void add_mesh_link(CharacterBuilder& builder, int dof, const SurfaceMesh& surface, double density,
                   const Eigen::Isometry3d& pose, MeshContact contact) {
  builder.add_mass(dof, mesh_mass(surface, density), pose);
  if (contact == MeshContact::none) return;
  for (const int vertex : contact == MeshContact::all_vertices ? vertices_of_triangles(surface) : extreme_vertices(surface))
    builder.add_contact_point(dof, pose * link_vertex(surface, vertex), 0);
}

}  // namespace holo::articulated
