#pragma once
// A small controlled motion, for studies that run it.

#include <map>
#include <string>

#include "small_runs.h"

namespace holo_test {

// A bar on the ground, whose muscles are to lift its middle.
inline const std::string lifted_bar = R"yaml(name: bar
study: elastic_control
scene:
  time_step: 0.025
  duration: 0.1
  bodies:
    - name: bar
      mesh: {shape: box, size: [0.4, 0.1, 0.1], elements: 24}
      density: 1000
      placement: {translate: [0, 0, 0.0009]}
      material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}
      subsets: {tip: {box: {min: [0.39, -9, -9]}}}
      muscles:
        width: 0.05
        list:
          - {name: lower, type: line, points: [{at: [0, 0.05, 0.02]}, {at: [0.4, 0.05, 0.02]}], segments: 2}
          - {name: upper, type: line, points: [{at: [0, 0.05, 0.08]}, {at: [0.4, 0.05, 0.08]}], segments: 2}
  contact: {activation_distance: 0.001, friction: {stick_speed: 0.01}}
  obstacles: [{name: ground, type: plane, friction: 0.5}]
losses:
  - {type: track_position, body: bar.tip, target: [0.39, 0.05, 0.06], weight: [1000, 0, 1000]}
control: {tolerance: 1.0e-7, least_decrease: 0, lag_passes: 1, certificate: false}
)yaml";

// Another study with the motion as the file bar.yaml beside it; and its rows and metrics, as a program that runs it sees them.
class LiftedBarRuns : public SmallRuns {
 protected:
  void SetUp() override { std::ofstream(folder_ / "bar.yaml") << lifted_bar; }

  // `text` with the whole path of the motion's file.
  std::string with_paths(std::string text) const {
    const std::string from = "bar.yaml", to = (folder_ / "bar.yaml").string();
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  }
  static std::map<std::string, double> metrics_of(holo::Study& study) {
    std::map<std::string, double> metrics;
    for (const holo::Metric& metric : study.finish()) metrics[metric.name] = metric.value;
    return metrics;
  }
  static KeptOutput output_of(holo::Study& study) {
    KeptOutput output;
    study.begin(output);
    while (study.steps_done() < study.total_steps()) {
      const holo::StepResult result = study.step(output);
      EXPECT_FALSE(result.failed) << result.diagnosis;
      if (result.failed) break;
    }
    return output;
  }
  static std::vector<double> column(const holo::Study& study, const KeptOutput& output, const std::string& name) {
    const std::vector<holo::Quantity> columns = study.columns();
    std::size_t place = 0;
    while (place < columns.size() && columns[place].name != name) ++place;
    std::vector<double> values;
    for (const std::vector<double>& row : output.rows) values.push_back(row.at(place));
    return values;
  }
};

}  // namespace holo_test
