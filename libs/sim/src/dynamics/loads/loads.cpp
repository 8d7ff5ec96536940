#include "dynamics/loads/loads.h"

#include <fmt/format.h>

#include "elastic/extent_text.h"
#include "holo/core/error.h"

namespace holo {
namespace {

[[noreturn]] void throw_empty(const ElasticBody& body, const LoadDefinition& load, const char* what) {
  throw_input_error(load.subset.location, fmt::format("the load's subset holds no {} of body '{}', which fills {}.", what,
                                                      body.name, extent_text(body.mesh)));
}

}  // namespace

std::vector<int> loaded_vertices(const ElasticBody& body, const LoadDefinition& load) {
  std::vector<int> vertices = select_vertices(load.subset, body.mesh);
  if (vertices.empty()) throw_empty(body, load, "vertex");
  for (int& vertex : vertices) vertex += body.first_vertex;
  return vertices;
}

std::vector<std::array<int, 3>> loaded_triangles(const ElasticBody& body, const LoadDefinition& load) {
  std::vector<std::array<int, 3>> result = select_triangles(load.subset, body.mesh);
  for (auto& triangle : result)
    for (int& vertex : triangle) vertex += body.first_vertex;
  if (result.empty()) throw_empty(body, load, "triangle of the surface");
  return result;
}

}  // namespace holo
