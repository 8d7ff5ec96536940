#pragma once
// Forces of a character's joints: springs, dampers, rotors' inertia, limits, over any scalar. The energies of limits are w
// times the cube of the excess, so that forces have continuous derivatives [Pan2019, section 4.2, with a positive sign].

#include "holo/sim/articulated/dynamics/character_kinematics.h"
#include "holo/sim/articulated/dynamics/step_data.h"

namespace holo::articulated {

// How far q is beyond a limit: negative below the lower one, positive above the upper one, else 0.
template <class S>
HOLO_FN constexpr S limit_excess(const DegreeOfFreedom& dof, const S& q) {
  if (q < dof.lower) return q - dof.lower;
  if (q > dof.upper) return q - dof.upper;
  return S(0.0);
}

// How far the rotation vector of a chart is beyond its cone; 0 within.
template <class S>
HOLO_FN constexpr S cone_excess(const RotationChart& chart, const Vector3<S>& w, S& angle) {
  angle = S(0.0);
  const S squared = dot(w, w);
  if (!(squared > chart.cone * chart.cone)) return S(0.0);
  angle = sqrt(squared);
  return angle - chart.cone;
}

// The energy of all limits and cones [J], 0 or more.
template <class S>
HOLO_FN constexpr S limit_energy(const CharacterData& model, const S* coordinates) {
  S sum(0.0);
  for (int j = 0; j < model.dof_count; ++j) {
    const S excess = limit_excess(model.dofs[j], coordinates[j]), positive = select(excess < 0.0, -excess, excess);
    sum = sum + model.dofs[j].limit_weight * (positive * positive * positive);
  }
  for (int c = 0; c < model.chart_count; ++c) {
    S angle(0.0);
    const S excess = cone_excess(model.charts[c], rotation_vector_of(model, c, coordinates), angle);
    sum = sum + model.charts[c].cone_weight * (excess * excess * excess);
  }
  return sum;
}

// Adds the forces of springs, dampers, rotors and limits to the residual.
template <class S>
HOLO_FN constexpr void add_joint_forces(const CharacterData& model, const StepConstants& step, const StepStates<S>& states,
                                        S* residual) {
  const S *newest = states.newest.state.coordinates, *current = states.current.state.coordinates;
  const S* previous = states.previous.state.coordinates;
  const double rate = 1 / step.time_step;
  for (int j = 0; j < model.dof_count; ++j) {
    const DegreeOfFreedom& dof = model.dofs[j];
    const S excess = limit_excess(dof, newest[j]);
    const S limit = 3 * dof.limit_weight * (excess * select(excess < 0.0, -excess, excess));
    residual[j] = residual[j] + limit + dof.stiffness * (newest[j] - dof.spring_reference);
    if (dof.kind == DofKind::rotation_vector) continue;  // its three states may have different references
    residual[j] = residual[j] + dof.damping * rate * (newest[j] - current[j]) +
                  dof.armature * rate * rate * (newest[j] - 2.0 * current[j] + previous[j]);
  }
  for (int c = 0; c < model.chart_count; ++c) {
    const Vector3<S> w = rotation_vector_of(model, c, newest);
    S angle(0.0);
    const S excess = cone_excess(model.charts[c], w, angle);
    if (!(excess > 0.0)) continue;
    const S factor = 3 * model.charts[c].cone_weight * (excess * excess / angle);
    for (int k = 0; k < 3; ++k) residual[model.charts[c].first + k] = residual[model.charts[c].first + k] + factor * w[k];
  }
}

}  // namespace holo::articulated
