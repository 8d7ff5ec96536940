// Obstacles that move by script: they push, carry and drag bodies as mechanics says, and pass through none.
#include <gtest/gtest.h>

#include <cmath>

#include "colliding_bodies.h"
#include "dynamics/contact/plane_contact.h"
#include "holo/sim/elastic/elastic_intersections.h"
#include "refusal_message.h"
#include "term_checks.h"

namespace holo::test {
namespace {

constexpr double g_of_moving_obstacles = 9.81;  // m/s^2

MotionDefinition turned_by(double angle, double duration, const Vector3d& axis = {0, 0, 1}) {
  MotionDefinition motion;
  motion.kind = MotionDefinition::Kind::rotation;
  motion.angle = angle;
  motion.axis = axis;
  motion.duration = duration;
  return motion;
}

MeshObstacleDefinition box_mesh_obstacle(const char* name, const Vector3d& corner, const Vector3d& size, int elements) {
  MeshObstacleDefinition obstacle;
  obstacle.name = name;
  obstacle.mesh = box_source(size, elements);
  obstacle.translation = corner;
  return obstacle;
}

// A block of 0.1 m, 0.8 mm above z = 0, where there is a plane or the top of a mesh; friction and a motion of the ground.
ElasticSceneDefinition block_on_ground(bool is_mesh, double friction, const MotionDefinition& motion) {
  ElasticSceneDefinition scene;
  scene.time_step = 0.01;
  scene.bodies = {block_at("block", {0.013, 0.021, 0.0008}, {0.1, 0.1, 0.1}, 48, 1e6)};
  scene.bodies[0].stiffness_damping = 0.01;
  scene.contact.activation_distance = 1e-3;
  scene.contact.stick_speed = 1e-3;
  scene.contact.lag_updates = 2;
  if (is_mesh) {
    scene.contact.meshes = {box_mesh_obstacle("ground", {-0.3, -0.2, -0.05}, {0.7, 0.5, 0.05}, 210)};
    scene.contact.meshes[0].friction = friction;
    scene.contact.meshes[0].motion = motion;
  } else {
    scene.contact.planes = {{"ground", {0, 0, 0}, {0, 0, 1}, friction, {}, motion}};
  }
  return scene;
}

std::size_t forbidden(const CollidingBodies& bodies) {
  const ElasticIntersections test(bodies.scene.model, bodies.scene.contact);
  return static_cast<std::size_t>(test.prevented(test.find(bodies.state.positions, bodies.state.time)).count());
}

// In each step the ground rises by many activation distances, into where the body was.
TEST(MovingObstacle, RisingGroundTakesABodyAlongThatItWouldPassInAStep) {
  for (const bool is_mesh : {false, true}) {
    ElasticSceneDefinition definition = block_on_ground(is_mesh, 0, linear_motion({0, 0, 0.2}, 0.2));  // 10 mm in a step
    CollidingBodies bodies(definition, 1e-7);
    for (int n = 0; n < 20; ++n) {
      ASSERT_EQ(bodies.integrator.step(bodies.state).newton.status, NewtonStatus::converged) << n;
      ASSERT_EQ(forbidden(bodies), 0u) << n;
    }
    EXPECT_GT(bodies.center(0)[2], 0.2 + 0.049) << is_mesh;
    EXPECT_NEAR(bodies.velocity(0)[2], 1, 0.2) << is_mesh;
  }
}

// Without collision detection the wall would be behind the body after one step.
TEST(MovingObstacle, AThinWallThatMovesDoesNotPassThroughABody) {
  ElasticSceneDefinition definition = block_on_ground(true, 0, {});
  definition.gravity = {0, 0, 0};
  definition.contact.meshes = {box_mesh_obstacle("wall", {-0.02, -0.5, -0.5}, {0.01, 1, 1}, 600)};
  definition.contact.meshes[0].motion = linear_motion({0.6, 0, 0}, 0.02);  // 0.3 m in a step
  CollidingBodies bodies(definition, 1e-7);
  for (int n = 1; n <= 4; ++n) {
    bodies.run(1);
    EXPECT_GT(bodies.center(0)[0], std::min(0.3 * n, 0.6)) << n;
  }
}

// v = mu g t until the body is as fast as the belt, which it then follows.
TEST(MovingObstacle, ABeltDragsABodyByFrictionUntilItIsAsFast) {
  const double friction = 0.3, speed = 0.4;
  for (const bool is_mesh : {false, true}) {
    CollidingBodies bodies(block_on_ground(is_mesh, friction, linear_motion({speed, 0, 0}, 1)));
    for (int n = 0; n < 8; ++n) ASSERT_EQ(bodies.integrator.step(bodies.state).newton.status, NewtonStatus::converged);
    EXPECT_NEAR(bodies.velocity(0)[0], friction * g_of_moving_obstacles * 0.08, 0.012) << is_mesh;
    for (int n = 0; n < 17; ++n) ASSERT_EQ(bodies.integrator.step(bodies.state).newton.status, NewtonStatus::converged);
    EXPECT_NEAR(bodies.velocity(0)[0], speed, 2e-3) << is_mesh;
    EXPECT_NEAR(bodies.velocity(0)[1], 0, 1e-4) << is_mesh;
  }
}

// On a table that turns about z, a body that sticks moves with omega x r.
TEST(MovingObstacle, ATurningTableCarriesABodyThatSticks) {
  const double speed = 0.5;  // rad/s: of 0.1 m, an acceleration of 0.025 m/s^2
  for (const bool is_mesh : {false, true}) {
    CollidingBodies bodies(block_on_ground(is_mesh, 0.5, turned_by(speed, 1)));
    for (int n = 0; n < 15; ++n) ASSERT_EQ(bodies.integrator.step(bodies.state).newton.status, NewtonStatus::converged);
    const Vector3d center = bodies.center(0), velocity = bodies.velocity(0);
    EXPECT_NEAR(velocity[0], -speed * center[1], 1.5e-3) << is_mesh;
    EXPECT_NEAR(velocity[1], speed * center[0], 1.5e-3) << is_mesh;
  }
}

// At the start of a step normal forces are those of obstacles where they were then.
TEST(MovingObstacle, TheLagOfAStepsStartHasTheObstaclesAtTheirStart) {
  for (const bool is_mesh : {false, true}) {
    const ElasticScene scene(block_on_ground(is_mesh, 0.4, linear_motion({0, 0, 0.05}, 0.01)));
    const ElasticState state = initial_state(*scene.model);
    IncrementalPotential potential(scene.model, implicit_euler_terms(scene));
    potential.begin_step(scene.step_from(state), scene.schedule);
    PotentialTerm& term = *potential.potential_terms().back();
    const double force =
        is_mesh ? dynamic_cast<MeshFriction&>(term).normal_force() : dynamic_cast<PlaneFriction&>(term).normal_forces().sum();
    const double expected = summarize_contact(scene.contact, state.positions, 0).normal_force;
    EXPECT_GT(expected, 1);
    EXPECT_NEAR(force, expected, 1e-12 * expected) << is_mesh;
  }
}

struct ObstacleTermOfScene {
  ObstacleTermOfScene(bool is_mesh, const MotionDefinition& motion)
      : scene(block_on_ground(is_mesh, 0, motion)),
        state(initial_state(*scene.model)),
        potential(scene.model, implicit_euler_terms(scene)) {
    potential.begin_step(scene.step_from(state), scene.schedule);
  }
  PotentialTerm& term() { return *potential.potential_terms().back(); }
  Eigen::VectorXd gradient_at(double progress) {
    potential.place_obstacles(progress);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(state.positions.size());
    term().add_gradient(state.positions, gradient);
    return gradient;
  }
  Eigen::VectorXd change_at(double progress) {
    potential.place_obstacles(progress);
    Eigen::VectorXd change = Eigen::VectorXd::Zero(state.positions.size());
    potential.add_obstacle_gradient(state.positions, change);
    return change;
  }
  ElasticScene scene;
  ElasticState state;
  IncrementalPotential potential;
};

TEST(MovingObstacle, ObstacleGradientOfAPlaneIsTheChangeOfTheGradientOnTheRestOfTheWay) {
  ObstacleTermOfScene plane(false, turned_by(0.01, 0.01, {0.6, 0.8, 0}));
  const double at = 0.5, h = 1e-3;
  const Eigen::VectorXd slope = (plane.gradient_at(at + h) - plane.gradient_at(at - h)) / (2 * h);
  const Eigen::VectorXd change = plane.change_at(at);
  EXPECT_GT(slope.norm(), 1);
  EXPECT_LT((change - (1 - at) * slope).norm(), 1e-4 * change.norm());
  EXPECT_EQ(plane.change_at(1).norm(), 0);
}

// A body that moves as the obstacles do keeps its gradient, also to the first order of the projected Hessian.
TEST(MovingObstacle, ObstacleGradientOfMeshesIsThatOfTheBodyAgainstTheirWay) {
  const Eigen::Vector3d way(1e-4, -2e-4, 2e-4);
  ObstacleTermOfScene mesh(true, linear_motion({way[0], way[1], way[2]}, 0.01));
  const Eigen::VectorXd change = mesh.change_at(0.25), moved = 0.75 * way.replicate(mesh.state.positions.size() / 3, 1);
  const Eigen::MatrixXd hessian = hessian_of(mesh.term(), *mesh.scene.model, mesh.state.positions, Curvature::projected);
  EXPECT_GT(change.norm(), 1);
  EXPECT_LT((change + hessian * moved).norm(), 1e-9 * change.norm());
  EXPECT_EQ(mesh.change_at(1).norm(), 0);
}

// The plane's gap on the way, from the poses at both ends, is positive until the step and 0 soon behind it.
TEST(MovingObstacle, FeasibleStepOfATurningPlaneIsNineTenthsOfTheWayToIt) {
  PlaneDefinition definition{"door", {0, 0, 0}, {0, 0, 1}, 0, {}, turned_by(1.2, 1, {0, 1, 0})};
  StepPlane plane(definition);
  plane.begin_step(0, 1);
  const Plane start(definition.at(0)), end(definition.at(1));
  plane.place(0);
  int reached = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    const Eigen::Vector3d x(wiggle(3 * i), wiggle(3 * i + 1), 0.01 + std::abs(wiggle(3 * i + 2)));
    const Eigen::Vector3d p(wiggle(7 * i + 1), wiggle(7 * i + 2), wiggle(7 * i + 3));
    const double step = plane.feasible_step(x, p);
    const auto gap = [&](double t) { return (1 - t) * start.gap(x + t * p) + t * end.gap(x + t * p); };
    for (int k = 0; k <= 100; ++k) EXPECT_GT(gap(step * k / 100), 0) << i;
    if (step == 1) continue;
    ++reached;
    EXPECT_NEAR(gap(step / 0.9), 0, 1e-12) << i;
  }
  EXPECT_GT(reached, 30);
}

TEST(MovingObstacle, ThePoseOfAMotionMovesAllPointsAsTheMotionDoes) {
  using Kind = MotionDefinition::Kind;
  MotionDefinition motion;
  motion.axis = {0.6, 0, 0.8};
  motion.center = {1, 2, -1};
  motion.displacement = {0.3, -0.2, 0.5};
  motion.angle = 2;
  motion.keyframes = {{0, {0, 1, 0}, 0.3}, {1, {2, 0, 4}, -1}};
  motion.samples = std::make_shared<const Eigen::MatrixXd>(Eigen::Matrix3Xd::Random(3, 5));
  motion.sample_step = 0.25;
  const Eigen::Vector3d X(2, -0.7, 5);
  for (const Kind kind : {Kind::fixed, Kind::sinusoid, Kind::linear, Kind::rotation, Kind::keyframes, Kind::signal}) {
    motion.kind = kind;
    EXPECT_EQ(motion.moves(), kind != Kind::fixed);
    for (const double time : {0.0, 0.37, 2.0}) {
      const Vector3d expected = motion.position({X[0], X[1], X[2]}, time);
      const RigidPose pose = motion.pose(time);
      EXPECT_LT((pose.of(X) - Eigen::Vector3d(expected.data())).norm(), 1e-14) << static_cast<int>(kind);
      EXPECT_LT((pose.rotation.transpose() * pose.rotation - Eigen::Matrix3d::Identity()).norm(), 1e-15);
    }
  }
}

TEST(MovingObstacle, IntersectionsAreThoseWithTheObstaclesAtTheirTime) {
  for (const bool is_mesh : {false, true}) {
    const ElasticScene scene(block_on_ground(is_mesh, 0, linear_motion({0, 0, 0.04}, 1, 1)));
    const ElasticIntersections test(scene.model, scene.contact);
    const Eigen::VectorXd& x = scene.model->start_positions();
    EXPECT_EQ(test.find(x, 1).count(), 0) << is_mesh;
    EXPECT_GT(test.prevented(test.find(x, 1.5)).count(), 0) << is_mesh;
    EXPECT_NEAR(summarize_contact(scene.contact, x, 1).smallest_gap, 0.0008, 1e-12) << is_mesh;
  }
}

TEST(MovingObstacleBadInput, AnObstacleThatMustPassThroughAHeldBodyFailsWithTheReason) {
  for (const bool is_mesh : {false, true}) {
    ElasticSceneDefinition definition = block_on_ground(is_mesh, 0, linear_motion({0, 0, 0.5}, 0.01));
    definition.bodies[0].handles = {box_handle({-9, -9, -9}, {9, 9, 9})};
    CollidingBodies bodies(definition, 1e-7);
    bodies.expect_no_start("obstacles go through a body that cannot give way");
  }
}

// The motion's keyframes put the ground to another place at once.
TEST(MovingObstacleBadInput, ABodyThatBeginsInAnObstacleWhereItsMotionStartsIsRefused) {
  for (const bool is_mesh : {false, true}) {
    MotionDefinition motion;
    motion.kind = MotionDefinition::Kind::keyframes;
    motion.keyframes = {{0, {0, 0, 0.02}, 0}};
    const std::string text = message([&] { const ElasticScene scene(block_on_ground(is_mesh, 0, motion)); });
    EXPECT_NE(text.find(is_mesh ? "'block' and 'ground' begin intersecting" : "'block' begins in the obstacle 'ground'"),
              std::string::npos)
        << text;
  }
}

TEST(MovingObstacleBadInput, AMotionByASignalWithoutValuesIsRefused) {
  for (const bool is_mesh : {false, true}) {
    MotionDefinition motion;
    motion.kind = MotionDefinition::Kind::signal;
    motion.signal = "ride";
    const std::string text = message([&] { const ElasticScene scene(block_on_ground(is_mesh, 0, motion)); });
    EXPECT_NE(text.find("the signal 'ride' has no values"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace holo::test
