// Rods between two balls spin idly; the spin is fixed.
#include "holo/sim/mechanism/constraints/idle_spins.h"

#include <gtest/gtest.h>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "mechanism_files_tools.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace idle_spins {

using Eigen::Vector3d;

// A crank drives a rocker in another plane by a rod between two balls; seen along x they are a planar four-bar.
constexpr double crank = 0.3, rod = 1.2, rocker = 1, ground = 1.5, across = 2;

// Where the rod meets the rocker, of the assembly mode at rest.
Vector3d end_of_rod(double control) {
  const Vector3d tip(crank * std::cos(control), crank * std::sin(control), 0);
  const Vector3d end = oracle::circles_meet(tip, rod, {ground, 0, 0}, rocker);
  return {across, end.x(), end.y()};
}

MechanismBuilder crank_rod_and_rocker() {
  MechanismBuilder builder(oracle::plugins());
  builder.body("crank", {0, 0, 0});
  builder.body("rod", {1, 0.5, 0.5});
  builder.body("rocker", end_of_rod(0));
  oracle::hinge(builder, "drive", "", "crank", Vector3d::Zero(), oracle::along_x, JointRole::actuator);
  builder.joint("near", "spherical", "crank", "rod", {0, crank, 0}, Eigen::Matrix3d::Identity());
  builder.joint("far", "spherical", "rod", "rocker", end_of_rod(0), Eigen::Matrix3d::Identity());
  oracle::hinge(builder, "swing", "rocker", "", {across, ground, 0}, oracle::along_x);
  return builder;
}

TEST(IdleSpins, ARodBetweenTwoBallsIsHeldAndDoesWhatItDid) {
  std::vector<FixedSpin> fixed;
  const auto model =
      std::make_shared<const MechanismModel>(without_idle_spins(crank_rod_and_rocker().build(), oracle::plugins(), fixed));
  ASSERT_EQ(fixed.size(), 1u);
  EXPECT_EQ(fixed[0].bodies, std::vector<std::string>{"rod"});
  EXPECT_EQ(fixed[0].joint, "near");
  EXPECT_EQ(fixed[0].was, "spherical");
  EXPECT_EQ(fixed[0].is, "universal");
  EXPECT_EQ(model->joints()[1].type->name(), "universal");
  constexpr int knots = 17;
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(knots, 0, 2 * oracle::pi);
  const MechanismMotion motion = make_motion(model, controls, Eigen::VectorXd(0), Eigen::MatrixXd(0, knots));
  EXPECT_EQ(motion.elimination.mobility, 1);
  for (int k = 0; k < knots; ++k)
    EXPECT_LT(
        (point_of(*model, motion.states.col(k), model->body("rocker"), Vector3d::Zero()) - end_of_rod(controls(0, k))).norm(),
        1e-11)
        << k;
}

// A strut of two halves that slide in each other spins as one.
TEST(IdleSpins, AStrutOfTwoBodiesIsHeldOnce) {
  MechanismBuilder builder(oracle::plugins());
  builder.body("arm", {0, 0, 0});
  builder.body("cylinder", {0.3, 0, 0.3});
  builder.body("piston", {0.7, 0, 0.7});
  oracle::hinge(builder, "hinge", "", "arm", {0, 0, 1}, oracle::along_y);
  builder.joint("foot", "spherical", "", "cylinder", Vector3d::Zero(), Eigen::Matrix3d::Identity());
  builder.joint("slide", "prismatic", "cylinder", "piston", {0.5, 0, 0.5}, axes_along({1, 0, 1}), JointRole::actuator);
  builder.joint("head", "spherical", "piston", "arm", {1, 0, 1}, Eigen::Matrix3d::Identity());
  std::vector<FixedSpin> fixed;
  without_idle_spins(builder.build(), oracle::plugins(), fixed);
  ASSERT_EQ(fixed.size(), 1u);
  EXPECT_EQ(fixed[0].bodies, (std::vector<std::string>{"cylinder", "piston"}));
}

TEST(IdleSpins, WhatAThirdJointHoldsDoesNotSpin) {
  MechanismBuilder builder = crank_rod_and_rocker();
  builder.body("flag", {1, 1, 1});
  oracle::hinge(builder, "pole", "rod", "flag", {1, 0.5, 1}, oracle::along_z);
  oracle::hinge(builder, "wind", "flag", "", {1, 1, 1}, oracle::along_z);
  std::vector<FixedSpin> fixed;
  without_idle_spins(builder.build(), oracle::plugins(), fixed);
  EXPECT_TRUE(fixed.empty());
}

// What lacks an actuator is no idle spin: a four-bar with none, and a hand that hangs by one hinge.
TEST(IdleSpins, WhatLacksAnActuatorIsNotHeld) {
  MechanismModel undriven = oracle::four_bar();
  std::vector<MechanismJoint> joints = undriven.joints();
  for (MechanismJoint& joint : joints) joint.role = JointRole::passive;
  std::vector<FixedSpin> fixed;
  without_idle_spins({undriven.bodies(), joints}, oracle::plugins(), fixed);
  EXPECT_TRUE(fixed.empty());
  MechanismBuilder builder(oracle::plugins());
  builder.body("arm", {1, 0, 0});
  builder.body("hand", {2, 0, 0});
  oracle::hinge(builder, "shoulder", "", "arm", Vector3d::Zero(), oracle::along_z, JointRole::actuator);
  oracle::hinge(builder, "wrist", "arm", "hand", {2, 0, 0}, oracle::along_x);
  oracle::hinge(builder, "second_shoulder", "", "arm", {0, 0, 1}, oracle::along_z);
  without_idle_spins(builder.build(), oracle::plugins(), fixed);
  EXPECT_TRUE(fixed.empty());
}

TEST(IdleSpins, ABodyBetweenTwoHingesOfOneAxisIsHeld) {
  MechanismBuilder builder(oracle::plugins());
  builder.body("arm", {1, 0, 0});
  builder.body("pin", {1, 0, 0.5});
  builder.body("fork", {1, 0, 1});
  oracle::hinge(builder, "shoulder", "", "arm", Vector3d::Zero(), oracle::along_z, JointRole::actuator);
  oracle::hinge(builder, "below", "arm", "pin", {1, 0, 0}, oracle::along_z);
  oracle::hinge(builder, "above", "pin", "fork", {1, 0, 1}, oracle::along_z);
  oracle::hinge(builder, "second_shoulder", "fork", "", {0, 0, 1}, oracle::along_z);
  std::vector<FixedSpin> fixed;
  without_idle_spins(builder.build(), oracle::plugins(), fixed);
  ASSERT_EQ(fixed.size(), 1u);
  EXPECT_EQ(fixed[0].bodies, std::vector<std::string>{"pin"});
  EXPECT_EQ(fixed[0].is, "fixed");
}

#ifdef HOLO_DATA_DIR
// Robots that others published, which have as many freedoms more than motors as rods.
TEST(IdleSpins, PublicRobotsAreDeterminedByTheirMotors) {
  for (const auto& [name, spins] : {std::pair{"5bar_linkage", 1}, {"disney_robot", 4}, {"digit_like_2legs", 0}}) {
    const std::filesystem::path folder = std::filesystem::path(HOLO_DATA_DIR) / "robots/closed_loop" / name;
    MechanismFileOptions options{.loop_file = folder / "robot.yaml", .close_loops = true};
    if (name == std::string("disney_robot"))  // whose files spell one joint in two ways
      options.aliases = {{"left_spherical_free_foot", "left_s\u0125erical_free_foot"}};
    const MechanismFile file = read_mechanism(folder / "robot.urdf", oracle::plugins(), options);
    std::vector<FixedSpin> fixed;
    const auto model = std::make_shared<const MechanismModel>(without_idle_spins(file.model, oracle::plugins(), fixed));
    const MechanismLayout layout(model);
    const MechanismMotion motion =
        make_motion(model, layout.rest_controls().replicate(1, 2), layout.rest_parameters(), Eigen::MatrixXd(0, 2));
    EXPECT_EQ(int(fixed.size()), spins) << name;
    EXPECT_EQ(motion.elimination.mobility, layout.control_count()) << name;
  }
}
#endif

}  // namespace idle_spins
}  // namespace holo
