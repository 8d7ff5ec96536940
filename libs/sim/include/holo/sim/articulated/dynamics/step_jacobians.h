#pragma once
// The derivatives of a time step's residual by its three states in closed form: D0 = dFD/dx+, D1 = dFD/dx0, D2 = dFD/dx-. They
// take O(n depth) operations. docs/articulated-dynamics.md#jacobians derives them.
//
// Matrices are dof_count x dof_count, row after row. None is symmetric in general: D0 is for InertiaRule::end without friction.

#include "holo/sim/articulated/dynamics/contact_jacobians.h"
#include "holo/sim/articulated/dynamics/joint_jacobians.h"
#include "holo/sim/articulated/dynamics/step_residual.h"

namespace holo::articulated {

namespace detail {

// The sums over subtrees of T_test E T^T of the three states.
template <class S>
HOLO_FN constexpr void step_moments(const CharacterData& model, const StepConstants& step, const StepStates<S>& states,
                                    const StepWorkspace<S>& workspace) {
  const StepState<S>& test = test_state(step, states);
  for (int k = 0; k < model.dof_count; ++k) {
    workspace.moments_newest[k] = workspace.moments_current[k] = workspace.moments_previous[k] = Matrix<S, 4, 4>{};
    if (!model.dofs[k].has_mass) continue;
    const RigidFrame<S>& T = test.kinematics.frames[k];
    workspace.moments_newest[k] = moved_moments(T, model.moments[k], states.newest.kinematics.frames[k]);
    workspace.moments_current[k] = moved_moments(T, model.moments[k], states.current.kinematics.frames[k]);
    workspace.moments_previous[k] = moved_moments(T, model.moments[k], states.previous.kinematics.frames[k]);
  }
  sum_subtrees(model, workspace.moments_newest);
  sum_subtrees(model, workspace.moments_current);
  sum_subtrees(model, workspace.moments_previous);
}

// The change of the force of a constant wrench M of the subtree, <xi_a, M T(x)^T>, by another degree of freedom: of a pair of
// which `deeper` is below `ancestor` or equal to it. Symmetric in the two.
template <class S>
HOLO_FN constexpr S second_order_force(const CharacterData& model, const StepState<S>& at, int ancestor, int deeper,
                                       const WrenchMatrix<S>& M) {
  const Twist<S>* twists = at.kinematics.twists;
  S force = curvature_force(twists[ancestor], twists[deeper], M);
  const DegreeOfFreedom& d = model.dofs[deeper];
  if (d.chart >= 0 && model.dofs[ancestor].chart == d.chart) {  // the twists of a chart depend on its coordinates
    const RotationChart& chart = model.charts[d.chart];
    const RigidFrame<S> frame = motion_frame(model, chart.first, at.state, at.kinematics.frames);
    const Matrix3<S> derivative =
        frame.rotation * left_jacobian_derivative(rotation_vector_of(model, d.chart, at.state.coordinates), d.component);
    const int k = model.dofs[ancestor].component;
    force =
        force + generalized_force(
                    rotation_about_point(Vector3<S>{derivative(0, k), derivative(1, k), derivative(2, k)}, frame.origin), M);
  }
  if (d.plugin_joint >= 0 && model.dofs[ancestor].plugin_joint == d.plugin_joint) {  // and so do those of a plugin joint
    const PluginJointData& joint = model.plugin_joints[d.plugin_joint];
    const RigidFrame<S> frame = motion_frame(model, joint.first, at.state, at.kinematics.frames);
    const int pair = joint.first_derivative + d.component * (d.component + 1) / 2 + model.dofs[ancestor].component;
    force = force + generalized_force(frame * at.state.motions.derivatives[pair], M);
  }
  return force;
}

// Adds the pairs of a degree of freedom with itself and its ancestors.
template <class S>
HOLO_FN constexpr void add_inertial_pairs(const CharacterData& model, const StepConstants& step, const StepStates<S>& states,
                                          const StepWorkspace<S>& workspace, int deeper, S* D0, S* D1, S* D2) {
  const StepState<S>& test = test_state(step, states);
  const Twist<S>*xi = test.kinematics.twists, *newest = states.newest.kinematics.twists;
  const Twist<S>*current = states.current.kinematics.twists, *previous = states.previous.kinematics.twists;
  const double scale = 1 / (step.time_step * step.time_step);
  const int n = model.dof_count;
  const auto add = [&](int a, int b) {
    D0[a * n + b] = D0[a * n + b] + scale * moment_product(xi[a], workspace.moments_newest[deeper], newest[b]);
    D1[a * n + b] = D1[a * n + b] - 2 * scale * moment_product(xi[a], workspace.moments_current[deeper], current[b]);
    D2[a * n + b] = D2[a * n + b] + scale * moment_product(xi[a], workspace.moments_previous[deeper], previous[b]);
  };
  S* by_test_state = step.inertia == InertiaRule::end ? D0 : D1;
  for (int ancestor = deeper; ancestor >= 0; ancestor = model.dofs[ancestor].parent) {
    const S inertial = second_order_force(model, test, ancestor, deeper, workspace.inertial[deeper]);
    const S applied = second_order_force(model, states.newest, ancestor, deeper, workspace.applied[deeper]);
    by_test_state[ancestor * n + deeper] = by_test_state[ancestor * n + deeper] + inertial;
    D0[ancestor * n + deeper] = D0[ancestor * n + deeper] + applied;
    add(ancestor, deeper);
    if (ancestor == deeper) continue;
    by_test_state[deeper * n + ancestor] = by_test_state[deeper * n + ancestor] + inertial;
    D0[deeper * n + ancestor] = D0[deeper * n + ancestor] + applied;
    add(deeper, ancestor);
  }
}

}  // namespace detail

// Overwrites D0, D1 and D2. The kinematics of the three states must be computed.
template <class S>
HOLO_FN constexpr void step_jacobians(const CharacterData& model, const StepConstants& step, const StepStates<S>& states,
                                      const StepWorkspace<S>& workspace, S* D0, S* D1, S* D2) {
  const int n = model.dof_count;
  for (int i = 0; i < n * n; ++i) D0[i] = D1[i] = D2[i] = S(0.0);
  step_wrenches(model, step, states, workspace);
  detail::step_moments(model, step, states, workspace);
  for (int deeper = 0; deeper < n; ++deeper) detail::add_inertial_pairs(model, step, states, workspace, deeper, D0, D1, D2);
  add_contact_jacobians(model, step, states, D0, D1);
  add_self_collision_jacobian(model, step, states, D0);
  add_joint_jacobians(model, step, states, D0, D1, D2);
}

}  // namespace holo::articulated
