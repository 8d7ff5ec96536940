#pragma once
// Retargeting of motion capture: targets of a mechanism's points and bodies from joints of a recording.

#include <Eigen/Core>
#include <optional>
#include <string>

#include "holo/diff/rotations.h"
#include "holo/sim/motion/bvh.h"
#include "holo/sim/motion/signal.h"

namespace holo {

// Map from a recording to a mechanism. The window from `begin` to `end` of the recording is sampled at `count` times of the
// target, which may change its speed.
struct Retargeting {
  double scale = 1;                         // mechanism's length over the recording's, positive; see scale_by_length()
  Quaternion<double> rotation{1, 0, 0, 0};  // unit quaternion from the recording's world to the mechanism's
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();  // after scale and rotation [m]
  double begin = 0, end = 0;                              // times of the recording [s] of the first and the last sample
  double time_step = 0;                                   // of the target [s]
  int count = 0;                                          // number of samples, at least 2
  std::optional<int> reference_frame = {};  // frame that corresponds to the mechanism at rest; none: the recording's rest pose
  bool remove_travel = false;               // subtract the mean velocity of `travel_joint` in the window
  std::string travel_joint = {};            // "": the first root
  // If above 0 [s]: a periodic target, which blends from x(t) to x(t - (end - begin)) in the last `blend` seconds of the
  // window. The recording must begin at least `blend` before `begin`. The seam is as smooth as the recording, up to second
  // derivatives.
  double blend = 0;
};

// The scale of the recording: `length` in the mechanism [m] over the length of the chain of joints between two joints, such as
// the leg from hip to ankle.
double scale_by_length(const BvhMotion& motion, const BvhOptions& options, const std::string& ancestor,
                       const std::string& descendant, double length);

// A point of the recording that a point of the mechanism follows.
struct RetargetPoint {
  std::string joint;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // in the joint's axes, from its origin; in meters of the recording
  // The position of the mechanism's point in the reference pose [m]: the target is the anchor plus the displacement since then,
  // without `translation`. None: the target is the path of the recording's point.
  std::optional<Eigen::Vector3d> anchor = {};
};

// The target of a point: [3][sample] [m]. Throws Error(input) for an unknown joint, a window outside of the recording, and
// numbers out of range.
MotionSignal retarget_position(const BvhPoses& poses, const RetargetPoint& point, const Retargeting& retargeting);

// The target of a body's orientation: [4][sample] (w, x, y, z). It is the rotation of `joint` from its reference pose, in the
// mechanism's world, times the unit quaternion `rest_orientation` of the body.
MotionSignal retarget_orientation(const BvhPoses& poses, const std::string& joint, const Quaternion<double>& rest_orientation,
                                  const Retargeting& retargeting);

}  // namespace holo
