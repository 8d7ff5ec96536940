// Bodies that collide with each other, with themselves and with meshes: nothing passes, and they move as mechanics says.
#include <cmath>

#include "../allocation_count.h"
#include "colliding_bodies.h"
#include "holo/core/numerics/parallel.h"

namespace holo::test {
namespace {

constexpr double g_contact = 9.81;  // m/s^2

// Two blocks of other meshes that fly toward each other along x, one a little to the side and turned.
ElasticSceneDefinition head_on(double speed, double time_step) {
  ElasticSceneDefinition scene;
  scene.time_step = time_step;
  scene.gravity = {0, 0, 0};
  scene.bodies = {block_at("left", {0, 0, 0}, {0.1, 0.1, 0.1}, 48, 1e5),
                  block_at("right", {0.12, 0.013, -0.021}, {0.1, 0.1, 0.1}, 162, 2e5)};
  scene.bodies[1].rotation_angle = 0.07;
  scene.bodies[0].velocity = {speed, 0, 0};
  scene.bodies[1].velocity = {-speed, 0, 0};
  scene.contact.between_bodies = true;
  scene.contact.activation_distance = 1e-3;
  return scene;
}

TEST(MeshContact, CollidingBodiesBounceWithoutIntersectionsKeepMomentumAndNeverGainEnergy) {
  CollidingBodies bodies(head_on(0.8, 0.002));
  const Vector3d before = linear_momentum(*bodies.scene.model, bodies.state);
  double last = bodies.energy(), force = 0;
  for (int n = 0; n < 40; ++n) {
    bodies.run(1);
    const double energy = bodies.energy();
    EXPECT_LT(energy, last * (1 + 1e-9)) << n;
    last = energy;
    force = std::max(force, summarize_contact(bodies.scene.contact, bodies.state.positions, bodies.state.time).normal_force);
    // Newton's last step is below 1e-9 of the length 0.25 m, whose momentum is that times the mass over the time step.
    const Vector3d now = linear_momentum(*bodies.scene.model, bodies.state);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(now[i], before[i], 1e-9) << n;
  }
  EXPECT_GT(force, 10);
  EXPECT_LT(bodies.velocity(0)[0], 0);  // they have left each other
  EXPECT_GT(bodies.velocity(1)[0], 0);
}

// In its first time step the body would be far beyond the wall, where its energy would be lower. (A body that is small enough
// to be passed on the side would let another by: the way of a minimization is not that of the motion.)
TEST(MeshContact, AFastBodyDoesNotPassThroughAThinWall) {
  ElasticSceneDefinition definition = head_on(20, 0.02);
  definition.bodies.pop_back();
  MeshObstacleDefinition wall;
  wall.name = "wall";
  wall.mesh = box_source({0.02, 1, 1}, 600);
  wall.translation = {0.12, -0.5, -0.5};
  definition.contact.meshes = {wall};
  CollidingBodies bodies(definition, 1e-7);
  for (int n = 0; n < 5; ++n) {
    bodies.run(1);
    EXPECT_LT(bodies.center(0)[0], 0.12) << n;
  }
}

// A block on a block that is held from below, both with meshes that do not match.
ElasticSceneDefinition block_on_block(double friction) {
  ElasticSceneDefinition scene;
  scene.time_step = 0.01;
  scene.bodies = {block_at("lower", {0, 0, 0}, {0.3, 0.2, 0.1}, 288, 1e6),
                  block_at("upper", {0.043, 0.051, 0.1008}, {0.1, 0.1, 0.1}, 162, 1e6)};
  scene.bodies[0].handles = {box_handle({-9, -9, -9}, {9, 9, 1e-9})};
  scene.bodies[0].friction = scene.bodies[1].friction = friction;
  for (ElasticBodyDefinition& body : scene.bodies) body.stiffness_damping = 0.01;
  scene.contact.between_bodies = true;
  scene.contact.activation_distance = 1e-3;
  scene.contact.stick_speed = 1e-3;
  return scene;
}

TEST(MeshContact, MeshesThatDoNotMatchCarryTheWeightWithinTheActivationDistance) {
  ElasticSceneDefinition definition = block_on_block(0);
  definition.contact.stiffness = 3 * 1000 * 0.1 * g_contact / (1.2 * 1e-3);  // three times the weight over the area
  CollidingBodies bodies(definition);
  bodies.run(100);
  EXPECT_LT(std::abs(bodies.velocity(1)[2]), 1e-5);
  const ContactSummary summary = summarize_contact(bodies.scene.contact, bodies.state.positions, bodies.state.time);
  const double weight = bodies.mass(1) * g_contact, D = bodies.scene.contact.barrier.distance;
  EXPECT_NEAR(summary.normal_force, weight, 0.02 * weight);
  EXPECT_GT(summary.smallest_gap, 0.3 * D);
  EXPECT_LT(summary.smallest_gap, 0.95 * D);
  EXPECT_GT(summary.touching_vertices, 20);
}

// Of the sliding block: from the speed v after v/(mu g). Friction takes energy in each step.
TEST(MeshContact, FrictionBetweenBodiesStopsASlidingOneAndTakesEnergyInEachStep) {
  const double friction = 0.4, speed = 0.5;
  ElasticSceneDefinition definition = block_on_block(friction);
  definition.contact.lag_updates = 2;
  definition.bodies[1].velocity = {speed, 0, 0};
  CollidingBodies bodies(definition);
  PotentialTerm& term = *bodies.integrator.potential().potential_terms().back();
  ASSERT_EQ(term.name(), "friction of surfaces");
  int steps = 0;
  for (; bodies.velocity(1)[0] > 0.01 && steps < 50; ++steps) {
    const Eigen::VectorXd start = bodies.state.positions;
    bodies.run(1);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(start.size());
    term.add_gradient(bodies.state.positions, gradient);
    EXPECT_GE(gradient.dot(bodies.state.positions - start), 0) << steps;
  }
  EXPECT_NEAR(steps * definition.time_step, speed / (friction * g_contact), 0.02);
  bodies.run(5);
  EXPECT_LT(std::abs(bodies.velocity(1)[0]), 2e-3);
}

// a = g (sin - mu cos) on a mesh as on a plane; with more friction than the slope it creeps below the stick speed.
TEST(MeshContact, BlockOnAMeshObstacleSlidesOrSticksAsOnASlope) {
  const double angle = 20 * M_PI / 180;
  for (const double ratio : {0.8, 1.5}) {
    ElasticSceneDefinition definition = block_on_block(0);
    definition.bodies.erase(definition.bodies.begin());
    definition.gravity = {g_contact * std::sin(angle), 0, -g_contact * std::cos(angle)};
    MeshObstacleDefinition table;
    table.name = "table";
    table.mesh = box_source({1, 0.4, 0.1}, 240);
    table.translation = {-0.3, -0.1, 0};
    table.friction = ratio * std::tan(angle);
    definition.contact.meshes = {table};
    CollidingBodies bodies(definition);
    bodies.run(20);
    const double before = bodies.velocity(0)[0];
    bodies.run(30);
    if (ratio < 1)
      EXPECT_NEAR((bodies.velocity(0)[0] - before) / 0.3, g_contact * std::sin(angle) * (1 - ratio), 0.02 * g_contact);
    else
      EXPECT_LT(bodies.velocity(0)[0], 1e-3);
  }
}

// A beam that is folded into a U, whose upper prong is pulled onto the lower one.
TetrahedralMesh folded_beam() {
  TetrahedralMesh mesh = box_mesh({0.5, 0.1, 0.3}, 90);
  std::erase_if(mesh.tetrahedra, [&](const std::array<int, 4>& element) {
    double x = 0, z = 0;
    for (const int v : element) {
      x += mesh.vertices[static_cast<std::size_t>(v)][0] / 4;
      z += mesh.vertices[static_cast<std::size_t>(v)][2] / 4;
    }
    return x > 0.1 && z > 0.1 && z < 0.2;
  });
  remove_unused_vertices(mesh);
  return mesh;
}

ElasticSceneDefinition closing_prongs(bool self_contact) {
  ElasticSceneDefinition scene;
  scene.time_step = 0.02;
  scene.gravity = {0, 0, -100};
  scene.bodies = {hand_body(
      HandEnergy::stable, [] { return folded_beam(); }, 1e5, 0.3)};
  scene.bodies[0].self_contact = self_contact;
  scene.bodies[0].handles = {box_handle({-9, -9, -9}, {9, 9, 1e-9})};
  scene.contact.activation_distance = 5e-3;
  // So that there is a surface to test without contact, too.
  scene.contact.planes.push_back({"far", {0, 0, -5}, {0, 0, 1}, 0, {}});
  return scene;
}

TEST(MeshContact, ABodyThatCollidesWithItselfDoesNotPassThroughItself) {
  CollidingBodies free(closing_prongs(false), 1e-7);
  for (int n = 0; n < 15 && free.intersections() == 0; ++n)
    ASSERT_EQ(free.integrator.step(free.state).newton.status, NewtonStatus::converged);
  EXPECT_GT(free.intersections(), 0u);
  CollidingBodies bodies(closing_prongs(true), 1e-7);
  bodies.run(15);
  EXPECT_GT(summarize_contact(bodies.scene.contact, bodies.state.positions, bodies.state.time).touching_vertices, 4);
}

TEST(MeshContact, AHandleTakesItsBodyAgainstAnotherWhichGivesWay) {
  ElasticSceneDefinition definition = head_on(0, 0.01);
  definition.bodies[0].handles = {box_handle({-9, -9, -9}, {1e-9, 9, 9}, linear_motion({0.06, 0, 0}, 0.02))};
  CollidingBodies bodies(definition, 1e-7);
  bodies.run(6);
  EXPECT_GT(bodies.velocity(1)[0], 0.1);
}

TEST(MeshContact, FeasibleStepKeepsATenthOfTheDistance) {
  const ElasticScene scene(head_on(0, 0.01));
  MeshBarrier barrier(scene.contact.mesh, scene.contact.barrier);
  const Eigen::VectorXd& x = scene.model->start_positions();
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(x.size());
  const ElasticBody& left = scene.model->bodies()[0];
  for (int v = 0; v < left.vertex_count; ++v) direction[3 * v] = 0.05;
  const double step = barrier.feasible_step(x, direction);
  EXPECT_GT(step, 0.2);
  EXPECT_LT(step, 0.4);  // the gap is below 0.02 m
  EXPECT_EQ(barrier.feasible_step(x, -direction), 1);
  EXPECT_EQ(barrier.feasible_step(x, 0.1 * direction), 1);
  // Of a direction through everything, the part that is searched leads no farther than the scene.
  EXPECT_NEAR(barrier.feasible_step(x, 1e6 * direction) * 1e6, step, 0.05 * step);
}

TEST(MeshContact, ResultsDoNotDependOnTheNumberOfThreads) {
  const auto positions_with = [](int threads) {
    ThreadLimit limit(threads);
    ElasticSceneDefinition definition = block_on_block(0.3);
    definition.bodies[1].velocity = {0.2, 0.1, -0.3};
    CollidingBodies bodies(definition);
    bodies.run(5);
    return bodies.state.positions;
  };
  const Eigen::VectorXd serial = positions_with(1);
  EXPECT_EQ(serial, positions_with(2));
  EXPECT_EQ(serial, positions_with(4));
}

TEST(MeshContact, NothingIsAllocatedInAnIterationAfterTheFirst) {
  if (!counts_allocations) GTEST_SKIP() << "the sanitizers bring their own allocator";
  ElasticSceneDefinition definition = block_on_block(0.3);
  const ElasticScene scene(definition);
  const ElasticState state = initial_state(*scene.model);
  IncrementalPotential potential(scene.model, implicit_euler_terms(scene));
  potential.begin_step(scene.step_from(state), scene.schedule);
  // Two positions, so that the pairs are found anew, in the order of a line search.
  const Eigen::VectorXd x = disturbed(state.positions, 1e-5, 1), other = disturbed(state.positions, 1e-5, 2);
  const Eigen::VectorXd direction = disturbed(0 * x, 1e-3);
  Eigen::VectorXd gradient;
  SparseMatrix hessian;
  ThreadLimit limit(1);
  const auto iteration = [&](const Eigen::VectorXd& at) {
    potential.derivatives(at, Curvature::projected, gradient, hessian);
    return potential.feasible_step(at, direction) + potential.energy(at);
  };
  for (int i = 0; i < 2; ++i) iteration(x), iteration(other);
  const long before = allocation_count.load();
  EXPECT_TRUE(std::isfinite(iteration(x) + iteration(other)));
  EXPECT_EQ(allocation_count.load() - before, 0);
  EXPECT_TRUE(an_allocation_counts());
}

TEST(MeshContactBadInput, AHandleThatMustPassThroughAHeldBodyFailsWithTheReason) {
  ElasticSceneDefinition definition = head_on(0, 0.01);
  definition.bodies[0].handles = {box_handle({-9, -9, -9}, {9, 9, 9}, linear_motion({1, 0, 0}, 0.01))};
  definition.bodies[1].handles = {box_handle({-9, -9, -9}, {9, 9, 9})};
  CollidingBodies bodies(definition, 1e-7);
  bodies.expect_no_start("handles take their body through another surface");
}

}  // namespace
}  // namespace holo::test
