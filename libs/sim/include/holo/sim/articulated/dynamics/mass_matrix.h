#pragma once
// The mass matrix of a character, over any scalar: M_ab = <xi_a (sum over frames k below a and b of T_k E_k T_k^T), xi_b>, with
// the inertia of rotors.

#include "holo/sim/articulated/dynamics/step_residual.h"

namespace holo::articulated {

// M in dof_count x dof_count entries, row after row, at a state whose kinematics are computed. `moments` is scratch memory of
// dof_count entries. Coordinates of rotation vectors have the inertia of their charts' twists.
template <class S>
HOLO_FN constexpr void mass_matrix(const CharacterData& model, const StepState<S>& at, Matrix<S, 4, 4>* moments, S* M) {
  const int n = model.dof_count;
  for (int k = 0; k < n; ++k) {
    const RigidFrame<S>& T = at.kinematics.frames[k];
    moments[k] = model.dofs[k].has_mass ? moved_moments(T, model.moments[k], T) : Matrix<S, 4, 4>{};
  }
  detail::sum_subtrees(model, moments);
  for (int i = 0; i < n * n; ++i) M[i] = S(0.0);
  const Twist<S>* xi = at.kinematics.twists;
  for (int deeper = 0; deeper < n; ++deeper) {
    for (int ancestor = deeper; ancestor >= 0; ancestor = model.dofs[ancestor].parent)
      M[ancestor * n + deeper] = M[deeper * n + ancestor] = moment_product(xi[ancestor], moments[deeper], xi[deeper]);
    if (model.dofs[deeper].kind != DofKind::rotation_vector)
      M[deeper * n + deeper] = M[deeper * n + deeper] + model.dofs[deeper].armature;
  }
}

}  // namespace holo::articulated
