// Targets from motion capture.

#include <fmt/format.h>

#include "holo/core/error.h"
#include "holo/sim/motion/bvh.h"
#include "holo/sim/motion/retarget.h"
#include "signals/target_sources.h"

namespace holo {

namespace {

// A chain of joints, the length of which the mechanism's stands for.
struct Chain {
  std::string from, to;
  double length = 0;
};

struct Capture {
  std::filesystem::path file;
  BvhOptions options;
  std::optional<Chain> chain;
  RetargetPoint point;  // its joint leads orientations too
  Retargeting retargeting;
};

void read_scale(Configuration& entry, Capture& capture) {
  const auto read_number = [&](Configuration& p) {
    capture.options.scale = p.number(
        "scale",
        {.unit = "m", .minimum = 0, .minimum_excluded = true, .documentation = "of the mechanism for one unit of the file"});
  };
  const auto read_chain = [&](Configuration& p) {
    Configuration chain = p.section("chain", "makes the recording as large as the mechanism");
    const std::string from = chain.text("from", {.documentation = "joint of the recording, such as a hip"});
    const std::string to = chain.text("to", {.documentation = "joint below it, such as an ankle"});
    const double length = chain.number(
        "length", {.unit = "m", .minimum = 0, .minimum_excluded = true, .documentation = "of the mechanism between the two"});
    capture.chain = {from, to, length};
  };
  entry.branch_on_key({{"scale", "a number", read_number}, {"chain", "from a length of the mechanism", read_chain}},
                      "how large it is");
}

void read_axes(Configuration& entry, BvhOptions& options) {
  const std::string up =
      entry.text("up", {.choices = {"x", "y", "z"}, .default_value = "y", .documentation = "axis of the file that becomes z"});
  options.up = up == "x" ? UpAxis::x : up == "y" ? UpAxis::y : UpAxis::z;
  const std::string positions = entry.text("position_channels", {.choices = {"unstated", "add_to_offset", "replace_offset"},
                                                                 .default_value = "unstated",
                                                                 .documentation = "must be stated where the two differ"});
  options.position_channels = positions == "add_to_offset"    ? PositionChannels::add_to_offset
                              : positions == "replace_offset" ? PositionChannels::replace_offset
                                                              : PositionChannels::unstated;
}

void read_window(Configuration& entry, const SampleTimes& samples, Retargeting& to) {
  const auto time = [&](const char* key, double standard, const char* documentation) {
    return entry.number(key, {.unit = "s", .minimum = 0, .default_value = standard, .documentation = documentation});
  };
  to.time_step = samples.time_step;
  to.count = samples.count;
  to.begin = time("begin", 0, "of the recording: the first sample");
  to.end = to.begin + (samples.count - 1) * samples.time_step;
  if (entry.has("end")) to.end = time("end", 0, "of the recording: the last sample; without it the recording keeps its tempo");
  to.blend = time("blend", 0, "over 0: ends where it begins, by going over to what was one period before");
  to.remove_travel = entry.boolean("remove_travel", false, "takes off the mean velocity");
  if (entry.has("travel_joint"))
    to.travel_joint = entry.text("travel_joint", {.documentation = "whose velocity; else the root's"});
  if (entry.has("reference_frame"))
    to.reference_frame = int(entry.integer(
        "reference_frame",
        {.minimum = 0, .maximum = 10'000'000, .documentation = "that is the mechanism's rest; else the file's rest pose"}));
}

void read_place(Configuration& entry, Capture& capture) {
  const std::array<double, 3> zero{};
  capture.point.point = vector_of(entry.vector3(
      "point",
      {.unit = "m", .default_value = zero, .documentation = "that is followed: from the joint's origin, in its axes, scaled"}));
  capture.retargeting.translation =
      vector_of(entry.vector3("translation", {.unit = "m", .default_value = zero, .documentation = "after the rotation"}));
  if (entry.has("anchor"))
    capture.point.anchor = vector_of(entry.vector3(
        "anchor",
        {.unit = "m", .documentation = "where the target is at rest: it then adds the motion since, without translation"}));
}

// All keys are read before the file is, so that every problem of the entry is listed at once.
Capture read_capture(Configuration& entry, const SampleTimes& samples, TargetQuantity& quantity) {
  Capture capture;
  capture.file = entry.file("file", "motion capture, Biovision's format (.bvh)");
  capture.point.joint = entry.text("joint", {.documentation = "of the recording, that leads"});
  quantity = read_quantity(
      entry, {{TargetQuantity::position, "of a point of the joint", [&](Configuration& p) { read_place(p, capture); }},
              {TargetQuantity::orientation, "of the joint, from its rest", [](Configuration&) {}}});
  read_scale(entry, capture);
  read_axes(entry, capture.options);
  read_window(entry, samples, capture.retargeting);
  capture.retargeting.rotation = read_rotation(entry, "rotation", "of the recording's world, with z up, into the mechanism's");
  return capture;
}

// A refusal of one part becomes a problem at its key.
template <class Part>
bool works(Configuration& entry, const char* key, const Part& part) {
  try {
    part();
    return true;
  } catch (const Error& error) {
    entry.problem(entry.location(key), error.what());
    return false;
  }
}

}  // namespace

std::optional<MotionSignal> read_bvh_target(Configuration& entry, const SampleTimes& samples, TargetQuantity& quantity) {
  const std::size_t problems = entry.problem_count();
  Capture capture = read_capture(entry, samples, quantity);
  if (entry.recording() || entry.problem_count() != problems) return {};
  BvhMotion motion;
  if (!works(entry, "file", [&] { motion = read_bvh(capture.file); })) return {};
  // Each part is tried by itself: a wrong joint and a wrong chain are two problems with two places.
  const bool has_joints = works(entry, "joint", [&] { motion.joint_index(capture.point.joint); });
  const bool has_scale = !capture.chain || works(entry, "chain", [&] {
    capture.options.scale = scale_by_length(motion, {}, capture.chain->from, capture.chain->to, capture.chain->length);
  });
  const std::string& travel = capture.retargeting.travel_joint;
  const bool has_travel = travel.empty() || works(entry, "travel_joint", [&] { motion.joint_index(travel); });
  if (!has_joints || !has_scale || !has_travel) return {};
  return computed(entry, "file", samples, problems, [&] {
    const BvhPoses poses = bvh_poses(motion, capture.options);
    if (quantity == TargetQuantity::position) return retarget_position(poses, capture.point, capture.retargeting);
    return retarget_orientation(poses, capture.point.joint, identity_quaternion<double>(), capture.retargeting);
  });
}

}  // namespace holo
