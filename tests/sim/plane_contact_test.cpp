// Bodies on planes: they rest, stick, slide, bounce and stop as mechanics says.
#include "dynamics/contact/plane_contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/core/error.h"
#include "holo/sim/dynamics/implicit_euler.h"
#include "scenes.h"

namespace holo::test {
namespace {

constexpr double g = 9.81, activation = 1e-4;  // m/s^2, m

// A block of 0.1 m of a stiff material, `gap` above the plane z = 0. Gravity is tilted by the angle about y, so that down the
// slope is x.
ElasticSceneDefinition block_on_slope(double angle, double friction, double gap = 0.991 * activation) {
  ElasticSceneDefinition scene;
  scene.time_step = 0.01;
  scene.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
  scene.bodies = {hand_body(HandEnergy::stable, box_source({0.1, 0.1, 0.1}, 48), 1e7, 0.4)};
  scene.bodies[0].stiffness_damping = 0.002;
  scene.bodies[0].translation = {0, 0, gap};
  scene.contact.activation_distance = activation;
  scene.contact.planes.push_back({"ground", {0, 0, 0}, {0, 0, 1}, friction, {}});
  return scene;
}

Vector3d mean_velocity(const ElasticModel& model, const ElasticState& state) {
  Vector3d velocity = linear_momentum(model, state);
  double mass = 0;
  for (const double each : model.masses()) mass += each;
  for (double& entry : velocity) entry /= mass;
  return velocity;
}

struct Simulation {
  explicit Simulation(const ElasticSceneDefinition& definition)
      : scene(definition), state(initial_state(*scene.model)), integrator(scene, {.tolerance = 1e-10}) {}
  void run(int steps) {
    for (int n = 0; n < steps; ++n) ASSERT_EQ(integrator.step(state).newton.status, NewtonStatus::converged) << state.step;
  }
  Vector3d velocity() const { return mean_velocity(*scene.model, state); }
  double mass() const {
    double sum = 0;
    for (const double each : scene.model->masses()) sum += each;
    return sum;
  }
  // The sum of the normal forces [N].
  double normal_force() {
    PlaneBarrier barrier(scene.contact.planes[0], scene.contact.surface, scene.contact.barrier);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(state.positions.size());
    barrier.add_gradient(state.positions, gradient);
    double sum = 0;
    for (Eigen::Index i = 2; i < gradient.size(); i += 3) sum -= gradient[i];
    return sum;
  }

  ElasticScene scene;
  ElasticState state;
  ImplicitEuler integrator;
};

TEST(PlaneContact, RestingBlockIsCarriedByItsWeightWithinTheActivationDistance) {
  Simulation simulation(block_on_slope(0, 0));
  simulation.run(300);
  const double weight = simulation.mass() * g,
               gap =
                   summarize_contact(simulation.scene.contact, simulation.state.positions, simulation.state.time).smallest_gap;
  EXPECT_NEAR(simulation.normal_force(), weight, 1e-6 * weight);
  const ContactSummary summary = summarize_contact(simulation.scene.contact, simulation.state.positions, simulation.state.time);
  EXPECT_NEAR(summary.normal_force, weight, 1e-6 * weight);
  EXPECT_GT(summary.touching_vertices, 4);
  // -B' is the pressure p: near the activation distance D it is 3 k (d - D)^2/D.
  const double pressure = weight / 0.01, stiffness = simulation.scene.contact.barrier.stiffness;
  EXPECT_NEAR(gap, activation - std::sqrt(pressure * activation / (3 * stiffness)), 1e-4 * activation);
}

// Its height then changes by less than the distance.
TEST(PlaneContact, StiffnessAndDistanceMoveARestingBlockByLessThanTheDistance) {
  const auto height = [](double distance, double factor) {
    ElasticSceneDefinition definition = block_on_slope(0, 0, 0.99 * distance);
    definition.contact.activation_distance = distance;
    definition.contact.stiffness = factor * 5e10;
    Simulation simulation(definition);
    simulation.run(200);
    return center_of_mass(*simulation.scene.model, simulation.state)[2];
  };
  EXPECT_LT(std::abs(height(activation, 4) - height(activation, 1)), activation);
  EXPECT_LT(std::abs(height(activation / 2, 1) - height(activation, 1)), activation);
}

// a = g (sin - mu cos) after the block has settled.
TEST(PlaneContact, BlockSlidesDownASlopeThatIsSteeperThanItsFriction) {
  const double angle = 20 * M_PI / 180;
  for (const double ratio : {0.8, 0.95}) {
    const double friction = ratio * std::tan(angle);
    Simulation simulation(block_on_slope(angle, friction));
    simulation.run(60);
    const double before = simulation.velocity()[0];
    simulation.run(100);
    const double acceleration = (simulation.velocity()[0] - before) / 1.0;
    EXPECT_NEAR(acceleration, g * (std::sin(angle) - friction * std::cos(angle)), 1e-3 * g * std::sin(angle)) << ratio;
  }
}

// The force that holds the block is mu N f'(y) at the creeping speed y stick_speed: of the quadratic law, f' = 2 y - y^2 is
// 1/ratio.
TEST(PlaneContact, BlockCreepsDownASlopeThatIsFlatterThanItsFriction) {
  const double angle = 20 * M_PI / 180, stick_speed = 0.01;
  for (const double ratio : {1.05, 1.5}) {
    ElasticSceneDefinition definition = block_on_slope(angle, ratio * std::tan(angle));
    definition.contact.stick_speed = stick_speed;
    definition.contact.friction_law = FrictionLaw::quadratic;
    Simulation simulation(definition);
    simulation.run(150);
    EXPECT_NEAR(simulation.velocity()[0], stick_speed * (1 - std::sqrt(1 - 1 / ratio)), 1e-5) << ratio;
  }
}

// From the speed v after v/(mu g), to a time step; friction takes energy in each.
TEST(PlaneContact, SlidingBlockStopsAfterItsSpeedOverItsFriction) {
  const double friction = 0.4, speed = 1.2;
  ElasticSceneDefinition definition = block_on_slope(0, friction);
  definition.bodies[0].velocity = {speed, 0, 0};
  definition.contact.lag_updates = 1;
  Simulation simulation(definition);
  int steps = 0;
  double last = speed;
  for (; simulation.velocity()[0] > 0.01 && steps < 100; ++steps) {
    simulation.run(1);
    EXPECT_LT(simulation.velocity()[0], last);
    last = simulation.velocity()[0];
  }
  EXPECT_NEAR(steps * 0.01, speed / (friction * g), 0.025);
}

// Kinetic, elastic, gravitational and barrier energies together never grow: implicit Euler takes some in every step.
TEST(PlaneContact, FallingBlockNeverGainsEnergyAndNeverPassesThePlane) {
  ElasticSceneDefinition definition = block_on_slope(0, 0.3, 0.02);
  definition.time_step = 0.002;
  definition.bodies[0].velocity = {0.3, 0, -4};  // of which a step is 80 activation distances
  definition.bodies[0].angular_velocity = {0, 3, 0};
  Simulation simulation(definition);
  PlaneBarrier barrier(simulation.scene.contact.planes[0], simulation.scene.contact.surface, simulation.scene.contact.barrier);
  double last = energies(*simulation.scene.model, simulation.scene.gravity, simulation.state).total(), touched = 0;
  for (int n = 0; n < 150; ++n) {
    simulation.run(1);
    const double stored = barrier.energy(simulation.state.positions);
    const double total = energies(*simulation.scene.model, simulation.scene.gravity, simulation.state).total() + stored;
    EXPECT_LT(total, last + 1e-9 * std::abs(last)) << n;
    EXPECT_GT(summarize_contact(simulation.scene.contact, simulation.state.positions, simulation.state.time).smallest_gap, 0)
        << n;
    last = total;
    touched = std::max(touched, stored);
  }
  EXPECT_GT(touched, 0);
}

TEST(PlaneContact, LagUpdatesGiveFrictionOfTheNormalForcesAtTheStepsEnd) {
  // The first step of a block that falls onto the plane: with the lag of its start there is no friction at all.
  const auto speed_after = [](int updates) {
    ElasticSceneDefinition definition = block_on_slope(0, 0.5, 1.5 * activation);
    definition.bodies[0].velocity = {1, 0, -0.5};
    definition.contact.lag_updates = updates;
    Simulation simulation(definition);
    simulation.run(1);
    return simulation.velocity();
  };
  const Vector3d without = speed_after(0), with = speed_after(3);
  EXPECT_NEAR(without[0], 1, 1e-9);
  // The impulse of friction is mu times that of the plane.
  const double pushed = with[2] + 0.5 + 0.01 * g;
  EXPECT_GT(pushed, 0.1);
  EXPECT_NEAR(1 - with[0], 0.5 * pushed, 0.02 * pushed);
}

TEST(PlaneContact, FeasibleStepIsNineTenthsOfTheWayToThePlane) {
  const ElasticScene scene(block_on_slope(0, 0, 0.02));
  PlaneBarrier barrier(scene.contact.planes[0], scene.contact.surface, scene.contact.barrier);
  const Eigen::VectorXd& x = scene.model->start_positions();
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(x.size());
  for (Eigen::Index i = 2; i < x.size(); i += 3) direction[i] = -0.05;
  EXPECT_NEAR(barrier.feasible_step(x, direction), 0.9 * 0.02 / 0.05, 1e-14);
  EXPECT_EQ(barrier.feasible_step(x, -direction), 1);
  EXPECT_EQ(barrier.feasible_step(x, 0.1 * direction), 1);
}

TEST(PlaneContact, StiffnessRuleIsThatOfElasticityOrWeight) {
  ElasticSceneDefinition definition = block_on_slope(0, 0);
  const ElasticScene stiff(definition);
  EXPECT_NEAR(stiff.contact.barrier.stiffness, 0.5 * 1e7 / (1.2 * activation), 1e-6 * 4e10);
  definition.bodies[0] = hand_body(HandEnergy::stable, box_source({0.1, 0.1, 0.1}, 48), 100, 0.4);
  definition.bodies[0].translation = {0, 0, activation};
  const ElasticScene soft(definition);  // 1000 kg/m^3 over 0.1 m
  EXPECT_NEAR(soft.contact.barrier.stiffness, 3 * 1000 * 0.1 * g / (1.2 * activation), 1e-6 * 2e7);
}

std::string refusal(const ElasticSceneDefinition& definition) {
  try {
    const ElasticScene scene(definition);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "";
}

TEST(PlaneContactBadInput, BodiesThatBeginInAnObstacleAreRefusedWithTheVertexAndTheDepth) {
  for (const double gap : {0.0, -0.03}) {
    const std::string text = refusal(block_on_slope(0, 0, gap));
    EXPECT_NE(text.find("body 'body' begins in the obstacle 'ground'"), std::string::npos) << text;
  }
  EXPECT_NE(refusal(block_on_slope(0, 0, -0.03)).find("lies 0.03 m below the plane"), std::string::npos);
  EXPECT_EQ(refusal(block_on_slope(0, 0, 1e-9)), "");
}

}  // namespace
}  // namespace holo::test
