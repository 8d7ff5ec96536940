#pragma once
// Derivatives of contact and self-collision by the newest and the current state, without the part that comes from the turning
// of the degrees of freedom under constant wrenches, which step_jacobians.h has for all wrenches together.

#include "holo/sim/articulated/dynamics/contact_forces.h"
#include "holo/sim/articulated/dynamics/self_collision.h"

namespace holo::articulated {

namespace detail {

template <class S>
HOLO_FN constexpr Vector3<S> tangential(const Vector3<S>& normal, const Vector3<S>& vector) {
  return vector - dot(normal, vector) * normal;
}

// The change of a contact's force by one degree of freedom of the newest state, and that of P against the material.
template <class S>
struct ContactDerivative {
  Vector3<S> force, relative;
};

template <class S>
HOLO_FN constexpr ContactDerivative<S> contact_derivative(const StepConstants& step, const ContactPoint& sphere,
                                                          const StepStates<S>& states, const ContactForce<S>& c,
                                                          const Twist<S>& xi) {
  const Vector3<S>& n = c.surface.normal;
  const Matrix3<S>& R = states.newest.kinematics.frames[sphere.dof].rotation;
  const Vector3<S> center = velocity_at(xi, Vector3<S>(c.point + sphere.lever * n));
  const Vector3<S> turn = c.surface.normal_gradient * center;  // dn
  const Vector3<S> point = center - sphere.lever * turn;       // dP
  const Vector3<S> relative = point - velocity_at(xi, c.point);
  const Vector3<S> earlier = states.current.kinematics.frames[sphere.dof].rotation * (transpose(R) * relative);  // dP0
  const S deeper = -dot(c.surface.gradient, center);                                                             // dd
  const Vector3<S> velocity = (c.point - c.earlier_point) / step.time_step;
  const Vector3<S> slip =
      tangential(n, Vector3<S>(point - earlier)) / step.time_step - dot(turn, velocity) * n - dot(n, velocity) * turn;
  const Vector3<S> per_square = step.normal_weight * turn - step.tangential_weight * slip;
  return {(c.depth * c.depth) * per_square + (2.0 * c.depth * deeper) * c.per_square, relative};
}

template <class S>
HOLO_FN constexpr void add_contact_pairs(const CharacterData& model, const StepConstants& step, const StepStates<S>& states,
                                         const ContactPoint& sphere, const ContactForce<S>& contact, S* D0, S* D1) {
  const Twist<S>*newest = states.newest.kinematics.twists, *current = states.current.kinematics.twists;
  const S friction = step.tangential_weight / step.time_step * (contact.depth * contact.depth);
  for (int b = sphere.dof; b >= 0; b = model.dofs[b].parent) {
    const ContactDerivative<S> change = contact_derivative(step, sphere, states, contact, newest[b]);
    const Vector3<S> drag = friction * tangential(contact.surface.normal, velocity_at(current[b], contact.earlier_point));
    for (int a = sphere.dof; a >= 0; a = model.dofs[a].parent) {
      const Vector3<S> velocity = velocity_at(newest[a], contact.point);
      const int entry = a * model.dof_count + b;
      D0[entry] = D0[entry] - dot(velocity, change.force) - dot(contact.force, cross(newest[a].angular, change.relative));
      D1[entry] = D1[entry] - dot(velocity, drag);
    }
  }
}

}  // namespace detail

template <class S>
HOLO_FN constexpr void add_contact_jacobians(const CharacterData& model, const StepConstants& step, const StepStates<S>& states,
                                             S* D0, S* D1) {
  ContactForce<S> contact{};
  for (int p = 0; p < model.contact_point_count; ++p)
    for (int o = 0; o < step.obstacle_count; ++o)
      if (contact_force(step, model.contact_points[p], step.obstacles[o], states, contact))
        detail::add_contact_pairs(model, step, states, model.contact_points[p], contact, D0, D1);
}

// The Hessian of w s^3 in the centers' difference is 6 w s n n^T - 3 w s^2 / D (1 - n n^T): it also couples branches of the
// tree of which none is an ancestor of the other.
template <class S>
HOLO_FN constexpr void add_self_collision_jacobian(const CharacterData& model, const StepConstants& step,
                                                   const StepStates<S>& states, S* D0) {
  SphereOverlap<S> pair{};
  const Twist<S>* twists = states.newest.kinematics.twists;
  for (int p = 0; p < model.sphere_pair_count; ++p) {
    const SpherePair& spheres = model.sphere_pairs[p];
    if (!sphere_overlap(model, spheres, states, pair)) continue;
    const S along = 6.0 * step.self_collision_weight * pair.overlap;
    const S across = -3.0 * step.self_collision_weight * (pair.overlap * pair.overlap * pair.turning);
    const int ends[2] = {model.contact_points[spheres.first].dof, model.contact_points[spheres.second].dof};
    for (int e = 0; e < 2; ++e)
      for (int b = ends[e]; b >= 0; b = model.dofs[b].parent) {
        const Vector3<S> moved = velocity_at(twists[b], e == 0 ? pair.first : pair.second);
        const S sign = S(e == 0 ? 1.0 : -1.0);
        const Vector3<S> change = sign * (across * moved + ((along - across) * dot(pair.normal, moved)) * pair.normal);
        for (int f = 0; f < 2; ++f)
          for (int a = ends[f]; a >= 0; a = model.dofs[a].parent) {
            const S product = dot(velocity_at(twists[a], f == 0 ? pair.first : pair.second), change);
            const int entry = a * model.dof_count + b;
            D0[entry] = f == 0 ? S(D0[entry] + product) : S(D0[entry] - product);
          }
      }
  }
}

}  // namespace holo::articulated
