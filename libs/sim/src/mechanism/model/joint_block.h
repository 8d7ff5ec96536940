#pragma once
// One joint at one block of knots: gathers its unknowns into lanes and runs its operations.

#include <algorithm>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

// Of one unknown at a knot, SI.
inline double unknown_value(const UnknownPlace& place, const MechanismUnknowns& at, Eigen::Index knot) {
  using Kind = UnknownPlace::Kind;
  switch (place.kind) {
    case Kind::state:
      return place.scale * at.states(place.index, knot);
    case Kind::control:
      return place.scale * at.controls(place.index, knot);
    case Kind::parameter:
      return place.scale * at.parameters[place.index];
    case Kind::prescribed:
      return at.prescribed(place.index, knot);
    default:
      return place.index == 3 ? 1.0 : 0.0;
  }
}

struct JointBlock {
  static constexpr int lanes = int(HOLO_LANE_WIDTH);
  static constexpr int largest = 14 + int(HOLO_JOINT_COORDINATE_MAXIMUM);

  alignas(HOLO_BLOCK_ALIGNMENT) double unknowns[largest * lanes];  // pose of A, pose of B, coordinates; SI
  alignas(HOLO_BLOCK_ALIGNMENT) double weights[HOLO_POSE_SIZE * lanes];
  alignas(HOLO_BLOCK_ALIGNMENT) double output[(largest * (largest + 1) / 2) * lanes];

  // Knots first, first + 1, ...; the last one again where there are no more.
  void gather(const std::vector<UnknownPlace>& places, const MechanismUnknowns& at, Eigen::Index first) {
    for (std::size_t l = 0; l < places.size(); ++l)
      for (int lane = 0; lane < lanes; ++lane)
        unknowns[l * lanes + std::size_t(lane)] = unknown_value(places[l], at, std::min(first + lane, at.count() - 1));
  }

  // To `output`.
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
