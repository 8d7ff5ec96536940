#include "holo/sim/contact/mesh_contact.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "elastic/element/vector3d.h"
#include "holo/core/error.h"

namespace holo {
namespace {

Eigen::Vector3d obstacle_vertex(const MeshContact& contact, int vertex) {
  return contact.obstacle_positions.segment<3>(3 * (vertex - contact.model_vertices));
}

bool collides_between_bodies(const ElasticSceneDefinition& scene) {
  return scene.contact.between_bodies && scene.bodies.size() > 1;
}

// Areas and lengths of the entries that an obstacle has just added to the mesh, which begin at the given ones.
void add_obstacle_measures(std::size_t first_triangle, std::size_t first_edge, MeshContact& contact) {
  const CollisionMesh& mesh = *contact.mesh;
  contact.vertex_areas.resize(mesh.vertices.size(), 0.0);
  contact.edge_areas.resize(mesh.edges.size(), 0.0);
  for (std::size_t t = first_triangle; t < mesh.triangles.size(); ++t) {
    const std::array<int, 3>& corners = mesh.triangles[t];
    const Eigen::Vector3d a = obstacle_vertex(contact, corners[0]);
    const double area = 0.5 * (obstacle_vertex(contact, corners[1]) - a).cross(obstacle_vertex(contact, corners[2]) - a).norm();
    for (std::size_t i = 0; i < 3; ++i) {
      const auto vertex = std::lower_bound(mesh.vertices.begin(), mesh.vertices.end(), corners[i]);
      contact.vertex_areas[static_cast<std::size_t>(vertex - mesh.vertices.begin())] += area / 3;
      const auto [low, high] = std::minmax(corners[i], corners[(i + 1) % 3]);
      const auto edge = std::lower_bound(mesh.edges.begin() + static_cast<std::ptrdiff_t>(first_edge), mesh.edges.end(),
                                         std::array<int, 2>{low, high});
      contact.edge_areas[static_cast<std::size_t>(edge - mesh.edges.begin())] += area / 3;
    }
  }
  for (std::size_t edge = first_edge; edge < mesh.edges.size(); ++edge)
    contact.edge_lengths.push_back(
        (obstacle_vertex(contact, mesh.edges[edge][1]) - obstacle_vertex(contact, mesh.edges[edge][0])).norm());
}

void add_mesh_obstacle(const MeshObstacleDefinition& definition, CollisionMesh& mesh, MeshContact& contact) {
  if (std::find(contact.names.begin(), contact.names.end(), definition.name) != contact.names.end())
    throw_input_error(
        definition.location,
        fmt::format("the obstacle '{}' has the name of a body or of another obstacle; names must differ.", definition.name));
  const ObstacleShape shape = definition.shape ? definition.shape() : boundary_obstacle(definition.mesh());
  const auto first = static_cast<int>(contact.obstacle_positions.size() / 3) + contact.model_vertices;
  contact.obstacle_positions.conservativeResize(contact.obstacle_positions.size() +
                                                3 * static_cast<Eigen::Index>(shape.vertices.size()));
  for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
    const Vector3d placed =
        rotate(shape.vertices[v], definition.rotation_axis, definition.rotation_angle) + definition.translation;
    for (int i = 0; i < 3; ++i)
      contact.obstacle_positions[3 * (first - contact.model_vertices + static_cast<int>(v)) + i] =
          placed[static_cast<std::size_t>(i)];
  }
  const std::size_t first_triangle = mesh.triangles.size(), first_edge = mesh.edges.size();
  add_obstacle(mesh, contact.model_bodies, first, shape);
  contact.names.push_back(definition.name);
  contact.motions.push_back({definition.motion, contact.obstacle_positions.size() / 3});
  add_obstacle_measures(first_triangle, first_edge, contact);
}

std::vector<double> areas_of(const std::vector<std::array<int, 3>>& triangles, const Eigen::VectorXd& x) {
  std::vector<double> areas;
  for (const auto& [a, b, c] : triangles) {
    const Eigen::Vector3d origin = x.segment<3>(3 * a);
    areas.push_back(0.5 * (x.segment<3>(3 * b) - origin).cross(x.segment<3>(3 * c) - origin).norm());
  }
  return areas;
}

int surface_named(const MeshContact& contact, const std::string& name, const Location& location) {
  const auto found = std::find(contact.names.begin(), contact.names.end(), name);
  if (found == contact.names.end())
    throw_input_error(location,
                      fmt::format("friction is given for '{}', which is neither a body nor an obstacle of type mesh.{}", name,
                                  suggestion(name, contact.names)));
  return static_cast<int>(found - contact.names.begin());
}

void set_friction(const ElasticSceneDefinition& scene, MeshContact& contact) {
  const int count = contact.mesh->body_count, bodies = contact.model_bodies;
  contact.friction.assign(static_cast<std::size_t>(count * count), 0.0);
  const auto set = [&](int a, int b, double coefficient) {
    contact.friction[static_cast<std::size_t>(a * count + b)] = contact.friction[static_cast<std::size_t>(b * count + a)] =
        coefficient;
  };
  for (int a = 0; a < bodies; ++a) {
    for (int b = 0; b <= a; ++b)
      set(a, b,
          std::sqrt(scene.bodies[static_cast<std::size_t>(a)].friction * scene.bodies[static_cast<std::size_t>(b)].friction));
    for (int obstacle = bodies; obstacle < count; ++obstacle)
      set(a, obstacle, scene.contact.meshes[static_cast<std::size_t>(obstacle - bodies)].friction);
  }
  for (const PairFriction& pair : scene.contact.pair_friction) {
    const int a = surface_named(contact, pair.names[0], pair.location),
              b = surface_named(contact, pair.names[1], pair.location);
    if (!contact.mesh->may_collide(a, b))
      throw_input_error(pair.location, fmt::format("friction is given between '{}' and '{}', which do not collide with each "
                                                   "other.",
                                                   pair.names[0], pair.names[1]));
    set(a, b, pair.coefficient);
  }
}

}  // namespace

bool MeshContact::obstacles_move() const {
  return std::any_of(motions.begin(), motions.end(), [](const Motion& each) { return each.motion.moves(); });
}

void MeshContact::obstacles_at(double time, Eigen::Ref<Eigen::VectorXd> positions) const {
  positions = obstacle_positions;
  Eigen::Index vertex = 0;
  for (const auto& [motion, end] : motions) {
    if (motion.moves()) {
      const RigidPose pose = motion.pose(time);
      for (Eigen::Index v = vertex; v < end; ++v) positions.segment<3>(3 * v) = pose.of(obstacle_positions.segment<3>(3 * v));
    }
    vertex = end;
  }
}

Eigen::VectorXd MeshContact::with_obstacles(const Eigen::VectorXd& positions, double time) const {
  Eigen::VectorXd all(positions.size() + obstacle_positions.size());
  all.head(positions.size()) = positions;
  obstacles_at(time, all.tail(obstacle_positions.size()));
  return all;
}

bool has_mesh_contact(const ElasticSceneDefinition& scene) {
  return collides_between_bodies(scene) || !scene.contact.meshes.empty() ||
         std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const auto& body) { return body.self_contact; });
}

std::shared_ptr<const MeshContact> make_mesh_contact(const ElasticModel& model, const ElasticSceneDefinition& scene,
                                                     const ContactSurface& surface) {
  if (!has_mesh_contact(scene)) {
    if (!scene.contact.pair_friction.empty())
      throw_input_error(scene.contact.pair_friction[0].location, "friction is given for a pair of surfaces, but none collide.");
    return nullptr;
  }
  std::vector<bool> self_contact;
  for (const ElasticBodyDefinition& body : scene.bodies) self_contact.push_back(body.self_contact);
  auto contact = std::make_shared<MeshContact>();
  auto mesh = std::make_shared<CollisionMesh>(collision_mesh(surface, self_contact));
  contact->mesh = mesh;
  contact->model_bodies = static_cast<int>(model.bodies().size());
  contact->model_vertices = surface.embedding ? surface.embedding->point_count() : model.vertex_count();
  contact->length = model.length();
  contact->check_paths = scene.contact.check_paths;
  contact->vertex_areas = surface.areas;
  contact->edge_areas = surface.edge_areas;
  contact->edge_lengths = surface.edge_lengths;
  for (const ElasticBody& body : model.bodies()) contact->names.push_back(body.name);
  const int body_count = contact->model_bodies;
  if (!collides_between_bodies(scene))
    for (int a = 0; a < body_count; ++a)
      for (int b = 0; b < a; ++b) mesh->set_may_collide(a, b, false);
  for (const MeshObstacleDefinition& obstacle : scene.contact.meshes) add_mesh_obstacle(obstacle, *mesh, *contact);
  set_friction(scene, *contact);
  if (std::any_of(mesh->radii.begin(), mesh->radii.end(), [](double radius) { return radius > 0; })) {
    contact->triangle_areas = areas_of(mesh->triangles, contact->with_obstacles(surface.points(model.start_positions()), 0));
    contact->has_edges.assign(static_cast<std::size_t>(mesh->body_count), 0);
    for (const int body : mesh->edge_bodies) contact->has_edges[static_cast<std::size_t>(body)] = 1;
  }
  return contact;
}

}  // namespace holo
