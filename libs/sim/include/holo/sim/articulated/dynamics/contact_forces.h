#pragma once
// Contact of a character's spheres and vertices with obstacles by the smooth force model [Pan2019, Eq 6], over any scalar.

#include "holo/sim/articulated/dynamics/obstacle_distance.h"
#include "holo/sim/articulated/dynamics/wrench_products.h"

namespace holo::articulated {

// A contact point in touch with an obstacle.
template <class S>
struct ContactForce {
  S depth;                    // d > 0 [m]
  DistanceSample<S> surface;  // at the center
  Vector3<S> point;           // P that the force acts on, in the newest state [m]
  Vector3<S> earlier_point;   // P0, where the same material point was in the current state [m]
  Vector3<S> slip;            // tangential velocity of P [m/s]
  Vector3<S> per_square;      // h = f / d^2 = w_n n - w_t slip [N/m^2]
  Vector3<S> force;           // f on the character [N]
};

// Whether a contact point touches an obstacle; if so, the force.
template <class S>
HOLO_FN constexpr bool contact_force(const StepConstants& step, const ContactPoint& sphere, const Obstacle& obstacle,
                                     const StepStates<S>& states, ContactForce<S>& contact) {
  const RigidFrame<S>& frame = states.newest.kinematics.frames[sphere.dof];
  const Vector3<S> center = frame * matrix_cast<S>(sphere.center);
  contact.surface = obstacle_distance(obstacle, center);
  contact.depth = S(sphere.radius) - contact.surface.distance;
  if (!(contact.depth > 0.0)) return false;
  const Vector3<S>& n = contact.surface.normal;
  contact.point = center - sphere.lever * n;
  contact.earlier_point = states.current.kinematics.frames[sphere.dof] * point_in(frame, contact.point);
  const Vector3<S> velocity = (contact.point - contact.earlier_point) / step.time_step;
  contact.slip = velocity - dot(n, velocity) * n;
  contact.per_square = step.normal_weight * n - step.tangential_weight * contact.slip;
  contact.force = (contact.depth * contact.depth) * contact.per_square;
  return true;
}

// Adds the wrenches of all contacts, which the residual has with a minus.
template <class S>
HOLO_FN constexpr void add_contact_wrenches(const CharacterData& model, const StepConstants& step, const StepStates<S>& states,
                                            WrenchMatrix<S>* applied) {
  ContactForce<S> contact{};
  for (int p = 0; p < model.contact_point_count; ++p)
    for (int o = 0; o < step.obstacle_count; ++o)
      if (contact_force(step, model.contact_points[p], step.obstacles[o], states, contact))
        add_force(-contact.force, contact.point, applied[model.contact_points[p].dof]);
}

}  // namespace holo::articulated
