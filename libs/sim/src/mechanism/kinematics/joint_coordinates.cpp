#include "holo/sim/mechanism/kinematics/joint_coordinates.h"

#include <limits>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/kinematics/measured_controls.h"
#include "mechanism/model/joint_block.h"

namespace holo {

namespace {

constexpr std::size_t first_coordinate = 2 * HOLO_POSE_SIZE;

// Whether no number of the layout is the joint's coordinate, so that only poses tell it.
bool is_hidden(const MechanismLayout& layout, int joint) {
  const auto& unknowns = layout.unknowns_of(joint);
  return unknowns.size() > first_coordinate && unknowns[first_coordinate].kind == UnknownIndex::Kind::constant;
}

bool is_measurable(const MechanismJoint& joint) { return joint.type->abi().operations[HOLO_JOINT_COORDINATES] != nullptr; }

std::string name_of(const holo_joint& type, int coordinate) {
  std::string name = type.coordinates[coordinate].name;
  if (type.coordinates[coordinate].kind != HOLO_COORDINATE_QUATERNION) return name;
  int first = coordinate;
  while (first > 0 && type.coordinates[first - 1].kind == HOLO_COORDINATE_QUATERNION) --first;
  return name + "." + "wxyz"[(coordinate - first) % 4];
}

std::string unit_of(const holo_joint_coordinate& coordinate) {
  return coordinate.kind == HOLO_COORDINATE_ANGLE ? "rad" : coordinate.kind == HOLO_COORDINATE_LENGTH ? "m" : "1";
}

}  // namespace

std::vector<JointCoordinate> joint_coordinates(const MechanismLayout& layout, const MechanismUnknowns& motion,
                                               const std::vector<int>& task_beginnings) {
  const auto& joints = layout.model().joints();
  std::vector<int> measured;
  for (int j = 0; j < int(joints.size()); ++j)
    if (is_hidden(layout, j) && is_measurable(joints[std::size_t(j)])) measured.push_back(j);
  const Eigen::MatrixXd from_poses = measured_coordinates(layout.model(), measured, motion.states, task_beginnings);
  std::vector<JointCoordinate> result;
  Eigen::Index next = 0;  // of those from poses
  for (int j = 0; j < int(joints.size()); ++j) {
    const MechanismJoint& joint = joints[std::size_t(j)];
    for (int i = 0; i < joint.coordinate_count(); ++i) {
      JointCoordinate& coordinate = result.emplace_back(
          JointCoordinate{j, name_of(joint.type->abi(), i), unit_of(joint.type->abi().coordinates[i]),
                          Eigen::VectorXd::Constant(motion.count(), std::numeric_limits<double>::quiet_NaN())});
      if (is_hidden(layout, j)) {
        if (is_measurable(joint)) coordinate.values = from_poses.row(next++);
        continue;
      }
      const UnknownIndex& unknown = layout.unknowns_of(j)[first_coordinate + std::size_t(i)];
      for (Eigen::Index k = 0; k < motion.count(); ++k) coordinate.values[k] = unknown_value(unknown, motion, k);
    }
  }
  return result;
}

}  // namespace holo
