#pragma once
// Rigid motions over time, which handles and obstacles prescribe.
//
//   motion: {type: sinusoid, amplitude: [0, 0, 0.2], period: 1.0, phase: 0}                               # m, s, rad
//   motion: {type: linear, displacement: [0.1, 0, 0], start: 0, duration: 2, interpolation: smooth}       # m, s
//   motion: {type: rotation, angle: 3.14, axis: [0, 0, 1], center: [0, 0, 0], start: 0, duration: 2}      # rad, m, s
//   motion: {type: keyframes, axis: [0, 0, 1], keyframes: [{time: 1, displacement: [0, 0, 1], angle: 0}]} # s, m, rad
//   motion: {type: signal, signal: NAME}                                                                  # of the experiment

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/configuration.h"

namespace holo {

using Vector3d = std::array<double, 3>;

// The pose of a rigid body that has moved: x = R X + p.
struct RigidPose {
  Eigen::Matrix3d rotation;  // R
  Eigen::Vector3d position;  // p [m]
  Eigen::Vector3d of(const Eigen::Vector3d& X) const { return rotation * X + position; }
};

// A rigid motion over time: x(t) = c + R(t) (X - c) + d(t), where X is the position at the start.
struct MotionDefinition {
  enum class Kind {
    fixed,      // x = X
    sinusoid,   // d = amplitude (sin(2 pi t / period + phase) - sin(phase))
    linear,     // d grows to `displacement` between start and start + duration, then stays
    rotation,   // the angle about `axis` through `center` grows in the same way
    keyframes,  // displacement and angle about `axis` through `center` given at times, constant before and after
    signal      // d is a signal of the experiment
  };
  enum class Interpolation {
    linear,  // constant velocity
    smooth   // 3 s^2 - 2 s^3: starts and ends at rest
  };
  struct Keyframe {
    double time = 0;             // [s], increasing
    Vector3d displacement = {};  // [m]
    double angle = 0;            // [rad]
  };
  Kind kind = Kind::fixed;
  Interpolation interpolation = Interpolation::linear;
  Vector3d displacement = {};  // sinusoid's amplitude, linear's end [m]
  double period = 1;           // [s], > 0
  double phase = 0;            // [rad]
  double start = 0;            // [s], >= 0
  double duration = 1;         // [s], > 0
  Vector3d axis = {0, 0, 1};   // unit
  Vector3d center = {};        // [m]
  double angle = 0;            // rotation's end [rad]
  std::vector<Keyframe> keyframes;
  // For a signal: its name, its place in the experiment, and its values [3][time step] [m], which the reader of the signals
  // sets.
  std::string signal = {};
  Location signal_location = {};
  std::shared_ptr<const Eigen::MatrixXd> samples = {};
  double sample_step = 0;  // [s]

  // The position [m] at a time [s] of a point that starts at X [m].
  Vector3d position(const Vector3d& X, double time) const;
  // The same of all points at once.
  RigidPose pose(double time) const;
  bool moves() const { return kind != Kind::fixed; }
};

// Throws Error(input) at its place for a motion by a signal without values.
void require_values(const MotionDefinition& motion);

// Reads one motion; without `type` it is fixed. Problems are reported through the configuration file.
MotionDefinition read_prescribed_motion(Configuration& parameters);

}  // namespace holo
