#include "holo/sim/elastic/elastic_contents.h"

#include <fmt/format.h>

#include "holo/sim/mesh/mesh_description.h"

namespace holo {

std::vector<std::string> elastic_contents(const ElasticModel& model, const DirichletSchedule& schedule) {
  std::vector<std::string> lines;
  for (const ElasticBody& body : model.bodies()) {
    double mass = 0;
    for (int v = 0; v < body.vertex_count; ++v) mass += model.masses()[static_cast<std::size_t>(body.first_vertex + v)];
    const MeshQuality quality = mesh_quality(body.mesh);
    lines.push_back(
        fmt::format("body '{}': {} vertices, {} elements, {:.6g} m^3, {:.6g} kg; the worst element is {}, of quality "
                    "{:.3g} (1: regular, 0: flat)",
                    body.name, body.vertex_count, body.element_count, total_volume(body.mesh), mass,
                    element_number(body.mesh, static_cast<std::size_t>(quality.worst_element)), quality.worst));
    int handle_number = 0;
    for (const ElasticHandle& handle : schedule.handles()) {
      const int first = handle.vertices.front();
      if (first < body.first_vertex || first >= body.first_vertex + body.vertex_count) continue;
      const std::size_t count = handle.vertices.size();
      lines.push_back(
          fmt::format("body '{}', handle {}: {} {}", body.name, handle_number++, count, count == 1 ? "vertex" : "vertices"));
    }
  }
  return lines;
}

}  // namespace holo
