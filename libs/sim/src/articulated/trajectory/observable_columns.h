#pragma once
// Values and first derivatives of the observables of a character, over any scalar: columns dz/dq_j in closed form from twists.

#include <array>
#include <vector>

#include "holo/sim/articulated/dynamics/character_kinematics.h"
#include "holo/sim/articulated/dynamics/wrench_products.h"
#include "holo/sim/articulated/trajectory/articulated_observables.h"

namespace holo::articulated {

inline constexpr std::size_t largest_observable = 7;

template <class S>
void write_vector(const Vector3<S>& vector, S* numbers) {
  for (int i = 0; i < 3; ++i) numbers[i] = vector[i];
}

// Mass times center of mass of a frame [kg m].
template <class S>
Vector3<S> first_moment(const CharacterData& model, int dof, const RigidFrame<S>* frames) {
  const SecondMoments& E = model.moments[dof];
  return frames[dof].rotation * Vector3<S>{S(E(0, 3)), S(E(1, 3)), S(E(2, 3))} + E(3, 3) * frames[dof].origin;
}

template <class S>
Vector3<S> center_of_mass(const CharacterData& model, const ArticulatedSubject& subject, double mass,
                          const RigidFrame<S>* frames) {
  if (!subject.is_character) return (1 / mass) * first_moment(model, subject.dof, frames);
  Vector3<S> sum{};
  for (int k = 0; k < model.dof_count; ++k)
    if (model.dofs[k].has_mass) sum = sum + first_moment(model, k, frames);
  return (1 / mass) * sum;
}

// Of R = [[w x y z]] the unit quaternion with a positive largest entry: the formula of the largest of four squares is exact to
// rounding for every rotation.
template <class S>
Vector<S, 4> unit_quaternion(const Matrix3<S>& R) {
  const S squares[4] = {1.0 + R(0, 0) + R(1, 1) + R(2, 2), 1.0 + R(0, 0) - R(1, 1) - R(2, 2), 1.0 - R(0, 0) + R(1, 1) - R(2, 2),
                        1.0 - R(0, 0) - R(1, 1) + R(2, 2)};
  int largest = 0;
  for (int k = 1; k < 4; ++k)
    if (squares[k] > squares[largest]) largest = k;
  const S twice = sqrt(squares[largest]), scale = 0.5 / twice;
  const S wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);
  const S xy = R(1, 0) + R(0, 1), xz = R(0, 2) + R(2, 0), yz = R(2, 1) + R(1, 2);
  switch (largest) {
    case 0:
      return {0.5 * twice, scale * wx, scale * wy, scale * wz};
    case 1:
      return {scale * wx, 0.5 * twice, scale * xy, scale * xz};
    case 2:
      return {scale * wy, scale * xy, 0.5 * twice, scale * yz};
    default:
      return {scale * wz, scale * xz, scale * yz, 0.5 * twice};
  }
}

// A character at the state that is observed and the one before, whose kinematics are known.
template <class S>
struct ObservedStates {
  StepState<S> now, before;
};

// z of one observable.
template <class S>
void observable_value(const CharacterData& model, const ArticulatedObservables::Bound& bound, double mass, double time_step,
                      const ObservedStates<S>& at, S* z) {
  const auto write = [&](const Vector3<S>& v) { write_vector(v, z); };
  const int dof = bound.subject.dof;
  switch (bound.kind) {
    case HOLO_OBSERVABLE_POINT:
      return write(at.now.kinematics.frames[dof] * matrix_cast<S>(bound.point));
    case HOLO_OBSERVABLE_POSE: {
      const RigidFrame<S> frame = at.now.kinematics.frames[dof] * frame_cast<S>(bound.subject.placement);
      const Vector<S, 4> quaternion = unit_quaternion(frame.rotation);
      write(frame.origin);
      for (int i = 0; i < 4; ++i) z[3 + i] = quaternion[i];
      return;
    }
    case HOLO_OBSERVABLE_CENTER_OF_MASS:
      return write(center_of_mass(model, bound.subject, mass, at.now.kinematics.frames));
    case HOLO_OBSERVABLE_MOMENTUM:
      return write((mass / time_step) * (center_of_mass(model, bound.subject, mass, at.now.kinematics.frames) -
                                         center_of_mass(model, bound.subject, mass, at.before.kinematics.frames)));
    case HOLO_OBSERVABLE_CONTROL:
      z[0] = at.now.state.coordinates[dof];
      return;
    default:  // a control's rate
      z[0] = (1 / time_step) * (at.now.state.coordinates[dof] - at.before.state.coordinates[dof]);
  }
}

// Calls visit(j, velocity of the center of mass by q_j times `mass`) for all degrees of freedom that move mass.
template <class S, class Visit>
void for_mass_columns(const CharacterData& model, const ArticulatedSubject& subject, const CharacterKinematics<S>& at,
                      const Visit& visit) {
  struct Sum {
    S mass;
    Vector3<S> moment;
  };
  thread_local std::vector<Sum> below;
  below.assign(std::size_t(model.dof_count), Sum{S(0.0), {}});
  for (int k = model.dof_count - 1; k >= 0; --k) {
    Sum& sum = below[std::size_t(k)];
    if (model.dofs[k].has_mass && (subject.is_character || subject.dof == k)) {
      sum.mass = sum.mass + model.moments[k](3, 3);
      sum.moment = sum.moment + first_moment(model, k, at.frames);
    }
    if (const int parent = model.dofs[k].parent; parent >= 0) {
      below[std::size_t(parent)].mass = below[std::size_t(parent)].mass + sum.mass;
      below[std::size_t(parent)].moment = below[std::size_t(parent)].moment + sum.moment;
    }
    visit(k, cross(at.twists[k].angular, sum.moment) + sum.mass * at.twists[k].linear);
  }
}

// Calls visit(j, steps back from the observed state, column of entries) for all coordinates that one observable depends on.
template <class S, class Visit>
void for_observable_columns(const CharacterData& model, const ArticulatedObservables::Bound& bound, double mass,
                            double time_step, const ObservedStates<S>& at, const Visit& visit) {
  S column[largest_observable];
  const auto write = [&](const Vector3<S>& v) { write_vector(v, column); };
  const CharacterKinematics<S>& now = at.now.kinematics;
  const int dof = bound.subject.dof;
  switch (bound.kind) {
    case HOLO_OBSERVABLE_POINT:
    case HOLO_OBSERVABLE_POSE: {
      S z[largest_observable];
      observable_value(model, bound, mass, time_step, at, z);
      for (int j = dof; j >= 0; j = model.dofs[j].parent) {
        const Vector3<S>& w = now.twists[j].angular;
        write(velocity_at(now.twists[j], Vector3<S>{z[0], z[1], z[2]}));
        if (bound.kind == HOLO_OBSERVABLE_POSE) {  // dq/dq_j = (0, w) q / 2
          const Vector3<S> vector{z[4], z[5], z[6]}, change = z[3] * w + cross(w, vector);
          column[3] = -0.5 * dot(w, vector);
          for (int i = 0; i < 3; ++i) column[4 + i] = 0.5 * change[i];
        }
        visit(j, 0, column);
      }
      return;
    }
    case HOLO_OBSERVABLE_CENTER_OF_MASS:
    case HOLO_OBSERVABLE_MOMENTUM: {
      const bool is_momentum = bound.kind == HOLO_OBSERVABLE_MOMENTUM;
      const double scale = is_momentum ? 1 / time_step : 1 / mass;
      for_mass_columns(model, bound.subject, now, [&](int j, const Vector3<S>& v) {
        write(scale * v);
        visit(j, 0, column);
      });
      if (!is_momentum) return;
      for_mass_columns(model, bound.subject, at.before.kinematics, [&](int j, const Vector3<S>& v) {
        write(-scale * v);
        visit(j, 1, column);
      });
      return;
    }
    case HOLO_OBSERVABLE_CONTROL:
      column[0] = S(1.0);
      return visit(dof, 0, column);
    default:
      column[0] = S(1 / time_step);
      visit(dof, 0, column);
      column[0] = S(-1 / time_step);
      visit(dof, 1, column);
  }
}

}  // namespace holo::articulated
