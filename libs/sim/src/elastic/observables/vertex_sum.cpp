// Observables that are weighted sums of vertices' positions or velocities: points, centers of mass, momenta.

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "holo/sim/elastic/observables/elastic_observable.h"
#include "holo/sim/mesh/quadratic_map.h"

namespace holo {

namespace {

// z = sum w_v q_v, where q is the position or the velocity of a vertex.
class VertexSum final : public ElasticObservable {
 public:
  enum class Of { positions, velocities };
  VertexSum(Of of, std::vector<int> vertices, std::vector<double> weights)
      : of_(of), vertices_(std::move(vertices)), weights_(std::move(weights)) {}

  void value(const ElasticPhase& at, double* z) const override {
    const auto& q = of_ == Of::positions ? at.positions : at.velocities;
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < vertices_.size(); ++i) sum += weights_[i] * q.segment<3>(3 * vertices_[i]);
    Eigen::Map<Eigen::Vector3d>{z} = sum;
  }
  void push_forward(const ElasticPhase&, const ElasticPhase& direction, double* dz) const override { value(direction, dz); }
  void pull_back(const ElasticPhase&, const double* gz, ElasticPhaseSum& result) const override {
    auto& to = of_ == Of::positions ? result.positions : result.velocities;
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      to.segment<3>(3 * vertices_[i]) += weights_[i] * Eigen::Map<const Eigen::Vector3d>(gz);
  }
  void second_order(const ElasticPhase&, const double*, const ElasticPhase&, ElasticPhaseSum&) const override {}

 private:
  Of of_;
  std::vector<int> vertices_;
  std::vector<double> weights_;
};

// Barycentric coordinates of a point in an element of the body as it starts.
Eigen::Vector4d barycentric(const ElasticBody& body, std::size_t element, const Eigen::Vector3d& point) {
  if (body.mesh.is_quadratic())
    return Eigen::Vector4d(QuadraticMap(body.mesh, element).locate({point[0], point[1], point[2]}).data());
  const std::array<int, 4>& tetrahedron = body.mesh.tetrahedra[element];
  Eigen::Matrix3d edges;
  const auto corner = [&](int v) {
    return Eigen::Vector3d(body.mesh.vertices[std::size_t(tetrahedron[std::size_t(v)])].data());
  };
  for (int v = 0; v < 3; ++v) edges.col(v) = corner(v + 1) - corner(0);
  const Eigen::Vector3d inside = edges.inverse() * (point - corner(0));
  return {1 - inside.sum(), inside[0], inside[1], inside[2]};
}

// A point of the material: it stays in its tetrahedron, at the same barycentric coordinates. The map of an affine body takes
// points outside of its one tetrahedron along, too.
std::unique_ptr<const ElasticObservable> material_point(const ElasticBody& body, const Eigen::Vector3d& point) {
  double best = -std::numeric_limits<double>::infinity();
  std::size_t element = 0;
  Eigen::Vector4d coordinates;
  for (std::size_t e = 0; e < body.mesh.tetrahedra.size(); ++e) {
    const Eigen::Vector4d found = barycentric(body, e, point);
    if (found.minCoeff() > best) best = found.minCoeff(), element = e, coordinates = found;
  }
  // Coordinates are rounded to 2^-53 of the distance from the origin, which is this much of the smallest edge.
  double farthest = point.cwiseAbs().maxCoeff(), shortest = std::numeric_limits<double>::infinity();
  const auto& corners = body.mesh.tetrahedra[element];
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < a; ++b)
      shortest = std::min(shortest, (Eigen::Vector3d(body.mesh.vertices[std::size_t(corners[a])].data()) -
                                     Eigen::Vector3d(body.mesh.vertices[std::size_t(corners[b])].data()))
                                        .norm());
  if (!body.is_affine && !(best >= -1e-9 - 1e-14 * farthest / shortest)) {
    std::size_t nearest = 0;
    const auto distance = [&](std::size_t v) { return (Eigen::Vector3d(body.mesh.vertices[v].data()) - point).norm(); };
    for (std::size_t v = 1; v < body.mesh.vertices.size(); ++v)
      if (distance(v) < distance(nearest)) nearest = v;
    const auto& vertex = body.mesh.vertices[nearest];
    throw std::invalid_argument(
        fmt::format("observes the point [{:.6g}, {:.6g}, {:.6g}], which lies outside of body '{}' as the scene starts. Its "
                    "nearest vertex is at [{:.6g}, {:.6g}, {:.6g}]; a named subset of vertices can be observed, too",
                    point[0], point[1], point[2], body.name, vertex[0], vertex[1], vertex[2]));
  }
  std::vector<int> vertices;
  for (const int v : corners) vertices.push_back(body.first_vertex + v);
  std::vector<double> weights(coordinates.begin(), coordinates.end());
  if (body.mesh.is_quadratic()) {
    for (const int v : body.mesh.edge_vertices[element]) vertices.push_back(body.first_vertex + v);
    const auto N = QuadraticMap::shape_functions({coordinates[0], coordinates[1], coordinates[2], coordinates[3]});
    weights.assign(N.begin(), N.end());
  }
  return std::make_unique<VertexSum>(VertexSum::Of::positions, std::move(vertices), std::move(weights));
}

// Masses of the subject's vertices, over `total` where it is not 0.
std::unique_ptr<const ElasticObservable> mass_sum(const ElasticModel& model, const ElasticSubject& subject, VertexSum::Of of,
                                                  bool mean) {
  const std::vector<int> vertices = subject.vertices();
  std::vector<double> weights;
  double total = 0;
  for (const int v : vertices) {
    weights.push_back(model.masses()[std::size_t(v)]);
    total += weights.back();
  }
  if (mean)
    for (double& weight : weights) weight /= total;
  return std::make_unique<VertexSum>(of, vertices, std::move(weights));
}

}  // namespace

// The point of a body is the material point that starts there, in the scene's coordinates; that of a subset is the mean of its
// vertices.
std::unique_ptr<const ElasticObservable> observe_point(const ElasticModel&, const ElasticSubject& subject,
                                                       const holo_observable& wanted) {
  const Eigen::Vector3d point(wanted.point);
  if (subject.subset == nullptr) return material_point(*subject.body, point);
  if (point != Eigen::Vector3d::Zero())
    throw std::invalid_argument(fmt::format(
        "observes the point [{:.6g}, {:.6g}, {:.6g}] of '{}'. The point of a subset of vertices is their mean; leave out the "
        "point, or give one of the body '{}'",
        point[0], point[1], point[2], subject.name, subject.body->name));
  const std::vector<int> vertices = subject.vertices();
  return std::make_unique<VertexSum>(VertexSum::Of::positions, vertices,
                                     std::vector<double>(vertices.size(), 1 / static_cast<double>(vertices.size())));
}

std::unique_ptr<const ElasticObservable> observe_center_of_mass(const ElasticModel& model, const ElasticSubject& subject,
                                                                const holo_observable&) {
  return mass_sum(model, subject, VertexSum::Of::positions, true);
}

std::unique_ptr<const ElasticObservable> observe_momentum(const ElasticModel& model, const ElasticSubject& subject,
                                                          const holo_observable&) {
  return mass_sum(model, subject, VertexSum::Of::velocities, false);
}

}  // namespace holo
