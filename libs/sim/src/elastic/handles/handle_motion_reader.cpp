// Reads the motions of handles and obstacles.
#include <fmt/format.h>

#include "elastic/scene_numbers.h"
#include "holo/sim/elastic/handles/handle_motion.h"

namespace holo {
namespace {

void read_interpolation(Configuration& parameters, MotionDefinition& motion) {
  const std::string text =
      parameters.text("interpolation", {.choices = {"linear", "smooth"},
                                        .default_value = "linear",
                                        .documentation = "profile in time; smooth starts and ends at rest"});
  motion.interpolation = text == "smooth" ? MotionDefinition::Interpolation::smooth : MotionDefinition::Interpolation::linear;
}

void read_ramp(Configuration& parameters, MotionDefinition& motion) {
  motion.start = parameters.number("start", not_negative("s", 0, "time at which the motion begins"));
  motion.duration = parameters.number("duration", positive("s", "duration of the motion"));
  read_interpolation(parameters, motion);
}

void read_rotation_axis(Configuration& parameters, MotionDefinition& motion) {
  motion.axis = read_axis(parameters);
  motion.center =
      parameters.vector3("center", {.unit = "m", .default_value = Vector3d{}, .documentation = "point on the axis"});
}

void read_keyframes(Configuration& parameters, MotionDefinition& motion) {
  read_rotation_axis(parameters, motion);
  read_interpolation(parameters, motion);
  parameters.each(
      "keyframes",
      [&](Configuration& p) {
        MotionDefinition::Keyframe frame;
        frame.time = p.number(
            "time", {.unit = "s", .minimum = 0, .documentation = "time of the keyframe, later than that of the one before"});
        frame.displacement = p.vector3("displacement", {.unit = "m", .default_value = Vector3d{}});
        frame.angle = p.number("angle", {.unit = "rad", .default_value = 0.0});
        if (!p.recording() && !motion.keyframes.empty() && frame.time <= motion.keyframes.back().time)
          p.problem(p.location("time"), fmt::format("time {} s does not come after the keyframe before it, at {} s.",
                                                    frame.time, motion.keyframes.back().time));
        else
          motion.keyframes.push_back(frame);
      },
      "displacements and angles at given times; constant before the first and after the last", 1);
}

}  // namespace

MotionDefinition read_prescribed_motion(Configuration& parameters) {
  using Kind = MotionDefinition::Kind;
  MotionDefinition motion;
  parameters.branch("type",
                    {{"fixed", "no motion", [&](Configuration&) { motion.kind = Kind::fixed; }},
                     {"sinusoid", "sinusoidal displacement about the initial position",
                      [&](Configuration& p) {
                        motion.kind = Kind::sinusoid;
                        motion.displacement = p.vector3("amplitude", {.unit = "m"});
                        motion.period = p.number("period", positive("s", ""));
                        motion.phase = p.number("phase", {.unit = "rad", .default_value = 0.0});
                      }},
                     {"linear", "displacement along a straight line",
                      [&](Configuration& p) {
                        motion.kind = Kind::linear;
                        motion.displacement = p.vector3("displacement", {.unit = "m"});
                        read_ramp(p, motion);
                      }},
                     {"rotation", "rotation by an angle about an axis",
                      [&](Configuration& p) {
                        motion.kind = Kind::rotation;
                        motion.angle = p.number("angle", {.unit = "rad"});
                        read_rotation_axis(p, motion);
                        read_ramp(p, motion);
                      }},
                     {"keyframes", "displacements and angles at given times",
                      [&](Configuration& p) {
                        motion.kind = Kind::keyframes;
                        read_keyframes(p, motion);
                      }},
                     {"signal", "displacements over time from `signals`",
                      [&](Configuration& p) {
                        motion.kind = Kind::signal;
                        motion.signal = p.text("signal", {.documentation = "name of a signal of three numbers [m]"});
                        motion.signal_location = p.location("signal");
                      }}},
                    "fixed", "kind of the motion");
  return motion;
}

}  // namespace holo
