#include "holo/sim/contact/scene_contact.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/active_pairs.h"
#include "contact/separate_surfaces.h"
#include "holo/core/error.h"
#include "holo/sim/contact/plane.h"

namespace holo {
namespace {

Eigen::Vector3d to_eigen(const Vector3d& v) { return Eigen::Vector3d(v[0], v[1], v[2]); }

// Each body's deepest vertex must lie outside of each obstacle.
void require_gaps(const ElasticModel& model, const SceneContact& contact, const Eigen::VectorXd& points) {
  for (const PlaneDefinition& plane : contact.planes) {
    double deepest = std::numeric_limits<double>::infinity();
    std::size_t at = 0;
    for (std::size_t i = 0; i < contact.surface->vertices.size(); ++i) {
      const double gap = Plane(plane.at(0)).gap(points.segment<3>(3 * contact.surface->vertices[i]));
      if (gap < deepest) deepest = gap, at = i;
    }
    if (deepest > 0) continue;
    const Eigen::Vector3d point = points.segment<3>(3 * contact.surface->vertices[at]);
    throw_input_error(plane.location,
                      fmt::format("body '{}' begins in the obstacle '{}': its vertex at [{:.6g}, {:.6g}, {:.6g}] lies {:.6g} m "
                                  "below the plane. Bodies must begin outside; move it by more than that along the normal.",
                                  model.bodies()[static_cast<std::size_t>(contact.surface->bodies[at])].name, plane.name,
                                  point[0], point[1], point[2], -deepest));
  }
}

}  // namespace

double contact_stiffness(const ElasticModel& model, const ContactSurface& surface, double activation_distance,
                         const Vector3d& gravity) {
  double modulus = 0, mass = 0, area = 0;
  for (const ElasticBody& body : model.bodies())
    if (!body.is_affine && std::isfinite(body.youngs_modulus)) modulus = std::max(modulus, body.youngs_modulus);
  for (const double each : model.masses()) mass += each;
  const Eigen::Vector3d g = to_eigen(gravity);
  const Eigen::VectorXd points = surface.points(model.start_positions());
  if (g.norm() > 0)
    for (const auto& triangle : surface.triangles) {
      const auto corner = [&](std::size_t i) -> Eigen::Vector3d { return points.segment<3>(3 * triangle[i]); };
      area += std::max(0.0, 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).dot(g) / g.norm());
    }
  const double weight = area > 0 ? 3 * mass * g.norm() / area : 0;
  return std::max(0.5 * modulus, weight) / (1.2 * activation_distance);
}

bool SceneContact::obstacles_move() const {
  return (mesh && mesh->obstacles_move()) ||
         std::any_of(planes.begin(), planes.end(), [](const PlaneDefinition& plane) { return plane.motion.moves(); });
}

SceneContact make_scene_contact(const ElasticModel& model, const ElasticSceneDefinition& scene) {
  const ContactDefinition& definition = scene.contact;
  for (const PlaneDefinition& plane : definition.planes) require_values(plane.motion);
  for (const MeshObstacleDefinition& obstacle : definition.meshes) require_values(obstacle.motion);
  SceneContact contact;
  const auto surface = std::make_shared<ContactSurface>(contact_surface(model));
  surface->bristles = surface_bristles(model, scene, *surface);
  contact.mesh = make_mesh_contact(model, scene, *surface);
  if (definition.planes.empty() && !contact.mesh) return contact;
  contact.surface = surface;
  contact.planes = definition.planes;
  contact.barrier.shape = definition.shape;
  contact.barrier.distance = definition.activation_distance.value_or(1e-3 * model.length());
  contact.barrier.stiffness =
      definition.stiffness.value_or(contact_stiffness(model, *contact.surface, contact.barrier.distance, scene.gravity));
  if (!(contact.barrier.stiffness > 0))
    throw_input_error(
        definition.location,
        "the contact's stiffness cannot be found from the bodies: they have no weight, and their materials no Young's "
        "modulus. Give contact.stiffness.");
  contact.friction_law = definition.friction_law;
  contact.stick_speed = definition.stick_speed.value_or(1e-3 * model.length());
  contact.lag_updates = definition.lag_updates;
  const Eigen::VectorXd points = surface->points(model.start_positions());
  require_gaps(model, contact, points);
  if (contact.mesh) require_separate_surfaces(points, contact.mesh, contact.barrier.distance, definition.location);
  return contact;
}

namespace {

// Pairs of one body, or of two.
void add_mesh_pairs(const SceneContact& contact, const Eigen::VectorXd& points, double time, ContactSummary& summary) {
  ActivePairs pairs(contact.mesh, contact.barrier.distance);
  pairs.begin_step(time, time);
  summary.smallest_gap = std::min(summary.smallest_gap, contact.barrier.distance);
  std::vector<char> is_touching(static_cast<std::size_t>(contact.mesh->model_vertices), 0);
  for (const ActivePair& pair : pairs.at(points)) {
    summary.smallest_gap = std::min(summary.smallest_gap, pair.distance);
    summary.normal_force += normal_force(pair, contact.barrier);
    for (int i = 0; i < pair.features.node_count; ++i) {
      const int vertex = pair.vertices[static_cast<std::size_t>(pair.features.nodes[static_cast<std::size_t>(i)])];
      if (!contact.mesh->is_fixed(vertex)) is_touching[static_cast<std::size_t>(vertex)] = 1;
    }
  }
  summary.touching_vertices += static_cast<int>(std::count(is_touching.begin(), is_touching.end(), 1));
}

}  // namespace

ContactSummary summarize_contact(const SceneContact& contact, const Eigen::VectorXd& positions, double time) {
  ContactSummary summary;
  if (!contact.surface) return summary;
  const Eigen::VectorXd points = contact.surface->points(positions);
  for (const PlaneDefinition& definition : contact.planes) {
    const Plane plane(definition.at(time));
    for (std::size_t i = 0; i < contact.surface->vertices.size(); ++i) {
      const double gap = plane.gap(points.segment<3>(3 * contact.surface->vertices[i]));
      summary.smallest_gap = std::min(summary.smallest_gap, gap);
      if (gap >= contact.barrier.distance) continue;
      ++summary.touching_vertices;
      summary.normal_force -= contact.surface->areas[i] * barrier_energy(contact.barrier, gap).first;
    }
  }
  if (contact.mesh) add_mesh_pairs(contact, points, time, summary);
  return summary;
}

}  // namespace holo
