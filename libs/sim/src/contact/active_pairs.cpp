#include "contact/active_pairs.h"

#include <algorithm>
#include <cmath>

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
  place_obstacles(1);
}

void ActivePairs::place_obstacles(double progress) {
  if (!contact_->obstacles_move()) return;
  is_known_ = false;
  auto now = x_.tail(end_.size());
  now = (1 - progress) * start_ + progress * end_;
  way_ = end_ - now;
}

void ActivePairs::add_if_active(PairKind kind, const PairColumns& columns, const std::array<int, 4>& vertices,
                                const std::array<int, 2>& bodies, double area, double threshold) {
  const Eigen::Map<const PairVector> x(columns.data());
  const ClosestFeatures features = closest_features(kind, x);
  const double squared_distance = pair_squared_distance(features, x);
  if (squared_distance < distance_ * distance_)
    pairs_.push_back({features, vertices, bodies, x, std::sqrt(squared_distance), area, threshold});
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
                  {mesh.vertex_bodies[v], mesh.triangle_bodies[t]}, contact_->vertex_areas[v] / 4, 0);
  }
  for (const EdgePair& pair : candidates.edge_edge) {
    const auto i = static_cast<std::size_t>(pair.first), j = static_cast<std::size_t>(pair.second);
    add_if_active(PairKind::edge_edge, columns_of(mesh, pair, x_),
                  {mesh.edges[i][0], mesh.edges[i][1], mesh.edges[j][0], mesh.edges[j][1]},
                  {mesh.edge_bodies[i], mesh.edge_bodies[j]}, (contact_->edge_areas[i] + contact_->edge_areas[j]) / 4,
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
  return part * holo::longest_step(*contact_->mesh, x_, direction_, candidates);
}

}  // namespace holo
