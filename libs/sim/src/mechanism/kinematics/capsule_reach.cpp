#include "holo/sim/mechanism/kinematics/capsule_reach.h"

#include <algorithm>
#include <numeric>

#include "holo/sim/mechanism/kinematics/joint_motion.h"

namespace holo {

namespace {

// Where a point of a body, in its coordinates, is at rest.
Eigen::Vector3d at_rest(const MechanismModel& model, int body, const Eigen::Vector3d& point) {
  if (body == world) return point;
  const MechanismBody& in = model.bodies()[std::size_t(body)];
  return in.origin + in.axes * point;
}

bool is_rigid(const MechanismJoint& joint) { return joint.coordinate_count() == 0 && joint.equation_count() == 6; }

// The part of the robot that each body belongs to: one of the part's bodies.
std::vector<int> parts_of(const MechanismModel& model) {
  std::vector<int> part(model.bodies().size());
  std::iota(part.begin(), part.end(), 0);
  for (const MechanismJoint& joint : model.joints()) {
    if (joint.body_a == world || joint.body_b == world) continue;
    const int from = part[std::size_t(joint.body_a)], to = part[std::size_t(joint.body_b)];
    if (is_rigid(joint) || joint.role == JointRole::configurable) std::replace(part.begin(), part.end(), from, to);
  }
  return part;
}

// Parts that have a joint between them, and pairs of parts that both stand on the world.
bool are_neighbors(const MechanismModel& model, const std::vector<int>& part, int one, int other) {
  bool one_stands = false, other_stands = false;
  for (const MechanismJoint& joint : model.joints()) {
    const int a = joint.body_a == world ? world : part[std::size_t(joint.body_a)];
    const int b = joint.body_b == world ? world : part[std::size_t(joint.body_b)];
    if ((a == one && b == other) || (a == other && b == one)) return true;
    if (!is_rigid(joint) || (a != world && b != world)) continue;
    one_stands = one_stands || a == one || b == one;
    other_stands = other_stands || a == other || b == other;
  }
  return one_stands && other_stands;
}

// Least and largest distance of a capsule's axis from a point of its body at rest.
std::pair<double, double> distances(const MechanismModel& model, const BodyCapsule& capsule, const Eigen::Vector3d& point) {
  const Eigen::Vector3d from = at_rest(model, capsule.body, capsule.from) - point,
                        way = at_rest(model, capsule.body, capsule.to) - point - from;
  const double part = way.squaredNorm() > 0 ? std::clamp(-from.dot(way) / way.squaredNorm(), 0.0, 1.0) : 0;
  return {(from + part * way).norm(), std::max(from.norm(), (from + way).norm())};
}

// The joints of a shortest way between two bodies, over the world too; empty where there is none.
std::vector<int> joints_between(const MechanismModel& model, int from, int to) {
  std::vector<int> reached_by(model.bodies().size() + 1, -1);  // the world is the first
  const auto place = [](int body) { return std::size_t(body + 1); };
  std::vector<int> front = {from};
  while (!front.empty() && reached_by[place(to)] < 0) {
    std::vector<int> next;
    for (int j = 0; j < int(model.joints().size()); ++j) {
      const MechanismJoint& joint = model.joints()[std::size_t(j)];
      for (const auto& [here, there] : {std::pair(joint.body_a, joint.body_b), std::pair(joint.body_b, joint.body_a)})
        if (std::count(front.begin(), front.end(), here) > 0 && there != from && reached_by[place(there)] < 0) {
          reached_by[place(there)] = j;
          next.push_back(there);
        }
    }
    front = next;
  }
  std::vector<int> joints;
  for (int body = to; body != from;) {
    const int j = reached_by[place(body)];
    if (j < 0) return {};
    joints.insert(joints.begin(), j);
    const MechanismJoint& joint = model.joints()[std::size_t(j)];
    body = joint.body_a == body ? joint.body_b : joint.body_a;
  }
  return joints;
}

// What every pose leaves between the axes of two capsules: along a way over joints that only turn, each piece is of a length
// that does not change, and a polygon closes only if no side is longer than the others together.
double least_distance(const MechanismModel& model, const BodyCapsule& one, const BodyCapsule& other) {
  const std::vector<int> joints = joints_between(model, one.body, other.body);
  if (joints.empty()) return 0;
  std::vector<std::pair<double, double>> pieces;  // least and largest length
  Eigen::Vector3d before = Eigen::Vector3d::Zero();
  for (const int j : joints) {
    if (!keeps_its_point(model, j)) return 0;
    const MechanismJoint& joint = model.joints()[std::size_t(j)];
    const double length = (joint.point - before).norm();
    pieces.push_back(pieces.empty() ? distances(model, one, joint.point) : std::pair(length, length));
    before = joint.point;
  }
  pieces.push_back(distances(model, other, before));
  double all = 0, least = 0;
  for (const auto& piece : pieces) all += piece.second;
  for (const auto& piece : pieces) least = std::max(least, piece.first - (all - piece.second));
  return least;
}

}  // namespace

std::vector<std::pair<int, int>> pairs_that_may_meet(const MechanismModel& model, const std::vector<BodyCapsule>& capsules,
                                                     double margin) {
  const std::vector<int> part = parts_of(model);
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < int(capsules.size()); ++i)
    for (int j = i + 1; j < int(capsules.size()); ++j) {
      const BodyCapsule &one = capsules[std::size_t(i)], &other = capsules[std::size_t(j)];
      const int part_one = part[std::size_t(one.body)], part_other = part[std::size_t(other.body)];
      if (part_one == part_other || are_neighbors(model, part, part_one, part_other)) continue;
      if (least_distance(model, one, other) < one.radius + other.radius + margin) pairs.emplace_back(i, j);
    }
  return pairs;
}

}  // namespace holo
