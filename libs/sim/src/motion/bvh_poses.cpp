#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "holo/sim/motion/bvh.h"
#include "motion/orientation_columns.h"
#include "motion/refusal.h"

namespace holo {

namespace {

int index_of(const std::string& name, const std::vector<std::string>& names, const std::string& source) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int>(i);
  std::string all;
  for (std::size_t i = 0; i < names.size() && i < 100; ++i) all += (i == 0 ? "" : ", ") + names[i];
  const std::string meant = suggestion(name, names);
  refuse(fmt::format("{}: there is no joint '{}'.{} The joints are {}", source, name, meant, all));
}

std::vector<std::string> names_of(const BvhMotion& motion) {
  std::vector<std::string> names;
  for (const BvhJoint& joint : motion.joints) names.push_back(joint.name);
  return names;
}

bool is_position(BvhChannel channel) { return channel <= BvhChannel::z_position; }

// Position channels are ambiguous only at joints with an offset: without one, adding and replacing agree.
void require_stated(const BvhMotion& motion) {
  for (const BvhJoint& joint : motion.joints)
    for (BvhChannel channel : joint.channels)
      if (is_position(channel) && joint.offset != Eigen::Vector3d::Zero())
        refuse(fmt::format(
            "{}: joint '{}' has both the offset ({}, {}, {}) and position channels; whether these add to the offset or "
            "replace it must be said (position_channels)",
            motion.source, joint.name, joint.offset[0], joint.offset[1], joint.offset[2]));
}

// Permutes coordinates of the file cyclically, so that its axis `up` becomes z. A cyclic permutation keeps the handedness.
Eigen::Vector3d upright(const Eigen::Vector3d& v, UpAxis up) {
  switch (up) {
    case UpAxis::x:
      return {v[1], v[2], v[0]};
    case UpAxis::y:
      return {v[2], v[0], v[1]};
    case UpAxis::z:
      break;
  }
  return v;
}

// The motion of a joint's frame relative to its parent at one frame. Rotations multiply from the left to the right in the
// order of the channels, each about an axis of the frame turned so far.
Transform<double> joint_motion(const BvhJoint& joint, const double* channels, const BvhOptions& options) {
  Vector3<double> place{joint.offset[0], joint.offset[1], joint.offset[2]};
  Quaternion<double> turn = identity_quaternion<double>();
  for (std::size_t i = 0; i < joint.channels.size(); ++i) {
    const int kind = static_cast<int>(joint.channels[i]);
    const double value = channels[joint.first_channel + static_cast<int>(i)];
    if (kind < 3) {
      place[kind] = value + (options.position_channels == PositionChannels::replace_offset ? 0 : joint.offset[kind]);
    } else {
      Vector3<double> axis{};
      axis[kind - 3] = 1;
      // A quaternion has the period 720 degrees. The remainder is exact and keeps accuracy at large angles.
      turn = turn * rotation_about(axis, std::remainder(value, 720.0) * (std::numbers::pi / 180));
    }
  }
  return {place, turn};
}

}  // namespace

int BvhMotion::joint_index(const std::string& name) const { return index_of(name, names_of(*this), source); }
int BvhPoses::joint_index(const std::string& name) const { return index_of(name, names, source); }

double chain_length(const BvhMotion& motion, const std::string& ancestor, const std::string& descendant) {
  const int top = motion.joint_index(ancestor);
  // Walks from the descendant up to the ancestor and sums the offsets on the way.
  double length = 0;
  int at = motion.joint_index(descendant);
  while (at >= 0 && at != top) {
    const BvhJoint& joint = motion.joints[static_cast<std::size_t>(at)];
    length += joint.offset.norm();
    at = joint.parent;
  }
  if (at < 0) refuse(fmt::format("{}: joint '{}' does not hang below '{}'", motion.source, descendant, ancestor));
  return length;
}

BvhPoses bvh_poses(const BvhMotion& motion, const BvhOptions& options) {
  if (!(options.scale > 0) || !std::isfinite(options.scale))
    refuse(fmt::format("{}: the scale is {} m for a unit of the file, a positive finite number is required", motion.source,
                       options.scale));
  if (options.position_channels == PositionChannels::unstated) require_stated(motion);
  const Eigen::Index joints = static_cast<Eigen::Index>(motion.joints.size()), frames = motion.channels.cols();
  BvhPoses poses{motion.source,
                 names_of(motion),
                 {},
                 motion.frame_time,
                 Eigen::MatrixXd(3, joints),
                 Eigen::MatrixXd(3 * joints, frames),
                 Eigen::MatrixXd(4 * joints, frames)};
  // Rest pose: all rotations are 0, so that positions are sums of offsets. Parents come before their children.
  for (Eigen::Index j = 0; j < joints; ++j) {
    const BvhJoint& joint = motion.joints[static_cast<std::size_t>(j)];
    poses.rest_positions.block<3, 1>(0, j) = options.scale * upright(joint.offset, options.up);
    if (joint.parent < 0)
      poses.roots.push_back(static_cast<int>(j));
    else
      poses.rest_positions.col(j) += poses.rest_positions.col(joint.parent);
  }
  // Poses of each frame: the parent's pose times the joint's own motion, in the file's axes. The permutation to z up acts on
  // positions and on the quaternion's vector part; scaling acts on positions alone.
  std::vector<Transform<double>> world(motion.joints.size());
  for (Eigen::Index frame = 0; frame < frames; ++frame) {
    for (std::size_t j = 0; j < motion.joints.size(); ++j) {
      const BvhJoint& joint = motion.joints[j];
      const Transform<double> own = joint_motion(joint, motion.channels.col(frame).data(), options);
      world[j] = joint.parent < 0 ? own : world[static_cast<std::size_t>(joint.parent)] * own;
      // Products of many quaternions would otherwise drift from length 1.
      world[j].rotation = normalized(world[j].rotation);
      const Eigen::Index row = static_cast<Eigen::Index>(j);
      const Eigen::Vector3d place(world[j].translation[0], world[j].translation[1], world[j].translation[2]);
      poses.positions.block<3, 1>(3 * row, frame) = options.scale * upright(place, options.up);
      const Quaternion<double>& q = world[j].rotation;
      auto turned = poses.orientations.block<4, 1>(4 * row, frame);
      turned << q.w, upright({q.x, q.y, q.z}, options.up);
      // Of q and -q, the one nearer to the frame before makes the signal continuous.
      if (frame > 0 && turned.dot(poses.orientations.block<4, 1>(4 * row, frame - 1)) < 0) turned *= -1;
    }
  }
  if (!poses.positions.allFinite())
    refuse(fmt::format("{}: a joint's position is beyond double precision; the offsets or the scale are too large",
                       motion.source));
  return poses;
}

}  // namespace holo
