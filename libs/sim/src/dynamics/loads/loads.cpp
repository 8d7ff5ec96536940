#include "dynamics/loads/loads.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <map>

#include "dynamics/loads/dead_load.h"
#include "dynamics/loads/pressure.h"
#include "holo/core/error.h"

namespace holo {
namespace {

[[noreturn]] void throw_empty(const ElasticBody& body, const LoadDefinition& load, const char* what) {
  const BoundingBox box = bounding_box(body.mesh);
  throw_input_error(load.subset.location,
                    fmt::format("the load's subset holds no {} of body '{}', which fills [{:.6g}, {:.6g}] x [{:.6g}, {:.6g}] x "
                                "[{:.6g}, {:.6g}] m.",
                                what, body.name, box.minimum[0], box.maximum[0], box.minimum[1], box.maximum[1], box.minimum[2],
                                box.maximum[2]));
}

std::vector<DeadLoad::Weight> equal_shares(const ElasticBody& body, const LoadDefinition& load) {
  std::vector<DeadLoad::Weight> weights;
  for (const int v : select_vertices(load.subset, body.mesh)) weights.push_back({body.first_vertex + v, 1});
  if (weights.empty()) throw_empty(body, load, "vertex");
  for (auto& weight : weights) weight.value = 1 / static_cast<double>(weights.size());
  return weights;
}

// Each corner gets a third of a triangle.
std::vector<DeadLoad::Weight> areas(const ElasticModel& model, const ElasticBody& body, const LoadDefinition& load) {
  std::map<int, double> area;
  const Eigen::VectorXd& X = model.start_positions();
  for (const auto& [a, b, c] : loaded_triangles(body, load)) {
    const Eigen::Vector3d edge = X.segment<3>(3 * b) - X.segment<3>(3 * a), other = X.segment<3>(3 * c) - X.segment<3>(3 * a);
    for (int vertex : {a, b, c}) area[vertex] += edge.cross(other).norm() / 6;
  }
  std::vector<DeadLoad::Weight> weights;
  for (const auto& [vertex, value] : area) weights.push_back({vertex, value});
  return weights;
}

}  // namespace

std::vector<std::array<int, 3>> loaded_triangles(const ElasticBody& body, const LoadDefinition& load) {
  std::vector<std::array<int, 3>> result = select_triangles(load.subset, body.mesh);
  for (auto& triangle : result)
    for (int& vertex : triangle) vertex += body.first_vertex;
  if (result.empty()) throw_empty(body, load, "triangle of the surface");
  return result;
}

std::unique_ptr<PotentialTerm> make_load(const ElasticModel& model, const ElasticBody& body, const LoadDefinition& load) {
  const Eigen::VectorXd& start = model.start_positions();
  switch (load.kind) {
    case LoadDefinition::Kind::force:
      return std::make_unique<DeadLoad>("force on '" + body.name + "'", equal_shares(body, load), load, start);
    case LoadDefinition::Kind::traction:
      return std::make_unique<DeadLoad>("traction on '" + body.name + "'", areas(model, body, load), load, start);
    case LoadDefinition::Kind::pressure:
      return std::make_unique<Pressure>("pressure on '" + body.name + "'", loaded_triangles(body, load), load, start);
  }
  throw Error(Failure::internal, "a load of no kind");
}

}  // namespace holo
