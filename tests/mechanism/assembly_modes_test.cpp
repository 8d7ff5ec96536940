// Forward kinematics stays on the assembly mode that it began on, or tells.
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "oracle_mechanisms.h"

namespace holo {
namespace assembly_modes {

using Eigen::Vector3d;
using oracle::along_z;
using oracle::Oracle;
using oracle::pi;

struct FourBar {
  double ground = 1, crank = 0, coupler = 0, rocker = 0, start = 0;

  Vector3d tip(double control) const { return {crank * std::cos(start + control), crank * std::sin(start + control), 0}; }
  // Closed form, of the assembly mode at rest.
  Vector3d end(double control) const { return oracle::circles_meet(tip(control), coupler, Vector3d(ground, 0, 0), rocker); }
  MechanismModel model() const {
    const Vector3d a = tip(0), b = end(0), far(ground, 0, 0);
    MechanismBuilder builder = oracle::on_the_ground();
    builder.body("crank", 0.5 * a);
    builder.body("coupler", 0.5 * (a + b));
    builder.body("rocker", 0.5 * (b + far));
    oracle::hinge(builder, "crank_pivot", "base", "crank", Vector3d::Zero(), along_z, JointRole::actuator);
    oracle::hinge(builder, "crank_pin", "crank", "coupler", a, along_z);
    oracle::hinge(builder, "rocker_pin", "coupler", "rocker", b, along_z);
    oracle::hinge(builder, "rocker_pivot", "rocker", "base", far, along_z);
    return builder.build();
  }
  // Largest distance of the coupler's middle from the closed form.
  double error(const Oracle& mechanism, const Kinematics& motion, const Eigen::MatrixXd& controls) const {
    double largest = 0;
    for (int k = 0; k < int(motion.states.cols()); ++k)
      largest = std::max(
          largest, (mechanism.origin(motion.states, "coupler", k) - 0.5 * (tip(controls(0, k)) + end(controls(0, k)))).norm());
    return largest;
  }
};

// Whose crank can turn all around and whose rocker cannot.
FourBar random_crank_rocker(std::mt19937& random) {
  std::uniform_real_distribution<double> length(0.2, 2), angle(-pi, pi);
  for (;;) {
    const FourBar bar{1, length(random), length(random), length(random), angle(random)};
    const double longest = std::max({bar.ground, bar.coupler, bar.rocker});
    const bool crank_is_shortest = bar.crank < std::min({bar.ground, bar.coupler, bar.rocker});
    if (crank_is_shortest && 2 * (bar.crank + longest) < bar.ground + bar.crank + bar.coupler + bar.rocker) return bar;
  }
}

TEST(AssemblyModes, NoCrankRockerEndsSilentlyOnTheOther) {
  std::mt19937 random(7);
  int silent = 0, fine_runs = 0, fine_right = 0, parts = 0;
  for (int i = 0; i < 200; ++i) {
    const FourBar bar = random_crank_rocker(random);
    const Oracle mechanism(bar.model());
    for (const int knots : {2 + i % 7, 9 + i % 25}) {
      const double turn = i % 2 == 0 ? 2 * pi : 2 * pi * (knots - 1) / knots;
      const Eigen::MatrixXd controls = mechanism.first_control(turn, knots);
      const Kinematics motion = mechanism.follow(controls);
      const bool is_right = bar.error(mechanism, motion, controls) < 1e-8;
      const bool is_silent = motion.status == KinematicsStatus::done && motion.change_points.empty();
      silent += is_silent && !is_right ? 1 : 0;
      for (const int count : motion.parts) parts += count;
      if (knots < 9) continue;
      ++fine_runs;
      fine_right += is_silent && is_right ? 1 : 0;
      if (!(is_silent && is_right))
        std::cout << "four-bar " << bar.crank << " " << bar.coupler << " " << bar.rocker << ", " << knots
                  << " knots: " << motion.diagnosis << "\n";
    }
  }
  EXPECT_EQ(silent, 0);
  EXPECT_GE(fine_right, 0.95 * fine_runs) << "of " << fine_runs;
  EXPECT_LT(parts, 400 * 150) << "steps";
}

// Lengths of a four-bar whose two assembly modes come near to each other, smallest singular value 0.06.
TEST(AssemblyModes, ModesThatComeNearToEachOtherAreToldApart) {
  const Vector3d tip(0.2532292740448577, -0.14585002545071846, 0), end(1.3104359865668365, 0.38700597936621833, 0);
  const FourBar bar{1, tip.norm(), (end - tip).norm(), (end - Vector3d(1, 0, 0)).norm(), std::atan2(tip.y(), tip.x())};
  const Oracle mechanism(bar.model());
  for (const int knots : {3, 9, 17}) {
    const Eigen::MatrixXd controls = mechanism.first_control(6.094689747964199, knots);
    const Kinematics motion = mechanism.follow(controls);
    ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
    EXPECT_TRUE(motion.change_points.empty());
    EXPECT_LT(bar.error(mechanism, motion, controls), 1e-8) << knots;
  }
}

MechanismModel parallelogram() {
  const Vector3d tip(std::cos(1), std::sin(1), 0), far(2, 0, 0);
  MechanismBuilder builder = oracle::on_the_ground();
  builder.body("crank", 0.5 * tip);
  builder.body("coupler", tip + Vector3d(1, 0, 0));
  builder.body("rocker", far + 0.5 * tip);
  oracle::hinge(builder, "crank_pivot", "base", "crank", Vector3d::Zero(), along_z, JointRole::actuator);
  oracle::hinge(builder, "crank_pin", "crank", "coupler", tip, along_z);
  oracle::hinge(builder, "rocker_pin", "coupler", "rocker", far + tip, along_z);
  oracle::hinge(builder, "rocker_pivot", "rocker", "base", far, along_z);
  return builder.build();
}

// Its coupler only shifts. On the flat poses, at knots or between them, it could turn into an antiparallelogram.
TEST(AssemblyModes, AParallelogramStaysOneOverItsFlatPosesAndTells) {
  const Oracle mechanism(parallelogram());
  for (const double first : {-1.0, -0.97}) {
    Eigen::MatrixXd controls(1, 42);
    controls(0, 0) = 0;
    for (int k = 0; k < 41; ++k) controls(0, k + 1) = first + 2 * pi * k / 40;
    const Kinematics motion = mechanism.follow(controls);
    ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
    for (int k = 0; k < 42; ++k) {
      const double angle = 1 + controls(0, k);
      const Vector3d coupler(std::cos(angle) + 1, std::sin(angle), 0);
      EXPECT_LT((mechanism.origin(motion.states, "coupler", k) - coupler).norm(), 1e-9) << k;
    }
    // Angles 0 (at the first of these knots, or before it on the way from rest), pi and 2 pi.
    std::vector<double> flat = {1, 21, 41};
    if (first > -1) flat = {1 + (pi - 0.03) / (2 * pi / 40), 1 + (2 * pi - 0.03) / (2 * pi / 40)};
    ASSERT_EQ(motion.change_points.size(), flat.size());
    for (std::size_t i = 0; i < flat.size(); ++i) {
      EXPECT_NEAR(motion.change_points[i].at, flat[i], 1e-3);
      EXPECT_EQ(motion.change_points[i].is_on_knot(), first == -1);
    }
  }
}

// Three rods that stay parallel: mobility 1 though six equations are redundant, and 3 on the flat pose.
MechanismModel double_four_bar(double angle) {
  const Vector3d rod(std::cos(angle), std::sin(angle), 0);
  MechanismBuilder builder = oracle::on_the_ground();
  for (int i = 0; i < 3; ++i) builder.body("rod" + std::to_string(i), Vector3d(i, 0, 0) + 0.5 * rod);
  for (int i = 0; i < 2; ++i) builder.body("coupler" + std::to_string(i), Vector3d(i + 0.5, 0, 0) + rod);
  for (int i = 0; i < 3; ++i)
    oracle::hinge(builder, "foot" + std::to_string(i), "base", "rod" + std::to_string(i), Vector3d(i, 0, 0), along_z,
                  i == 0 ? JointRole::actuator : JointRole::passive);
  for (int i = 0; i < 2; ++i) {
    const std::string coupler = "coupler" + std::to_string(i);
    oracle::hinge(builder, coupler + "_left", "rod" + std::to_string(i), coupler, Vector3d(i, 0, 0) + rod, along_z);
    oracle::hinge(builder, coupler + "_right", coupler, "rod" + std::to_string(i + 1), Vector3d(i + 1, 0, 0) + rod, along_z);
  }
  return builder.build();
}

TEST(AssemblyModes, TheDoubleFourBarGoesStraightThroughItsFlatPoses) {
  const double start = pi / 2;
  const Oracle mechanism(double_four_bar(start));
  for (const auto& [amount, knots] : {std::pair{-pi, 41}, {2 * pi, 81}, {2 * pi, 80}}) {
    const Eigen::MatrixXd controls = mechanism.first_control(amount, knots);
    const Kinematics motion = mechanism.follow(controls);
    ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
    EXPECT_EQ(motion.change_points.size(), amount < 0 ? 1u : 2u) << knots;
    for (int k = 0; k < knots; ++k) {
      const double angle = start + controls(0, k);
      const Vector3d coupler(1.5 + std::cos(angle), std::sin(angle), 0);
      EXPECT_LT((mechanism.origin(motion.states, "coupler1", k) - coupler).norm(), 1e-9) << k << " of " << knots;
    }
  }
}

// The driven slider can go no farther than crank and rod together are long.
TEST(AssemblyModesBadInput, ADeadPointIsToldWithItsTime) {
  const Oracle mechanism(oracle::slider_crank_with_a_rod_of_any_length(false));
  const double rest = std::cos(0.7) + std::sqrt(2.53 * 2.53 - std::sin(0.7) * std::sin(0.7)), dead = 3.53 - rest;
  Eigen::MatrixXd controls(1, 5);  // on the way from the second to the third the slider would be beyond
  controls << 0, 0.5 * dead, 1.5 * dead, 0.5 * dead, 0;
  controls /= mechanism.model->length();
  KinematicsOptions options;
  options.time_step = 0.25;
  const Kinematics motion = forward_kinematics(*mechanism.equations, mechanism.layout->rest_state(), controls,
                                               mechanism.layout->rest_parameters(), Eigen::MatrixXd(0, 5), options);
  EXPECT_EQ(motion.status, KinematicsStatus::unreachable);
  EXPECT_EQ(motion.failed_knot, 2);
  EXPECT_NE(motion.diagnosis.find("at knot 2 (t = 0.5 s): no pose satisfies all joints"), std::string::npos)
      << motion.diagnosis;
  EXPECT_NE(motion.diagnosis.find("dead point between knots 1 and 2 (t = 0.375 s)"), std::string::npos) << motion.diagnosis;
}

TEST(AssemblyModes, MomentsAreTold) {
  EXPECT_EQ(when(3, 0.1), "at knot 3 (t = 0.3 s)");
  EXPECT_EQ(when(2.25, 0), "between knots 2 and 3");
  EXPECT_EQ(when(-0.5, 0.1), "on the way from rest to the first knot");
}

// The same orientation by the other quaternion: 0.4 rad away, not a turn less 0.4 rad.
TEST(AssemblyModes, QuaternionControlsTakeTheShorterWay) {
  MechanismBuilder builder(oracle::plugins());
  builder.body("arm", {1, 0, 0});
  builder.joint("ball", "spherical", "", "arm", Vector3d::Zero(), Eigen::Matrix3d::Identity(), JointRole::actuator);
  const Oracle mechanism(builder.build());
  Eigen::MatrixXd controls = mechanism.layout->rest_controls().replicate(1, 2);
  controls.col(1) << -std::cos(0.2), 0, 0, -std::sin(0.2);
  const Kinematics motion = mechanism.follow(controls);
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  EXPECT_LE(motion.parts[1], 2);
  EXPECT_LT((mechanism.origin(motion.states, "arm", 1) - Vector3d(std::cos(0.4), std::sin(0.4), 0)).norm(), 1e-11);
  EXPECT_NEAR(mechanism.orientation(motion.states, "arm", 1).w(), std::cos(0.2), 1e-11) << "it has not turned on";
}

}  // namespace assembly_modes
}  // namespace holo
