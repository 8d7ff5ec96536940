#include "studies/elastic_drawing/body_drawing.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "holo/sim/mesh/quadratic_tetrahedra.h"

namespace holo {

namespace {

const EmbeddedBody* affine_body_of(const ElasticModel& model, std::size_t body) {
  return model.embedding() ? model.embedding()->find(static_cast<int>(body)) : nullptr;
}

}  // namespace

DrawnPoints drawn_points(const ElasticModel& model, std::size_t body) {
  if (const EmbeddedBody* affine = affine_body_of(model, body))
    return {affine->first_point, static_cast<int>(affine->weights.size())};
  return {model.bodies()[body].first_vertex, model.bodies()[body].vertex_count};
}

const TetrahedralMesh& drawn_mesh(const ElasticModel& model, std::size_t body) {
  const EmbeddedBody* affine = affine_body_of(model, body);
  return affine ? affine->mesh : model.bodies()[body].mesh;
}

SurfaceVertices::SurfaceVertices(std::vector<std::array<int, 3>> surface) : triangles(std::move(surface)) {
  std::map<int, int> numbers;
  for (std::array<int, 3>& triangle : triangles)
    for (int& vertex : triangle) {
      const auto [found, is_new] = numbers.try_emplace(vertex, int(vertices.size()));
      if (is_new) vertices.push_back(vertex);
      vertex = found->second;
    }
}

SceneBody drawn_body(const ElasticModel& model, std::size_t body) {
  const TetrahedralMesh& mesh = drawn_mesh(model, body);
  return {.name = model.bodies()[body].name,
          .vertex_count = static_cast<std::int64_t>(mesh.vertices.size()),
          .tetrahedra = linear_cells(mesh),
          .triangles = boundary_triangles(mesh),
          .quadratic = mesh.is_quadratic()};
}

void assign_drawn(const ElasticModel& model, const Eigen::VectorXd& of_vertices, std::vector<double>& drawn) {
  if (!model.embedding()) return drawn.assign(of_vertices.begin(), of_vertices.end());
  const Eigen::VectorXd points = model.embedding()->points(of_vertices);
  drawn.clear();
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const DrawnPoints range = drawn_points(model, b);
    drawn.insert(drawn.end(), points.data() + 3 * range.first, points.data() + 3 * (range.first + range.count));
  }
}

void spread_over_drawn(const ElasticModel& model, std::vector<float>& field) {
  if (!model.embedding()) return;
  std::vector<float> drawn;
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const auto first = field.begin() + model.bodies()[b].first_vertex;
    if (const EmbeddedBody* affine = affine_body_of(model, b))
      drawn.insert(drawn.end(), affine->weights.size(), *first);
    else
      drawn.insert(drawn.end(), first, first + model.bodies()[b].vertex_count);
  }
  field.swap(drawn);
}

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
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    bodies.push_back(drawn_body(model, b));
    bodies.back().sets = drawn_handles(schedule, model.bodies()[b]);
  }
  return bodies;
}

}  // namespace holo
