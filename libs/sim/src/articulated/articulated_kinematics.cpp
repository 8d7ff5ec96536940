#include "holo/sim/articulated/articulated_kinematics.h"

namespace holo {

Eigen::Isometry3d motion_of(const ArticulatedJoint& joint, const JointMotion& given) {
  const auto turn = [](double angle, const Eigen::Vector3d& axis) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); };
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
  const auto& [first, second] = given.coordinates;
  if (joint.type == "revolute") motion.linear() = turn(first, Eigen::Vector3d::UnitX());
  if (joint.type == "prismatic") motion.translation().x() = first;
  if (joint.type == "universal")
    motion.linear() = turn(first, Eigen::Vector3d::UnitX()) * turn(second, Eigen::Vector3d::UnitY());
  if (joint.type == "spherical" || joint.type == "free") motion = given.transform;
  return motion;
}

ArticulatedPose file_pose(const ArticulatedModel& model) { return ArticulatedPose(model.bodies.size()); }

std::vector<Eigen::Isometry3d> world_frames(const ArticulatedModel& model, const ArticulatedPose& pose) {
  std::vector<Eigen::Isometry3d> frames;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const ArticulatedBody& body = model.bodies[i];
    const Eigen::Isometry3d parent =
        body.parent == ArticulatedModel::world ? Eigen::Isometry3d::Identity() : frames[std::size_t(body.parent)];
    frames.push_back(parent * body.joint.frame_a * motion_of(body.joint, pose[i]) * body.joint.body_in_b);
  }
  return frames;
}

MassProperties total_mass_properties(const ArticulatedModel& model, const ArticulatedPose& pose) {
  const std::vector<Eigen::Isometry3d> frames = world_frames(model, pose);
  std::vector<MassProperties> all;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) all.push_back(transformed(model.bodies[i].mass, frames[i]));
  return combined(all);
}

Eigen::Matrix3d orthonormal(const Eigen::Matrix3d& axes) {
  const Eigen::Vector3d x = axes.col(0).normalized(), z = x.cross(axes.col(1)).normalized();
  Eigen::Matrix3d result;
  result << x, z.cross(x), z;
  return result;
}

}  // namespace holo
