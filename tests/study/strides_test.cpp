// Strides of a hopper that is put down at given places.
#include "studies/trajectory_optimization/strides.h"

#include "articulated/trajectory_samples.h"

namespace holo::articulated::strides_tests {

using namespace test;

// States in which the foot stands at x [m], or is in the air for NaN.
TrajectoryStates states_at(const TrajectoryModel& model, const std::vector<double>& places) {
  TrajectoryStates states(model.character(), model.steps(), model.definition().start);
  for (std::size_t i = 0; i < places.size(); ++i) {
    CharacterPose pose = model.definition().start;
    if (std::isnan(places[i]))
      pose.coordinates[std::size_t(model.character().dof("base_z"))] += 1;
    else
      pose.coordinates[std::size_t(model.character().dof("base_x"))] += places[i];
    states.set_pose(int(i) + 1, pose);
  }
  states.update(-1, model.steps());
  return states;
}

std::vector<double> repeated(const std::vector<std::pair<double, int>>& parts) {
  std::vector<double> places;
  for (const auto& [place, count] : parts) places.insert(places.end(), std::size_t(count), place);
  return places;
}

const double air = std::numeric_limits<double>::quiet_NaN();

TEST(Strides, GoFromStanceToStance) {
  const std::vector<double> places = repeated({{0, 3}, {air, 4}, {0.2, 5}, {air, 3}, {0.5, 2}, {air, 6}, {1.0, 4}, {air, 1}});
  const TrajectoryModel model = walk("hopper6", int(places.size()));
  const Strides strides = measure_strides(model, states_at(model, places));
  ASSERT_EQ(strides.lengths.size(), 2u);  // not the one from the start
  EXPECT_NEAR(strides.lengths[0], 0.3, 1e-9);
  EXPECT_NEAR(strides.lengths[1], 0.5, 1e-9);
  EXPECT_NEAR(strides.mean(), 0.4, 1e-9);
  EXPECT_NEAR(strides.spread(), std::sqrt(0.02) / 0.4, 1e-9);
}

TEST(Strides, DoNotCountShortPausesAndTouches) {
  const std::vector<double> places = repeated({{air, 3}, {0.2, 3}, {air, 2}, {0.2, 3}, {air, 4}, {0.4, 1}, {air, 4}, {0.7, 2}});
  const TrajectoryModel model = walk("hopper6", int(places.size()));
  const Strides strides = measure_strides(model, states_at(model, places));
  ASSERT_EQ(strides.lengths.size(), 1u);
  EXPECT_NEAR(strides.lengths[0], 0.5, 1e-9);
  EXPECT_TRUE(std::isnan(strides.spread()));
}

}  // namespace holo::articulated::strides_tests
