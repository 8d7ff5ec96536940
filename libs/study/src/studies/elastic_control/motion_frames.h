#pragma once
// Single frames of controlled motions, for studies that solve these in other ways:
//
//   frames:
//     - {name: caterpillar, file: fig07_caterpillar.yaml, variant: coarse, frame: 60}

#include <memory>
#include <string>
#include <vector>

#include "studies/elastic_control/control_study.h"
#include "studies/inner_experiment.h"

namespace holo {

struct MotionFrame {
  InnerExperiment motion;  // of the study elastic_control
  std::int64_t frame = 1;  // its number, from 1
  Location place;          // of that number
};

// Reads the list `frames` of an experiment. Problems are reported through the configuration file.
std::vector<MotionFrame> read_motion_frames(Configuration& experiment, const StudyContext& context,
                                            std::vector<UsedPlugin>& plugins);

// Throws Error(input) for a motion that cannot be built, and for one that ends before its frame.
void require_frames(const std::vector<MotionFrame>& frames);

// The motion until the frame before. Null where it fails, with the reason.
std::unique_ptr<ElasticControl> run_until(const MotionFrame& frame, StudyOutput& output, std::string& diagnosis);

// What to do about a frame that cannot be compared.
std::string no_activations(const MotionFrame& frame);

}  // namespace holo
