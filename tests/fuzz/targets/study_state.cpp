// The bytes of a study between two steps, which a checkpoint holds.
#include <memory>

#include "app/experiments.h"
#include "fuzz/targets/robot_target.h"
#include "holo/study/experiment.h"

namespace holo::fuzz {

namespace {

constexpr const char* tool_on_an_arm = R"(name: small
study: robot_design
robot:
  bodies:
    - {name: arm, origin: [0.1, 0, 0]}
    - {name: tool, origin: [0.3, 0, 0]}
  joints:
    - {name: shoulder, type: revolute, between: [world, arm], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
    - {name: reach, type: prismatic, between: [arm, tool], point: [0.2, 0, 0], axis: [1, 0, 0], role: configurable}
motion: {knots: 5, duration: 1.0}
controls: [{control: shoulder, amplitude: 0.5}]
signals: [{name: path, type: recorded, body: tool, design: {reach: 0.07}}]
objectives:
  - {type: track_position, body: tool, target: path}
  - {type: keep_control, control: all, weight: 1.0e-6}
  - {type: smooth_control, control: all, weight: 1.0e-9}
  - {type: keep_design_parameter, design_parameter: all, weight: 1.0e-9}
output: {frames_per_second: 0}
)";

std::unique_ptr<Study> built(const std::string& yaml) {
  static const StudyRegistry studies = built_in_studies();
  ConfigurationFile file = ConfigurationFile::parse(yaml, "small.yaml");
  return load_experiment(file, studies, plugins()).plan.build();
}

class NoOutput final : public StudyOutput {
  void log(const std::string&, const LogFields&) override {}
  void row(const std::vector<double>&) override {}
  void timings(const std::vector<double>&) override {}
  void frame(const SceneFrame&) override {}
  void table(const std::string&, const std::string&) override {}
  void robot(const std::string&, const std::string&) override {}
  void model(const ParameterModel&) override {}
};

// 'e' before the bytes: of the elastic study, else of the robot's.
void read_study_state(std::string_view bytes) {
  static const std::unique_ptr<Study> elastic = built(holo_test::small_experiment);
  const std::string_view state = bytes.substr(std::min<std::size_t>(1, bytes.size()));
  // The robot's is made anew: a state that is refused may have been taken in part.
  const std::unique_ptr<Study> robot = bytes.starts_with('e') ? nullptr : built(tool_on_an_arm);
  Study& study = robot ? *robot : *elastic;
  study.deserialize(state);
  if (study.serialize().size() != state.size()) report_finding("a state is read that has another size when it is written");
}

std::vector<std::string> study_states() {
  static const std::vector<std::string> states = [] {
    std::vector<std::string> result;
    NoOutput output;
    const std::unique_ptr<Study> elastic = built(holo_test::small_experiment), robot = built(tool_on_an_arm);
    result.push_back("e" + elastic->serialize());
    result.push_back("r" + robot->serialize());
    robot->step(output);
    result.push_back("r" + robot->serialize());
    return result;
  }();
  return states;
}

}  // namespace

// The reader has no path: who calls it names the file. Of what is wrong with the selection of equations, the equation tells.
const Registration study_state(Target{.name = "study_state",
                                      .read = read_study_state,
                                      .seeds = study_states,
                                      .places = {"the checkpoint is", "the saved state is", "row number", "control number",
                                                 "the eliminated numbers of", "the control '"}});

}  // namespace holo::fuzz
