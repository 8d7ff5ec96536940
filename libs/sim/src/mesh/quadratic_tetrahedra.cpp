#include "holo/sim/mesh/quadratic_tetrahedra.h"

#include <algorithm>
#include <map>

#include "holo/core/error.h"
#include "mesh/element_eighths.h"

namespace holo {
namespace {

std::array<double, 3> middle_of(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])};
}

// The edges of a mesh with the numbers of their vertices.
class EdgeVertices {
 public:
  explicit EdgeVertices(TetrahedralMesh& mesh) : mesh_(mesh) {}

  int between(int a, int b) {
    const auto [place, is_new] = numbers_.try_emplace({std::min(a, b), std::max(a, b)}, int(mesh_.vertices.size()));
    if (is_new) {
      mesh_.vertices.push_back(middle_of(mesh_.vertices[std::size_t(a)], mesh_.vertices[std::size_t(b)]));
      ends_.push_back({a, b});
    }
    return place->second;
  }
  int find(int a, int b) const {  // -1: no edge of the mesh
    const auto place = numbers_.find({std::min(a, b), std::max(a, b)});
    return place == numbers_.end() ? -1 : place->second;
  }
  const std::vector<std::array<int, 2>>& ends() const { return ends_; }  // of the new vertices, in their order
  template <class Visit>
  void each(const Visit& visit) const {
    for (const auto& [ends, number] : numbers_) visit(ends[0], ends[1], number);
  }

 private:
  TetrahedralMesh& mesh_;
  std::map<std::array<int, 2>, int> numbers_;
  std::vector<std::array<int, 2>> ends_;
};

// Triangles become four; the group's vertices are those of its cells again.
void raise_group(MeshGroup& group, const TetrahedralMesh& mesh, const EdgeVertices& edges) {
  std::vector<std::array<int, 3>> triangles;
  for (const auto& [a, b, c] : group.triangles) {
    const int ab = edges.find(a, b), bc = edges.find(b, c), ca = edges.find(c, a);
    if (ab < 0 || bc < 0 || ca < 0) {  // no face of a tetrahedron
      triangles.push_back({a, b, c});
      continue;
    }
    for (const int v : {ab, bc, ca}) group.vertices.push_back(v);
    for (const auto& part : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) triangles.push_back(part);
  }
  group.triangles = std::move(triangles);
  for (const int element : group.elements)
    for (const int v : mesh.edge_vertices[std::size_t(element)]) group.vertices.push_back(v);
  if (group.dimension == 1) {
    std::vector<int> between;
    const auto has = [&](int v) { return std::binary_search(group.vertices.begin(), group.vertices.end(), v); };
    edges.each([&](int a, int b, int v) {
      if (has(a) && has(b)) between.push_back(v);
    });
    group.vertices.insert(group.vertices.end(), between.begin(), between.end());
  }
  std::sort(group.vertices.begin(), group.vertices.end());
  group.vertices.erase(std::unique(group.vertices.begin(), group.vertices.end()), group.vertices.end());
}

void raise_field(MeshField& field, const EdgeVertices& edges) {
  if (field.support != MeshField::Support::vertices) return;
  const auto components = std::size_t(field.components);
  for (const auto& [a, b] : edges.ends())
    for (std::size_t k = 0; k < components; ++k)
      field.values.push_back(0.5 *
                             (field.values[std::size_t(a) * components + k] + field.values[std::size_t(b) * components + k]));
}

}  // namespace

TetrahedralMesh raise_to_quadratic(TetrahedralMesh mesh) {
  if (mesh.is_quadratic()) return mesh;
  EdgeVertices edges(mesh);
  for (const std::array<int, 4>& corners : mesh.tetrahedra) {
    std::array<int, 6>& own = mesh.edge_vertices.emplace_back();
    for (std::size_t e = 0; e < 6; ++e)
      own[e] = edges.between(corners[std::size_t(tetrahedron_edges[e][0])], corners[std::size_t(tetrahedron_edges[e][1])]);
  }
  for (MeshGroup& group : mesh.groups) raise_group(group, mesh, edges);
  for (MeshField& field : mesh.fields) raise_field(field, edges);
  return mesh;
}

std::vector<int> element_vertices(const TetrahedralMesh& mesh, std::size_t element) {
  const std::array<int, 4>& corners = mesh.tetrahedra[element];
  std::vector<int> vertices(corners.begin(), corners.end());
  if (mesh.is_quadratic())
    vertices.insert(vertices.end(), mesh.edge_vertices[element].begin(), mesh.edge_vertices[element].end());
  return vertices;
}

std::vector<std::array<int, 4>> linear_cells(const TetrahedralMesh& mesh) {
  if (!mesh.is_quadratic()) return mesh.tetrahedra;
  std::vector<std::array<int, 4>> cells;
  cells.reserve(8 * mesh.tetrahedra.size());
  for (std::size_t element = 0; element < mesh.tetrahedra.size(); ++element)
    for (const auto& part : element_eighths) {
      std::array<int, 4>& cell = cells.emplace_back();
      for (std::size_t i = 0; i < 4; ++i)
        cell[i] = part[i] < 4 ? mesh.tetrahedra[element][std::size_t(part[i])]
                              : mesh.edge_vertices[element][std::size_t(part[i] - 4)];
    }
  return cells;
}

void require_linear(const TetrahedralMesh& mesh, const std::string& what) {
  if (mesh.is_quadratic())
    throw Error(Failure::input, mesh.source + ": " + what + " needs linear tetrahedra, and these are quadratic ones.");
}

}  // namespace holo
