#include "holo/sim/motion/retarget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/sim/motion/orientation_signal.h"
#include "holo/sim/motion/spline.h"
#include "motion/orientation_columns.h"
#include "motion/refusal.h"

namespace holo {

namespace {

Eigen::Vector3d vector_of(const Vector3<double>& v) { return {v[0], v[1], v[2]}; }
Vector3<double> vector_of(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

void require_unit(const Quaternion<double>& q, const char* what) {
  if (!(std::abs(squared_norm(q) - 1) < 1e-6))
    refuse(fmt::format("retarget: {} is ({}, {}, {}, {}), a quaternion of length 1 is required", what, q.w, q.x, q.y, q.z));
}

// The frames that a retargeting needs, and no others: recordings may begin with a pose that does not belong to the motion.
struct Frames {
  Eigen::Index first, count;
  Eigen::VectorXd times;  // [s]
};

Frames frames_of(const BvhPoses& poses, const Retargeting& r) {
  const double last = (poses.frame_count() - 1) * poses.frame_time, slack = 1e-6 * poses.frame_time;
  const double from = r.begin - r.blend;
  if (poses.frame_count() < 2 || !(from >= -slack) || !(r.end <= last + slack))
    refuse(fmt::format(
        "retarget: the window and its blend need the recording from {:.6g} to {:.6g} s, {} lasts from 0 to {:.6g} s", from,
        r.end, poses.source, last));
  const Eigen::Index first =
      std::max<Eigen::Index>(0, static_cast<Eigen::Index>(std::floor((from + slack) / poses.frame_time)));
  const Eigen::Index end =
      std::min<Eigen::Index>(poses.frame_count() - 1, static_cast<Eigen::Index>(std::ceil((r.end - slack) / poses.frame_time)));
  // The frames around the window and its blend; a small slack keeps times on a frame from requiring one more.
  Frames frames{first, end - first + 1, Eigen::VectorXd(end - first + 1)};
  for (Eigen::Index k = 0; k < frames.count; ++k) frames.times[k] = static_cast<double>(first + k) * poses.frame_time;
  return frames;
}

void validate(const BvhPoses& poses, const Retargeting& r) {
  if (!(r.scale > 0) || !std::isfinite(r.scale))
    refuse(fmt::format("retarget: the scale is {}, a positive finite number is required", r.scale));
  require_unit(r.rotation, "the rotation");
  if (!r.translation.allFinite()) refuse("retarget: the translation is not finite");
  if (!(r.end > r.begin) || !std::isfinite(r.end - r.begin))
    refuse(fmt::format("retarget: the window reaches from {} to {} s, its end must come after its beginning", r.begin, r.end));
  if (r.count < 2 || !(r.time_step > 0) || !std::isfinite(r.time_step))
    refuse(fmt::format("retarget: {} samples at a step of {} s are asked for; two samples and a positive step are the least",
                       r.count, r.time_step));
  if (!(r.blend >= 0) || r.blend > (r.end - r.begin) * (1 + 1e-9))
    refuse(fmt::format("retarget: the blend is {} s, allowed are 0 to the window's {:.6g} s", r.blend, r.end - r.begin));
  if (r.reference_frame && (*r.reference_frame < 0 || *r.reference_frame >= poses.frame_count()))
    refuse(fmt::format("retarget: the reference frame is {}, {} has the frames 0 to {}", *r.reference_frame, poses.source,
                       poses.frame_count() - 1));
}

// Times of the recording of one sample: its own, and that of one period before with its weight in the blend.
struct Sample {
  double time, before, part;
};

Sample knot_at(const Retargeting& r, int k) {
  const double period = r.end - r.begin, s = static_cast<double>(k) / (r.count - 1);
  const double time = k == r.count - 1 ? r.end : r.begin + s * period;
  const double part = r.blend > 0 ? smoother_step((time - (r.end - r.blend)) / r.blend) : 0;
  return {time, std::max(time - period, r.begin - r.blend), part};
}

// The path of a point of a joint in the recording's world, [3][frame].
Eigen::Matrix3Xd path_of(const BvhPoses& poses, int joint, const Eigen::Vector3d& point, Eigen::Index first,
                         Eigen::Index count) {
  Eigen::Matrix3Xd path = poses.positions.block(3 * joint, first, 3, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Quaternion<double> q = quaternion_at(poses.orientations.block<4, 1>(4 * joint, first + k), 0);
    path.col(k) += vector_of(rotate(q, vector_of(point)));
  }
  return path;
}

// The mean velocity over the window, from positions at its ends, which need not be frames.
Eigen::Vector3d mean_velocity(const BvhPoses& poses, const Frames& frames, const Retargeting& r) {
  if (!r.remove_travel) return Eigen::Vector3d::Zero();
  const int joint = r.travel_joint.empty() ? poses.roots.at(0) : poses.joint_index(r.travel_joint);
  const CubicSpline spline =
      make_spline(frames.times, path_of(poses, joint, Eigen::Vector3d::Zero(), frames.first, frames.count), SplineKind::smooth);
  return (evaluate(spline, r.end) - evaluate(spline, r.begin)) / (r.end - r.begin);
}

}  // namespace

double scale_by_length(const BvhMotion& motion, const BvhOptions& options, const std::string& ancestor,
                       const std::string& descendant, double length) {
  const double recorded = options.scale * chain_length(motion, ancestor, descendant);
  if (!(recorded > 0) || !(length > 0) || !std::isfinite(length) || !std::isfinite(recorded))
    refuse(fmt::format("{}: from '{}' to '{}' the recording measures {} m, the mechanism {} m; both must be positive",
                       motion.source, ancestor, descendant, recorded, length));
  return length / recorded;
}

MotionSignal retarget_position(const BvhPoses& poses, const RetargetPoint& point, const Retargeting& retargeting) {
  const Retargeting& r = retargeting;
  validate(poses, r);
  if (!point.point.allFinite() || (point.anchor && !point.anchor->allFinite()))
    refuse(fmt::format("retarget: the point or its anchor at joint '{}' is not finite", point.joint));
  const int joint = poses.joint_index(point.joint);
  const Frames frames = frames_of(poses, r);
  // Position: a spline through the frames, without the travel, sampled at the target's times; then the map x -> translation +
  // scale R (x - origin). With an anchor, the origin is the point in the reference pose, so that the target begins at the
  // anchor.
  const CubicSpline path =
      make_spline(frames.times, path_of(poses, joint, point.point, frames.first, frames.count), SplineKind::smooth);
  const Eigen::Vector3d velocity = mean_velocity(poses, frames, r);
  const auto place = [&](double time) -> Eigen::Vector3d { return evaluate(path, time) - (time - r.begin) * velocity; };

  Eigen::Vector3d origin = Eigen::Vector3d::Zero(), target_origin = r.translation;
  if (point.anchor) {
    origin = r.reference_frame ? Eigen::Vector3d(path_of(poses, joint, point.point, *r.reference_frame, 1).col(0))
                               : Eigen::Vector3d(poses.rest_positions.col(joint) + point.point);
    target_origin = *point.anchor;
  }
  MotionSignal signal{Eigen::MatrixXd(3, r.count), r.time_step, "m"};
  for (int k = 0; k < r.count; ++k) {
    const Sample sample = knot_at(r, k);
    Eigen::Vector3d x = place(sample.time);
    if (sample.part > 0) x += sample.part * (place(sample.before) - x);
    signal.values.block<3, 1>(0, k) =
        target_origin + r.scale * vector_of(rotate(normalized(r.rotation), vector_of(Eigen::Vector3d(x - origin))));
  }
  if (r.blend > 0) signal.values.rightCols<1>() = signal.values.leftCols<1>();
  return signal;
}

MotionSignal retarget_orientation(const BvhPoses& poses, const std::string& joint, const Quaternion<double>& rest_orientation,
                                  const Retargeting& retargeting) {
  const Retargeting& r = retargeting;
  validate(poses, r);
  require_unit(rest_orientation, "the body's rest orientation");
  const int row = 4 * poses.joint_index(joint);
  const Frames frames = frames_of(poses, r);
  // Orientation: heading * q * reference^-1 * heading^-1 * rest is the rotation of the joint since its reference pose, in the
  // mechanism's world, applied to the body at rest.
  const OrientationSpline path = make_orientation_spline(
      frames.times, poses.orientations.block(row, frames.first, 4, frames.count), OrientationPath::hermite);
  const Quaternion<double> reference = r.reference_frame
                                           ? quaternion_at(poses.orientations.block<4, 1>(row, *r.reference_frame), 0)
                                           : identity_quaternion<double>();
  const Quaternion<double> heading = normalized(r.rotation);
  const Quaternion<double> after = conjugate(reference) * conjugate(heading) * normalized(rest_orientation);

  MotionSignal signal{Eigen::MatrixXd(4, r.count), r.time_step, "1"};
  for (int k = 0; k < r.count; ++k) {
    const Sample sample = knot_at(r, k);
    Quaternion<double> q = evaluate(path, sample.time);
    if (sample.part > 0) q = between(q, evaluate(path, sample.before), sample.part);
    signal.values.block<4, 1>(0, k) = column_of(heading * q * after);
  }
  align_signs(signal.values);
  return signal;
}

}  // namespace holo
