#pragma once
// The contact of one point with one obstacle in contact-invariant optimization [Mordatch2012]: five residuals whose squares are
// the energy that lets a force act only where the point rests on the obstacle.

#include <array>

#include "holo/sim/articulated/dynamics/obstacle_distance.h"
#include "holo/sim/articulated/dynamics/step_data.h"

namespace holo::articulated {

// With the gap phi between the sphere and the obstacle, the slip speed v of the point that the force acts on, and the force f
// over the character's weight, all of the newest state,
//
//   energy = min(phi, 0)^2 + s (|v|^2 + phi^2),  s = tanh(20 F - 2) / 2 + 1/2,  F^2 = (n . f)^2 + 1e-8
//
// where lengths count in m and speeds in m/s. docs/trajectory-optimization.md#contact-invariant-optimization has the residuals.
class ContactInteraction {
 public:
  static constexpr int rows = 5;  // min(phi, 0), sqrt(s) v, sqrt(s) phi
  using Row = std::array<double, rows>;

  ContactInteraction(const StepConstants& step, const ContactPoint& sphere, const Obstacle& obstacle,
                     const StepStates<double>& states, const Vector3<double>& force);

  const Vector3<double>& point() const { return point_; }  // that the force acts on [m]
  Row values() const;
  // Derivatives by a degree of freedom of the newest or the current state that moves the point, and by a component of the
  // force.
  Row by_newest(const Twist<double>& xi) const;
  Row by_current(const Twist<double>& xi) const;
  Row by_force(int component) const;
  // The change of point() against the material of its body by a degree of freedom of the newest state.
  Vector3<double> relative(const Twist<double>& xi) const;

 private:
  Vector3<double> moved_center(const Twist<double>& xi) const;

  Matrix3<double> newest_rotation_, current_rotation_;
  double time_step_, lever_, gap_ = 0;
  Vector3<double> center_, point_, earlier_point_, velocity_, slip_, force_;
  DistanceSample<double> surface_;
  double activity_ = 0, activity_slope_ = 0;  // sqrt(s), and its derivative by n . f
};

}  // namespace holo::articulated
