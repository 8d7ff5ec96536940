#pragma once
// Buffers of one joint at a block of knots: gathers its unknowns into lanes and runs its operations.

#include <algorithm>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

// Value of an unknown at a knot, SI.
inline double unknown_value(const UnknownIndex& unknown, const MechanismUnknowns& at, Eigen::Index knot) {
  using Kind = UnknownIndex::Kind;
  switch (unknown.kind) {
    case Kind::state:
      return unknown.scale * at.states(unknown.index, knot);
    case Kind::control:
      return unknown.scale * at.controls(unknown.index, knot);
    case Kind::parameter:
      return unknown.scale * at.parameters[unknown.index];
    case Kind::prescribed:
      return at.prescribed(unknown.index, knot);
    default:
      return unknown.index == 3 ? 1.0 : 0.0;
  }
}

struct JointBlock {
  static constexpr int lanes = int(HOLO_LANE_WIDTH);
  static constexpr int largest = 14 + int(HOLO_JOINT_COORDINATE_MAXIMUM);

  alignas(HOLO_BLOCK_ALIGNMENT) double unknowns[largest * lanes];  // pose of A, pose of B, coordinates; SI
  alignas(HOLO_BLOCK_ALIGNMENT) double weights[HOLO_POSE_SIZE * lanes];
  alignas(HOLO_BLOCK_ALIGNMENT) double output[(largest * (largest + 1) / 2) * lanes];

  // Fills `unknowns` from the knots first, first + 1, ...; lanes past the last knot repeat it.
  void gather(const std::vector<UnknownIndex>& indices, const MechanismUnknowns& at, Eigen::Index first) {
    for (std::size_t l = 0; l < indices.size(); ++l)
      for (int lane = 0; lane < lanes; ++lane)
        unknowns[l * lanes + std::size_t(lane)] = unknown_value(indices[l], at, std::min(first + lane, at.count() - 1));
  }

  // Runs an operation of the joint's plugin on `unknowns` and `weights`; the result is in `output`.
  void run(const MechanismJoint& joint, const std::vector<double>& frames, holo_joint_operation operation) {
    const double* poses = unknowns;
    const holo_joint_batch batch = {sizeof(holo_joint_batch),
                                    1,
                                    frames.data(),
                                    joint.constants.data(),
                                    poses,
                                    poses + HOLO_POSE_SIZE * lanes,
                                    poses + 2 * HOLO_POSE_SIZE * lanes,
                                    weights,
                                    output};
    joint.type->abi().operations[operation](&batch);
  }
};

}  // namespace holo
