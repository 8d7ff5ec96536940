// Signals from motion capture.

#include <fmt/format.h>

#include "holo/core/error.h"
#include "holo/sim/motion/bvh.h"
#include "holo/sim/motion/retarget.h"
#include "signals/signal_sources.h"

namespace holo {

namespace {

// A chain of the recording's joints, and the length [m] of the corresponding chain of the mechanism.
struct Chain {
  std::string from, to;
  double length = 0;
};

struct Capture {
  std::filesystem::path file;
  Location at_file, at_joint, at_chain, at_travel_joint;
  BvhOptions options;
  std::optional<Chain> chain;
  RetargetPoint point;        // its joint leads orientations too
  Retargeting retargeting;    // its samples are known once the knots are
  std::optional<double> end;  // of the recording [s]
};

void read_scale(Configuration& entry, Capture& capture) {
  const auto read_number = [&](Configuration& p) {
    capture.options.scale = p.number("scale", {.unit = "m",
                                               .minimum = 0,
                                               .minimum_excluded = true,
                                               .documentation = "length in the mechanism of one unit of the file"});
  };
  const auto read_chain = [&](Configuration& p) {
    Configuration chain = p.section("chain", "scales the recording by a chain of joints, to its length in the mechanism");
    const std::string from = chain.text("from", {.documentation = "first joint of the chain in the recording, such as a hip"});
    const std::string to = chain.text("to", {.documentation = "last joint of the chain, such as an ankle"});
    const double length = chain.number(
        "length",
        {.unit = "m", .minimum = 0, .minimum_excluded = true, .documentation = "length of the chain in the mechanism"});
    capture.chain = {from, to, length};
  };
  entry.branch_on_key({{"scale", "given factor", read_number}, {"chain", "factor from a length of the mechanism", read_chain}},
                      "scale of the recording");
}

void read_axes(Configuration& entry, BvhOptions& options) {
  const std::string up =
      entry.text("up", {.choices = {"x", "y", "z"}, .default_value = "y", .documentation = "axis of the file that becomes z"});
  options.up = up == "x" ? UpAxis::x : up == "y" ? UpAxis::y : UpAxis::z;
  const std::string positions =
      entry.text("position_channels",
                 {.choices = {"unstated", "add_to_offset", "replace_offset"},
                  .default_value = "unstated",
                  .documentation = "meaning of position channels of joints with an offset; required if the two differ"});
  options.position_channels = positions == "add_to_offset"    ? PositionChannels::add_to_offset
                              : positions == "replace_offset" ? PositionChannels::replace_offset
                                                              : PositionChannels::unstated;
}

void read_window(Configuration& entry, Capture& capture) {
  Retargeting& to = capture.retargeting;
  const auto time = [&](const char* key, double standard, const char* documentation) {
    return entry.number(key, {.unit = "s", .minimum = 0, .default_value = standard, .documentation = documentation});
  };
  to.begin = time("begin", 0, "time in the recording of the first knot");
  if (entry.has("end"))
    capture.end = time("end", 0, "time in the recording of the last knot; by default the recording keeps its speed");
  to.blend =
      time("blend", 0,
           "duration in which the end blends into the motion one period before, so that the motion is closed; 0: no blending");
  to.remove_travel = entry.boolean("remove_travel", false, "subtracts the mean velocity");
  if (entry.has("travel_joint"))
    to.travel_joint =
        entry.text("travel_joint", {.documentation = "joint whose mean velocity is subtracted; by default the root"});
  capture.at_travel_joint = entry.location("travel_joint");
  if (entry.has("reference_frame"))
    to.reference_frame = int(
        entry.integer("reference_frame",
                      {.minimum = 0,
                       .maximum = 10'000'000,
                       .documentation = "frame that corresponds to the mechanism at rest; by default the file's rest pose"}));
}

void read_place(Configuration& entry, Capture& capture) {
  const std::array<double, 3> zero{};
  capture.point.point = vector_of(entry.vector3(
      "point",
      {.unit = "m",
       .default_value = zero,
       .documentation = "point that the target follows: from the joint's origin, in the joint's axes, in scaled lengths"}));
  capture.retargeting.translation = vector_of(
      entry.vector3("translation", {.unit = "m", .default_value = zero, .documentation = "translation after the rotation"}));
  if (entry.has("anchor"))
    capture.point.anchor = vector_of(entry.vector3(
        "anchor",
        {.unit = "m",
         .documentation =
             "position of the target at rest, to which the displacement from rest is added; `translation` is not used then"}));
}

Capture read_capture(Configuration& entry, SignalQuantity& quantity) {
  Capture capture;
  capture.file = entry.file("file", "motion capture in Biovision's format (.bvh)");
  capture.at_file = entry.location("file");
  capture.point.joint = entry.text("joint", {.documentation = "joint of the recording that the target follows"});
  capture.at_joint = entry.location("joint");
  quantity = read_quantity(
      entry, {{SignalQuantity::position, "position of a point of the joint", [&](Configuration& p) { read_place(p, capture); }},
              {SignalQuantity::orientation, "orientation of the joint, relative to rest", [](Configuration&) {}}});
  read_scale(entry, capture);
  capture.at_chain = entry.location("chain");
  read_axes(entry, capture.options);
  read_window(entry, capture);
  capture.retargeting.rotation =
      read_rotation(entry, "rotation", "rotation from the recording's world, with z up, to the mechanism's");
  return capture;
}

// Each part is tried by itself, so that a wrong joint and a wrong chain have places of their own.
MotionSignal signal_of(Capture capture, SignalQuantity quantity, const SampleTimes& samples) {
  const BvhMotion motion = at_place(capture.at_file, [&] { return read_bvh(capture.file); });
  at_place(capture.at_joint, [&] { motion.joint_index(capture.point.joint); });
  if (const std::optional<Chain>& chain = capture.chain)
    at_place(capture.at_chain,
             [&] { capture.options.scale = scale_by_length(motion, {}, chain->from, chain->to, chain->length); });
  const std::string& travel = capture.retargeting.travel_joint;
  if (!travel.empty()) at_place(capture.at_travel_joint, [&] { motion.joint_index(travel); });
  Retargeting& to = capture.retargeting;
  to.time_step = samples.time_step;
  to.count = samples.count;
  to.end = capture.end.value_or(to.begin + (samples.count - 1) * samples.time_step);
  return at_place(capture.at_file, [&] {
    const BvhPoses poses = bvh_poses(motion, capture.options);
    if (quantity == SignalQuantity::position) return retarget_position(poses, capture.point, to);
    return retarget_orientation(poses, capture.point.joint, identity_quaternion<double>(), to);
  });
}

}  // namespace

SignalComputation read_captured_signal(Configuration& entry, SignalQuantity& quantity) {
  const Capture capture = read_capture(entry, quantity);
  return [capture, of = quantity](const SampleTimes& samples) { return signal_of(capture, of, samples); };
}

}  // namespace holo
