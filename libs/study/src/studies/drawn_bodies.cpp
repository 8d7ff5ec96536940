#include "studies/drawn_bodies.h"

namespace holo {

namespace {

const EmbeddedBody* affine_body_of(const ElasticModel& model, std::size_t body) {
  return model.embedding() ? model.embedding()->find(static_cast<int>(body)) : nullptr;
}

}  // namespace

SceneBody drawn_body(const ElasticModel& model, std::size_t body) {
  const EmbeddedBody* affine = affine_body_of(model, body);
  const TetrahedralMesh& mesh = affine ? affine->mesh : model.bodies()[body].mesh;
  return {.name = model.bodies()[body].name,
          .vertex_count = static_cast<std::int64_t>(mesh.vertices.size()),
          .tetrahedra = mesh.tetrahedra,
          .triangles = boundary_triangles(mesh)};
}

void assign_drawn(const ElasticModel& model, const Eigen::VectorXd& of_vertices, std::vector<double>& drawn) {
  if (!model.embedding()) return drawn.assign(of_vertices.begin(), of_vertices.end());
  const Eigen::VectorXd points = model.embedding()->points(of_vertices);
  drawn.clear();
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const EmbeddedBody* affine = affine_body_of(model, b);
    const int first = affine ? affine->first_point : model.bodies()[b].first_vertex,
              count = affine ? static_cast<int>(affine->weights.size()) : model.bodies()[b].vertex_count;
    drawn.insert(drawn.end(), points.data() + 3 * first, points.data() + 3 * (first + count));
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

}  // namespace holo
