// The closed-form Jacobians of a time step against complex steps of its residual, to 1e-12 of the largest entry.
#include "holo/sim/articulated/dynamics/step_jacobians.h"

#include <gtest/gtest.h>

#include "character_samples.h"
#include "holo/sim/articulated/dynamics/signed_distance_grid.h"

namespace holo::articulated::step_jacobians_tests {

using namespace test;

struct JacobianCase {
  std::string character;
  BaseChart chart;
  InertiaRule inertia;
};

// `chosen`: whether a character and a rule take part.
std::vector<JacobianCase> jacobian_cases(bool (*chosen)(const std::string&, InertiaRule)) {
  std::vector<JacobianCase> cases;
  for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid}) {
    for (const std::string character : {"pendulum2", "hopper6"}) cases.push_back({character, BaseChart::planar, inertia});
    for (const BaseChart chart : {BaseChart::planar, BaseChart::euler, BaseChart::rotation_vector})
      for (const std::string character : {"chain5", "mammal18"}) cases.push_back({character, chart, inertia});
    cases.push_back({"humanoid", BaseChart::rotation_vector, inertia});  // has a ball joint
  }
  std::erase_if(cases, [&](const JacobianCase& given) { return !chosen(given.character, given.inertia); });
  return cases;
}

class StepJacobians : public testing::TestWithParam<JacobianCase> {};
class StepJacobiansWithContactPoints : public StepJacobians {};
class StepJacobiansOfChains : public StepJacobians {};
class StepJacobiansAtTheEnd : public StepJacobians {};
std::string case_name(const testing::TestParamInfo<JacobianCase>& info) {
  const char* charts[] = {"Fixed", "Planar", "Euler", "RotationVector"};
  return info.param.character + charts[int(info.param.chart)] + (info.param.inertia == InertiaRule::end ? "End" : "Mid");
}
const auto every_case = [](const std::string&, InertiaRule) { return true; };
const auto with_contact_points = [](const std::string& name, InertiaRule) { return name != "pendulum2"; };
const auto chains = [](const std::string& name, InertiaRule) { return name == "chain5"; };
const auto at_the_end = [](const std::string&, InertiaRule inertia) { return inertia == InertiaRule::end; };
INSTANTIATE_TEST_SUITE_P(Characters, StepJacobians, testing::ValuesIn(jacobian_cases(every_case)), case_name);
INSTANTIATE_TEST_SUITE_P(Characters, StepJacobiansWithContactPoints, testing::ValuesIn(jacobian_cases(with_contact_points)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Characters, StepJacobiansOfChains, testing::ValuesIn(jacobian_cases(chains)), case_name);
INSTANTIATE_TEST_SUITE_P(Characters, StepJacobiansAtTheEnd, testing::ValuesIn(jacobian_cases(at_the_end)), case_name);

StepConstants step_of(const JacobianCase& given) {
  StepConstants step;
  step.inertia = given.inertia;
  step.normal_weight = 2e4;
  step.tangential_weight = 2e5;
  step.self_collision_weight = 1e4;
  return step;
}

void expect_agreement(const CharacterModel& model, const StepConstants& step, const ThreePoses& poses, const char* what) {
  const ThreeJacobians closed = closed_form(model, step, poses), complex = by_complex_step(model, step, poses);
  for (int s = 0; s < 3; ++s) {
    EXPECT_GT(complex.D[s].norm(), 0) << what;
    EXPECT_LT(relative_difference(closed.D[s], complex.D[s]), 1e-12) << what << ", D" << s;
  }
}

CharacterModel model_of(const JacobianCase& given) {
  return procedural_character(given.character, {{given.chart, "zyx"}, true});
}

TEST_P(StepJacobians, AreTheDerivativesOfTheResidualInTheAir) {
  const CharacterModel model = model_of(GetParam());
  for (unsigned seed = 1; seed <= 3; ++seed)
    expect_agreement(model, step_of(GetParam()), three_poses(model, seed, 0.5, 0.05, false), "in the air");
}

TEST_P(StepJacobians, AreTheDerivativesWithOwnReferenceRotations) {
  const CharacterModel model = model_of(GetParam());
  for (unsigned seed = 1; seed <= 3; ++seed)
    expect_agreement(model, step_of(GetParam()), three_poses(model, seed, 0.8, 0.05, true), "own references");
}

TEST_P(StepJacobians, AreTheDerivativesBeyondLimits) {
  const CharacterModel model = model_of(GetParam());
  const ThreePoses poses = three_poses(model, 4, 3, 0.05, false);
  ASSERT_TRUE(model.name() == "pendulum2" || limit_energy(model.data(), poses.newest.coordinates.data()) > 0);
  expect_agreement(model, step_of(GetParam()), poses, "limits");
}

// An obstacle of each kind that reaches to the contact points of the poses' newest state.
std::vector<Obstacle> obstacles_around(const std::vector<double>& heights, const SignedDistanceGrid& lump) {
  std::vector<Obstacle> obstacles(5);
  obstacles[0].frame = {rotation_of_vector(Vector3<double>{0.1, -0.2, 0}), {0, 0, 0.1}};
  obstacles[1].kind = ObstacleKind::sphere;
  obstacles[1].frame.origin = {0.1, 0.05, -0.2};
  obstacles[1].size[0] = 0.35;
  obstacles[2].kind = ObstacleKind::box;
  obstacles[2].frame = {rotation_of_vector(Vector3<double>{0.3, 0.2, 0.7}), {0, 0, -0.2}};
  obstacles[2].size = {0.4, 0.3, 0.35};
  obstacles[2].sharpness = 20;
  obstacles[3].kind = ObstacleKind::height_field;
  obstacles[3].frame = {rotation_of_vector(Vector3<double>{0.05, 0, 0.3}), {-0.5, -0.5, 0.05}};
  obstacles[3].heights = heights.data();
  obstacles[3].columns = obstacles[3].rows = 5;
  obstacles[3].spacing = 0.25;
  obstacles[4] =
      lump.obstacle(Eigen::Translation3d(0, 0, -0.1) * Eigen::AngleAxisd(0.4, Eigen::Vector3d(1, 2, 3).normalized()));
  return obstacles;
}

std::vector<double> random_heights() {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> draw(0, 0.1);
  std::vector<double> heights(25);
  for (double& height : heights) height = draw(random);
  return heights;
}

// Two tori that run into each other, on a coarse grid: curved in all directions, with kinks that the grid rounds off.
SignedDistanceGrid lump_grid() {
  const auto torus = [](double x, double y, double z) { return std::hypot(std::hypot(x, y) - 0.25, z) - 0.17; };
  return fit_signed_distance(
      [&](const std::array<double, 3>& x) { return std::min(torus(x[0], x[1], x[2]), torus(x[2], x[0], x[1])); },
      {{-0.6, -0.6, -0.6}, {0.6, 0.6, 0.6}}, 0.15);
}

bool touches(const CharacterModel& model, const StepConstants& step, const ThreePoses& poses) {
  StepConstants without = step;
  without.obstacle_count = 0;
  return (residual(model, step, poses) - residual(model, without, poses)).norm() > 0;
}

TEST_P(StepJacobiansWithContactPoints, AreTheDerivativesInContactWithEachKindOfObstacle) {
  const CharacterModel model = model_of(GetParam());
  const std::vector<double> heights = random_heights();
  const SignedDistanceGrid lump = lump_grid();
  const std::vector<Obstacle> obstacles = obstacles_around(heights, lump);
  StepConstants step = step_of(GetParam());
  step.obstacle_count = 1;
  for (const Obstacle& obstacle : obstacles) {
    step.obstacles = &obstacle;
    int touching = 0;
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const ThreePoses poses = three_poses(model, seed, 0.15, 0.03, false);
      touching += touches(model, step, poses) ? 1 : 0;
      expect_agreement(model, step, poses, "contact");
    }
    EXPECT_GT(touching, 0) << "obstacle of kind " << int(obstacle.kind);
  }
}

TEST_P(StepJacobiansOfChains, AreTheDerivativesInSelfCollision) {
  const CharacterModel model = model_of(GetParam());
  ThreePoses poses = three_poses(model, 2, 0.02, 0.02, false);
  for (const char* name : {"pitch_1", "pitch_2", "pitch_3", "pitch_4"})  // curls up
    for (CharacterPose* pose : {&poses.newest, &poses.current, &poses.previous})
      pose->coordinates[std::size_t(model.dof(name))] += 1.5708;
  StepMemory<double> memory(model);
  set_poses(model, poses, memory);
  ASSERT_GT(self_collision_energy(model.data(), step_of(GetParam()), memory.states()), 0);
  expect_agreement(model, step_of(GetParam()), poses, "self-collision");
}

// Without friction the forces at the newest state have a potential.
TEST_P(StepJacobiansAtTheEnd, OfTheNewestStateAreSymmetricWithoutFriction) {
  const CharacterModel model = model_of(GetParam());
  StepConstants step = step_of(GetParam());
  step.tangential_weight = 0;
  const Obstacle floor = floor_at(0.1);
  step.obstacles = &floor;
  step.obstacle_count = 1;
  const ThreePoses poses = three_poses(model, 3, 0.15, 0.03, false);
  const RowMatrix D0 = closed_form(model, step, poses).D[0];
  EXPECT_LT(relative_difference(D0, D0.transpose()), 1e-12);
}

// The residual is continuously differentiable where contact, a limit or an overlap begins: Jacobians on both sides and on the
// kink agree with complex steps, and with each other up to the distance from the kink.
TEST(StepJacobiansAtKinks, AreDerivativesOnBothSidesAndContinuous) {
  for (const BaseChart chart : {BaseChart::planar, BaseChart::euler, BaseChart::rotation_vector}) {
    const CharacterModel model = procedural_character("mammal18", {{chart, "zyx"}});
    StepConstants step;
    step.normal_weight = 2e4;
    step.tangential_weight = 2e5;
    ThreePoses poses = three_poses(model, 7, 0, 0.02, false);
    StepMemory<double> memory(model);
    set_poses(model, poses, memory);
    const ContactPoint& foot = model.contact_points()[0];
    const double touching = (memory.newest.frames[std::size_t(foot.dof)] * foot.center)[2] - foot.radius;
    const std::size_t knee = std::size_t(model.dof("hind_left_knee"));
    RowMatrix first;
    for (const double offset : {-1e-9, 0.0, 1e-9}) {
      const Obstacle floor = floor_at(touching + offset);
      step.obstacles = &floor;
      step.obstacle_count = 1;
      poses.newest.coordinates[knee] = 2.4 + offset;
      expect_agreement(model, step, poses, "at a kink");
      const RowMatrix D0 = closed_form(model, step, poses).D[0];
      if (first.size() == 0) first = D0;
      EXPECT_LT((D0 - first).cwiseAbs().maxCoeff(), 1e-2);
    }
  }
}

// Two balls of radius 1/2 that slide from x = -1 and 1 along the given axis.
CharacterModel two_balls(const Eigen::Vector3d& axis) {
  CharacterBuilder builder("two balls");
  for (const double x : {-1.0, 1.0}) {
    const int slide = builder.add_slide(x < 0 ? "left" : "right", -1, Eigen::Isometry3d(Eigen::Translation3d(x, 0, 0)), axis);
    builder.add_mass(slide, sphere_mass(0.5, 10));
    builder.add_contact_point(slide, {0, 0, 0}, 0.5);
  }
  return builder.build(true);
}

ThreePoses approaching(double coordinate) {
  return {{{coordinate, -coordinate}, {}}, {{coordinate - 0.01, -coordinate}, {}}, {{coordinate - 0.02, -coordinate}, {}}};
}

TEST(StepJacobiansAtKinks, OfSpheresThatBeginToOverlapAreDerivatives) {
  const CharacterModel model = two_balls({1, 0.2, 0});
  ASSERT_EQ(model.sphere_pairs().size(), 1u);
  StepConstants step;
  step.self_collision_weight = 1e4;
  const double a = 1 / std::sqrt(1.04);  // of the axis; the centers' distance is |(2 - a d, 0.2 a d)| for coordinates d/2, -d/2
  const double touching = 2 * a - std::sqrt(4 * a * a - 3);  // d at which it is 1
  for (const double offset : {-1e-9, 0.0, 1e-9, 0.3}) {
    const ThreePoses poses = approaching((touching + offset) / 2);
    const ThreeJacobians closed = closed_form(model, step, poses), complex = by_complex_step(model, step, poses);
    EXPECT_LT(relative_difference(closed.D[0], complex.D[0]), 1e-12) << offset;
  }
}

// Centers that coincide, or nearly so, are pushed apart in the direction that they have at rest.
TEST(StepJacobiansAtKinks, OfSpheresWithOneCenterAreDerivatives) {
  const CharacterModel model = two_balls({1, 0, 0});
  StepConstants step;
  step.self_collision_weight = 1e4;
  for (const double offset : {0.0, 1e-7, -1e-7}) {
    const ThreePoses poses = approaching(1 + offset);
    const Eigen::VectorXd forces = residual(model, step, poses);
    StepConstants without = step;
    without.self_collision_weight = 0;
    const Eigen::VectorXd inertia = residual(model, without, poses);
    EXPECT_NEAR(forces[0] - inertia[0], 3e4, 0.1);  // 3 w s^2 with s = 1, against the motion of the left ball
    const ThreeJacobians closed = closed_form(model, step, poses), complex = by_complex_step(model, step, poses);
    EXPECT_LT(relative_difference(closed.D[0], complex.D[0]), 1e-12) << offset;
  }
}

}  // namespace holo::articulated::step_jacobians_tests
