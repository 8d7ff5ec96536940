#pragma once
// Orientations in time: signals of four components (w, x, y, z), unit "1", quaternions of length 1 after Hamilton. q and -q are
// one orientation; every function here takes either and returns signals whose neighbors lie on one side (q_k . q_{k+1} >= 0).
// A closed one ends at the orientation where it began, after a whole turn with the other sign.

#include <string>

#include "holo/diff/rotations.h"
#include "holo/sim/motion/signal.h"

namespace holo {

// The rotation vector of a quaternion: axis times angle, at most pi long [rad]; and back.
Vector3<double> rotation_vector(const Quaternion<double>& q);
Quaternion<double> quaternion_of(const Vector3<double>& rotation_vector);

// Requires what validate() requires, and four components of length 1 to `tolerance`.
void validate_orientations(const MotionSignal& signal, SignalEnds ends, const std::string& what, double tolerance = 1e-6);

// The signal with quaternions normalized and neighbors on one side. Throws Error(input) as validate_orientations() with a
// tolerance of 1e-2.
MotionSignal continuous_orientations(const MotionSignal& signal);

// Orientations from rotation vectors [3][sample], or from angles [rad] about the body's own axes in the order of `axes`: "ZYX"
// is the rotation R_z R_y R_x. As many components as axes, of which there may be any number.
MotionSignal orientations_from_rotation_vectors(const MotionSignal& vectors);
MotionSignal orientations_from_angles(const MotionSignal& angles, const std::string& axes);

// The angular velocity in the world [3][sample] [rad/s], by central differences: exact if it is constant, else with an error of
// O(h^2).
MotionSignal angular_velocity(const MotionSignal& signal, SignalEnds ends);

enum class OrientationPath {
  slerp,   // of constant angular velocity between knots
  hermite  // of continuous angular velocity: a cubic in the rotation vector from each knot on, Catmull-Rom at the knots
};

// A path through orientations at any times.
struct OrientationSpline {
  Eigen::VectorXd times;         // [knot], ascending [s]
  Eigen::MatrixXd orientations;  // [4][knot]
  Eigen::MatrixXd velocities;    // [3][knot] in the body's axes [rad/s]; none: slerp
  SignalEnds ends = SignalEnds::open;
};

// Throws Error(input) as make_spline() does.
OrientationSpline make_orientation_spline(const Eigen::VectorXd& times, const Eigen::MatrixXd& orientations,
                                          OrientationPath path, SignalEnds ends = SignalEnds::open);
Quaternion<double> evaluate(const OrientationSpline& spline, double time);
MotionSignal sample(const OrientationSpline& spline, double first_time, double time_step, int count);
// The signal at `count` samples of the same duration.
MotionSignal resample_orientations(const MotionSignal& signal, int count, OrientationPath path = OrientationPath::hermite,
                                   SignalEnds ends = SignalEnds::open);

// left * q * right: `left` turns in the world, `right` in the body.
MotionSignal rotate_orientations(const MotionSignal& signal, const Quaternion<double>& left, const Quaternion<double>& right);

// The rotation from the mean orientation (of least squares) times `factor`.
MotionSignal scale_orientations_about_mean(const MotionSignal& signal, double factor, SignalEnds ends);

// The orientations of the mirror image, whose body is mirrored too, so that the identity does not change; `normal`: of the
// mirror plane.
MotionSignal mirror_orientations(const MotionSignal& signal, const Eigen::Vector3d& normal);
// Halfway between a closed motion and its mirror image half a period later; the two must stay less than half a turn apart.
MotionSignal symmetrize_orientations(const MotionSignal& signal, const Eigen::Vector3d& normal);
std::pair<MotionSignal, MotionSignal> symmetrize_orientations(const MotionSignal& left, const MotionSignal& right,
                                                              const Eigen::Vector3d& normal);

// The quaternions' components smoothed as by smooth(), then of length 1 again: near that for turns of less than a radian within
// the cutoff's period. Throws Error(input) where a mean falls below half the length, as for a body that spins faster than that.
MotionSignal smooth_orientations(const MotionSignal& signal, double cutoff_frequency, SignalEnds ends);

// close_loop() for orientations, along the shortest rotation.
MotionSignal close_orientation_loop(const MotionSignal& signal, double window);

}  // namespace holo
