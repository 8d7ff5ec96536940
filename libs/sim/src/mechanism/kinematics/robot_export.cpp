#include "holo/sim/mechanism/kinematics/robot_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/articulated/joint_axes.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "mechanism/kinematics/joint_primitives.h"

namespace holo {

namespace {

using Eigen::Isometry3d, Eigen::Vector3d;

Isometry3d isometry(const Vector3d& origin, const Eigen::Matrix3d& axes) {
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = origin;
  pose.linear() = axes;
  return pose;
}

// Joints that should be in the tree come first: those that files close loops by come last.
int cost_in_tree(const MechanismJoint& joint) {
  const std::string type = joint.type->name();
  if (type == "free") return 5;
  if (joint.role == JointRole::configurable || type == "fixed") return 0;
  if (joint.is_driven() || joint.is_coupled) return 1;
  return type == "spherical" ? 4 : type == "revolute" ? 3 : 2;
}

class RobotExport {
 public:
  RobotExport(const MechanismModel& model, const Eigen::MatrixXd& states)
      : model_(model), states_(states), numbers_(model.bodies().size(), no_body) {}

  ExportedRobot write() {
    robot_.poses.resize(std::size_t(states_.cols()));
    choose_tree();
    add_below(world);
    for (int j = 0; j < int(model_.joints().size()); ++j)
      if (!is_in_tree_[std::size_t(j)]) add_loop(j);
    for (const MergedBody& merged : model_.merged_bodies())
      add_fixed_body(merged.name, number_of(merged.body), isometry(merged.origin, merged.axes));
    for (const MechanismCoupling& coupling : model_.couplings()) add_coupling(coupling);
    return std::move(robot_);
  }

 private:
  // A minimal spanning tree [Kruskal].
  void choose_tree() {
    std::vector<int> order(model_.joints().size()), sets(model_.bodies().size() + 1);
    std::iota(order.begin(), order.end(), 0);
    std::iota(sets.begin(), sets.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cost_in_tree(joint(a)) < cost_in_tree(joint(b)); });
    const auto root = [&](int body) {
      int set = body + 1;
      while (sets[std::size_t(set)] != set) set = sets[std::size_t(set)];
      return set;
    };
    is_in_tree_.assign(order.size(), false);
    for (const int j : order) {
      const int a = root(joint(j).body_a), b = root(joint(j).body_b);
      is_in_tree_[std::size_t(j)] = a != b;
      sets[std::size_t(a)] = b;
    }
  }

  void add_below(int parent) {
    for (int j = 0; j < int(model_.joints().size()); ++j) {
      if (!is_in_tree_[std::size_t(j)]) continue;
      const bool is_reversed = joint(j).body_b == parent;
      if (!is_reversed && joint(j).body_a != parent) continue;
      const int child = is_reversed ? joint(j).body_a : joint(j).body_b;
      if (child == world || numbers_[std::size_t(child)] != no_body) continue;
      const MechanismBody& body = model_.bodies()[std::size_t(child)];
      numbers_[std::size_t(child)] =
          add_chain(j, is_reversed, number_of(parent), frame_in(j, parent), body.name, frame_in(j, child));
      add_cylinders(child);
      add_below(child);
    }
  }

  const MechanismJoint& joint(int j) const { return model_.joints()[std::size_t(j)]; }
  int number_of(int body) const { return body == world ? ArticulatedModel::world : numbers_[std::size_t(body)]; }
  Isometry3d rest_pose(int body) const {
    if (body == world) return Isometry3d::Identity();
    return isometry(model_.bodies()[std::size_t(body)].origin, model_.bodies()[std::size_t(body)].axes);
  }
  Isometry3d pose(int body, int knot) const {
    if (body == world) return Isometry3d::Identity();
    const auto state = states_.col(knot);
    const Eigen::Vector4d q = orientation_of(model_, state, body).normalized();
    return isometry(point_of(model_, state, body, Vector3d::Zero()),
                    Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix());
  }
  // The joint's frame in one of its bodies.
  Isometry3d frame_in(int j, int body) const { return rest_pose(body).inverse() * isometry(joint(j).point, joint(j).axes); }

  std::vector<Isometry3d> motions_of(int j) const {
    std::vector<Isometry3d> motions;
    const int a = joint(j).body_a, b = joint(j).body_b;
    for (int k = 0; k < int(states_.cols()); ++k)
      motions.push_back((pose(a, k) * frame_in(j, a)).inverse() * pose(b, k) * frame_in(j, b));
    return motions;
  }

  // Adds the bodies of a joint, one for each of its primitives; the last one has the name and frame. Returns its number.
  int add_chain(int j, bool is_reversed, int parent, const Isometry3d& frame_in_parent, const std::string& name,
                const Isometry3d& frame_in_child) {
    std::vector<Isometry3d> motions = motions_of(j);
    const std::vector<JointPrimitive> chain = joint_primitives(joint(j), is_reversed, motions);
    if (is_reversed)
      for (Isometry3d& motion : motions) motion = motion.inverse();
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const bool is_last = i + 1 == chain.size();
      ArticulatedBody body;
      body.name = is_last ? name : unused_name(joint(j).name + chain[i].suffix + "_link");
      body.parent = i == 0 ? parent : int(robot_.model.bodies.size()) - 1;
      const Isometry3d a = i == 0 ? frame_in_parent : Isometry3d::Identity();
      set_joint(joint(j).name, chain[i], motions, a, is_last ? frame_in_child.inverse() : Isometry3d::Identity(), body);
      if (joint(j).is_driven() && body.joint.has_position())
        robot_.model.actuators.push_back({body.joint.name, "position", {}, int(robot_.model.bodies.size())});
      robot_.model.bodies.push_back(body);
    }
    return int(robot_.model.bodies.size()) - 1;
  }

  // Coordinates 0 are those of the first knot.
  void set_joint(const std::string& name, const JointPrimitive& primitive, const std::vector<Isometry3d>& motions,
                 const Isometry3d& frame_a, const Isometry3d& body_in_b, ArticulatedBody& body) {
    ArticulatedJoint& made = body.joint;
    made.name = name + primitive.suffix;
    made.type = primitive.type;
    if (made.has_position()) {
      const Isometry3d axes = isometry(Vector3d::Zero(), axes_along(primitive.axis));
      made.frame_a = frame_a * primitive_motion(primitive, primitive.values.front()) * axes;
      made.body_in_b = axes.inverse() * body_in_b;
      made.reference = primitive.values.front();
    } else {
      Isometry3d first = motions.front();
      if (made.type == "spherical") first.translation().setZero();  // the gap within the solver's tolerance
      made.frame_a = frame_a * first;
      made.body_in_b = body_in_b;
      if (made.type == "free") {
        require_root(name, body);
        made.frame_a = made.frame_a * made.body_in_b;
        made.body_in_b.setIdentity();
      }
    }
    for (std::size_t k = 0; k < robot_.poses.size(); ++k) {
      JointMotion& motion = robot_.poses[k].emplace_back();
      if (made.has_position()) motion.coordinates[0] = primitive.values[k] - made.reference;
      if (made.type == "spherical") motion.transform.linear() = (motions.front().inverse() * motions[k]).linear();
      if (made.type == "free") motion.transform = made.frame_a.inverse() * frame_a * motions[k] * body_in_b;
    }
  }

  static void require_root(const std::string& joint, const ArticulatedBody& body) {
    if (body.parent != ArticulatedModel::world)
      throw Error(Failure::input,
                  fmt::format("the free joint '{}' is the only one between the body '{}' and another body, which "
                              "robots' files cannot express",
                              joint, body.name));
  }

  std::string unused_name(std::string name) const {
    const auto is_taken = [&](const auto& entries) {
      return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
    };
    while (is_taken(model_.bodies()) || is_taken(model_.merged_bodies()) || robot_.model.body(name) != no_body) name += "_";
    return name;
  }

  int add_fixed_body(const std::string& name, int parent, const Isometry3d& pose) {
    ArticulatedBody body;
    body.name = name;
    body.parent = parent;
    body.joint.name = name + "_fixed";
    body.joint.frame_a = pose;
    for (ArticulatedPose& each : robot_.poses) each.emplace_back();
    robot_.model.bodies.push_back(body);
    return int(robot_.model.bodies.size()) - 1;
  }

  void add_loop(int j) {
    const MechanismJoint& closed = joint(j);
    const std::string type = closed.type->name();
    const bool is_fixed = closed.role == JointRole::configurable || type == "fixed";
    if (type == "free" && !is_fixed && !closed.is_driven()) return;  // it locks nothing
    ArticulatedLoop loop;
    loop.name = closed.name;
    loop.locks_rotation = type != "spherical" || closed.is_driven();
    loop.body_a = number_of(closed.body_a);
    loop.body_b = number_of(closed.body_b);
    loop.frame_a = frame_in(j, closed.body_a);
    loop.frame_b = frame_in(j, closed.body_b);
    if (is_fixed) {
      loop.frame_a = loop.frame_a * motions_of(j).front();
    } else if (type != "spherical" || closed.is_driven()) {
      loop.body_a = add_chain(j, false, loop.body_a, loop.frame_a, unused_name(closed.name + "_link"), Isometry3d::Identity());
      loop.frame_a.setIdentity();
    }
    robot_.model.loops.push_back(loop);
  }

  // Both coordinates count from the first knot: y0 + dy = P(x0 + dx), by Taylor's formula.
  void add_coupling(const MechanismCoupling& coupling) {
    const int follower = robot_.model.joint(joint(coupling.joint).name),
              leader = robot_.model.joint(joint(coupling.leader).name);
    const auto reference = [&](int body) { return robot_.model.bodies[std::size_t(body)].joint.reference; };
    CouplingPolynomial shifted = {0, 0, 0, 0, 0};
    const double x = reference(leader);
    for (std::size_t degree = 0; degree < 5; ++degree) {
      double binomial = 1, power = coupling.polynomial[degree];  // c x^(degree - i) binomial(degree, i), from i = degree down
      for (std::size_t i = degree + 1; i-- > 0; power *= x) {
        shifted[i] += binomial * power;
        binomial *= double(i) / double(degree - i + 1);
      }
    }
    shifted[0] -= reference(follower);
    robot_.model.couplings.push_back({joint(coupling.joint).name + "_coupling", {}, follower, leader, shifted});
  }

  // Thin cylinders from the middle of a body's joints to each of them.
  void add_cylinders(int body) {
    std::vector<Vector3d> ends;
    for (int j = 0; j < int(model_.joints().size()); ++j)
      if (joint(j).body_a == body || joint(j).body_b == body) ends.push_back(frame_in(j, body).translation());
    const double radius = 0.01 * model_.length();
    const Vector3d middle = std::accumulate(ends.begin(), ends.end(), Vector3d(0, 0, 0)) / double(ends.size());
    for (const Vector3d& end : ends) {
      const Vector3d way = end - middle;
      if (way.norm() < radius) continue;
      CollisionShape& shape = robot_.model.shapes.emplace_back();
      shape.kind = CollisionShape::Kind::cylinder;
      shape.body = number_of(body);
      shape.pose =
          isometry(0.5 * (middle + end), Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), way).toRotationMatrix());
      shape.size = {radius, 0.5 * way.norm(), 0};
      shape.collides = false;
    }
  }

  const MechanismModel& model_;
  const Eigen::MatrixXd& states_;
  std::vector<int> numbers_;  // [body] in the robot
  std::vector<bool> is_in_tree_;
  ExportedRobot robot_;
};

}  // namespace

ExportedRobot exported_robot(const MechanismModel& model, const Eigen::MatrixXd& states) {
  return RobotExport(model, states).write();
}

}  // namespace holo
