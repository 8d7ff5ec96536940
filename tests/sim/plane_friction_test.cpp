// Blocks on planes with friction: they stick, slide and stop as Coulomb's law says, and friction only takes energy.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "block_on_plane.h"
#include "holo/sim/dynamics/incremental_potential.h"

namespace holo::test {
namespace {

constexpr double slope_angle = 20 * std::numbers::pi / 180;  // [rad]

// f' of docs/elastic-dynamics.md#contact: the part of mu N that acts at `y` stick speeds.
double part_of_friction(FrictionLaw law, double y) {
  if (y >= 1) return 1;
  return law == FrictionLaw::quadratic ? (2 - y) * y : y * (15 - 10 * y * y + 3 * std::pow(y, 4)) / 8;
}

// A block on the slope with mu = ratio tan(slope_angle), after `steps` steps: by then its settling on the barrier has decayed
// below the error of Newton's method.
struct BlockOnSlope : BlockOnPlane {
  BlockOnSlope(double ratio, FrictionLaw law, double stick_speed, int steps) : BlockOnPlane(scene_of(ratio, law, stick_speed)) {
    run(steps);
  }
  static ElasticSceneDefinition scene_of(double ratio, FrictionLaw law, double stick_speed) {
    ElasticSceneDefinition definition = block_on_slope(slope_angle, ratio * std::tan(slope_angle));
    definition.contact.friction_law = law;
    definition.contact.stick_speed = stick_speed;
    return definition;
  }
  // The mean acceleration down the slope in the next `steps` steps [m/s^2].
  double acceleration(int steps) {
    const double before = velocity()[0], dt = scene.integration.time_step;
    run(steps);
    return (velocity()[0] - before) / (steps * dt);
  }
};

// A velocity has the error tolerance/dt, dt = 0.01 s, and the mean acceleration in the time T twice that over T. The slope of
// f' is at most 2.
constexpr double velocity_error = BlockOnPlane::tolerance / 0.01;  // [m/s]
double acceleration_error(int steps) { return 2 * velocity_error / (steps * 0.01); }
double creep_error(double stick_speed) { return 2 * velocity_error / stick_speed; }

// a = g (sin - mu cos) after the block has settled.
TEST(PlaneFriction, BlockSlidesDownASlopeThatIsSteeperThanItsFriction) {
  for (const double ratio : {0.8, 0.95}) {
    BlockOnSlope block(ratio, FrictionLaw::quintic, 1e-3, 60);
    const double expected = block_gravity * (std::sin(slope_angle) - ratio * std::tan(slope_angle) * std::cos(slope_angle));
    EXPECT_NEAR(block.acceleration(100), expected, acceleration_error(100)) << ratio;
  }
}

// The force that holds the block is mu N f'(y) at the creeping speed y stick_speed: f' is 1/ratio.
TEST(PlaneFriction, BlockCreepsDownASlopeThatIsFlatterThanItsFriction) {
  const double stick_speed = 0.01;
  for (const FrictionLaw law : {FrictionLaw::quintic, FrictionLaw::quadratic})
    for (const double ratio : {1.05, 1.5}) {
      BlockOnSlope block(ratio, law, stick_speed, 150);
      EXPECT_NEAR(part_of_friction(law, block.velocity()[0] / stick_speed), 1 / ratio, creep_error(stick_speed)) << ratio;
    }
}

// With 1 % less friction than tan(slope_angle) the block passes the stick speed and goes on with 1 % of g sin; with 1 % more it
// creeps below that speed and does not accelerate.
TEST(PlaneFriction, BlockBeginsToSlideWithinOnePercentOfTheSlopesTangent) {
  const double stick_speed = 0.01;
  for (const FrictionLaw law : {FrictionLaw::quintic, FrictionLaw::quadratic}) {
    BlockOnSlope slides(0.99, law, stick_speed, 100), sticks(1.01, law, stick_speed, 100);
    EXPECT_NEAR(slides.acceleration(50), 0.01 * block_gravity * std::sin(slope_angle), acceleration_error(50));
    EXPECT_GT(slides.velocity()[0], 2 * stick_speed);
    EXPECT_NEAR(sticks.acceleration(50), 0, acceleration_error(50));
    EXPECT_LT(sticks.velocity()[0], stick_speed);
    EXPECT_NEAR(part_of_friction(law, sticks.velocity()[0] / stick_speed), 1 / 1.01, creep_error(stick_speed));
  }
}

// A block that slides on a level plane with mu = 0.4.
ElasticSceneDefinition block_that_slides(const Vector3d& velocity, int lag_updates) {
  ElasticSceneDefinition definition = block_on_slope(0, 0.4);
  definition.bodies[0].velocity = velocity;
  definition.contact.lag_updates = lag_updates;
  return definition;
}

// Implicit Euler takes mu g dt from the speed in each step, up to the stop in the step that contains the time v/(mu g). With
// normal forces of the step's start the block has those of the step before, and stops up to a step earlier or later.
TEST(PlaneFriction, SlidingBlockStopsAfterItsSpeedOverItsFrictionToATimeStep) {
  for (const int lag_updates : {0, 1})
    for (const double speed : {0.7, 1.0, 1.2}) {
      BlockOnPlane block(block_that_slides({speed, 0, 0}, lag_updates));
      const double dt = block.scene.integration.time_step, stick_speed = block.scene.contact.stick_speed;
      double last = speed;
      for (int n = 0; n < 100 && block.velocity()[0] > stick_speed; ++n) {
        block.run(1);
        EXPECT_LT(block.velocity()[0], last);
        last = block.velocity()[0];
      }
      EXPECT_NEAR(block.state.time, speed / (0.4 * block_gravity), dt) << speed << ", " << lag_updates;
      block.run(20);
      EXPECT_LT(std::abs(block.velocity()[0]), stick_speed) << "it stays";
    }
}

// The next step of a block: the work of friction on each vertex [J], and the sum of its forces on all vertices [N].
struct StepWithFriction {
  std::vector<double> work;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();

  explicit StepWithFriction(BlockOnPlane& block) {
    const Eigen::VectorXd start = block.state.positions;
    block.run(1);
    PotentialTerm& friction = *block.integrator.potential().potential_terms().back();  // with the step's normal forces
    EXPECT_EQ(friction.name(), "friction on 'ground'");
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(start.size());
    friction.add_gradient(block.state.positions, gradient);
    for (Eigen::Index v = 0; v < start.size(); v += 3) {
      force -= gradient.segment<3>(v);
      work.push_back(-gradient.segment<3>(v).dot((block.state.positions - start).segment<3>(v)));
    }
  }
};

// The block falls, spins and bounces, so that its vertices slide in all directions and stick at the end. The forces are those
// of the motion: they change the horizontal momentum, up to the error of Newton's method, and no other force does.
TEST(PlaneFriction, FrictionNeverDoesPositiveWork) {
  for (const int lag_updates : {0, 2}) {
    ElasticSceneDefinition definition = block_that_slides({0.5, 0.2, -0.5}, lag_updates);
    definition.time_step = 0.002;
    definition.bodies[0].translation = {0, 0, 2 * block_reach};
    definition.bodies[0].angular_velocity = {0, 0.5, 15};
    BlockOnPlane block(definition);
    const double start_energy = energies(*block.scene.model, block.scene.gravity, block.state).kinetic;
    double total = 0;
    for (int n = 0; n < 150; ++n) {
      const Vector3d before = linear_momentum(*block.scene.model, block.state);
      const StepWithFriction step(block);
      const Vector3d after = linear_momentum(*block.scene.model, block.state);
      for (const double work : step.work) EXPECT_LE(work, 0) << n;
      total = std::accumulate(step.work.begin(), step.work.end(), total);
      for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(step.force[i], (after[std::size_t(i)] - before[std::size_t(i)]) / 0.002,
                    block.mass() * BlockOnPlane::tolerance / (0.002 * 0.002));
    }
    EXPECT_LT(total, -0.4 * start_energy) << "the check is not vacuous";
    EXPECT_GT(total, -start_energy);
  }
}

TEST(PlaneFriction, LagUpdatesGiveFrictionOfTheNormalForcesAtTheStepsEnd) {
  // The first step of a block that falls onto the plane: with the lag of its start there is no friction at all.
  const auto speed_after = [](int updates) {
    ElasticSceneDefinition definition = block_on_slope(0, 0.5, 1.5 * block_reach);
    definition.bodies[0].velocity = {1, 0, -0.5};
    definition.contact.lag_updates = updates;
    BlockOnPlane block(definition);
    block.run(1);
    return block.velocity();
  };
  const Vector3d without = speed_after(0), with = speed_after(3);
  EXPECT_NEAR(without[0], 1, 1e-9);
  // The impulse of friction is mu times that of the plane.
  const double pushed = with[2] + 0.5 + 0.01 * block_gravity;
  EXPECT_GT(pushed, 0.1);
  EXPECT_NEAR(1 - with[0], 0.5 * pushed, 0.02 * pushed);
}

}  // namespace
}  // namespace holo::test
