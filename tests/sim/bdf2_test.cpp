// Time stepping by BDF2, beside implicit Euler: closed forms of free fall and damping, order of convergence, what a motion
// keeps, and its states.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/core/error.h"
#include "refusal_message.h"
#include "scheme_run.h"

namespace holo::test {
namespace {

// The first step is one of implicit Euler, which falls by g dt^2/2 too far. BDF2 is exact for parabolas, and multiplies the
// error e by (4 e_n - e_{n-1})/3: it becomes 3/2 (1 - 3^-n) times that of the first step.
TEST(Bdf2, FreeFallIsTheDiscreteParabola) {
  constexpr double dt = 0.01, g = -9.81;
  ElasticSceneDefinition definition = free_block(dt);
  definition.gravity = {0, 0, g};
  definition.bodies[0].velocity = {1, 0, 2};
  SchemeRun run(definition);
  const Vector3d start = center_of_mass(*run.scene.model, run.state);
  for (int n = 1; n <= 20; ++n) {
    run.step();
    const Vector3d now = center_of_mass(*run.scene.model, run.state);
    const double t = n * dt, error = g * dt * dt / 2 * 1.5 * (1 - std::pow(3.0, -n));
    EXPECT_NEAR(now[0], start[0] + t, 1e-12);
    EXPECT_NEAR(now[2], start[2] + 2 * t + g * t * t / 2 + error, 1e-12) << n;
    for (Eigen::Index i = 0; i < run.state.velocities.size(); i += 3) {
      ASSERT_NEAR(run.state.velocities[i], 1, 1e-9);
      ASSERT_NEAR(run.state.velocities[i + 2], 2 + g * t, 1e-9);
    }
  }
}

// v' = -alpha v of a block that moves without turning: h v_{n+1} (1/h + alpha) = w.
TEST(Bdf2, DampingByMassIsThatOfTheScalarEquation) {
  constexpr double dt = 0.02, alpha = 3;
  ElasticSceneDefinition definition = free_block(dt);
  definition.bodies[0].velocity = {1, -2, 3};
  definition.bodies[0].mass_damping = alpha;
  SchemeRun run(definition);
  double before = 1, now = 1 / (1 + alpha * dt);
  run.step();
  for (int n = 2; n <= 12; ++n) {
    run.step();
    const double next = (4 * now - before) / 3 / (1 + alpha * 2 * dt / 3);
    before = now, now = next;
    for (Eigen::Index i = 0; i < run.state.velocities.size(); i += 3) {
      ASSERT_NEAR(run.state.velocities[i], now, 1e-9) << n;
      ASSERT_NEAR(run.state.velocities[i + 1], -2 * now, 1e-9) << n;
    }
  }
}

// What implicit Euler computes does not depend on other schemes.
TEST(Bdf2, WithoutTheStepBeforeAContextHasTheBitsOfImplicitEuler) {
  SchemeRun run(free_block(0.013));
  const Eigen::VectorXd x = disturbed(run.state.positions, 0.1, 1), v = disturbed(run.state.velocities, 3, 2);
  run.state.velocities = v;
  const StepContext context = run.scene.step_from(run.state);
  EXPECT_EQ(context.effective_step(), 0.013);
  EXPECT_EQ(context.reference_positions(), run.state.positions);
  EXPECT_EQ(context.predicted_positions(), Eigen::VectorXd(run.state.positions + 0.013 * v));
  EXPECT_EQ(context.velocities_at(x), Eigen::VectorXd((x - run.state.positions) / 0.013));
}

// ---- order and invariants

// A block that is stretched and released.
struct StretchedBlock {
  double stretch, mass_damping, stiffness_damping;
  // Its positions after 0.04 s.
  Eigen::VectorXd end(IntegrationScheme scheme, int steps) const {
    ElasticSceneDefinition definition = free_block(0.04 / steps);
    definition.bodies[0].mesh = box_source({0.5, 0.4, 0.3}, 6);
    definition.bodies[0].mass_damping = mass_damping;
    definition.bodies[0].stiffness_damping = stiffness_damping;
    SchemeRun run(definition, scheme);
    for (Eigen::Index i = 0; i < run.state.positions.size(); i += 3) run.state.positions[i] *= 1 + stretch;
    run.run(steps);
    return run.state.positions;
  }
  // The distance of the ends with steps of dt and dt/2, over that with dt/2 and dt/4.
  double convergence_ratio(IntegrationScheme scheme) const {
    const Eigen::VectorXd middle = end(scheme, 40);
    return (end(scheme, 20) - middle).norm() / (middle - end(scheme, 80)).norm();
  }
};
constexpr StretchedBlock undamped_block = {0.2, 0, 0};
// Strains are so small that the stiffness, which damping takes from the start of a step, is constant.
constexpr StretchedBlock damped_block = {1e-5, 4, 0.004};

TEST(Bdf2, IsOfSecondOrderWhereImplicitEulerIsOfFirst) {
  EXPECT_NEAR(undamped_block.convergence_ratio(IntegrationScheme::bdf2), 4, 0.4);
  EXPECT_NEAR(undamped_block.convergence_ratio(IntegrationScheme::implicit_euler), 2, 0.4);
  EXPECT_NEAR(damped_block.convergence_ratio(IntegrationScheme::bdf2), 4, 0.4);
}

// The latter's error of first order is extrapolated away.
TEST(Bdf2, ComesToTheMotionToWhichImplicitEulerComes) {
  for (const StretchedBlock& block : {undamped_block, damped_block}) {
    const Eigen::VectorXd limit =
        2 * block.end(IntegrationScheme::implicit_euler, 160) - block.end(IntegrationScheme::implicit_euler, 80);
    const Eigen::VectorXd moved = limit - block.end(IntegrationScheme::implicit_euler, 1);  // one step ends nearly at rest
    EXPECT_LT((block.end(IntegrationScheme::bdf2, 80) - limit).norm(), 0.02 * moved.norm()) << block.stretch;
  }
}

TEST(Bdf2, KeepsLinearMomentum) {
  ElasticSceneDefinition definition = free_block(0.01);
  definition.bodies[0].velocity = {1, 2, 3};
  definition.bodies[0].angular_velocity = {0, 5, 1};
  definition.bodies[0].stiffness_damping = 0.005;
  SchemeRun run(definition);
  run.state.velocities = disturbed(run.state.velocities, 0.5);
  const Vector3d before = linear_momentum(*run.scene.model, run.state);
  const double size = std::hypot(before[0], before[1], before[2]);
  run.run(20);
  const Vector3d after = linear_momentum(*run.scene.model, run.state);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(after[i], before[i], 1e-11 * size);
}

TEST(Bdf2, EnergyNeverGrowsBeyondThatOfTheStartAndLessIsLost) {
  std::vector<double> lost;
  for (const IntegrationScheme scheme : {IntegrationScheme::bdf2, IntegrationScheme::implicit_euler}) {
    SchemeRun run(free_block(0.005), scheme);
    for (Eigen::Index i = 0; i < run.state.positions.size(); i += 3) run.state.positions[i] *= 1.3;
    const double start = run.energy();
    ASSERT_GT(start, 0);
    for (int n = 0; n < 60; ++n) {
      run.step();
      EXPECT_LE(run.energy(), start * (1 + 1e-9)) << n;
    }
    lost.push_back(start - run.energy());
  }
  EXPECT_LT(lost[0], 0.8 * lost[1]);
}

// ---- states

TEST(Bdf2, SameBitsAfterASavedState) {
  ElasticSceneDefinition definition = free_block(0.01);
  definition.bodies[0].angular_velocity = {3, 5, 1};
  definition.bodies[0].stiffness_damping = 0.001;
  const auto bytes_after = [&](int saved_after) {
    SchemeRun run(definition);
    run.run(saved_after);
    const std::string bytes = serialize(run.state);
    SchemeRun resumed(definition);
    resumed.state = deserialize(*resumed.scene.model, bytes);
    EXPECT_EQ(serialize(resumed.state), bytes);
    resumed.run(6 - saved_after);
    return serialize(resumed.state);
  };
  const std::string whole = bytes_after(0);
  for (const int n : {1, 2, 5, 6}) EXPECT_EQ(bytes_after(n), whole) << n;
}

TEST(Bdf2, StatesOfImplicitEulerHaveNoStepBefore) {
  SchemeRun run(free_block(0.01), IntegrationScheme::implicit_euler);
  run.run(2);
  EXPECT_EQ(run.state.previous_positions.size(), 0);
  EXPECT_EQ(run.state.previous_velocities.size(), 0);
}

TEST(Bdf2BadInput, DamagedStatesAreRefused) {
  SchemeRun run(free_block(0.01));
  run.run(2);
  const ElasticModel& model = *run.scene.model;
  std::string bytes = serialize(run.state);
  EXPECT_EQ(deserialize(model, bytes).previous_velocities, run.state.previous_velocities);
  EXPECT_THROW(deserialize(model, bytes.substr(0, bytes.size() - 8)), Error);
  bytes[16] = static_cast<char>(bytes[16] + 1);  // the number of previous coordinates
  EXPECT_THROW(deserialize(model, bytes), Error);
}

TEST(Bdf2BadInput, DerivativesOverStepsAreRefusedAndThoseOfTheFirstStepAreNot) {
  SchemeRun run(free_block(0.01));
  const Eigen::MatrixXd directions = Eigen::MatrixXd::Ones(run.state.positions.size(), 1);
  IncrementalPotential& potential = run.integrator.potential();
  run.step();  // of implicit Euler
  EXPECT_EQ(potential.start_gradient(run.state.positions, directions, directions).cols(), 1);
  run.step();
  const auto refused = [&](const auto& call) {
    const std::string text = message(call);
    EXPECT_NE(text.find("scene.integrator: bdf2 cannot be differentiated over its steps"), std::string::npos) << text;
  };
  const Eigen::VectorXd& x = run.state.positions;
  refused([&] { potential.start_gradient(x, directions, directions); });
  const Eigen::MatrixXd parameters = Eigen::MatrixXd::Zero(potential.parameter_count(), 1);
  refused([&] { potential.adjoint_hessian(x, x, {directions, parameters, TermDirections::none(), directions, directions}); });
}

}  // namespace
}  // namespace holo::test
