#pragma once
// Self-collision of a character's spheres: the energy w s^3 of the overlap s of a pair [Pan2019, section 4.2], over any scalar.

#include "holo/sim/articulated/dynamics/wrench_products.h"

namespace holo::articulated {

// A pair of spheres that overlap.
template <class S>
struct SphereOverlap {
  S overlap;                 // s > 0 [m]
  Vector3<S> first, second;  // the centers in the world [m]
  Vector3<S> normal;         // n from the second to the first, of length 1
  S turning;  // 1 / D of the centers' distance D, by which n turns; 0 where n is the pair's fixed direction [1/m]
};

// Whether a pair overlaps. Centers less than 1e-6 m apart are pushed along the pair's fixed direction in the
// world.
template <class S>
HOLO_FN constexpr bool sphere_overlap(const CharacterData& model, const SpherePair& pair, const StepStates<S>& states,
                                      SphereOverlap<S>& result) {
  const ContactPoint &a = model.contact_points[pair.first], &b = model.contact_points[pair.second];
  result.first = states.newest.kinematics.frames[a.dof] * matrix_cast<S>(a.center);
  result.second = states.newest.kinematics.frames[b.dof] * matrix_cast<S>(b.center);
  const Vector3<S> offset = result.first - result.second;
  const S squared = dot(offset, offset);
  const double reach = a.radius + b.radius;
  if (!(squared < reach * reach)) return false;
  result.normal = matrix_cast<S>(pair.direction);
  result.turning = S(0.0);
  if (squared < 1e-12) {
    result.overlap = reach - dot(result.normal, offset);
    return true;
  }
  const S distance = sqrt(squared);
  result.normal = offset / distance;
  result.turning = S(1.0) / distance;
  result.overlap = reach - distance;
  return true;
}

// The sum of w s^3 over all pairs [J].
template <class S>
HOLO_FN constexpr S self_collision_energy(const CharacterData& model, const StepConstants& step, const StepStates<S>& states) {
  S sum(0.0);
  SphereOverlap<S> pair{};
  for (int p = 0; p < model.sphere_pair_count; ++p)
    if (sphere_overlap(model, model.sphere_pairs[p], states, pair))
      sum = sum + step.self_collision_weight * (pair.overlap * pair.overlap * pair.overlap);
  return sum;
}

// Adds the wrenches of the energy's gradient.
template <class S>
HOLO_FN constexpr void add_self_collision_wrenches(const CharacterData& model, const StepConstants& step,
                                                   const StepStates<S>& states, WrenchMatrix<S>* applied) {
  SphereOverlap<S> pair{};
  for (int p = 0; p < model.sphere_pair_count; ++p) {
    const SpherePair& spheres = model.sphere_pairs[p];
    if (!sphere_overlap(model, spheres, states, pair)) continue;
    const Vector3<S> gradient = (S(-3.0) * step.self_collision_weight * pair.overlap * pair.overlap) * pair.normal;
    add_force(gradient, pair.first, applied[model.contact_points[spheres.first].dof]);
    add_force(-gradient, pair.second, applied[model.contact_points[spheres.second].dof]);
  }
}

}  // namespace holo::articulated
