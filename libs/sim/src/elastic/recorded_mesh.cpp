#include "holo/sim/elastic/recorded_mesh.h"

#include <fmt/format.h>

#include "holo/core/error.h"

namespace holo {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& text) {
  throw Error(Failure::input, fmt::format("{}: {}", path.string(), text));
}

}  // namespace

Eigen::VectorXd read_recorded_positions(const std::filesystem::path& path, const ElasticModel& model) {
  if (model.embedding()) refuse(path, "a recorded deformation needs bodies that deform fully; the scene has an affine one");
  const TetrahedralMesh recorded = read_tetrahedral_mesh(path);
  if (recorded.tetrahedra.size() != std::size_t(model.element_count()))
    refuse(path, fmt::format("{} tetrahedra are recorded; the bodies of the scene have {}", recorded.tetrahedra.size(),
                             model.element_count()));
  if (recorded.vertices.size() != std::size_t(model.vertex_count()))
    refuse(path, fmt::format("{} vertices are recorded; the bodies of the scene have {}", recorded.vertices.size(),
                             model.vertex_count()));
  std::vector<int> recorded_vertex(std::size_t(model.vertex_count()), -1);
  std::size_t number = 0;
  for (const ElasticBody& body : model.bodies())
    for (const std::array<int, 4>& vertices : body.mesh.tetrahedra) {
      for (std::size_t k = 0; k < 4; ++k) {
        int& known = recorded_vertex[std::size_t(body.first_vertex + vertices[k])];
        const int found = recorded.tetrahedra[number][k];
        if (known >= 0 && known != found)
          refuse(path,
                 fmt::format("tetrahedron {} has the vertex {} where those before it have {}: it is no deformation of the "
                             "bodies of the scene",
                             number, found, known));
        known = found;
      }
      ++number;
    }
  Eigen::VectorXd positions(3 * Eigen::Index(recorded_vertex.size()));
  for (std::size_t v = 0; v < recorded_vertex.size(); ++v)
    for (std::size_t i = 0; i < 3; ++i)
      positions[Eigen::Index(3 * v + i)] = recorded.vertices[std::size_t(recorded_vertex[v])][i];
  return positions;
}

}  // namespace holo
