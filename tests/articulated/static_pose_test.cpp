// Poses at rest of characters that stand or hang, and the diagnosis of those that cannot.
#include "holo/sim/articulated/trajectory/static_pose.h"

#include "trajectory_samples.h"

namespace holo::articulated::static_pose_tests {

using namespace test;

// The equations of motion of a character that stays in a pose, of the degrees of freedom without actuator.
double largest_residual(const TrajectoryModel::Definition& definition, const CharacterPose& pose) {
  StepConstants step = definition.step;
  step.obstacles = definition.obstacles.data();
  step.obstacle_count = int(definition.obstacles.size());
  const Eigen::VectorXd all = residual(*definition.character, step, {pose, pose, pose});
  double largest = 0;
  for (const int dof : definition.character->unactuated()) largest = std::max(largest, std::abs(all[dof]));
  return largest;
}

// Of the squared depths of all contact points below the plane z = 0.
double root_mean_square_depth(const CharacterModel& model, const CharacterPose& pose) {
  StateMemory<double> state(model);
  state.set(model, pose);
  double sum = 0;
  for (const ContactPoint& point : model.contact_points()) {
    const double depth = point.radius - (state.frames[std::size_t(point.dof)] * point.center)[2];
    if (depth > 0) sum += depth * depth;
  }
  return std::sqrt(sum / double(model.contact_points().size()));
}

class StaticPoses : public testing::TestWithParam<std::pair<const char*, BaseChart>> {};
INSTANTIATE_TEST_SUITE_P(Characters, StaticPoses,
                         testing::Values(std::pair("hopper6", BaseChart::planar), std::pair("chain5", BaseChart::euler),
                                         std::pair("mammal18", BaseChart::euler),
                                         std::pair("mammal18", BaseChart::rotation_vector)),
                         [](const auto& info) { return info.param.first + std::to_string(info.index); });

// Without friction at rest, the sum of w_n d^2 over the contact points is the weight.
TEST_P(StaticPoses, StandAsDeepAsTheContactWeightsAreMadeFor) {
  const auto [name, chart] = GetParam();
  const TrajectoryModel::Definition definition = above_a_floor(shared_character(name, chart), 1);
  const StaticPose found = static_pose_of(definition, definition.character->rest());
  ASSERT_TRUE(found.is_found) << found.diagnosis;
  EXPECT_TRUE(found.diagnosis.empty());
  EXPECT_LT(largest_residual(definition, found.pose), 1e-12 * definition.character->total_mass() * 9.81);
  EXPECT_EQ(found.residual, largest_residual(definition, found.pose));
  EXPECT_NEAR(root_mean_square_depth(*definition.character, found.pose), 0.02, 1e-9);
  for (std::size_t j = 0; j < found.pose.coordinates.size(); ++j)  // near the given pose
    EXPECT_NEAR(found.pose.coordinates[j], definition.character->rest().coordinates[j], 0.6)
        << definition.character->dof_name(int(j));
}

TEST(StaticPose, IsFoundFromHighAboveTheFloorAndFromWithin) {
  const TrajectoryModel::Definition definition = above_a_floor(shared_character("hopper6", BaseChart::planar), 1);
  for (const double height : {30.0, -20.0}) {
    CharacterPose nominal = definition.character->rest();
    nominal.coordinates[std::size_t(definition.character->dof("base_z"))] += height;
    const StaticPose found = static_pose_of(definition, nominal);
    EXPECT_TRUE(found.is_found) << found.diagnosis;
  }
}

// 0.04 N: the weight is not the unit of residuals.
TEST(StaticPose, OfALightBallIsAsDeepAsItsWeightAsks) {
  CharacterBuilder builder("ball");
  const int slide = builder.add_slide("height", -1, Eigen::Isometry3d::Identity(), Eigen::Vector3d::UnitZ());
  builder.add_mass(slide, sphere_mass(0.01, 1000));
  builder.add_contact_point(slide, {0, 0, 0}, 0.03);
  TrajectoryModel::Definition definition = above_a_floor(std::make_shared<const CharacterModel>(builder.build()), 1);
  CharacterPose nominal = definition.character->rest();
  nominal.coordinates[0] = 1;
  const StaticPose found = static_pose_of(definition, nominal);
  EXPECT_TRUE(found.is_found) << found.diagnosis;
  EXPECT_NEAR(found.pose.coordinates[0], 0.01, 1e-9);
}

TEST(StaticPose, OfAPassivePendulumHangs) {
  CharacterBuilder builder("pendulum");
  const int hinge = builder.add_hinge("hinge", -1, Eigen::Isometry3d::Identity(), Eigen::Vector3d::UnitY());
  builder.add_mass(hinge, sphere_mass(0.1, 1000), Eigen::Isometry3d(Eigen::Translation3d(0.3, 0, -1)));
  builder.set_rest(hinge, 0.5);
  TrajectoryModel::Definition definition = above_a_floor(std::make_shared<const CharacterModel>(builder.build()), 1);
  const StaticPose found = static_pose_of(definition, definition.character->rest());
  EXPECT_TRUE(found.is_found) << found.diagnosis;
  EXPECT_NEAR(found.pose.coordinates[0], std::atan2(0.3, 1), 1e-10);
}

TEST(StaticPose, OfACharacterWithAllActuatorsIsTheGivenOne) {
  const auto character = shared_character("pendulum2", BaseChart::fixed);
  CharacterPose nominal = character->rest();
  nominal.coordinates = {0.4, -1};
  const StaticPose found = find_static_pose(*character, {}, nominal);
  EXPECT_TRUE(found.is_found);
  EXPECT_EQ(found.pose.coordinates, nominal.coordinates);
  EXPECT_EQ(found.residual, 0);
  EXPECT_EQ(found.dof, -1);
}

// In the air nothing carries the weight: exactly that is missing.
TEST(StaticPoseBadInput, InTheAirTellsWhatIsMissing) {
  const auto character = shared_character("hopper6", BaseChart::planar);
  StaticPose found = find_static_pose(*character, {}, character->rest());
  EXPECT_FALSE(found.is_found);
  EXPECT_NEAR(found.residual, 9 * 9.81, 1e-9);
  EXPECT_EQ(
      found.diagnosis,
      "no pose at rest was found near the given one: the equation of motion of 'base_z' is violated by 88.3 N or N m, the "
      "weight is 88.3 N; there are no obstacles to stand on");

  TrajectoryModel::Definition definition = above_a_floor(character, 1);
  definition.obstacles[0].kind = ObstacleKind::sphere;  // beside the character
  definition.obstacles[0].size[0] = 0.2;
  definition.obstacles[0].frame.origin = {5, 0, -3};
  found = static_pose_of(definition, character->rest());
  EXPECT_FALSE(found.is_found);
  EXPECT_NE(found.diagnosis.find("let more contact points touch the obstacles"), std::string::npos) << found.diagnosis;
}

TEST(StaticPoseBadInput, OfNumbersThatAreNoneIsNotFound) {
  const TrajectoryModel::Definition definition = above_a_floor(shared_character("hopper6", BaseChart::planar), 1);
  CharacterPose nominal = definition.character->rest();
  nominal.coordinates[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(static_pose_of(definition, nominal).is_found);
}

}  // namespace holo::articulated::static_pose_tests
