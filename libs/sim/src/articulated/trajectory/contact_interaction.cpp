#include "articulated/trajectory/contact_interaction.h"

#include <algorithm>
#include <cmath>

namespace holo::articulated {

namespace {

constexpr double smoothing_of_force = 1e-8;  // of the squared normal force over the weight

Vector3<double> tangential_part(const Vector3<double>& normal, const Vector3<double>& vector) {
  return vector - dot(normal, vector) * normal;
}

}  // namespace

ContactInteraction::ContactInteraction(const StepConstants& step, const ContactPoint& sphere, const Obstacle& obstacle,
                                       const StepStates<double>& states, const Vector3<double>& force)
    : newest_rotation_(states.newest.kinematics.frames[sphere.dof].rotation),
      current_rotation_(states.current.kinematics.frames[sphere.dof].rotation),
      time_step_(step.time_step),
      lever_(sphere.lever),
      force_(force) {
  const RigidFrame<double>& frame = states.newest.kinematics.frames[sphere.dof];
  center_ = frame * sphere.center;
  surface_ = obstacle_distance(obstacle, center_);
  gap_ = surface_.distance - sphere.radius;
  point_ = center_ - lever_ * surface_.normal;
  earlier_point_ = states.current.kinematics.frames[sphere.dof] * point_in(frame, point_);
  velocity_ = (point_ - earlier_point_) / time_step_;
  slip_ = tangential_part(surface_.normal, velocity_);
  // s = 1 / (1 + exp(4 - 40 F)), ds/dF = 40 s (1 - s)
  const double normal_force = dot(surface_.normal, force);
  const double smooth_force = std::sqrt(normal_force * normal_force + smoothing_of_force);
  const double share = 1 / (1 + std::exp(4 - 40 * smooth_force));
  activity_ = std::sqrt(share);
  activity_slope_ = 20 * activity_ * (1 - share) * normal_force / smooth_force;
}

ContactInteraction::Row ContactInteraction::values() const {
  return {std::min(gap_, 0.0), activity_ * slip_[0], activity_ * slip_[1], activity_ * slip_[2], activity_ * gap_};
}

Vector3<double> ContactInteraction::moved_center(const Twist<double>& xi) const { return velocity_at(xi, center_); }

Vector3<double> ContactInteraction::relative(const Twist<double>& xi) const {
  const Vector3<double> center = moved_center(xi);
  return center - lever_ * (surface_.normal_gradient * center) - velocity_at(xi, point_);
}

ContactInteraction::Row ContactInteraction::by_newest(const Twist<double>& xi) const {
  const Vector3<double>& n = surface_.normal;
  const Vector3<double> center = moved_center(xi), turn = surface_.normal_gradient * center;
  const Vector3<double> earlier = current_rotation_ * (transpose(newest_rotation_) * relative(xi));
  const Vector3<double> moved = tangential_part(n, Vector3<double>(center - lever_ * turn - earlier)) / time_step_;
  const Vector3<double> slip = moved - dot(turn, velocity_) * n - dot(n, velocity_) * turn;
  const double gap = dot(surface_.gradient, center), activity = activity_slope_ * dot(turn, force_);
  return {gap_ < 0 ? gap : 0, activity_ * slip[0] + activity * slip_[0], activity_ * slip[1] + activity * slip_[1],
          activity_ * slip[2] + activity * slip_[2], activity_ * gap + activity * gap_};
}

ContactInteraction::Row ContactInteraction::by_current(const Twist<double>& xi) const {
  const Vector3<double> slip = tangential_part(surface_.normal, velocity_at(xi, earlier_point_)) / -time_step_;
  return {0, activity_ * slip[0], activity_ * slip[1], activity_ * slip[2], 0};
}

ContactInteraction::Row ContactInteraction::by_force(int component) const {
  const double activity = activity_slope_ * surface_.normal[component];
  return {0, activity * slip_[0], activity * slip_[1], activity * slip_[2], activity * gap_};
}

}  // namespace holo::articulated
