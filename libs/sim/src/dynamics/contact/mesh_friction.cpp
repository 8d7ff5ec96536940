#include "dynamics/contact/mesh_friction.h"

#include <algorithm>
#include <utility>

#include "dynamics/contact/pair_blocks.h"

namespace holo {

MeshFriction::MeshFriction(const std::shared_ptr<const MeshContact>& contact, const Barrier& barrier, FrictionLaw law,
                           double stick_speed, std::shared_ptr<const SurfaceBristles> bristles)
    : pairs_(contact, barrier.distance),
      bristles_(std::move(bristles)),
      barrier_(barrier),
      law_(law),
      stick_speed_(stick_speed) {
  const CollisionMesh& mesh = *contact->mesh;
  parameter_of_.assign(contact->friction.size(), -1);
  std::vector<double> coefficients;
  for (int a = 0; a < mesh.body_count; ++a)
    for (int b = a; b < mesh.body_count; ++b)
      if (mesh.may_collide(a, b) && contact->friction_between(a, b) > 0) {
        parameter_of_[static_cast<std::size_t>(a * mesh.body_count + b)] =
            parameter_of_[static_cast<std::size_t>(b * mesh.body_count + a)] = static_cast<Eigen::Index>(coefficients.size());
        coefficients.push_back(contact->friction_between(a, b));
      }
  coefficients_ = Eigen::Map<const Eigen::VectorXd>(coefficients.data(), static_cast<Eigen::Index>(coefficients.size()));
}

bool MeshFriction::acts_on(const MeshContact& contact) {
  for (int a = 0; a < contact.mesh->body_count; ++a)
    for (int b = a; b < contact.mesh->body_count; ++b)
      if (contact.mesh->may_collide(a, b) && contact.friction_between(a, b) > 0) return true;
  return false;
}

void MeshFriction::begin_step(const StepContext& context) {
  pairs_.begin_step(context.start_time, context.end_time);
  start_ = context.positions;
  stick_length_ = stick_speed_ * context.time_step;
}

void MeshFriction::update_lag(const Eigen::VectorXd& x) {
  contacts_.clear();
  for (const ActivePair& pair : pairs_.at(x)) {
    const Eigen::Index coefficient =
        parameter_of_[static_cast<std::size_t>(pair.bodies[0] * pairs_.contact().mesh->body_count + pair.bodies[1])];
    if (coefficient < 0) continue;
    const FrictionLagVector lag = friction_lag(pair.law(barrier_), pair.features, pair.x);
    contacts_.push_back({pair, coefficient, lag[FrictionLag::force], lag.segment<3>(FrictionLag::normal),
                         lag.segment<4>(FrictionLag::weights)});
    if (bristles_) find_direction(x, contacts_.back());
  }
}

namespace {

// The side of a pair that has bristles, and the nodes on it.
struct BristledSide {
  const BristlesDefinition* bristles = nullptr;
  double sign = 1;  // of the side's displacement in that of the first side against the second one
  int first = 0, count = 0;
};

BristledSide bristled_side(const SurfaceBristles& bristles, const ActivePair& pair) {
  const int of_first = pair.features.kind == PairKind::point_triangle ? 1 : 2;
  if (const auto* found = bristles.of_body(pair.bodies[0])) return {found, 1, 0, of_first};
  if (const auto* found = bristles.of_body(pair.bodies[1])) return {found, -1, of_first, 4 - of_first};
  return {};
}

}  // namespace

// w of the second side is -w.
Eigen::Matrix3Xd MeshFriction::directions(const Contact& contact, const Eigen::Ref<const Eigen::MatrixXd>& columns) const {
  const BristledSide side = bristled_side(*bristles_, contact.pair);
  Eigen::Matrix3Xd sum = Eigen::Matrix3Xd::Zero(3, columns.cols());
  for (int i = side.first; i < side.first + side.count; ++i)
    sum += side.sign / side.count * bristles_->directions(contact.pair.vertices[static_cast<std::size_t>(i)], columns);
  return sum;
}

void MeshFriction::find_direction(const Eigen::VectorXd& x, Contact& contact) const {
  const BristledSide side = bristled_side(*bristles_, contact.pair);
  if (!side.bristles) return;
  contact.law.emplace(law_, stick_length_, *side.bristles);
  contact.direction = directions(contact, x);
  contact.tangent = bristle_tangent(contact.normal, contact.direction);
}

double MeshFriction::normal_force() const {
  double sum = 0;
  for (const Contact& contact : contacts_) sum += contact.normal_force;
  return sum;
}

PairVector MeshFriction::displacements(const Contact& contact, const Eigen::VectorXd& x) const {
  PairVector moved = PairVector::Zero();
  for (int i = 0; i < 4; ++i) {
    const int vertex = contact.pair.vertices[static_cast<std::size_t>(i)];
    if (pairs_.contact().is_fixed(vertex))
      moved.segment<3>(3 * i) = pairs_.obstacle_displacement(vertex);
    else
      moved.segment<3>(3 * i) = x.segment<3>(3 * vertex) - start_.segment<3>(3 * vertex);
  }
  return moved;
}

MeshFriction::Sliding MeshFriction::sliding(const Contact& contact, const Eigen::VectorXd& x) const {
  const PairVector moved = displacements(contact, x);
  Sliding result;
  result.w = Eigen::Map<const PairColumns>(moved.data()) * contact.weights - turn(contact) * contact.normal;
  const Eigen::Vector3d& n = contact.normal;
  if (contact.law) {
    const DirectionalSliding directed = directional_sliding(*contact.law, result.w, n, contact.tangent);
    result.value = directed.value;
    result.force = directed.force;
    result.stiffness = directed.stiffness;
    return result;
  }
  const Eigen::Vector3d u = result.w - n * n.dot(result.w);
  result.f = smoothed_length(law_, stick_length_, u.squaredNorm());
  result.value = result.f.value;
  result.force = 2 * result.f.first * u;
  result.stiffness =
      2 * result.f.first * (Eigen::Matrix3d::Identity() - n * n.transpose()) + 4 * result.f.second * u * u.transpose();
  return result;
}

double MeshFriction::energy(const Eigen::VectorXd& x) {
  double sum = 0;
  for (const Contact& contact : contacts_) sum += factor(contact) * sliding(contact, x).value;
  return sum;
}

void MeshFriction::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  for (const Contact& contact : contacts_) {
    const Eigen::Vector3d force = factor(contact) * sliding(contact, x).force;
    for (int i = 0; i < 4; ++i)
      if (const int vertex = contact.pair.vertices[static_cast<std::size_t>(i)]; !pairs_.contact().is_fixed(vertex))
        gradient.segment<3>(3 * vertex) += contact.weights[i] * force;
  }
}

void MeshFriction::add_sliding(const Eigen::VectorXd& x, std::map<std::array<int, 2>, SlidingSums>& sums) const {
  for (const Contact& contact : contacts_) {
    std::array<int, 2> bodies = contact.pair.bodies;
    if (bodies[0] > bodies[1]) std::swap(bodies[0], bodies[1]);
    const Eigen::Vector3d w = sliding(contact, x).w;
    sums[bodies].add(contact.normal_force, (w - contact.normal * contact.normal.dot(w)).norm());
  }
}

// Positive semidefinite, since f is convex and grows.
void MeshFriction::add_hessian(const Eigen::VectorXd& x, Curvature, BlockAssembler& assembler) {
  for (const Contact& contact : contacts_) {
    const Eigen::Matrix3d stiffness = factor(contact) * sliding(contact, x).stiffness;
    PairMatrix hessian;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) hessian.block<3, 3>(3 * i, 3 * j) = contact.weights[i] * contact.weights[j] * stiffness;
    add_pair_hessian(pairs_.contact(), contact.pair.vertices, hessian, assembler);
  }
}

void MeshFriction::add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (const Contact& contact : contacts_) {
    const Eigen::Vector3d force = contact.normal_force * sliding(contact, x).force;
    for (int i = 0; i < 4; ++i)
      if (const int vertex = contact.pair.vertices[static_cast<std::size_t>(i)]; !pairs_.contact().is_fixed(vertex))
        columns.col(contact.coefficient).segment<3>(3 * vertex) += contact.weights[i] * force;
  }
}

void MeshFriction::add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                      const Eigen::Ref<const Eigen::MatrixXd>&, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (const Contact& contact : contacts_) {
    const Eigen::Matrix<double, 12, Eigen::Dynamic> rows = rows_of_pair(pairs_.contact(), contact.pair.vertices, positions);
    Eigen::Matrix3Xd dw = Eigen::Matrix3Xd::Zero(3, positions.cols());
    for (int i = 0; i < 4; ++i) dw += contact.weights[i] * rows.middleRows<3>(3 * i);
    const Eigen::Matrix3Xd change = factor(contact) * sliding(contact, x).stiffness * dw;
    for (int i = 0; i < 4; ++i)
      if (const int vertex = contact.pair.vertices[static_cast<std::size_t>(i)]; !pairs_.contact().is_fixed(vertex))
        columns.middleRows<3>(3 * vertex) -= contact.weights[i] * change;
  }
}

}  // namespace holo
