#include "studies/elastic_drawing/body_drawing.h"

#include <fmt/format.h>

#include <cmath>

namespace holo {

std::vector<VertexSet> drawn_handles(const DirichletSchedule& schedule, const ElasticBody& body) {
  std::vector<VertexSet> sets;
  for (const ElasticHandle& handle : schedule.handles()) {
    const int vertex = handle.vertices.front() - body.first_vertex;
    if (vertex < 0 || vertex >= body.vertex_count) continue;
    const bool is_fixed = handle.motion.kind == MotionDefinition::Kind::fixed;
    VertexSet& set = sets.emplace_back();
    set.name = fmt::format("{} handle {}", body.name, sets.size() - 1);
    set.kind = is_fixed ? "fixed handle" : "moved handle";
    if (std::isfinite(handle.release_time)) set.kind += fmt::format(", released at {:g} s", handle.release_time);
    set.hue = is_fixed ? Hue::violet : Hue::red;
    for (int each : handle.vertices) set.vertices.push_back(each - body.first_vertex);
  }
  return sets;
}

std::vector<VertexSet> drawn_subsets(const ElasticBody& body) {
  std::vector<VertexSet> sets;
  for (const ElasticSubset& subset : body.subsets) {
    VertexSet& set = sets.emplace_back();
    set.name = body.name + "." + subset.name;
    set.kind = "subset";
    set.hue = Hue::teal;
    set.on_request = true;  // subsets often are whole parts of a body, which their dots would hide
    for (int each : subset.vertices) set.vertices.push_back(each - body.first_vertex);
  }
  return sets;
}

std::vector<SceneBody> drawn_bodies(const ElasticModel& model, const DirichletSchedule& schedule) {
  std::vector<SceneBody> bodies;
  for (const ElasticBody& body : model.bodies())
    bodies.push_back({.name = body.name,
                      .vertex_count = body.vertex_count,
                      .tetrahedra = body.mesh.tetrahedra,
                      .triangles = boundary_triangles(body.mesh),
                      .sets = drawn_handles(schedule, body)});
  return bodies;
}

}  // namespace holo
