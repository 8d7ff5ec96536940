#pragma once
// A tool on an arm of 0.3 m that turns about z, and can be made longer.

#include <cmath>
#include <string>

#include "small_runs.h"

namespace holo_test {

inline constexpr const char* small_arm_robot = R"(name: small
study: robot_design
robot:
  bodies:
    - {name: arm, origin: [0.1, 0, 0]}
    - {name: tool, origin: [0.3, 0, 0]}
  joints:
    - {name: shoulder, type: revolute, between: [world, arm], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
    - {name: reach, type: prismatic, between: [arm, tool], point: [0.2, 0, 0], axis: [1, 0, 0], role: configurable}
)";

// `control` is what follows the shoulder's name, `target` what follows the target's.
inline std::string small_arm(const std::string& control, const std::string& target) {
  return std::string(small_arm_robot) + R"(motion: {knots: 11, duration: 1.0}
controls: [{control: shoulder, )" +
         control + R"(}]
signals: [{name: path, )" +
         target + R"(}]
objectives:
  - {type: track_position, body: tool, target: path}
  - {type: keep_control, control: all, weight: 1.0e-6}
  - {type: smooth_control, control: all, weight: 1.0e-9}
  - {type: keep_design_parameter, design_parameter: all, weight: 1.0e-9}
)";
}

inline double metric(const holo::RunOutcome& run, const std::string& name) {
  for (const holo::Metric& each : run.result.metrics)
    if (each.name == name) return each.value;
  ADD_FAILURE() << "no metric " << name;
  return std::nan("");
}

}  // namespace holo_test
