#include "mesh/readers/tetrahedra.h"

#include <fmt/format.h>

#include <algorithm>

namespace holo {

bool has_order_of(const TetrahedralMesh& mesh, std::size_t vertices) {
  return mesh.tetrahedra.empty() || mesh.is_quadratic() == (vertices == 10);
}

std::string mixed_orders(const std::string& element, std::size_t vertices, const std::string& first) {
  constexpr const char* linear = "linear tetrahedron (4 vertices)";
  constexpr const char* quadratic = "quadratic tetrahedron (10 vertices)";
  return fmt::format("{} is a {}, but {} is a {}; all tetrahedra of a mesh must have the same order", element,
                     vertices == 10 ? quadratic : linear, first, vertices == 10 ? linear : quadratic);
}

void append_tetrahedron(TetrahedralMesh& mesh, std::span<const int> vertices, const EdgeOrder& order) {
  std::copy_n(vertices.begin(), 4, mesh.tetrahedra.emplace_back().begin());
  if (vertices.size() == 4) return;
  std::array<int, 6>& on_edges = mesh.edge_vertices.emplace_back();
  for (std::size_t edge = 0; edge < on_edges.size(); ++edge)
    on_edges[edge] = vertices[4 + static_cast<std::size_t>(order[edge])];
}

std::vector<int> vertices_of_tetrahedron(const TetrahedralMesh& mesh, std::size_t tetrahedron) {
  std::vector<int> vertices(mesh.tetrahedra[tetrahedron].begin(), mesh.tetrahedra[tetrahedron].end());
  if (mesh.is_quadratic())
    vertices.insert(vertices.end(), mesh.edge_vertices[tetrahedron].begin(), mesh.edge_vertices[tetrahedron].end());
  return vertices;
}

}  // namespace holo
