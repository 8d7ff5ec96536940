// What cannot be measured is refused by the process that would have, and by its caller alike.
#include <gtest/gtest.h>

#include "holo/comparison/robot_step_work.h"

namespace holo::comparison {
namespace robot_steps_refused {

const std::string folder = HOLO_SOURCE_DIR "/experiments/robot_design/robots/", legs = folder + "legs.yaml";

std::string refusal(const RobotStepWork& work) {
  try {
    measure_apart(work);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(RobotStepsBadInput, NamesAndNumbersAreToldWithThoseAllowed) {
  EXPECT_NE(refusal({.robot = folder + "leg.yaml", .knots = 10}).find("leg.yaml: no such file"), std::string::npos);
  EXPECT_NE(refusal({.robot = folder + "kickbot_rig.yaml", .knots = 10}).find("no motion for the robot 'kickbot_rig'"),
            std::string::npos);
  EXPECT_NE(refusal({.robot = legs, .knots = 1}).find("2 or more"), std::string::npos);
  EXPECT_NE(refusal({.robot = legs, .knots = 10, .solvers = {"arow"}}).find("arrow"), std::string::npos);
  EXPECT_NE(refusal({.robot = legs, .knots = 10, .repetitions = 0}).find("1 or more"), std::string::npos);
}

}  // namespace robot_steps_refused
}  // namespace holo::comparison
