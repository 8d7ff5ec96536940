#include "contact/active_pairs.h"

#include <algorithm>
#include <cmath>

#include "holo/sim/contact/detection/interval_path.h"
#include "holo/sim/contact/detection/time_of_impact.h"

namespace holo {

double normal_force(const ActivePair& pair, const Barrier& barrier) {
  return -pair.area * edge_mollifier(pair.parallel_threshold, pair.x) * barrier_energy(barrier, pair.distance).first;
}

ActivePairs::ActivePairs(std::shared_ptr<const MeshContact> contact, double distance)
    : contact_(std::move(contact)), distance_(distance), search_(contact_->mesh), swept_search_(contact_->mesh) {
  const Eigen::Index model_size = 3 * contact_->model_vertices, size = model_size + contact_->obstacle_positions.size();
  x_.resize(size);
  direction_ = Eigen::VectorXd::Zero(size);
  start_.resize(size - model_size);
  contact_->obstacles_at(0, start_);
  end_ = x_.tail(size - model_size) = start_;
  way_ = Eigen::VectorXd::Zero(size - model_size);
}

void ActivePairs::begin_step(double start, double end) {
  if (!contact_->obstacles_move()) return;
  contact_->obstacles_at(start, start_);
  contact_->obstacles_at(end, end_);
  find_turns(start, end);
  place_obstacles(1);
}

void ActivePairs::find_turns(double start, double end) {
  const CollisionMesh& mesh = *contact_->mesh;
  turns_.clear();
  for (int body = contact_->model_bodies; body < mesh.body_count; ++body) {
    const MotionDefinition& motion = contact_->motions[static_cast<std::size_t>(body - contact_->model_bodies)].motion;
    if (mesh.radius_of(body) == 0 || !motion.moves()) continue;
    turns_.resize(static_cast<std::size_t>(mesh.body_count), Eigen::Matrix3d::Zero());
    const Eigen::Matrix3d turned = motion.pose(end).rotation * motion.pose(start).rotation.transpose();
    turns_[static_cast<std::size_t>(body)] = mesh.radius_of(body) * (turned - Eigen::Matrix3d::Identity());
  }
}

Eigen::Matrix3d ActivePairs::surface_turn(const std::array<int, 2>& bodies) const {
  if (turns_.empty()) return Eigen::Matrix3d::Zero();
  return progress_ * (turns_[static_cast<std::size_t>(bodies[0])] + turns_[static_cast<std::size_t>(bodies[1])]);
}

void ActivePairs::place_obstacles(double progress) {
  if (!contact_->obstacles_move()) return;
  is_known_ = false;
  progress_ = progress;
  auto now = x_.tail(end_.size());
  now = (1 - progress) * start_ + progress * end_;
  way_ = end_ - now;
}

void ActivePairs::add_if_active(PairKind kind, const PairColumns& columns, const std::array<int, 4>& vertices,
                                const std::array<int, 2>& bodies, double area, double threshold) {
  const Eigen::Map<const PairVector> x(columns.data());
  const ClosestFeatures features = closest_features(kind, x);
  const double squared_distance = pair_squared_distance(features, x);
  const double radius = contact_->mesh->radius_of(bodies[0]) + contact_->mesh->radius_of(bodies[1]);
  const double reach = distance_ + radius;
  if (squared_distance < reach * reach)
    pairs_.push_back({features, vertices, bodies, x, std::sqrt(squared_distance) - radius, area, threshold, radius});
}

double ActivePairs::point_triangle_area(std::size_t vertex, std::size_t triangle) const {
  const int body = contact_->mesh->vertex_bodies[vertex];
  if (contact_->mesh->radius_of(body) == 0) return contact_->vertex_areas[vertex] / 4;
  return contact_->triangle_areas[triangle] / (contact_->has_edges[static_cast<std::size_t>(body)] ? 2 : 1);
}

double ActivePairs::edge_edge_area(std::size_t first, std::size_t second) const {
  const CollisionMesh& mesh = *contact_->mesh;
  const bool is_thick = mesh.radius_of(mesh.edge_bodies[first]) > 0 || mesh.radius_of(mesh.edge_bodies[second]) > 0;
  return (contact_->edge_areas[first] + contact_->edge_areas[second]) / (is_thick ? 2 : 4);
}

const std::vector<ActivePair>& ActivePairs::at(const Eigen::VectorXd& x) {
  if (is_known_ && x == model_x_) return pairs_;
  is_known_ = false;
  x_.head(x.size()) = x;
  const CandidatePairs& candidates = search_.at(x_, distance_);
  const CollisionMesh& mesh = *contact_->mesh;
  pairs_.clear();
  for (const PointTrianglePair& pair : candidates.point_triangle) {
    const auto v = static_cast<std::size_t>(pair.vertex), t = static_cast<std::size_t>(pair.triangle);
    const auto& [a, b, c] = mesh.triangles[t];
    add_if_active(PairKind::point_triangle, columns_of(mesh, pair, x_), {mesh.vertices[v], a, b, c},
                  {mesh.vertex_bodies[v], mesh.triangle_bodies[t]}, point_triangle_area(v, t), 0);
  }
  for (const EdgePair& pair : candidates.edge_edge) {
    const auto i = static_cast<std::size_t>(pair.first), j = static_cast<std::size_t>(pair.second);
    add_if_active(PairKind::edge_edge, columns_of(mesh, pair, x_),
                  {mesh.edges[i][0], mesh.edges[i][1], mesh.edges[j][0], mesh.edges[j][1]},
                  {mesh.edge_bodies[i], mesh.edge_bodies[j]}, edge_edge_area(i, j),
                  parallel_threshold(contact_->edge_lengths[i], contact_->edge_lengths[j]));
  }
  model_x_ = x;
  is_known_ = true;
  return pairs_;
}

// Of a direction that leads farther than the scene's length only that part is searched: boxes of all of it would overlap
// everywhere.
double ActivePairs::longest_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) {
  double largest = direction.cwiseAbs().maxCoeff();
  if (way_.size() > 0) largest = std::max(largest, way_.cwiseAbs().maxCoeff());
  const double part = largest > contact_->length ? contact_->length / largest : 1;
  x_.head(x.size()) = x;
  direction_.head(x.size()) = part * direction;
  direction_.tail(way_.size()) = part * way_;
  const CandidatePairs& candidates = swept_search_.swept(x_, direction_, 0);
  const double step = holo::longest_step(*contact_->mesh, x_, direction_, candidates);
  if (contact_->check_paths && step > 0) require_clear_path(*contact_->mesh, x_, direction_, candidates, step);
  return part * step;
}

}  // namespace holo
