#include "holo/sim/elastic/handles/handle_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "elastic/element/vector3d.h"
#include "holo/core/error.h"
#include "holo/sim/motion/sample_place.h"

namespace holo {
namespace {

// Progress of a motion from 0 before its start to 1 after its end.
double progress(const MotionDefinition& motion, double start, double end, double time) {
  const double s = std::clamp((time - start) / (end - start), 0.0, 1.0);
  return motion.interpolation == MotionDefinition::Interpolation::smooth ? s * s * (3 - 2 * s) : s;
}

// Between two keyframes both parts are interpolated; outside of all, the nearest one holds.
MotionDefinition::Keyframe at_time(const MotionDefinition& motion, double time) {
  const auto& frames = motion.keyframes;
  if (frames.empty()) return {};
  if (time <= frames.front().time) return frames.front();
  if (time >= frames.back().time) return frames.back();
  const auto after =
      std::upper_bound(frames.begin(), frames.end(), time, [](double t, const auto& frame) { return t < frame.time; });
  const auto before = after - 1;
  const double s = progress(motion, before->time, after->time, time);
  return {time, before->displacement + s * (after->displacement - before->displacement),
          before->angle + s * (after->angle - before->angle)};
}

Vector3d sampled(const MotionDefinition& motion, double time) {
  const Eigen::MatrixXd& samples = *motion.samples;
  const SamplePlace at = place_among_samples(samples.cols(), motion.sample_step, time);
  const Eigen::Vector3d d = (1 - at.share) * samples.col(at.number) + at.share * samples.col(at.next);
  return {d[0], d[1], d[2]};
}

// The angle about the axis [rad].
double angle_at(const MotionDefinition& motion, double time) {
  using Kind = MotionDefinition::Kind;
  if (motion.kind == Kind::rotation) return motion.angle * progress(motion, motion.start, motion.start + motion.duration, time);
  return motion.kind == Kind::keyframes ? at_time(motion, time).angle : 0;
}

}  // namespace

void require_values(const MotionDefinition& motion) {
  if (motion.kind == MotionDefinition::Kind::signal && !motion.samples)
    throw_input_error(motion.signal_location,
                      fmt::format("the signal '{}' has no values: this study reads no signals.", motion.signal));
}

RigidPose MotionDefinition::pose(double time) const {
  RigidPose pose;
  const double turned = angle_at(*this, time);
  for (int i = 0; i < 3; ++i) {
    Vector3d unit = {};
    unit[static_cast<std::size_t>(i)] = 1;
    pose.rotation.col(i) = Eigen::Vector3d(rotate(unit, axis, turned).data());
  }
  pose.position = Eigen::Vector3d(position({}, time).data());
  return pose;
}

Vector3d MotionDefinition::position(const Vector3d& X, double time) const {
  switch (kind) {
    case Kind::fixed:
      return X;
    case Kind::sinusoid:
      return X + (std::sin(2 * std::numbers::pi * time / period + phase) - std::sin(phase)) * displacement;
    case Kind::linear:
      return X + progress(*this, start, start + duration, time) * displacement;
    case Kind::rotation:
      return rotate(X - center, axis, angle_at(*this, time)) + center;
    case Kind::keyframes: {
      const Keyframe frame = at_time(*this, time);
      return rotate(X - center, axis, frame.angle) + center + frame.displacement;
    }
    case Kind::signal:
      return X + sampled(*this, time);
  }
  return X;
}

}  // namespace holo
