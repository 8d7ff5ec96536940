// The sliding speed of surfaces with friction is that of mechanics: relative, tangential, a mean of each two bodies.
#include "holo/sim/dynamics/sliding_speed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "colliding_bodies.h"

namespace holo::test {
namespace {

constexpr double sliding_dt = 0.01, sliding_gap = 8e-4;  // s, m: below the activation distance

// A block on a plane, one on top of it, and one beside them on the plane; gaps are below the activation distance.
ElasticSceneDefinition three_blocks(bool is_affine, double friction, const MotionDefinition& motion_of_plane = {}) {
  ElasticSceneDefinition scene;
  scene.time_step = sliding_dt;
  scene.bodies = {block_at("lower", {0, 0, sliding_gap}, {0.2, 0.2, 0.1}, 48, 1e6),
                  block_at("upper", {0.043, 0.051, 0.1 + 2 * sliding_gap}, {0.1, 0.1, 0.1}, 48, 1e6),
                  block_at("single", {0.4, 0, sliding_gap}, {0.1, 0.1, 0.1}, 48, 1e6)};
  for (ElasticBodyDefinition& body : scene.bodies) {
    body.friction = friction;
    if (is_affine) body.deformation = Deformation::affine;
  }
  scene.contact.between_bodies = true;
  scene.contact.activation_distance = 1e-3;
  scene.contact.planes.push_back({"ground", {0, 0, 0}, {0, 0, 1}, friction, {}, motion_of_plane});
  return scene;
}

// Of a step in which each body moves with its velocity [m/s].
double speed_with(const ElasticSceneDefinition& definition, const std::vector<Vector3d>& velocities) {
  const ElasticScene scene(definition);
  const ElasticState before = initial_state(*scene.model);
  ElasticState after = before;
  after.time = sliding_dt;
  for (std::size_t b = 0; b < velocities.size(); ++b) {
    const ElasticBody& body = scene.model->bodies()[b];
    for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v)
      after.positions.segment<3>(3 * v) += sliding_dt * Eigen::Vector3d(velocities[b].data());
  }
  return SlidingSpeed(scene).of_step(before, after);
}

class SlidingSpeeds : public testing::TestWithParam<bool> {
 protected:
  double speed(const std::vector<Vector3d>& velocities, double friction = 0.5, const MotionDefinition& motion = {}) {
    return speed_with(three_blocks(GetParam(), friction, motion), velocities);
  }
};

TEST_P(SlidingSpeeds, AreTheTangentialVelocitiesRelativeToWhatIsTouched) {
  EXPECT_NEAR(speed({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}), 0, 1e-12);
  EXPECT_NEAR(speed({{0, 0, 0}, {0, 0, 0}, {0.03, -0.04, 0.01}}), 0.05, 1e-12) << "of the plane: without the normal part";
  EXPECT_NEAR(speed({{0, 0, 0}, {0.03, -0.04, 0.01}, {0, 0, 0}}), 0.05, 1e-12) << "of two bodies";
  EXPECT_NEAR(speed({{0.06, 0, 0}, {0.06, 0, 0}, {0, 0, 0}}), 0.06, 1e-12) << "the upper block is carried";
  EXPECT_NEAR(speed({{0, 0, 0}, {0, 0, -0.01}, {0, 0, 0.01}}), 0, 1e-12) << "along the normal nothing slides";
}

TEST_P(SlidingSpeeds, AreThoseOfThePairThatSlidesTheFastest) {
  EXPECT_NEAR(speed({{0.02, 0, 0}, {-0.01, 0, 0}, {0.025, 0, 0}}), 0.03, 1e-12) << "the blocks on each other";
  EXPECT_NEAR(speed({{0.02, 0, 0}, {0.01, 0, 0}, {0.025, 0, 0}}), 0.025, 1e-12) << "the single block on the plane";
}

TEST_P(SlidingSpeeds, AreRelativeToAnObstacleThatMoves) {
  const MotionDefinition motion = linear_motion({0.05, 0, 0}, 1);
  EXPECT_NEAR(speed({{0.05, 0, 0}, {0.05, 0, 0}, {0.05, 0, 0}}, 0.5, motion), 0, 1e-12);
  EXPECT_NEAR(speed({{0.05, 0, 0}, {0.05, 0, 0}, {0, 0, 0}}, 0.5, motion), 0.05, 1e-12);
}

TEST_P(SlidingSpeeds, CountWhereFrictionActsAndSurfacesTouch) {
  EXPECT_EQ(speed({{0.05, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 0), 0) << "no friction";
  EXPECT_EQ(speed({{0, 0, 0}, {0, 0, 0}, {0.05, 0, 0.03}}), 0) << "the block leaves the plane by 0.3 mm, beyond the reach";
}

INSTANTIATE_TEST_SUITE_P(Bodies, SlidingSpeeds, testing::Bool(),
                         [](const auto& affine) { return affine.param ? "Affine" : "Elastic"; });

// All gaps are the same, so that the weights are the areas of the vertices that touch the plane.
TEST(SlidingSpeed, IsTheMeanOfAllContactsOfATurningBlock) {
  ElasticSceneDefinition definition = three_blocks(false, 0.5);
  definition.bodies = {definition.bodies[2]};
  definition.contact.between_bodies = false;
  const ElasticScene scene(definition);
  const ElasticState before = initial_state(*scene.model);
  ElasticState after = before;
  after.time = sliding_dt;
  const double angle = 0.003;
  const Eigen::Vector3d center(0.43, 0.07, 0);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  for (Eigen::Index i = 0; i < after.positions.size(); i += 3)
    after.positions.segment<3>(i) = center + turn * (before.positions.segment<3>(i) - center);
  double area = 0, moved = 0;
  for (std::size_t i = 0; i < scene.contact.surface->vertices.size(); ++i) {
    const Eigen::Vector3d x = before.positions.segment<3>(3 * scene.contact.surface->vertices[i]);
    if (x[2] > 0.01) continue;
    area += scene.contact.surface->areas[i];
    moved += scene.contact.surface->areas[i] * 2 * std::sin(angle / 2) * (x - center).head<2>().norm();
  }
  EXPECT_NEAR(SlidingSpeed(scene).of_step(before, after), moved / area / sliding_dt, 1e-9);
}

}  // namespace
}  // namespace holo::test
