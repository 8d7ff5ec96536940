#include "studies/quasi_statics/static_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/sim/elastic/elastic_observations.h"
#include "holo/sim/mesh/mesh_description.h"

namespace holo {

namespace {

constexpr double most_of_statics = 0x1p53;
constexpr double seen_decrease = 1e-9;  // of the energy, above the rounding of its sum

double volume_of(const TetrahedralMesh& mesh, const double* positions) {
  const auto at = [&](int vertex) { return Eigen::Map<const Eigen::Vector3d>(positions + 3 * vertex); };
  double volume = 0;
  if (mesh.is_quadratic()) {
    TetrahedralMesh moved;  // what the map of an element needs
    moved.tetrahedra = mesh.tetrahedra;
    moved.edge_vertices = mesh.edge_vertices;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      moved.vertices.push_back({positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]});
    return total_volume(moved);
  }
  for (const auto& [a, b, c, d] : mesh.tetrahedra) {
    const Eigen::Vector3d origin = at(a);
    volume += (at(b) - origin).cross(at(c) - origin).dot(at(d) - origin) / 6;
  }
  return volume;
}

double volume_ratio(const ElasticModel& model, const Eigen::VectorXd& positions) {
  double now = 0, at_start = 0;
  for (const ElasticBody& body : model.bodies()) {
    now += volume_of(body.mesh, positions.data() + 3 * body.first_vertex);
    at_start += volume_of(body.mesh, model.start_positions().data() + 3 * body.first_vertex);
  }
  return now / at_start;
}

}  // namespace

void StaticMotion::step(NewtonWorkspace& workspace) {
  if (has_failed()) return;
  const double before = observation_.elastic_energy;
  last_ = statics_.step(state_, workspace);
  totals_.iterations += last_.iterations;
  totals_.factorizations += last_.factorizations;
  totals_.increments += last_.increments;
  totals_.refused += last_.refused;
  totals_.singular_points += last_.singular_points;
  totals_.kinks += last_.kinks;
  observe();
  totals_.energy_decreases += observation_.elastic_energy < (1 - seen_decrease) * before;
  if (last_.newton.status != NewtonStatus::converged)
    diagnosis_ =
        fmt::format("no equilibrium after the one at {:.6g} s, in parts of a step of {} s down to {:.3g} of it: {}: {}",
                    state_.time, scene_.integration.time_step, statics_.options().smallest_increment,
                    to_string(last_.newton.status), last_.newton.diagnosis);
}

void StaticMotion::compare(const StaticMotion& reference) {
  const Eigen::VectorXd difference = state_.positions - reference.state_.positions;
  for (Eigen::Index i = 0; i < difference.size(); i += 3)
    totals_.distance = std::max(totals_.distance, difference.segment<3>(i).norm());
}

void StaticMotion::observe() {
  observation_ = {};
  observation_.elastic_energy = energies(model(), scene_.gravity, state_).elastic;
  observation_.potential_energy = statics_.energy(state_);
  observation_.volume_ratio = volume_ratio(model(), state_.positions);
  const ElasticDeterminants found = determinants(model(), state_.positions);
  observation_.minimum_determinant = found.minimum;
  const Eigen::VectorXd moved = state_.positions - model().start_positions();
  observation_.largest_displacement =
      Eigen::Map<const Eigen::Matrix3Xd>(moved.data(), 3, moved.size() / 3).colwise().norm().maxCoeff();
  observation_.inverted_elements = found.inverted_elements;
  measure_reactions();
  totals_.inverted_elements = std::max<std::int64_t>(totals_.inverted_elements, found.inverted_elements);
  totals_.minimum_determinant = std::min(totals_.minimum_determinant, found.minimum);
}

// Of each handle the sum of its forces along the axes that it prescribes, and their moment about its center.
void StaticMotion::measure_reactions() {
  const Eigen::VectorXd& x = state_.positions;
  Eigen::VectorXd forces = statics_.forces(state_);
  for (const ElasticHandle& handle : scene_.schedule.handles()) {
    Eigen::Vector3d center = Eigen::Vector3d::Zero(), force = center, moment = center;
    for (const int vertex : handle.vertices) center += x.segment<3>(3 * vertex) / double(handle.vertices.size());
    for (const int vertex : handle.vertices) {
      Eigen::Vector3d of_vertex = Eigen::Vector3d::Zero();
      for (Eigen::Index axis = 0; axis < 3; ++axis)
        if (handle.along[std::size_t(axis)]) std::swap(of_vertex[axis], forces[3 * vertex + axis]);
      force += of_vertex;
      moment += (x.segment<3>(3 * vertex) - center).cross(of_vertex);
    }
    observation_.reaction_force = std::max(observation_.reaction_force, force.norm());
    observation_.reaction_moment = std::max(observation_.reaction_moment, moment.norm());
  }
  observation_.residual = forces.size() == 0 ? 0 : forces.lpNorm<Eigen::Infinity>();
}

void StaticMotion::save(Archive& archive) const {
  std::string state = serialize(state_), diagnosis = diagnosis_;
  archive.visit(state, most_of_statics);
  archive.visit(diagnosis, 1e6);
  StaticTotals totals = totals_;
  for (std::int64_t* count : {&totals.iterations, &totals.factorizations, &totals.increments, &totals.refused,
                              &totals.singular_points, &totals.kinks, &totals.inverted_elements, &totals.energy_decreases})
    archive.visit(*count, most_of_statics);
  archive.visit(totals.minimum_determinant);
  archive.visit(totals.distance);
}

void StaticMotion::load(Archive& archive) {
  std::string state;
  archive.visit(state, most_of_statics);
  archive.visit(diagnosis_, 1e6);
  for (std::int64_t* count : {&totals_.iterations, &totals_.factorizations, &totals_.increments, &totals_.refused,
                              &totals_.singular_points, &totals_.kinks, &totals_.inverted_elements, &totals_.energy_decreases})
    archive.visit(*count, most_of_statics);
  archive.visit(totals_.minimum_determinant);
  archive.visit(totals_.distance);
  state_ = deserialize(model(), state);
  const StaticTotals totals = totals_;
  observe();
  totals_ = totals;
}

}  // namespace holo
