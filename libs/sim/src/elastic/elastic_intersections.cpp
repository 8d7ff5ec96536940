#include "holo/sim/elastic/elastic_intersections.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace holo {
namespace {

constexpr std::size_t described_intersections = 3;

HalfSpace half_space_of(const PlaneDefinition& plane) {
  const auto& [n, p] = std::pair(plane.normal, plane.point);
  return {n, n[0] * p[0] + n[1] * p[1] + n[2] * p[2]};
}

std::string place_of(const Eigen::VectorXd& positions, int vertex) {
  const Eigen::Vector3d at = positions.segment<3>(3 * vertex);
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", at[0], at[1], at[2]);
}

}  // namespace

ElasticIntersections::ElasticIntersections(std::shared_ptr<const ElasticModel> model, const SceneContact& contact)
    : model_(std::move(model)), mesh_(contact.mesh), planes_(contact.planes) {
  for (std::size_t b = 0; b < model_->bodies().size(); ++b) {
    const ElasticBody& body = model_->bodies()[b];
    names_.push_back(body.name);
    const EmbeddedBody* affine = body.is_affine ? model_->embedding()->find(static_cast<int>(b)) : nullptr;
    const int first = affine ? affine->first_point : body.first_vertex;
    for (std::array<int, 3> triangle : boundary_triangles(affine ? affine->mesh : body.mesh)) {
      for (int& vertex : triangle) vertices_.push_back(vertex += first);
      triangles_.push_back(triangle);
      triangle_bodies_.push_back(static_cast<int>(b));
    }
  }
  std::sort(vertices_.begin(), vertices_.end());
  vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
  if (mesh_) add_obstacles();
}

// Their vertices are numbered after those of the model.
void ElasticIntersections::add_obstacles() {
  names_ = mesh_->names;
  const CollisionMesh& mesh = *mesh_->mesh;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (is_obstacle(mesh.triangle_bodies[t])) {
      triangles_.push_back(mesh.triangles[t]);
      triangle_bodies_.push_back(mesh.triangle_bodies[t]);
    }
  for (int body = mesh_->model_bodies; body < mesh.body_count; ++body)
    if (mesh.radius_of(body) > 0) round_bodies_.push_back(body);
}

std::vector<RoundObstacle> ElasticIntersections::round_obstacles(const Eigen::VectorXd& all) const {
  std::vector<RoundObstacle> obstacles;
  for (const int body : round_bodies_) {
    const CollisionMesh& mesh = *mesh_->mesh;
    const auto [first, last] = std::equal_range(mesh.vertex_bodies.begin(), mesh.vertex_bodies.end(), body);
    const auto place = [&](std::ptrdiff_t entry) {
      const Eigen::Vector3d x = all.segment<3>(3 * mesh.vertices[static_cast<std::size_t>(entry)]);
      return std::array<double, 3>{x[0], x[1], x[2]};
    };
    obstacles.push_back(
        {place(first - mesh.vertex_bodies.begin()), place(last - 1 - mesh.vertex_bodies.begin()), mesh.radius_of(body)});
  }
  return obstacles;
}

Eigen::VectorXd ElasticIntersections::with_obstacles(const Eigen::VectorXd& positions, double time) const {
  const Eigen::VectorXd points = model_->embedding() ? model_->embedding()->points(positions) : positions;
  return mesh_ ? mesh_->with_obstacles(points, time) : points;
}

// Obstacles may intersect each other: nothing but their script moves them.
FoundIntersections ElasticIntersections::find(const Eigen::VectorXd& positions, double time) const {
  const Eigen::VectorXd all = with_obstacles(positions, time);
  const std::span<const double> x(all.data(), static_cast<std::size_t>(all.size()));
  FoundIntersections found;
  found.of_surfaces = find_intersections({x, triangles_, triangle_bodies_});
  std::erase_if(found.of_surfaces, [&](const EdgeTriangleIntersection& each) {
    return is_obstacle(each.edge_body) && is_obstacle(each.triangle_body);
  });
  if (!round_bodies_.empty()) found.in_round_obstacles = find_triangles_in({x, triangles_, {}}, round_obstacles(all));
  std::erase_if(found.in_round_obstacles, [&](const TriangleInObstacle& each) {
    return is_obstacle(triangle_bodies_[static_cast<std::size_t>(each.triangle)]);
  });
  std::vector<HalfSpace> half_spaces;
  for (const PlaneDefinition& plane : planes_) half_spaces.push_back(half_space_of(plane.at(time)));
  if (!half_spaces.empty()) found.below_planes = find_points_below(x, vertices_, half_spaces);
  return found;
}

FoundIntersections ElasticIntersections::prevented(const FoundIntersections& found) const {
  FoundIntersections prevented{{}, found.below_planes, found.in_round_obstacles};
  if (mesh_)
    for (const EdgeTriangleIntersection& each : found.of_surfaces)
      if (mesh_->mesh->may_collide(each.edge_body, each.triangle_body)) prevented.of_surfaces.push_back(each);
  return prevented;
}

int ElasticIntersections::body_of(int vertex) const {
  if (model_->embedding())
    if (const EmbeddedBody* affine = model_->embedding()->owner(vertex)) return affine->body;
  const auto behind = std::upper_bound(model_->bodies().begin(), model_->bodies().end(), vertex,
                                       [](int v, const ElasticBody& body) { return v < body.first_vertex; });
  return static_cast<int>(behind - model_->bodies().begin()) - 1;
}

std::string ElasticIntersections::describe(const FoundIntersections& found, const Eigen::VectorXd& positions,
                                           double time) const {
  const Eigen::VectorXd all = with_obstacles(positions, time);
  std::vector<std::string> texts;
  for (const EdgeTriangleIntersection& each : found.of_surfaces) {
    if (texts.size() == described_intersections) break;
    const auto& [a, b, c] = triangles_[static_cast<std::size_t>(each.triangle)];
    texts.push_back(fmt::format("an edge of '{}' from {} to {} meets the triangle of '{}' with the corners {}, {}, {}",
                                name_of(each.edge_body), place_of(all, each.edge[0]), place_of(all, each.edge[1]),
                                name_of(each.triangle_body), place_of(all, a), place_of(all, b), place_of(all, c)));
  }
  for (const TriangleInObstacle& each : found.in_round_obstacles) {
    if (texts.size() == described_intersections) break;
    const auto triangle = static_cast<std::size_t>(each.triangle);
    texts.push_back(fmt::format("the triangle of '{}' with a corner at {} reaches into the obstacle '{}'",
                                name_of(triangle_bodies_[triangle]), place_of(all, triangles_[triangle][0]),
                                name_of(round_bodies_[static_cast<std::size_t>(each.obstacle)])));
  }
  for (const PointBelowPlane& each : found.below_planes) {
    if (texts.size() == described_intersections) break;
    texts.push_back(fmt::format("a vertex of '{}' at {} lies in the obstacle '{}'", name_of(body_of(each.vertex)),
                                place_of(all, each.vertex), planes_[static_cast<std::size_t>(each.half_space)].name));
  }
  if (const auto count = static_cast<std::size_t>(found.count()); count > texts.size())
    texts.push_back(fmt::format("and {} more", count - texts.size()));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace holo
