// What every experiment of robot design has to accept, whatever else it asks for.
#include <gtest/gtest.h>

#include <filesystem>

#include "expect_holds.h"
#include "small_runs.h"

namespace holo_test {
namespace robot_design_experiments {

TEST(RobotDesignExperiments, AcceptOnlyMotionsInWhichAllRowsHoldAndNothingIsFlipped) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HOLO_SOURCE_DIR "/experiments/robot_design")) {
    const std::string text = text_of(entry.path());
    if (entry.path().extension() != ".yaml" || text.find("\nstudy: robot_design\n") == std::string::npos) continue;
    SCOPED_TRACE(entry.path().filename());
    EXPECT_HOLDS(text, "{metric: largest_residual, at_most: 1.0e-8");
    EXPECT_HOLDS(text, "{metric: flipped_joints, equals: 0");
    ++count;
  }
  EXPECT_GE(count, 3);
}

}  // namespace robot_design_experiments
}  // namespace holo_test
