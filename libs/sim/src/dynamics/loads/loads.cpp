#include "dynamics/loads/loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "elastic/extent_text.h"
#include "holo/core/error.h"
#include "holo/sim/mesh/mesh_data.h"

namespace holo {
namespace {

[[noreturn]] void throw_empty(const ElasticBody& body, const LoadDefinition& load, const char* what) {
  throw_input_error(load.subset.location, fmt::format("the load's subset holds no {} of body '{}', which fills {}.", what,
                                                      body.name, extent_text(body.mesh)));
}

std::vector<char> marked_vertices(const ElasticBody& body, const LoadDefinition& load) {
  std::vector<char> loaded(static_cast<std::size_t>(body.vertex_count), 0);
  for (const int v : select_vertices(load.subset, body.mesh)) loaded[static_cast<std::size_t>(v)] = 1;
  return loaded;
}

std::array<int, 3> sorted(std::array<int, 3> triangle) {
  std::sort(triangle.begin(), triangle.end());
  return triangle;
}

// The triangles of a group of triangles. Only these are loaded, not all triangles between their vertices. Empty for other
// subsets.
std::set<std::array<int, 3>> named_triangles(const ElasticBody& body, const LoadDefinition& load) {
  std::set<std::array<int, 3>> named;
  if (load.subset.kind != SubsetDefinition::Kind::group) return named;
  for (const auto& triangle : find_group(body.mesh, load.subset.group, load.subset.dimension).triangles)
    named.insert(sorted(triangle));
  return named;
}

}  // namespace

std::vector<int> loaded_vertices(const ElasticBody& body, const LoadDefinition& load) {
  std::vector<int> vertices = select_vertices(load.subset, body.mesh);
  if (vertices.empty()) throw_empty(body, load, "vertex");
  for (int& vertex : vertices) vertex += body.first_vertex;
  return vertices;
}

std::vector<std::array<int, 3>> loaded_triangles(const ElasticBody& body, const LoadDefinition& load) {
  const std::vector<char> loaded = marked_vertices(body, load);
  const std::set<std::array<int, 3>> named = named_triangles(body, load);
  std::vector<std::array<int, 3>> result;
  for (const std::array<int, 3>& triangle : boundary_triangles(body.mesh)) {
    const bool inside =
        std::all_of(triangle.begin(), triangle.end(), [&](int v) { return loaded[static_cast<std::size_t>(v)]; });
    if (!inside || (!named.empty() && !named.count(sorted(triangle)))) continue;
    const auto& [a, b, c] = triangle;
    result.push_back({body.first_vertex + a, body.first_vertex + b, body.first_vertex + c});
  }
  if (result.empty()) throw_empty(body, load, "triangle of the surface");
  return result;
}

}  // namespace holo
