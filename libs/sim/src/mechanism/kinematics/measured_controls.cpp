#include "holo/sim/mechanism/kinematics/measured_controls.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"
#include "mechanism/model/joint_block.h"

namespace holo {

namespace {

using Kind = UnknownIndex::Kind;

// The angle plus full turns, within half a turn of the value before.
double unwrapped(double angle, double before) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle - turn * std::round((angle - before) / turn);
}

// Makes a joint's controls continuous with the knot before, unless the knot begins a task.
void make_continuous(const MechanismJoint& joint, const std::vector<UnknownIndex>& unknowns, Eigen::Index knot, bool begins,
                     Eigen::MatrixXd& controls) {
  const holo_joint_coordinate* coordinates = joint.type->abi().coordinates;
  for (int i = 0; i < joint.coordinate_count(); ++i) {
    if (unknowns[2 * HOLO_POSE_SIZE + std::size_t(i)].kind != Kind::control) continue;
    const int row = unknowns[2 * HOLO_POSE_SIZE + std::size_t(i)].index;
    const Eigen::Index before = begins ? knot : knot - 1;
    if (coordinates[i].kind == HOLO_COORDINATE_ANGLE)
      controls(row, knot) = unwrapped(controls(row, knot), begins ? 0.0 : controls(row, before));
    if (coordinates[i].kind != HOLO_COORDINATE_QUATERNION) continue;
    auto q = controls.col(knot).segment<4>(row);
    const double sign = begins ? q[0] : q.dot(controls.col(before).segment<4>(row));
    if (sign < 0) q = -q;
    i += 3;
  }
}

}  // namespace

Eigen::MatrixXd measured_controls(const MechanismLayout& driven, const Eigen::MatrixXd& states,
                                  const Eigen::VectorXd& parameters, const std::vector<int>& task_beginnings) {
  Eigen::MatrixXd controls = Eigen::MatrixXd::Zero(driven.control_count(), states.cols());
  const Eigen::MatrixXd prescribed = Eigen::MatrixXd::Zero(driven.prescribed_count(), states.cols());
  JointBlock block;
  const auto& joints = driven.model().joints();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].role != JointRole::actuator || joints[j].coordinate_count() == 0) continue;
    if (joints[j].is_coupled) {
      if (const UnknownIndex& drive = driven.drive(int(j), 0); drive.kind == Kind::control)
        controls.row(drive.index) = states.row(driven.unknowns_of(int(j)).back().index);
      continue;
    }
    if (joints[j].type->abi().operations[HOLO_JOINT_COORDINATES] == nullptr)
      throw Error(Failure::input, "the joint '" + joints[j].name + "' of type '" + joints[j].type->name() +
                                      "' cannot tell its coordinates from poses; its plugin needs coordinates_of()");
    const auto& unknowns = driven.unknowns_of(int(j));
    const std::vector<double> frames = driven.model().frames(int(j));
    for (Eigen::Index k = 0; k < states.cols(); ++k) {
      block.gather(unknowns, {states, controls, parameters, prescribed}, k);
      block.run(joints[j], frames, HOLO_JOINT_COORDINATES);
      for (int i = 0; i < joints[j].coordinate_count(); ++i) {
        const UnknownIndex& unknown = unknowns[2 * HOLO_POSE_SIZE + std::size_t(i)];
        if (unknown.kind == Kind::control) controls(unknown.index, k) = block.output[i * JointBlock::lanes] / unknown.scale;
      }
      // The plugin computes coordinates from the poses of the joint's two bodies. They are continued from knot to knot within
      // a task.
      const bool begins = k == 0 || std::binary_search(task_beginnings.begin(), task_beginnings.end(), int(k));
      make_continuous(joints[j], unknowns, k, begins, controls);
    }
  }
  return controls;
}

// The chosen joints become the only actuators of a mechanism without couplings, so that its controls are their coordinates.
Eigen::MatrixXd measured_coordinates(const MechanismModel& model, const std::vector<int>& joints, const Eigen::MatrixXd& states,
                                     const std::vector<int>& task_beginnings) {
  std::vector<MechanismJoint> recorders = model.joints();
  for (MechanismJoint& joint : recorders)
    if (joint.role == JointRole::actuator) joint.role = JointRole::passive;
  for (const int joint : joints) recorders[std::size_t(joint)].role = JointRole::actuator;
  const MechanismLayout layout(std::make_shared<const MechanismModel>(model.bodies(), std::move(recorders)));
  Eigen::MatrixXd coordinates = measured_controls(layout, states, layout.rest_parameters(), task_beginnings);
  for (int i = 0; i < layout.control_count(); ++i) coordinates.row(i) *= layout.control_scale(i);
  return coordinates;
}

}  // namespace holo
