#include "holo/sim/elastic/recorded_mesh.h"

#include <fmt/format.h>

#include "holo/core/error.h"
#include "holo/sim/mesh/quadratic_tetrahedra.h"

namespace holo {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& text) {
  throw Error(Failure::input, fmt::format("{}: {}", path.string(), text));
}

// The vertices of each cell of a mesh: of a quadratic element all ten, or the corners of its eight linear cells.
std::vector<std::vector<int>> vertices_of_cells(const TetrahedralMesh& mesh, bool as_linear) {
  std::vector<std::vector<int>> cells;
  if (as_linear)
    for (const std::array<int, 4>& cell : linear_cells(mesh)) cells.emplace_back(cell.begin(), cell.end());
  else
    for (std::size_t element = 0; element < mesh.tetrahedra.size(); ++element) cells.push_back(element_vertices(mesh, element));
  return cells;
}

// Of all bodies, with the numbers of the model's vertices.
std::vector<std::vector<int>> cells_of_bodies(const ElasticModel& model, bool as_linear) {
  std::vector<std::vector<int>> all;
  for (const ElasticBody& body : model.bodies())
    for (std::vector<int>& cell : vertices_of_cells(body.mesh, as_linear)) {
      for (int& vertex : cell) vertex += body.first_vertex;
      all.push_back(std::move(cell));
    }
  return all;
}

}  // namespace

Eigen::VectorXd read_recorded_positions(const std::filesystem::path& path, const ElasticModel& model) {
  if (model.embedding()) refuse(path, "a recorded deformation needs bodies that deform fully; the scene has an affine one");
  const TetrahedralMesh recorded = read_tetrahedral_mesh(path);
  for (const ElasticBody& body : model.bodies())
    if (recorded.is_quadratic() && !body.mesh.is_quadratic())
      refuse(path, fmt::format("quadratic tetrahedra are recorded; the body '{}' has linear ones", body.name));
  const std::vector<std::vector<int>> found_cells = vertices_of_cells(recorded, false),
                                      cells = cells_of_bodies(model, !recorded.is_quadratic());
  if (found_cells.size() != cells.size())
    refuse(path, fmt::format("{} tetrahedra are recorded; the bodies of the scene have {}{}", found_cells.size(), cells.size(),
                             cells.size() == std::size_t(model.element_count()) ? "" : " linear ones in their elements"));
  if (recorded.vertices.size() != std::size_t(model.vertex_count()))
    refuse(path, fmt::format("{} vertices are recorded; the bodies of the scene have {}", recorded.vertices.size(),
                             model.vertex_count()));
  std::vector<int> recorded_vertex(std::size_t(model.vertex_count()), -1);
  for (std::size_t number = 0; number < cells.size(); ++number)
    for (std::size_t k = 0; k < cells[number].size(); ++k) {
      int& known = recorded_vertex[std::size_t(cells[number][k])];
      const int found = found_cells[number][k];
      if (known >= 0 && known != found)
        refuse(path, fmt::format("tetrahedron {} has the vertex {} where those before it have {}: it is no deformation of the "
                                 "bodies of the scene",
                                 number, found, known));
      known = found;
    }
  Eigen::VectorXd positions(3 * Eigen::Index(recorded_vertex.size()));
  for (std::size_t v = 0; v < recorded_vertex.size(); ++v)
    for (std::size_t i = 0; i < 3; ++i)
      positions[Eigen::Index(3 * v + i)] = recorded.vertices[std::size_t(recorded_vertex[v])][i];
  return positions;
}

}  // namespace holo
