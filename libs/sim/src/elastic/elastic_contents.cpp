#include "holo/sim/elastic/elastic_contents.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/sim/mesh/mesh_description.h"

namespace holo {
namespace {

std::string vertex_count_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "vertex" : "vertices"); }

std::string subset_text(const ElasticSubset& subset) {
  if (subset.elements.empty()) return vertex_count_text(subset.vertices.size());
  return fmt::format("{} of {} element{}", vertex_count_text(subset.vertices.size()), subset.elements.size(),
                     subset.elements.size() == 1 ? "" : "s");
}

std::string affine_text(const ElasticBody& body, const TetrahedralMesh& mesh, double mass) {
  return fmt::format("body '{}': affine, with {} vertices and {} elements of its mesh, {:.6g} m^3, {:.6g} kg", body.name,
                     mesh.vertices.size(), mesh.tetrahedra.size(), total_volume(mesh), mass);
}

std::string muscles_text(const ElasticBody& body) {
  const MuscleFibers& fibers = *body.muscles;
  std::vector<double> sums(static_cast<std::size_t>(body.element_count), 0.0);
  for (const MuscleSegment& segment : fibers.segments)
    for (const auto& [element, weight] : segment.weights)
      sums[static_cast<std::size_t>(element - body.first_element)] += weight;
  const auto end = std::remove(sums.begin(), sums.end(), 0.0);
  const auto [smallest, largest] = std::minmax_element(sums.begin(), end);
  return fmt::format(
      "body '{}': {} muscle{} of width {:.6g} m with {} segment{}, which reach {} of {} elements; their weights sum to {:.3g} "
      "to {:.3g} in an element",
      body.name, fibers.muscles.size(), fibers.muscles.size() == 1 ? "" : "s", fibers.width, fibers.segments.size(),
      fibers.segments.size() == 1 ? "" : "s", end - sums.begin(), body.element_count, *smallest, *largest);
}

}  // namespace

std::vector<std::string> elastic_contents(const ElasticModel& model, const DirichletSchedule& schedule) {
  std::vector<std::string> lines;
  for (const ElasticBody& body : model.bodies()) {
    double mass = 0;
    for (int v = 0; v < body.vertex_count; ++v) mass += model.masses()[static_cast<std::size_t>(body.first_vertex + v)];
    if (body.is_affine) {
      const EmbeddedBody* affine = model.embedding()->find(static_cast<int>(&body - model.bodies().data()));
      lines.push_back(affine_text(body, affine->mesh, mass));
      continue;
    }
    const MeshQuality quality = mesh_quality(body.mesh);
    lines.push_back(fmt::format(
        "body '{}': {} vertices, {} {}elements, {:.6g} m^3, {:.6g} kg; the worst element is {}, of quality "
        "{:.3g} (1: regular, 0: flat)",
        body.name, body.vertex_count, body.element_count, body.mesh.is_quadratic() ? "quadratic " : "", total_volume(body.mesh),
        mass, element_number(body.mesh, static_cast<std::size_t>(quality.worst_element)), quality.worst));
    for (const ElasticSubset& subset : body.subsets)
      lines.push_back(fmt::format("body '{}', subset '{}': {}", body.name, subset.name, subset_text(subset)));
    if (body.muscles) lines.push_back(muscles_text(body));
    int handle_number = 0;
    for (const ElasticHandle& handle : schedule.handles()) {
      const int first = handle.vertices.front();
      if (first < body.first_vertex || first >= body.first_vertex + body.vertex_count) continue;
      lines.push_back(
          fmt::format("body '{}', handle {}: {}", body.name, handle_number++, vertex_count_text(handle.vertices.size())));
    }
  }
  return lines;
}

}  // namespace holo
