// Equations made of scalar products also hold with a frame turned half around. Which of both it is shows by the axes'
// directions.

#include <Eigen/Geometry>

#include "mechanism/model/joint_block.h"

namespace holo {

namespace {

// Columns: the joint's axes as the pose carries them, scaled by its quaternion's squared length.
Eigen::Matrix3d carried_axes(const double* pose, const double* frame) {
  const Eigen::Quaterniond q(pose[3], pose[4], pose[5], pose[6]);
  const double scale = q.squaredNorm();
  return scale * q.normalized().toRotationMatrix() * Eigen::Map<const Eigen::Matrix3d>(frame + 3);
}

}  // namespace

bool ConstraintEquations::is_unflipped(const MechanismUnknowns& at, Eigen::Index knot, int* flipped_joint) const {
  const auto& joints = layout_->model().joints();
  JointBlock block;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const holo_joint& type = joints[j].type->abi();
    const bool moves = joints[j].is_driven() || joints[j].has_free_coordinates();
    const unsigned axes = moves ? 7u : type.passive_axes;
    if (axes == 0) continue;
    block.gather(layout_->unknowns_of(int(j)), at, knot);
    double pose_a[HOLO_POSE_SIZE], pose_b[HOLO_POSE_SIZE];
    for (std::size_t k = 0; k < HOLO_POSE_SIZE; ++k) {
      pose_a[k] = block.unknowns[k * std::size_t(JointBlock::lanes)];
      pose_b[k] = block.unknowns[(HOLO_POSE_SIZE + k) * std::size_t(JointBlock::lanes)];
    }
    Eigen::Matrix3d a = carried_axes(pose_a, frames_[j].data());
    const Eigen::Matrix3d b = carried_axes(pose_b, frames_[j].data() + HOLO_FRAME_SIZE);
    if (moves && type.coordinate_count > 0) {
      block.run(joints[j], frames_[j], HOLO_JOINT_MOTION);
      const double* motion = block.output;
      const std::size_t w = std::size_t(JointBlock::lanes);
      a *= Eigen::Quaterniond(motion[3 * w], motion[4 * w], motion[5 * w], motion[6 * w]).normalized().toRotationMatrix();
    }
    const double least = 0.5 * a.col(0).norm() * b.col(0).norm();
    for (int i = 0; i < 3; ++i)
      if ((axes >> i & 1u) != 0 && !(a.col(i).dot(b.col(i)) > least)) {
        if (flipped_joint != nullptr) *flipped_joint = int(j);
        return false;
      }
  }
  return true;
}

}  // namespace holo
