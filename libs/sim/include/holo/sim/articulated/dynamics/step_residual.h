#pragma once
// The residual of a time step of position-based articulated dynamics [Pan2019, Eqs 2 and 5], over any scalar:
//
//   FD_j = <xi_j, sum over frames k below j of (Delta_k E_k / dt^2 - g (E_k e_4)^T) T_k^T - sum of f [P; 1]^T> + dV/dq_j
//
// with Delta = T(x+) - 2 T(x0) + T(x-). FD is the generalized force that controls must give [N or N m], and 0 for a passive
// degree of freedom. docs/articulated-dynamics.md derives it.

#include "holo/sim/articulated/dynamics/contact_forces.h"
#include "holo/sim/articulated/dynamics/joint_forces.h"
#include "holo/sim/articulated/dynamics/self_collision.h"

namespace holo::articulated {

namespace detail {

// (Delta E / dt^2 - g (E e_4)^T) T_test^T of one frame.
template <class S>
HOLO_FN constexpr WrenchMatrix<S> inertial_wrench(const CharacterData& model, const StepConstants& step,
                                                  const StepStates<S>& states, int k) {
  const Matrix<S, 4, 4> E = matrix_cast<S>(model.moments[k]);
  const Matrix<S, 3, 4> after = frame_rows(states.newest.kinematics.frames[k]),
                        at = frame_rows(states.current.kinematics.frames[k]),
                        before = frame_rows(states.previous.kinematics.frames[k]);
  Matrix<S, 3, 4> acceleration{};
  const double scale = 1 / (step.time_step * step.time_step);
  for (int i = 0; i < 12; ++i) acceleration[i] = scale * ((after[i] - at[i]) - (at[i] - before[i]));
  for (int i = 0; i < 3; ++i) acceleration(i, 3) = acceleration(i, 3) - step.gravity[i];
  return times_transposed(acceleration * E, test_state(step, states).kinematics.frames[k]);
}

// Sums entries of frames into their parents', leaves first.
template <class Entry>
HOLO_FN constexpr void sum_subtrees(const CharacterData& model, Entry* entries) {
  for (int j = model.dof_count - 1; j >= 0; --j)
    if (model.dofs[j].parent >= 0) entries[model.dofs[j].parent] += entries[j];
}

}  // namespace detail

// The wrenches on the subtrees of all degrees of freedom, into the workspace.
template <class S>
HOLO_FN constexpr void step_wrenches(const CharacterData& model, const StepConstants& step, const StepStates<S>& states,
                                     const StepWorkspace<S>& workspace) {
  for (int k = 0; k < model.dof_count; ++k) {
    workspace.inertial[k] = workspace.applied[k] = WrenchMatrix<S>{};
    if (model.dofs[k].has_mass) workspace.inertial[k] = detail::inertial_wrench(model, step, states, k);
  }
  add_contact_wrenches(model, step, states, workspace.applied);
  add_self_collision_wrenches(model, step, states, workspace.applied);
  detail::sum_subtrees(model, workspace.inertial);
  detail::sum_subtrees(model, workspace.applied);
}

// FD [N or N m], dof_count numbers.
template <class S>
HOLO_FN constexpr void step_residual(const CharacterData& model, const StepConstants& step, const StepStates<S>& states,
                                     const StepWorkspace<S>& workspace, S* residual) {
  step_wrenches(model, step, states, workspace);
  const Twist<S>*test = test_state(step, states).kinematics.twists, *newest = states.newest.kinematics.twists;
  for (int j = 0; j < model.dof_count; ++j)
    residual[j] = generalized_force(test[j], workspace.inertial[j]) + generalized_force(newest[j], workspace.applied[j]);
  add_joint_forces(model, step, states, residual);
}

}  // namespace holo::articulated
