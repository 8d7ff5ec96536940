#include "holo/sim/mechanism/kinematics/forward_kinematics.h"

#include <gtest/gtest.h>

#include "holo/sim/mechanism/kinematics/measured_controls.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace {

using oracle::Oracle;
using oracle::pi;

// The angle by which the body has turned about z since rest, without jumps from knot to knot.
std::vector<double> turns_about_z(const Oracle& mechanism, const Eigen::MatrixXd& states, const std::string& body) {
  std::vector<double> result;
  for (Eigen::Index k = 0; k < states.cols(); ++k) {
    const Eigen::Quaterniond q = mechanism.orientation(states, body, k);
    double angle = 2 * std::atan2(q.z(), q.w());
    if (!result.empty()) angle -= 2 * pi * std::round((angle - result.back()) / (2 * pi));
    result.push_back(angle);
  }
  return result;
}

TEST(ForwardKinematics, FourBarFollowsFreudensteinsClosedForm) {
  const double start = 1.0;
  const Oracle mechanism(oracle::four_bar(start));
  const Kinematics motion = mechanism.follow(mechanism.first_control(2 * pi, 41));
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  const std::vector<double> turned = turns_about_z(mechanism, motion.states, "rocker");
  const auto rocker = [](double crank) {
    const Eigen::Vector3d far(4, 0, 0), end = oracle::circles_meet({std::cos(crank), std::sin(crank), 0}, 3.5, far, 3) - far;
    return std::atan2(end.y(), end.x());
  };
  for (int k = 0; k < 41; ++k)
    EXPECT_NEAR(std::sin(turned[std::size_t(k)] - (rocker(start + 2 * pi * k / 40) - rocker(start))), 0, 1e-10) << k;
}

TEST(ForwardKinematics, SliderCrankFollowsItsClosedForm) {
  const double start = 0.7;
  const Oracle mechanism(oracle::slider_crank(start));
  const Kinematics motion = mechanism.follow(mechanism.first_control(2 * pi, 41));
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  for (int k = 0; k < 41; ++k) {
    const double u = start + 2 * pi * k / 40;
    EXPECT_NEAR(mechanism.origin(motion.states, "slider", k).x(),
                std::cos(u) + std::sqrt(2.53 * 2.53 - std::sin(u) * std::sin(u)), 1e-11);
  }
}

TEST(ForwardKinematics, SarrusLiftsItsTopStraight) {
  const Oracle mechanism(oracle::sarrus());
  const Kinematics motion = mechanism.follow(mechanism.first_control(-0.4, 21));
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  const double foot = std::atan2(1, 0.8), length = std::hypot(1, 0.8);
  for (int k = 0; k < 21; ++k) {
    const Eigen::Vector3d top = mechanism.origin(motion.states, "top", k);
    EXPECT_LT(top.head<2>().cwiseAbs().maxCoeff(), 1e-12);
    // A turn about y lowers x toward z.
    EXPECT_NEAR(top.z(), 2 * length * std::sin(foot - (-0.4 * k / 20)), 1e-11);
  }
}

TEST(ForwardKinematics, SphericalFiveBarKeepsItsCenter) {
  const Oracle mechanism(oracle::spherical_five_bar());
  Eigen::MatrixXd controls = mechanism.first_control(0.4, 15);
  controls.row(1) = -0.5 * controls.row(0);
  const Kinematics motion = mechanism.follow(controls);
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  for (int k = 0; k < 15; ++k)
    for (const MechanismBody& body : mechanism.model->bodies()) {
      const Eigen::Vector3d center = mechanism.origin(motion.states, body.name, k) +
                                     mechanism.orientation(motion.states, body.name, k).normalized() * (-body.origin);
      EXPECT_LT(center.norm(), 1e-11) << body.name;
    }
}

TEST(ForwardKinematics, StewartLegsHaveTheLengthsOfTheirEndpoints) {
  const Oracle mechanism(oracle::stewart());
  Eigen::MatrixXd controls = mechanism.first_control(0.1, 11);
  for (int leg = 1; leg < 6; ++leg) controls.row(leg) = (0.5 - 0.2 * leg) * controls.row(0);
  const Kinematics motion = mechanism.follow(controls);
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  const auto legs = oracle::stewart_legs();
  for (int k = 0; k < 11; ++k)
    for (std::size_t i = 0; i < 6; ++i) {
      const Eigen::Vector3d head =
          mechanism.origin(motion.states, "top", k) +
          mechanism.orientation(motion.states, "top", k).normalized() * (legs[i].head - Eigen::Vector3d(0, 0, 1.1));
      const double extension = mechanism.model->length() * controls(Eigen::Index(i), k);
      EXPECT_NEAR((head - legs[i].foot).norm(), (legs[i].head - legs[i].foot).norm() + extension, 1e-11);
    }
}

TEST(ForwardKinematics, MeasuredControlsAreThoseThatDrove) {
  const Oracle mechanism(oracle::stewart());
  Eigen::MatrixXd controls = mechanism.first_control(0.1, 7);
  const Kinematics motion = mechanism.follow(controls);
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  EXPECT_LT((measured_controls(*mechanism.layout, motion.states, mechanism.layout->rest_parameters()) - controls)
                .cwiseAbs()
                .maxCoeff(),
            1e-11);
}

TEST(ForwardKinematics, MeasuredAnglesGoOnPastFullTurns) {
  const Oracle mechanism(oracle::four_bar());
  const Eigen::MatrixXd controls = mechanism.first_control(5 * pi, 81);
  const Kinematics motion = mechanism.follow(controls);
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  EXPECT_LT((measured_controls(*mechanism.layout, motion.states, mechanism.layout->rest_parameters()) - controls)
                .cwiseAbs()
                .maxCoeff(),
            1e-10);
}

TEST(ForwardKinematicsBadInput, WhatCannotBeReachedNamesTheJoint) {
  const Oracle mechanism(oracle::stewart());
  const Kinematics motion = mechanism.follow(mechanism.first_control(20, 5));
  EXPECT_EQ(motion.status, KinematicsStatus::unreachable);
  EXPECT_GE(motion.failed_knot, 1);
  EXPECT_NE(motion.diagnosis.find("equation"), std::string::npos) << motion.diagnosis;
}

}  // namespace
}  // namespace holo
