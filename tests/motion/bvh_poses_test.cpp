// Forward kinematics of BVH files, against homogeneous matrices composed by Eigen.
#include <Eigen/Geometry>

#include "bvh_texts.h"

namespace holo {
namespace bvh_poses_tests {

using namespace bvh_texts;
using namespace motion_tests;

// The joint's motion in the file's world, by 4 x 4 matrices.
Eigen::Affine3d world_of(const BvhMotion& motion, int joint, int frame) {
  if (joint < 0) return Eigen::Affine3d::Identity();
  const BvhJoint& j = motion.joints[static_cast<std::size_t>(joint)];
  Eigen::Affine3d own(Eigen::Translation3d(j.offset));
  Eigen::Affine3d turns = Eigen::Affine3d::Identity();
  for (std::size_t c = 0; c < j.channels.size(); ++c) {
    const double value = motion.channels(j.first_channel + static_cast<int>(c), frame);
    const int kind = static_cast<int>(j.channels[c]);
    if (kind < 3)
      own.translation()[kind] += value;
    else
      turns = turns * Eigen::AngleAxisd(value * std::numbers::pi / 180, Eigen::Vector3d::Unit(kind - 3));
  }
  return world_of(motion, j.parent, frame) * own * turns;
}

Eigen::Matrix3d rotation_at(const BvhPoses& poses, int joint, int frame) {
  const Eigen::Vector4d q = poses.orientations.block<4, 1>(4 * joint, frame);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

void expect_poses(const BvhMotion& motion, UpAxis up, const Eigen::Matrix3d& change, int stride) {
  const double scale = 0.25;
  const BvhPoses poses = bvh_poses(motion, {.scale = scale, .up = up});
  ASSERT_EQ(poses.frame_count(), motion.frame_count());
  for (int frame = 0; frame < motion.frame_count(); frame += stride)
    for (int j = 0; j < static_cast<int>(motion.joints.size()); ++j) {
      const Eigen::Affine3d expected = world_of(motion, j, frame);
      const Eigen::Vector3d place = scale * (change * expected.translation());
      const Eigen::Matrix3d turn = change * expected.rotation() * change.transpose();
      const Eigen::Vector3d found = poses.positions.block<3, 1>(3 * j, frame);
      // Some ten products of rotations over lengths of 60.
      EXPECT_LT(largest(found - place), 1e-12) << j << " " << frame;
      EXPECT_LT(largest(rotation_at(poses, j, frame) - turn), 1e-14) << j << " " << frame;
    }
}

Eigen::Matrix3d matrix_with_rows(int a, int b, int c) {
  Eigen::Matrix3d matrix = Eigen::Matrix3d::Zero();
  matrix(0, a) = matrix(1, b) = matrix(2, c) = 1;
  return matrix;
}

TEST(BvhPoses, PosesAreProductsOfMatrices) {
  const BvhMotion motion = parse_bvh("arm.bvh", arm);
  expect_poses(motion, UpAxis::z, Eigen::Matrix3d::Identity(), 1);
  expect_poses(motion, UpAxis::y, matrix_with_rows(2, 0, 1), 1);
  expect_poses(motion, UpAxis::x, matrix_with_rows(1, 2, 0), 1);
}

TEST(BvhPoses, ChangesOfTheUpAxisAreRotations) {
  EXPECT_EQ(matrix_with_rows(2, 0, 1).determinant(), 1);
  EXPECT_EQ(matrix_with_rows(1, 2, 0).determinant(), 1);
}

TEST(BvhPoses, OneTurnIsWhatItLooksLike) {
  // The upper arm turns by 90 degrees about the file's z, so that the hand, 3 below it and 0.25 before it, comes to lie beside
  // it.
  const std::string text = replaced(arm, "1 2 3 10 -20 30 40 50 -60 70", "0 0 0 0 0 0 0 90 0 0");
  const BvhPoses poses = bvh_poses(parse_bvh("arm.bvh", text), {.scale = 1, .up = UpAxis::z});
  const Eigen::Vector3d hand = poses.positions.block<3, 1>(3 * 2, 1);
  EXPECT_LT(largest(hand - Eigen::Vector3d(1.5 + 3, 2, -0.5 + 0.25)), 1e-15);
}

TEST(BvhPoses, RestPoseIsTheSumOfOffsets) {
  const BvhPoses poses = bvh_poses(parse_bvh("arm.bvh", arm), {.scale = 2, .up = UpAxis::z});
  EXPECT_EQ(Eigen::Vector3d(poses.rest_positions.col(3)), 2 * Eigen::Vector3d(1.5, -2, -0.25));
  // Frame 0 of the file is the rest pose.
  for (int j = 0; j < 5; ++j) {
    EXPECT_EQ(Eigen::Vector3d(poses.positions.block<3, 1>(3 * j, 0)), Eigen::Vector3d(poses.rest_positions.col(j)));
    EXPECT_EQ(rotation_at(poses, j, 0), Eigen::Matrix3d::Identity());
  }
}

TEST(BvhPoses, OrientationsAreContinuousUnitQuaternions) {
  std::string text = arm_hierarchy + "MOTION\nFrames: 100\nFrame Time: 0.01\n";
  for (int k = 0; k < 100; ++k) text += "0 0 0 " + std::to_string(20 * k) + " " + std::to_string(-13 * k) + " 5 0 0 0 0\n";
  const BvhPoses poses = bvh_poses(parse_bvh("spin.bvh", text));
  for (int k = 0; k < 100; ++k)
    for (int j = 0; j < 5; ++j) {
      const Eigen::Vector4d q = poses.orientations.block<4, 1>(4 * j, k);
      EXPECT_NEAR(q.norm(), 1, 1e-15);
      if (k > 0) {
        EXPECT_GT(q.dot(poses.orientations.block<4, 1>(4 * j, k - 1)), 0.9);
      }
    }
}

TEST(BvhPoses, PositionChannelsAddToTheOffsetOrReplaceIt) {
  const BvhMotion motion = parse_bvh("arm.bvh", replaced(arm, "OFFSET 0 0 0", "OFFSET 0 7 0"));
  const BvhPoses added = bvh_poses(motion, {.up = UpAxis::z, .position_channels = PositionChannels::add_to_offset});
  const BvhPoses replacing = bvh_poses(motion, {.up = UpAxis::z, .position_channels = PositionChannels::replace_offset});
  EXPECT_EQ(added.positions(1, 1), 9);
  EXPECT_EQ(replacing.positions(1, 1), 2);
  EXPECT_NEAR(added.positions(3 * 2 + 1, 2) - replacing.positions(3 * 2 + 1, 2), 7, 1e-14);  // and what hangs below follows
}

#ifdef HOLO_DATA_DIR
TEST(BvhPoses, PublicRecordingsKeepTheirBonesAndStandUpright) {
  for (const std::string name : {"cmu_02_01_walk.bvh", "cmu_10_01_kick.bvh", "cmu_10_03_kick.bvh"}) {
    SCOPED_TRACE(name);
    const BvhMotion motion = read_bvh(std::filesystem::path(HOLO_DATA_DIR) / "mocap" / name);
    expect_poses(motion, UpAxis::y, matrix_with_rows(2, 0, 1), 40);
    const BvhPoses poses = bvh_poses(motion, {.scale = 0.0254 / 0.45});
    const int head = poses.joint_index("Head"), foot = poses.joint_index("RightFoot"), left = poses.joint_index("LeftFoot");
    for (int k = 0; k < poses.frame_count(); k += 10) {
      EXPECT_GT(poses.positions(3 * head + 2, k) - poses.positions(3 * foot + 2, k), 0.6);
      EXPECT_LT(std::min(poses.positions(3 * foot + 2, k), poses.positions(3 * left + 2, k)),
                0.25);  // one ankle near the ground
      for (std::size_t j = 0; j < motion.joints.size(); ++j) {
        const int parent = motion.joints[j].parent;
        if (parent < 0) continue;
        const Eigen::Vector3d bone =
            poses.positions.block<3, 1>(3 * static_cast<int>(j), k) - poses.positions.block<3, 1>(3 * parent, k);
        EXPECT_NEAR(bone.norm(), 0.0254 / 0.45 * motion.joints[j].offset.norm(), 1e-14);
      }
    }
  }
}

TEST(BvhPoses, RightFootOfTheKicksRisesAsMeasured) {
  // In the file's units, to the two digits of a measurement by another program.
  const std::pair<const char*, double> measured[] = {
      {"cmu_10_01_kick.bvh", 8.3}, {"cmu_10_03_kick.bvh", 10.0}, {"cmu_02_01_walk.bvh", 3.5}};
  for (const auto& [name, rise] : measured) {
    const BvhPoses poses = bvh_poses(read_bvh(std::filesystem::path(HOLO_DATA_DIR) / "mocap" / name));
    const Eigen::VectorXd height = poses.positions.row(3 * poses.joint_index("RightFoot") + 2);
    EXPECT_NEAR(height.maxCoeff() - height.minCoeff(), rise, 0.05) << name;
  }
}
#endif

}  // namespace bvh_poses_tests
}  // namespace holo
