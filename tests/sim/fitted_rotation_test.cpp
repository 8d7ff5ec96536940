// The orientation of a deformed body: known rotations are found again, and taken apart into yaw and tilt.
#include "holo/sim/elastic/fitted_rotation.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "scenes.h"

namespace holo::test {
namespace {

std::shared_ptr<const ElasticModel> rod_model() {
  ElasticModelDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, box_source({0.3, 0.5, 0.8}, 60))};
  return build(definition);
}

// Positions x = R A X + c.
Eigen::VectorXd moved_by(const ElasticModel& model, const Eigen::Matrix3d& R, const Eigen::Matrix3d& A) {
  Eigen::VectorXd x = model.start_positions();
  for (int v = 0; v < model.vertex_count(); ++v)
    x.segment<3>(3 * v) = R * A * model.start_positions().segment<3>(3 * v) + Eigen::Vector3d(0.1, -2, 3);
  return x;
}

Eigen::Matrix3d turn(double angle, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

TEST(FittedRotation, IsTheRotationOfARigidMotion) {
  const auto model = rod_model();
  for (const double angle : {0.0, 0.3, 2.0, 3.1}) {
    const Eigen::Matrix3d R = turn(angle, {1, -2, 0.5});
    const Eigen::Matrix3d found =
        fitted_rotation(*model, model->bodies().front(), moved_by(*model, R, Eigen::Matrix3d::Identity()));
    EXPECT_LT((found - R).norm(), 1e-12) << angle;
  }
}

TEST(FittedRotation, IgnoresGrowth) {
  const auto model = rod_model();
  const Eigen::Matrix3d R = turn(0.7, {1, 1, 3});
  for (const double factor : {0.4, 1.7})
    EXPECT_LT((fitted_rotation(*model, model->bodies().front(), moved_by(*model, R, factor * Eigen::Matrix3d::Identity())) - R)
                  .norm(),
              1e-12);
}

TEST(FittedRotation, IsNoReflectionOfAMirroredBody) {
  const auto model = rod_model();
  const Eigen::Matrix3d mirror = Eigen::Vector3d(-1, 1, 1).asDiagonal();
  const Eigen::Matrix3d R =
      fitted_rotation(*model, model->bodies().front(), moved_by(*model, Eigen::Matrix3d::Identity(), mirror));
  EXPECT_NEAR(R.determinant(), 1, 1e-12);
  EXPECT_LT((R * R.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-12);
}

TEST(FittedRotation, TiltAndYawMakeTheRotation) {
  for (const double yaw : {-3.0, -0.4, 0.0, 1.2})
    for (const double tilt : {0.0, 0.2, 1.5}) {
      const Attitude found = attitude(turn(tilt, {0.6, 0.8, 0}) * turn(yaw, {0, 0, 1}));
      EXPECT_NEAR(found.yaw, yaw, 1e-12);
      EXPECT_NEAR(found.tilt, tilt, 1e-7);  // the arc cosine near 1
    }
}

}  // namespace
}  // namespace holo::test
