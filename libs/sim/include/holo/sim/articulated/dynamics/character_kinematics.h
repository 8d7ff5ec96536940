#pragma once
// Forward kinematics of a character: frames and twists of all degrees of freedom, over any scalar. Derivations are in
// docs/articulated-dynamics.md#kinematics.

#include "holo/sim/articulated/dynamics/character_data.h"
#include "holo/sim/articulated/dynamics/rotation_vector.h"

namespace holo::articulated {

template <class S>
HOLO_FN constexpr Vector3<S> rotation_vector_of(const CharacterData& model, int chart, const S* coordinates) {
  const int first = model.charts[chart].first;
  return {coordinates[first], coordinates[first + 1], coordinates[first + 2]};
}

// T_parent X, with R_ref of a rotation vector's chart: the frame in which the degree of freedom moves.
template <class S>
HOLO_FN constexpr RigidFrame<S> motion_frame(const CharacterData& model, int dof, const CharacterState<S>& state,
                                             const RigidFrame<S>* frames) {
  const DegreeOfFreedom& d = model.dofs[dof];
  RigidFrame<S> frame = frame_cast<S>(d.placement);
  if (d.parent >= 0) frame = frames[d.parent] * frame;
  if (d.kind == DofKind::rotation_vector) frame.rotation = frame.rotation * matrix_cast<S>(state.references[d.chart]);
  return frame;
}

// The frame that the three degrees of freedom of a chart have in common, and their twists.
template <class S>
HOLO_FN constexpr void rotation_vector_kinematics(const CharacterData& model, int first, const CharacterState<S>& state,
                                                  const CharacterKinematics<S>& out) {
  const RigidFrame<S> frame = motion_frame(model, first, state, out.frames);
  const Vector3<S> w = rotation_vector_of(model, model.dofs[first].chart, state.coordinates);
  const Matrix3<S> angular = frame.rotation * left_jacobian(w), rotation = frame.rotation * rotation_of_vector(w);
  for (int k = 0; k < 3; ++k) {
    out.frames[first + k] = {rotation, frame.origin};
    out.twists[first + k] = rotation_about_point(Vector3<S>{angular(0, k), angular(1, k), angular(2, k)}, frame.origin);
  }
}

// The frame that all degrees of freedom of a plugin joint have in common, and their twists.
template <class S>
HOLO_FN constexpr void plugin_joint_kinematics(const CharacterData& model, const PluginJointData& joint,
                                               const CharacterState<S>& state, const CharacterKinematics<S>& out) {
  const RigidFrame<S> frame = motion_frame(model, joint.first, state, out.frames);
  const RigidFrame<S> moved = frame * state.motions.frames[model.dofs[joint.first].plugin_joint] * frame_cast<S>(joint.behind);
  for (int k = 0; k < joint.coordinate_count; ++k) {
    out.frames[joint.first + k] = moved;
    out.twists[joint.first + k] = frame * state.motions.twists[joint.first_twist + k];
  }
}

template <class S>
HOLO_FN constexpr void character_kinematics(const CharacterData& model, const CharacterState<S>& state,
                                            const CharacterKinematics<S>& out) {
  for (int j = 0; j < model.dof_count; ++j) {
    const DegreeOfFreedom& dof = model.dofs[j];
    if (dof.kind == DofKind::rotation_vector) {
      if (dof.component == 0) rotation_vector_kinematics(model, j, state, out);
      continue;
    }
    if (dof.kind == DofKind::plugin) {
      if (dof.component == 0) plugin_joint_kinematics(model, model.plugin_joints[dof.plugin_joint], state, out);
      continue;
    }
    RigidFrame<S> frame = motion_frame(model, j, state, out.frames);
    const Vector3<S> local = matrix_cast<S>(dof.axis), axis = frame.rotation * local;
    if (dof.kind == DofKind::prismatic) {
      frame.origin = frame.origin + state.coordinates[j] * axis;
      out.twists[j] = {Vector3<S>{}, axis};
    } else {
      frame.rotation = frame.rotation * rotation_about_axis(local, state.coordinates[j]);
      out.twists[j] = rotation_about_point(axis, frame.origin);
    }
    out.frames[j] = frame;
  }
}

}  // namespace holo::articulated
