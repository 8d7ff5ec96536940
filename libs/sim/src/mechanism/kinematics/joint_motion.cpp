#include "holo/sim/mechanism/kinematics/joint_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "holo/core/plugins/joint_plugin.h"
#include "mechanism/model/joint_block.h"

namespace holo {

namespace {

constexpr int motion_lanes = JointBlock::lanes;

constexpr int coordinate_offset = 2 * int(HOLO_POSE_SIZE);

// Numbers in (-1, 1) that fill the interval evenly: multiples of the golden ratio, without their integers.
double spread(int number) {
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  const double part = (number + 1) * golden;
  return 2 * (part - std::floor(part)) - 1;
}

// Sets of coordinates, one in each lane: lengths up to `length`, all angles, quaternions of length 1.
void spread_coordinates(const holo_joint& type, int first_set, double length, JointBlock& block) {
  const int count = int(type.coordinate_count);
  for (int lane = 0; lane < motion_lanes; ++lane) {
    double* const coordinates = block.unknowns + coordinate_offset * motion_lanes + lane;
    for (int c = 0; c < count;) {
      const auto kind = type.coordinates[c].kind;
      const int size = kind == HOLO_COORDINATE_QUATERNION ? 4 : 1;
      double squares = 0;
      for (int i = c; i < c + size; ++i) {
        coordinates[i * motion_lanes] = spread((first_set + lane) * count + i);
        squares += coordinates[i * motion_lanes] * coordinates[i * motion_lanes];
      }
      const double factor = size == 4 ? 1 / std::sqrt(squares) : kind == HOLO_COORDINATE_LENGTH ? length : std::numbers::pi;
      for (int i = c; i < c + size; ++i) coordinates[i * motion_lanes] *= factor;
      c += size;
    }
  }
}

}  // namespace

bool keeps_its_point(const MechanismModel& model, int joint) {
  const MechanismJoint& of = model.joints()[std::size_t(joint)];
  for (int first_set = 0; first_set < 8; first_set += motion_lanes) {
    JointBlock block{};
    spread_coordinates(of.type->abi(), first_set, model.length(), block);
    block.run(of, model.frames(joint), HOLO_JOINT_MOTION);
    for (int i = 0; i < 3 * motion_lanes; ++i)
      if (!(std::abs(block.output[i]) <= 1e-9 * model.length())) return false;
  }
  return true;
}

// The derivative of the motion at rest: a coordinate's angular velocity, or its velocity where it does not turn. The
// quaternion q of a small turn is (1, turn / 2).
std::vector<Eigen::Vector3d> axes_of(const MechanismModel& model, int joint) {
  const MechanismJoint& of = model.joints()[std::size_t(joint)];
  const holo_joint& type = of.type->abi();
  const int count = int(type.coordinate_count);
  for (int c = 0; c < count; ++c)
    if (type.coordinates[c].kind == HOLO_COORDINATE_QUATERNION) return {};
  JointBlock block{};  // all coordinates are 0
  if (count > 0) block.run(of, model.frames(joint), HOLO_JOINT_MOTION_JACOBIAN);
  std::vector<Eigen::Vector3d> axes;
  for (int c = 0; c < count; ++c) {
    const auto entry = [&](int row) { return block.output[(row * count + c) * motion_lanes]; };
    const Eigen::Vector3d turn = 2 * Eigen::Vector3d(entry(4), entry(5), entry(6)), shift(entry(0), entry(1), entry(2));
    const Eigen::Vector3d direction = of.axes * (turn.norm() > 1e-9 ? turn : shift).normalized();
    const bool is_new = std::none_of(axes.begin(), axes.end(),
                                     [&](const Eigen::Vector3d& other) { return direction.cross(other).norm() < 1e-9; });
    if (is_new && direction.norm() > 0.5) axes.push_back(direction);
  }
  return axes.size() < 3 ? axes : std::vector<Eigen::Vector3d>{};
}

}  // namespace holo
