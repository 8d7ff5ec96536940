#include "dynamics/loads/dead_load.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

#include "dynamics/loads/load_types.h"

namespace holo {

double DeadLoad::energy(const Eigen::VectorXd& x) {
  double work = 0;
  for (const auto& [vertex, weight] : weights_)
    for (int i = 0; i < 3; ++i)
      work += weight * vector_[static_cast<std::size_t>(i)] * (x[3 * vertex + i] - start_[3 * vertex + i]);
  return -share_ * work;
}

void DeadLoad::add_gradient(const Eigen::VectorXd&, Eigen::VectorXd& gradient) {
  for (const auto& [vertex, weight] : weights_)
    for (int i = 0; i < 3; ++i) gradient[3 * vertex + i] -= share_ * weight * vector_[static_cast<std::size_t>(i)];
}

Eigen::VectorXd DeadLoad::parameters() const { return Eigen::Vector3d(vector_[0], vector_[1], vector_[2]); }

void DeadLoad::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::copy_n(values.data(), 3, vector_.begin());
}

void DeadLoad::add_parameter_gradient(const Eigen::VectorXd&, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (const auto& [vertex, weight] : weights_)
    for (int i = 0; i < 3; ++i) columns(3 * vertex + i, i) -= share_ * weight;
}

namespace {

// Each corner gets a third of a triangle.
std::vector<DeadLoad::Weight> areas(const ElasticModel& model, const ElasticBody& body, const LoadDefinition& load) {
  std::map<int, double> area;
  const Eigen::VectorXd& X = model.start_positions();
  for (const auto& [a, b, c] : loaded_triangles(body, load)) {
    const Eigen::Vector3d edge = X.segment<3>(3 * b) - X.segment<3>(3 * a), other = X.segment<3>(3 * c) - X.segment<3>(3 * a);
    for (int vertex : {a, b, c}) area[vertex] += edge.cross(other).norm() / 6;
  }
  std::vector<DeadLoad::Weight> weights;
  weights.reserve(area.size());
  for (const auto& [vertex, value] : area) weights.push_back({vertex, value});
  return weights;
}

}  // namespace

LoadMaker force_load(const Vector3d& force) {
  return [force](const ElasticModel& model, const ElasticBody& body, const LoadDefinition& load) {
    const std::vector<int> vertices = loaded_vertices(body, load);
    std::vector<DeadLoad::Weight> shares;
    shares.reserve(vertices.size());
    for (const int vertex : vertices) shares.push_back({vertex, 1 / static_cast<double>(vertices.size())});
    return std::make_unique<DeadLoad>("force on '" + body.name + "'", std::move(shares), force, load, model.start_positions());
  };
}

LoadMaker traction_load(const Vector3d& traction) {
  return [traction](const ElasticModel& model, const ElasticBody& body, const LoadDefinition& load) {
    return std::make_unique<DeadLoad>("traction on '" + body.name + "'", areas(model, body, load), traction, load,
                                      model.start_positions());
  };
}

LoadType load_type::force() {
  return {"force, shared equally by the vertices of the subset", [](Configuration& parameters) {
            return force_load(parameters.vector3("force", {.unit = "N", .documentation = "sum over the vertices"}));
          }};
}

LoadType load_type::traction() {
  return {"force of constant direction per area of the initial surface",
          [](Configuration& parameters) { return traction_load(parameters.vector3("traction", {.unit = "Pa"})); }};
}

}  // namespace holo
