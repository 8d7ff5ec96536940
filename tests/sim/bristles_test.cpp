// Surfaces with bristles: their friction depends on the direction in which they slide.
#include "holo/sim/contact/bristles.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "block_on_plane.h"
#include "colliding_bodies.h"
#include "holo/sim/dynamics/incremental_potential.h"

namespace holo::test {
namespace {

constexpr double forward_factor = 0.6, backward_factor = 1.5, lateral_factor = 1.2;

BristlesDefinition bristles_along(const Vector3d& direction) {
  BristlesDefinition bristles;
  bristles.direction = direction;
  bristles.forward = forward_factor;
  bristles.backward = backward_factor;
  bristles.lateral = lateral_factor;
  return bristles;
}

// The block of block_on_plane.h, with bristles along x, which is turned about z by `angle` and slides on level ground.
ElasticSceneDefinition bristled_block(const Vector3d& velocity, double friction, double angle = 0) {
  ElasticSceneDefinition definition = block_on_slope(0, friction);
  definition.contact.stick_speed = 1e-3;
  ElasticBodyDefinition& body = definition.bodies[0];
  body.bristles = bristles_along({1, 0, 0});
  body.rotation_angle = angle;
  body.velocity = velocity;
  return definition;
}

// The ground of the block as the surface of a mesh in place of the plane.
ElasticSceneDefinition on_a_mesh(ElasticSceneDefinition definition) {
  MeshObstacleDefinition table;
  table.name = "table";
  table.mesh = box_source({8, 8, 0.1}, 48);
  table.translation = {-3.7, -3.6, -0.1};
  table.friction = definition.contact.planes[0].friction;
  definition.contact.planes.clear();
  definition.contact.meshes = {table};
  return definition;
}

// How far a block has turned about z since it was in its mesh's coordinates [rad].
double yaw_of(const BlockOnPlane& block) {
  const std::vector<std::array<double, 3>>& rest = block.scene.model->bodies()[0].mesh.vertices;
  const auto along = [](const auto& each) { return each[0] - each[1]; };  // lowest and highest at two edges of the block
  std::size_t first = 0, last = 0;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    if (along(rest[v]) < along(rest[first])) first = v;
    if (along(rest[v]) > along(rest[last])) last = v;
  }
  const Eigen::Vector3d way = block.state.positions.segment<3>(3 * static_cast<Eigen::Index>(last)) -
                              block.state.positions.segment<3>(3 * static_cast<Eigen::Index>(first));
  return std::atan2(way[1], way[0]) + M_PI / 4;
}

// The mean acceleration [m/s^2] of a block after it has settled on the barrier, in the frame of the block in the middle of the
// time: full friction does not hold back the little turn that settling leaves.
Eigen::Vector3d acceleration_of(const ElasticSceneDefinition& definition, int settling, int steps) {
  BlockOnPlane block(definition);
  block.run(settling);
  const Eigen::Vector3d before(block.velocity().data());
  block.run(steps / 2);
  const double yaw = yaw_of(block);
  block.run(steps - steps / 2);
  const Eigen::Vector3d mean = (Eigen::Vector3d(block.velocity().data()) - before) / (steps * definition.time_step);
  return Eigen::AngleAxisd(-yaw, Eigen::Vector3d::UnitZ()) * mean;
}

struct SlidingCase {
  Vector3d velocity;
  Vector3d factors;  // of mu g, against the velocity
};

// Sliding across the direction, the block also feels the bristles' lateral friction as a whole: both parts add up.
const SlidingCase sliding_cases[] = {{{3, 0, 0}, {-forward_factor, 0, 0}},
                                     {{-3, 0, 0}, {backward_factor, 0, 0}},
                                     {{0, 3, 0}, {0, -lateral_factor, 0}},
                                     {{2, -2, 0}, {-forward_factor, lateral_factor, 0}},
                                     {{-2, -2, 0}, {backward_factor, lateral_factor, 0}}};

// A block that slides along its bristles keeps to them, so that a slow turn of 1e-4 rad/s bends its way.
TEST(Bristles, SlidingBlockDeceleratesByTheFactorOfItsDirection) {
  for (const SlidingCase& sliding : sliding_cases)
    for (const double angle : {0.0, 0.7}) {
      const Eigen::Vector3d velocity =
          Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()) * Eigen::Vector3d(sliding.velocity.data());
      const Eigen::Vector3d found = acceleration_of(bristled_block({velocity[0], velocity[1], 0}, 0.1, angle), 60, 20),
                            expected = 0.1 * block_gravity * Eigen::Vector3d(sliding.factors.data());
      EXPECT_LT((found - expected).norm(), 1e-3 * expected.norm()) << velocity.transpose() << ": " << found.transpose();
    }
}

TEST(Bristles, ForcesForwardAndBackwardHaveTheRatioOfTheirFactors) {
  const double ahead = acceleration_of(bristled_block({3, 0, 0}, 0.1), 60, 20)[0],
               back = acceleration_of(bristled_block({-3, 0, 0}, 0.1), 60, 20)[0];
  EXPECT_NEAR(-ahead / back, forward_factor / backward_factor, 1e-6);
}

// Pairs of primitives share the weight unevenly, and the normal forces of a block that moves over other triangles are those of
// the step before.
TEST(Bristles, SlideOnAMeshAsOnAPlane) {
  for (const SlidingCase& sliding : sliding_cases) {
    const Eigen::Vector3d found = acceleration_of(on_a_mesh(bristled_block(sliding.velocity, 0.1)), 30, 20),
                          expected = 0.1 * block_gravity * Eigen::Vector3d(sliding.factors.data());
    EXPECT_LT((found - expected).norm(), 0.02 * expected.norm()) << found.transpose();
  }
}

// The deceleration of a block [m/s^2] that slides forward with 1 m/s on a plate that is held below, of which the one or the
// other has bristles along x.
double deceleration_on_a_plate(std::size_t bristled) {
  ElasticSceneDefinition definition;
  definition.time_step = 0.01;
  definition.bodies = {block_at("plate", {0, 0, 0}, {0.9, 0.3, 0.1}, 54, 1e7),
                       block_at("block", {0.03, 0.09, 0.1 + 0.991e-3}, {0.1, 0.1, 0.1}, 48, 1e7)};
  definition.bodies[0].handles = {box_handle({-9, -9, -9}, {9, 9, 1e-9})};
  definition.bodies[1].velocity = {1, 0, 0};
  definition.bodies[bristled].bristles = bristles_along({1, 0, 0});
  for (ElasticBodyDefinition& body : definition.bodies) body.friction = 0.1, body.stiffness_damping = 0.002;
  definition.contact.between_bodies = true;
  definition.contact.activation_distance = 1e-3;
  definition.contact.stick_speed = 1e-3;
  CollidingBodies bodies(definition);
  bodies.run(20);
  const double before = bodies.velocity(1)[0];
  bodies.run(20);
  return (before - bodies.velocity(1)[0]) / 0.2;
}

// Against the block, the plate slides backward.
TEST(Bristles, OfEitherBodyActBetweenTwo) {
  EXPECT_NEAR(deceleration_on_a_plate(1), forward_factor * 0.1 * block_gravity, 0.02 * block_gravity * 0.1);
  EXPECT_NEAR(deceleration_on_a_plate(0), backward_factor * 0.1 * block_gravity, 0.02 * block_gravity * 0.1);
}

TEST(Bristles, ABodyWithoutThemKeepsTheCoefficientOfTheGround) {
  ElasticSceneDefinition definition = bristled_block({3, 0, 0}, 0.1);
  ElasticBodyDefinition other = definition.bodies[0];
  other.name = "smooth";
  other.bristles.reset();
  other.translation[1] = 0.5;
  definition.bodies.push_back(other);
  BlockOnPlane blocks(definition);
  EXPECT_EQ(blocks.integrator.potential().potential_terms().back()->name(), "friction of bristles on 'ground'");
  blocks.run(100);
  // Of a block's mean: velocities of the scene are those of both.
  const ElasticBody& smooth = blocks.scene.model->bodies()[1];
  const double smooth_speed = blocks.state.velocities[3 * smooth.first_vertex], bristled_speed = blocks.state.velocities[0];
  EXPECT_NEAR(3 - smooth_speed, 0.1 * block_gravity, 0.02) << "after a second";
  EXPECT_NEAR(3 - bristled_speed, forward_factor * 0.1 * block_gravity, 0.02);
}

TEST(Bristles, DirectionIsFixedToTheBodyAndTurnsWithIt) {
  for (const Deformation deformation : {Deformation::full, Deformation::affine}) {
    ElasticSceneDefinition definition = bristled_block({}, 0.3, 0.4);
    definition.bodies[0].deformation = deformation;
    definition.bodies[0].bristles = bristles_along({0.48, 0.6, 0.64});
    const ElasticScene scene(definition);
    const ContactSurface& surface = *scene.contact.surface;
    const Eigen::Vector3d placed = Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitZ()) * Eigen::Vector3d(0.48, 0.6, 0.64);
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.1, Eigen::Vector3d(0.6, 0, 0.8)).toRotationMatrix();
    Eigen::VectorXd turned = scene.model->start_positions();
    for (Eigen::Index v = 0; v < turned.size(); v += 3)
      turned.segment<3>(v) = turn * turned.segment<3>(v).eval() + Eigen::Vector3d(1, 2, 3);
    const Eigen::VectorXd at_start = surface.points(scene.model->start_positions()), later = surface.points(turned);
    for (const int vertex : surface.vertices) {
      ASSERT_TRUE(surface.bristles->covers(vertex));
      EXPECT_LT((surface.bristles->direction(vertex, at_start) - placed).norm(), 1e-12);
      EXPECT_LT((surface.bristles->direction(vertex, later) - turn * placed).norm(), 1e-12);
    }
  }
}

// Bristles that stand upright have the same friction in all directions.
TEST(Bristles, UprightOnesHaveTheirLateralFriction) {
  ElasticSceneDefinition definition = bristled_block({3, 0, 0}, 0.1);
  definition.bodies[0].bristles = bristles_along({0, 0, 1});
  EXPECT_NEAR(acceleration_of(definition, 60, 20)[0], -lateral_factor * 0.1 * block_gravity, 1e-4);
}

// A block that falls, spins and bounces slides in all directions of its bristles; each vertex loses energy.
TEST(Bristles, FrictionNeverDoesPositiveWork) {
  for (const bool of_mesh : {false, true}) {
    ElasticSceneDefinition definition = bristled_block({0.5, 0.2, -0.5}, 0.4);
    definition.time_step = 0.002;
    definition.contact.lag_updates = 1;
    definition.bodies[0].translation = {0, 0, 2 * block_reach};
    definition.bodies[0].angular_velocity = {0, 0.5, 15};
    if (of_mesh) definition = on_a_mesh(definition);
    BlockOnPlane block(definition);
    PotentialTerm& friction = *block.integrator.potential().potential_terms().back();
    const double start_energy = energies(*block.scene.model, block.scene.gravity, block.state).kinetic;
    double total = 0;
    for (int n = 0; n < (of_mesh ? 40 : 120); ++n) {
      const Eigen::VectorXd start = block.state.positions;
      block.run(1);
      Eigen::VectorXd gradient = Eigen::VectorXd::Zero(start.size());
      friction.add_gradient(block.state.positions, gradient);
      const double work = -gradient.dot(block.state.positions - start);
      EXPECT_LE(work, 0) << n;
      total += work;
      friction.add_gradient(start, gradient = Eigen::VectorXd::Zero(start.size()));
      EXPECT_LE(gradient.norm(), 1e-12) << "no force without displacement";
    }
    EXPECT_LT(total, -0.1 * start_energy) << "the check is not vacuous";
  }
}

// Ground that vibrates along the bristles with the velocity V cos(w t). A block whose velocity v changes little within a period
// slides forward against the ground while cos(w t) < v/V, for the share p = 1 - acos(v/V)/pi of the time, and its velocity
// grows by mu g (b (1 - p) - f p) with the factors f and b. It drifts with v = V cos(pi f/(f + b)) in the end.
constexpr double vibration_period = 0.04, vibration_speed = 0.628, vibration_friction = 0.1;

// The mean velocity of a block [m/s] in the last of `periods` that began with `speed`.
double drift_after(double speed, int periods) {
  ElasticSceneDefinition definition = bristled_block({speed, 0, 0}, vibration_friction);
  definition.bodies[0].deformation = Deformation::affine;
  definition.time_step = 0.001;
  MotionDefinition& motion = definition.contact.planes[0].motion;
  motion.kind = MotionDefinition::Kind::sinusoid;
  motion.displacement = {vibration_speed * vibration_period / (2 * M_PI), 0, 0};
  motion.period = vibration_period;
  BlockOnPlane block(definition);
  constexpr int steps = 40;
  block.run((periods - 1) * steps);
  double drift = 0;
  for (int n = 0; n < steps; ++n) {
    block.run(1);
    drift += block.velocity()[0] / steps;
  }
  return drift;
}

TEST(Bristles, ABlockOnVibratingGroundDriftsForward) {
  const double changed = backward_factor * vibration_friction * block_gravity * vibration_period / 4;  // within a quarter
  const double rate = vibration_friction * block_gravity * (backward_factor - forward_factor) / 2;     // from rest
  EXPECT_NEAR(drift_after(0, 5), rate * 4.5 * vibration_period, changed);
  const double last = vibration_speed * std::cos(M_PI * forward_factor / (forward_factor + backward_factor));
  EXPECT_NEAR(drift_after(0.8 * last, 60), last, changed);
  EXPECT_NEAR(drift_after(1.2 * last, 60), last, changed);
}

}  // namespace
}  // namespace holo::test
