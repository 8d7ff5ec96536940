#pragma once
// A plane during one time step, at whose end its motion brings it to another place.

#include <Eigen/Core>

#include "holo/sim/contact/plane.h"

namespace holo {

class StepPlane {
 public:
  explicit StepPlane(const PlaneDefinition& definition);

  // The step from `start` to `end` [s]; the plane is at its place of the latter.
  void begin_step(double start, double end);
  // Puts the plane to a share in [0, 1] of its way in the step: its gap is the mean, with this share, of the gaps at both
  // ends. On the way the normal of a plane that turns is not a unit vector.
  void place(double progress);

  const Plane& now() const { return now_; }
  // What the rest of the way adds to the gap of a point that stays [m], and to its gradient, the normal.
  double gap_change(const Eigen::Vector3d& x) const { return end_.gap(x) - now_.gap(x); }
  Eigen::Vector3d normal_change() const { return end_.normal - now_.normal; }
  // The step t in (0, 1] at whose nine tenths a point x + t p has not reached the plane, which goes the share t of the rest of
  // its way; 1: it is not reached at all. The gap at x is positive.
  double feasible_step(const Eigen::Vector3d& x, const Eigen::Vector3d& p) const;

  // How points of the plane have moved since the start of the step: x -> A x + b.
  const Eigen::Matrix3d& carried_directions() const { return carried_; }  // A
  Eigen::Vector3d carried(const Eigen::Vector3d& x) const { return carried_ * x + carried_origin_; }

 private:
  PlaneDefinition definition_;
  Plane start_, end_, now_;
  RigidPose step_ = {Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero()};  // of the plane, from start to end
  Eigen::Matrix3d carried_ = Eigen::Matrix3d::Identity();
  Eigen::Vector3d carried_origin_ = Eigen::Vector3d::Zero();
};

}  // namespace holo
