#pragma once
// Targets for a mechanism from motion capture: joints of the recording lead points and bodies of the mechanism.

#include <Eigen/Core>
#include <optional>
#include <string>

#include "holo/diff/rotations.h"
#include "holo/sim/motion/bvh.h"
#include "holo/sim/motion/signal.h"

namespace holo {

// How a recording becomes the mechanism's. The window from `begin` to `end` is played over `count` samples, faster or slower
// as that makes it; real_time_window() keeps its tempo.
struct Retargeting {
  double scale = 1;                         // meters of the mechanism for one of the recording, positive; see scale_by_length()
  Quaternion<double> rotation{1, 0, 0, 0};  // of the recording's world into the mechanism's, of length 1; about z: its heading
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();  // after scale and rotation [m]
  double begin = 0, end = 0;                              // of the recording [s]; sample 0 is at `begin`, the last one at `end`
  double time_step = 0;                                   // of the target [s]
  int count = 0;                                          // its samples
  std::optional<int> reference_frame =
      {};                         // the pose that the mechanism's rest pose stands for; none: the recording's rest pose
  bool remove_travel = false;     // takes off the mean velocity of `travel_joint` in the window
  std::string travel_joint = {};  // "": the first root
  // Above 0: a cyclic target, going over from x(t) to x(t - (end - begin)) during the last so many seconds of the recording. It
  // must reach as far before `begin`. Up to second derivatives the seam is as smooth as the recording.
  double blend = 0;
};

// Of a window from `begin` to `end` at the recording's tempo: the samples that fit in it, and `end` moved to the last of them.
// Throws Error(input) for fewer than two.
struct RealTimeWindow {
  int count;
  double end;
};
RealTimeWindow real_time_window(double begin, double end, double time_step);

// The length in the mechanism over that of a chain of the recording: the leg from hip to ankle, say.
double scale_by_length(const BvhMotion& motion, const BvhOptions& options, const std::string& ancestor,
                       const std::string& descendant, double length);

// A point of the recording that leads a point of the mechanism.
struct RetargetPoint {
  std::string joint;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // in the joint's axes, from its origin; in meters of the recording
  // Where the mechanism's point is when the recording is in its reference pose: the target is then this plus the motion since,
  // and `translation` is left out. None: the target is the point's own path.
  std::optional<Eigen::Vector3d> anchor = {};
};

// [3][sample], "m". Throws Error(input): an unknown joint, a window outside of the recording, what has no meaning.
MotionSignal retarget_position(const BvhPoses& poses, const RetargetPoint& point, const Retargeting& retargeting);

// [4][sample], "1": the rotation that `joint` makes from its reference pose, seen in the mechanism's world, applied to
// `rest_orientation` of the body, which has length 1.
MotionSignal retarget_orientation(const BvhPoses& poses, const std::string& joint, const Quaternion<double>& rest_orientation,
                                  const Retargeting& retargeting);

}  // namespace holo
