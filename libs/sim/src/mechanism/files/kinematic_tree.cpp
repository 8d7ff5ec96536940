#include "mechanism/files/kinematic_tree.h"

namespace holo {

namespace {

Eigen::Matrix3d turn(double angle, const Eigen::Vector3d& axis) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

}  // namespace

std::string to_string(TreeJointType type) {
  switch (type) {
    case TreeJointType::fixed:
      return "fixed";
    case TreeJointType::revolute:
      return "revolute";
    case TreeJointType::prismatic:
      return "prismatic";
    case TreeJointType::universal:
      return "universal";
    case TreeJointType::spherical:
      return "spherical";
    default:
      return "free";
  }
}

Eigen::Isometry3d TreeJointMotion::of(TreeJointType type) const {
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
  const auto& [first, second] = coordinates;
  if (type == TreeJointType::revolute) motion.linear() = turn(first, Eigen::Vector3d::UnitX());
  if (type == TreeJointType::prismatic) motion.translation().x() = first;
  if (type == TreeJointType::universal)
    motion.linear() = turn(first, Eigen::Vector3d::UnitX()) * turn(second, Eigen::Vector3d::UnitY());
  if (type == TreeJointType::spherical || type == TreeJointType::free) motion = transform;
  return motion;
}

int TreeBody::coordinate_count() const {
  switch (type) {
    case TreeJointType::revolute:
    case TreeJointType::prismatic:
      return 1;
    case TreeJointType::universal:
      return 2;
    case TreeJointType::spherical:
      return 3;
    default:
      return 0;  // moving a free root closes no loop
  }
}

int KinematicTree::body(const std::string& name) const {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == name) return int(i);
  return name == "world" ? world : no_body;
}

int KinematicTree::joint(const std::string& name) const {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].joint == name) return int(i);
  return no_body;
}

std::vector<std::string> KinematicTree::body_names() const {
  std::vector<std::string> names;
  for (const TreeBody& body : bodies) names.push_back(body.name);
  return names;
}

std::vector<std::string> KinematicTree::joint_names() const {
  std::vector<std::string> names;
  for (const TreeBody& body : bodies) names.push_back(body.joint);
  return names;
}

std::vector<Eigen::Isometry3d> world_frames(const KinematicTree& tree) {
  std::vector<Eigen::Isometry3d> frames;
  for (const TreeBody& body : tree.bodies) {
    const Eigen::Isometry3d parent = body.parent == world ? Eigen::Isometry3d::Identity() : frames[std::size_t(body.parent)];
    frames.push_back(parent * body.frame_a * body.motion.of(body.type) * body.body_in_b);
  }
  return frames;
}

Eigen::Matrix3d orthonormal(const Eigen::Matrix3d& axes) {
  const Eigen::Vector3d x = axes.col(0).normalized(), z = x.cross(axes.col(1)).normalized();
  Eigen::Matrix3d result;
  result << x, z.cross(x), z;
  return result;
}

}  // namespace holo
