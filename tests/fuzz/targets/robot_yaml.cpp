// Robots in YAML of their own.
#include "fuzz/targets/robot_target.h"
#include "holo/sim/mechanism/model/robot_file.h"

namespace holo::fuzz {

namespace {

constexpr const char* arm_and_tool = R"(bodies:
  - {name: arm, origin: [0.1, 0, 0]}
  - {name: tool, origin: [0.3, 0, 0]}
joints:
  - {name: shoulder, type: revolute, between: [world, arm], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
  - {name: reach, type: prismatic, between: [arm, tool], point: [0.2, 0, 0], axis: [1, 0, 0], role: configurable}
)";

void read_robot_yaml(std::string_view bytes) { read_robot(put("robot.yaml", bytes), plugins()); }

std::vector<std::string> yaml_robots() {
  return {arm_and_tool, content_of(HOLO_SOURCE_DIR "/experiments/robot_design/robots/legs.yaml")};
}

}  // namespace

const Registration robot_yaml(Target{
    .name = "robot_yaml", .read = read_robot_yaml, .seeds = yaml_robots, .places = {scratch().string()}});

}  // namespace holo::fuzz
