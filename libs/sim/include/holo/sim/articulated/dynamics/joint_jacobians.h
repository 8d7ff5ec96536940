#pragma once
// Derivatives of the forces of springs, dampers, rotors' inertia and limits by the three states.

#include "holo/sim/articulated/dynamics/joint_forces.h"

namespace holo::articulated {

namespace detail {

// Adds the Hessian of w (|w| - cone)^3 of a chart.
template <class S>
HOLO_FN constexpr void add_cone_hessian(const CharacterData& model, int number, const S* coordinates, S* D0) {
  const RotationChart& chart = model.charts[number];
  const Vector3<S> w = rotation_vector_of(model, number, coordinates);
  S angle(0.0);
  const S excess = cone_excess(chart, w, angle);
  if (!(excess > 0.0)) return;
  const S across = 3 * chart.cone_weight * (excess * excess / angle), along = 6 * chart.cone_weight * excess;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int entry = (chart.first + i) * model.dof_count + chart.first + j;
      D0[entry] = D0[entry] + (along - across) * (w[i] * w[j] / (angle * angle)) + (i == j ? across : S(0.0));
    }
}

}  // namespace detail

template <class S>
HOLO_FN constexpr void add_joint_jacobians(const CharacterData& model, const StepConstants& step, const StepStates<S>& states,
                                           S* D0, S* D1, S* D2) {
  const S* newest = states.newest.state.coordinates;
  const double rate = 1 / step.time_step;
  for (int j = 0; j < model.dof_count; ++j) {
    const DegreeOfFreedom& dof = model.dofs[j];
    const S excess = limit_excess(dof, newest[j]);
    const int entry = j * model.dof_count + j;
    D0[entry] = D0[entry] + 6 * dof.limit_weight * select(excess < 0.0, -excess, excess) + dof.stiffness;
    if (dof.kind == DofKind::rotation_vector) continue;
    const double rotor = dof.armature * rate * rate;
    D0[entry] = D0[entry] + dof.damping * rate + rotor;
    D1[entry] = D1[entry] - dof.damping * rate - 2 * rotor;
    D2[entry] = D2[entry] + rotor;
  }
  for (int c = 0; c < model.chart_count; ++c) detail::add_cone_hessian(model, c, newest, D0);
}

}  // namespace holo::articulated
