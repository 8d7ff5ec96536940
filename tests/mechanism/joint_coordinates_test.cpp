// Coordinates of all joints along a motion: those of a four-bar are its angles.
#include "holo/sim/mechanism/kinematics/joint_coordinates.h"

#include <gtest/gtest.h>

#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace joint_coordinates_tests {

using Eigen::Vector3d;
using oracle::pi;

// Ground 4, crank 1, coupler 3.5, rocker 3: the turns of crank, coupler and rocker since rest, at a crank angle of 1 + u.
Vector3d four_bar_turns(double u) {
  const auto angles = [](double crank) {
    const Vector3d far(4, 0, 0), tip(std::cos(crank), std::sin(crank), 0), end = oracle::circles_meet(tip, 3.5, far, 3);
    return Vector3d(crank, std::atan2(end.y() - tip.y(), end.x() - tip.x()), std::atan2(end.y(), end.x() - far.x()));
  };
  return angles(1 + u) - angles(1);
}

const JointCoordinate& of_joint(const std::vector<JointCoordinate>& all, const MechanismModel& model, const std::string& name) {
  for (const JointCoordinate& each : all)
    if (each.joint == model.joint(name)) return each;
  throw std::runtime_error("no coordinate of " + name);
}

// Over more than a turn of the crank.
TEST(JointCoordinates, ThoseOfAFourBarAreItsAngles) {
  constexpr int knots = 41;
  const auto model = std::make_shared<const MechanismModel>(oracle::four_bar());
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 3 * pi), none(0, knots);
  const MechanismMotion motion = make_motion(model, controls, Eigen::VectorXd(0), none);
  const auto all = joint_coordinates(*motion.layout, {motion.states, motion.controls, motion.parameters, none});
  ASSERT_EQ(all.size(), 4u) << "the ground has none";
  EXPECT_EQ(all[0].name, "angle");
  EXPECT_EQ(all[0].unit, "rad");
  for (int k = 0; k < knots; ++k) {
    const Vector3d turns = four_bar_turns(controls(0, k));
    EXPECT_NEAR(of_joint(all, *model, "crank_pivot").values[k], controls(0, k), 1e-12);
    EXPECT_NEAR(of_joint(all, *model, "crank_pin").values[k], turns[1] - turns[0], 1e-9) << k;
    EXPECT_NEAR(of_joint(all, *model, "rocker_pin").values[k], turns[2] - turns[1], 1e-9) << k;
    EXPECT_NEAR(of_joint(all, *model, "rocker_pivot").values[k], -turns[2], 1e-9) << k;
  }
}

// Driven, configurable, prescribed and coupled ones are the numbers of the layout; quaternions have four.
TEST(JointCoordinates, KnownOnesAreTheUnknownsInSiUnits) {
  MechanismBuilder builder = oracle::on_the_ground();
  for (const char* body : {"a", "b", "c", "d", "e"}) builder.body(body, {2, 0, 1});
  builder.joint("slide", "prismatic", "base", "a", {0, 0, 0}, axes_along({1, 0, 0}), JointRole::configurable);
  builder.joint("ball", "spherical", "a", "b", {0, 0, 0}, Eigen::Matrix3d::Identity(), JointRole::actuator);
  builder.joint("follower", "prismatic", "base", "c", {0, 0, 0}, axes_along({1, 0, 0}));
  builder.joint("leader", "prismatic", "base", "d", {0, 0, 0}, axes_along({0, 1, 0}), JointRole::actuator);
  builder.joint("cross", "universal", "b", "e", {0, 0, 0}, axes_along({1, 0, 0}, {0, 1, 0}), JointRole::actuator);
  builder.couple("follower", "leader", {0, 2, 0, 0, 0});
  const auto model = std::make_shared<const MechanismModel>(builder.build());
  Eigen::MatrixXd controls = MechanismLayout(model).rest_controls().replicate(1, 2);
  controls.col(1) << std::cos(0.3), std::sin(0.3), 0, 0, 0.7, 0.2, -0.4;
  const Eigen::MatrixXd none(0, 2);
  const MechanismMotion motion = make_motion(model, controls, Eigen::VectorXd::Constant(1, 0.5), none);
  const auto all = joint_coordinates(*motion.layout, {motion.states, motion.controls, motion.parameters, none});
  const std::vector<std::pair<std::string, double>> expected = {
      {"m", 0.5}, {"1", std::cos(0.3)}, {"1", std::sin(0.3)}, {"1", 0},     {"1", 0},
      {"m", 1.4}, {"m", 0.7},           {"rad", 0.2},         {"rad", -0.4}};
  ASSERT_EQ(all.size(), expected.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].unit, expected[i].first) << i;
    EXPECT_NEAR(all[i].values[1], expected[i].second, 1e-11) << all[i].name;
  }
  EXPECT_EQ(all[4].name.substr(all[4].name.size() - 2), ".z");
}

}  // namespace joint_coordinates_tests
}  // namespace holo
