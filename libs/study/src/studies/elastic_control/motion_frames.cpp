#include "studies/elastic_control/motion_frames.h"

#include <fmt/format.h>

#include "runs/at_place.h"
#include "studies/elastic_control/complementarity_reader.h"

namespace holo {

std::vector<MotionFrame> read_motion_frames(Configuration& experiment, const StudyContext& context,
                                            std::vector<UsedPlugin>& plugins) {
  std::vector<MotionFrame> frames;
  experiment.each(
      "frames",
      [&](Configuration& entry) {
        std::vector<std::string> others;
        for (const MotionFrame& other : frames) others.push_back(other.motion.name);
        const std::int64_t frame = entry.integer(
            "frame",
            {.minimum = 1, .maximum = 1'000'000'000, .documentation = "number of the frame that is minimized, from 1"});
        const std::optional<InnerExperiment> motion =
            read_inner_experiment(entry, context, others, objection_to_motion_kind, plugins);
        if (motion) frames.push_back({*motion, frame, entry.location("frame")});
      },
      "frames of experiments of the study elastic_control", 1);
  return frames;
}

void require_frames(const std::vector<MotionFrame>& frames) {
  for (const MotionFrame& each : frames) {
    const std::int64_t count = at_place(each.place, [&] { return each.motion.plan.build()->total_steps(); });
    if (each.frame > count)
      throw_input_error(each.place,
                        fmt::format("found the frame {}, but {} has {} frames", each.frame, each.motion.label, count));
  }
}

std::unique_ptr<ElasticControl> run_until(const MotionFrame& frame, StudyOutput& output, std::string& diagnosis) {
  output.log("motion", {{"name", frame.motion.name}, {"file", frame.motion.label}, {"frame", frame.frame}});
  std::unique_ptr<Study> study = frame.motion.plan.build();
  auto& control = dynamic_cast<ElasticControl&>(*study);  // the reader refuses others
  InnerOutput inner(output);
  control.begin(inner);
  while (control.steps_done() + 1 < frame.frame)
    if (const StepResult result = control.step(inner); result.failed) {
      diagnosis = frame.motion.name + ": " + result.diagnosis;
      return nullptr;
    }
  study.release();
  return std::unique_ptr<ElasticControl>(&control);
}

std::string no_activations(const MotionFrame& frame) {
  return fmt::format(
      "{}: frame {} has no activations, or its step cannot be solved with those of the frame before; "
      "choose another frame.",
      frame.motion.name, frame.frame);
}

}  // namespace holo
