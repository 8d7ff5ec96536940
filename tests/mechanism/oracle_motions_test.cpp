// Motions of mechanisms whose closed forms are known, beyond those of forward_kinematics_test.cpp:
// docs/robot-design-derivations.md#oracles-of-motions.
#include <gtest/gtest.h>

#include "holo/core/error.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace oracle_motions {

using Eigen::Vector3d;
using oracle::Oracle;

// The chain's angles after Denavit and Hartenberg at a knot, from those at rest.
std::vector<double> angles(const Oracle& chain, const std::vector<oracle::Link>& rest, const Eigen::MatrixXd& states,
                           Eigen::Index k) {
  std::vector<double> result;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const MechanismJoint& hinge = chain.model->joints()[1 + i];  // the first holds the base
    const auto turned = [&](int body) {
      return chain.orientation(states, chain.model->bodies()[std::size_t(body)].name, k).normalized();
    };
    const Eigen::Quaterniond between = turned(hinge.body_a).conjugate() * turned(hinge.body_b);
    result.push_back(rest[i].angle + 2 * std::atan2(between.vec().dot(hinge.axes.col(0)), between.w()));
  }
  return result;
}

TEST(OracleMotions, BennettsAnglesKeepTheirProduct) {
  const auto rest = oracle::bennett_links();
  const Oracle chain(oracle::bennett());
  const Kinematics motion = chain.follow(chain.first_control(1.4, 21));
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  const double product = std::tan(rest[0].angle / 2) * std::tan(rest[1].angle / 2);
  EXPECT_NEAR(std::abs(product), std::sin(105 * oracle::pi / 360) / std::sin(15 * oracle::pi / 360), 1e-12);
  for (int k = 0; k < 21; ++k) {
    const std::vector<double> at = angles(chain, rest, motion.states, k);
    EXPECT_NEAR(at[0], rest[0].angle + 1.4 * k / 20, 1e-10);
    EXPECT_NEAR(std::tan(at[0] / 2) * std::tan(at[1] / 2), product, 1e-9);
    EXPECT_NEAR(std::sin(at[2] + at[0]), 0, 1e-10);
    EXPECT_NEAR(std::sin(at[3] + at[1]), 0, 1e-10);
  }
}

TEST(OracleMotions, BricardsAnglesKeepTheirSum) {
  const auto rest = oracle::bricard_links();
  const Oracle chain(oracle::bricard());
  const Kinematics motion = chain.follow(chain.first_control(0.15, 11));
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  for (int k = 0; k < 11; ++k) {
    const std::vector<double> at = angles(chain, rest, motion.states, k);
    EXPECT_NEAR(at[0], rest[0].angle + 0.15 * k / 10, 1e-10);
    EXPECT_NEAR(std::cos(at[0]) + std::cos(at[1]) + std::cos(at[0]) * std::cos(at[1]), 0, 1e-10);
    for (std::size_t i = 2; i < 6; ++i) EXPECT_NEAR(std::sin(at[i] - at[i - 2]), 0, 1e-10) << i;
  }
}

// Longer by a fiftieth it does not move: what the other equations imply of a Bennett linkage they do not imply of this one.
TEST(OracleMotionsBadInput, ABennettOfWrongLengthsIsRefused) {
  const auto model = [](double stretch) {
    return std::make_shared<const MechanismModel>(oracle::closed_chain(oracle::bennett_links(1.2, stretch)));
  };
  const Eigen::MatrixXd controls = Eigen::RowVectorXd::LinSpaced(11, 0, 0.5), none(0, 11);
  EXPECT_NO_THROW(make_motion(model(1), controls, Eigen::VectorXd(), none));
  EXPECT_THROW(make_motion(model(1.02), controls, Eigen::VectorXd(), none), Error);
}

// A point at its distances at rest from two others, on the side of these on which it is at rest.
Vector3d third_of(const Vector3d& rest, const Vector3d& rest_a, const Vector3d& rest_b, const Vector3d& a, const Vector3d& b) {
  const bool is_left = (rest_b - rest_a).cross(rest - rest_a).z() > 0;
  const double r = (rest - rest_a).norm(), s = (rest - rest_b).norm();
  return is_left ? oracle::circles_meet(a, r, b, s) : oracle::circles_meet(b, s, a, r);
}

// Circles within circles: the crank's pin, the first loop's pin, a point of the link between them, and the second loop's pin.
void expect_nested_circles(MechanismModel model, const std::vector<Vector3d>& pins, bool last_is_on_the_ground) {
  const Oracle linkage(std::move(model));
  const Kinematics motion = linkage.follow(linkage.first_control(0.3, 13));
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  const Vector3d &a = pins[1], &b = pins[2], &pivot = pins[3], &c = pins[4], &d = pins[5], &e = pins[6];
  for (int k = 0; k < 13; ++k) {
    const Vector3d at_a = Eigen::AngleAxisd(0.3 * k / 12, oracle::along_z) * a, at_b = third_of(b, a, pivot, at_a, pivot);
    const Vector3d at_c = third_of(c, a, b, at_a, at_b), at_e = last_is_on_the_ground ? e : third_of(e, b, pivot, at_b, pivot);
    const Vector3d at_d = third_of(d, c, e, at_c, at_e);
    const Vector3d origin = linkage.model->bodies()[std::size_t(linkage.model->body("hand"))].origin;
    const Vector3d found =
        linkage.origin(motion.states, "hand", k) + linkage.orientation(motion.states, "hand", k).normalized() * (d - origin);
    EXPECT_LT((found - at_d).norm(), 1e-10) << k;
  }
}

TEST(OracleMotions, WattAndStephensonAreCirclesWithinCircles) {
  expect_nested_circles(oracle::watt(),
                        {{0, 0, 0}, {0.3, 1.0, 0}, {2.0, 1.6, 0}, {2.4, 0.1, 0}, {1.1, 2.4, 0}, {2.0, 3.3, 0}, {3.1, 2.2, 0}},
                        false);
  expect_nested_circles(oracle::stephenson(),
                        {{0, 0, 0}, {0.4, 0.9, 0}, {1.9, 1.5, 0}, {2.3, -0.2, 0}, {1.2, 2.2, 0}, {2.9, 2.7, 0}, {3.7, 0.3, 0}},
                        true);
}

}  // namespace oracle_motions
}  // namespace holo
