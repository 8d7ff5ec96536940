#pragma once
// A joint's constraint equations, motion and coordinates as functions for the compile-time graph.

#include "holo/diff/graph/program.h"
#include "holo/plugin/detail/joint_traits.h"

namespace holo::plugin {

inline constexpr int pose_pair_size = 2 * int(HOLO_POSE_SIZE), frame_pair_size = 2 * int(HOLO_FRAME_SIZE);

// x: pose of A, pose of B, coordinates. Parameters: both frames, constants. The residuals of the constraint equations.
template <class J>
struct JointEquationsFunction {
  static constexpr int input_count = pose_pair_size + coordinate_count<J>();
  static constexpr int parameter_count = frame_pair_size + constant_count<J>();
  static constexpr int output_count = int(HOLO_JOINT_EQUATION_COUNT);
  static constexpr int graph_capacity = joint_graph_capacity<J>();

  template <class S>
  static constexpr void evaluate(const S* x, const S* parameters, S* equations) {
    const JointFrame<S> a = carried_frame(x, parameters);
    const JointFrame<S> b = carried_frame(x + HOLO_POSE_SIZE, parameters + HOLO_FRAME_SIZE);
    const JointEquations<S> r = equations_of<J, S>(a, b, x + pose_pair_size, parameters + frame_pair_size);
    for (int i = 0; i < output_count; ++i) equations[i] = r[i];
  }
};

// x: coordinates [m or rad]. Parameters: constants. The motion as a pose: translation [m], quaternion (w, x, y, z).
template <class J>
struct JointMotionFunction {
  static constexpr int input_count = coordinate_count<J>();
  static constexpr int parameter_count = constant_count<J>();
  static constexpr int output_count = int(HOLO_POSE_SIZE);
  static constexpr int graph_capacity = joint_graph_capacity<J>();

  template <class S>
  static constexpr void evaluate(const S* q, const S* constants, S* pose) {
    const Transform<S> motion = motion_of<J, S>(q, constants);
    for (int i = 0; i < 3; ++i) pose[i] = motion.translation[i];
    pose[3] = motion.rotation.w;
    pose[4] = motion.rotation.x;
    pose[5] = motion.rotation.y;
    pose[6] = motion.rotation.z;
  }
};

// x: pose of A, pose of B. Parameters: both frames. The coordinates [m or rad] of the motion from A's frame to B's.
template <class J>
struct JointCoordinatesFunction {
  static constexpr int input_count = pose_pair_size;
  static constexpr int parameter_count = frame_pair_size;
  static constexpr int output_count = coordinate_count<J>();
  static constexpr int graph_capacity = joint_graph_capacity<J>();

  template <class S>
  static constexpr void evaluate(const S* x, const S* frames, S* coordinates) {
    const auto found = J::coordinates_of(relative_motion(x, x + HOLO_POSE_SIZE, frames));
    for (int i = 0; i < output_count; ++i) coordinates[i] = found[i];
  }
};

}  // namespace holo::plugin
