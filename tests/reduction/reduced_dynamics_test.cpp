// Steps of reduced dynamics against closed forms and the full potential.
#include "holo/sim/reduction/reduced_dynamics.h"

#include <gtest/gtest.h>

#include "holo/core/error.h"
#include "holo/sim/reduction/cubature.h"
#include "holo/sim/reduction/linear_modes.h"
#include "reduced_bodies.h"

namespace holo::test {
namespace {

struct MovingBar {
  explicit MovingBar(const char* material)
      : model(box_model(material, {1.0, 0.2, 0.25}, 600)),
        system(clamped(model)),
        modes(linear_modes(system, 4)),
        elasticity(std::make_shared<const ReducedElasticity>(model, system.positions(), modes.shapes)),
        size(0.05 * model->length() / modes.shapes.cwiseAbs().maxCoeff()) {}

  Eigen::MatrixXd unit() const { return Eigen::MatrixXd::Identity(4, 4); }

  std::shared_ptr<const ElasticModel> model;
  ModalSystem system;
  LinearModes modes;
  std::shared_ptr<const ReducedElasticity> elasticity;
  double size;  // an amplitude at which the bar moves by a twentieth of its length
};

// Each mode by itself: q + h alpha (q - q_n) + h^2 w^2 q = q_n + h v_n + h^2 f. Amplitudes of a millionth: what is not linear
// is as small.
TEST(ReducedDynamics, SmallMotionsAreThoseOfOscillators) {
  const MovingBar bar("neo_hookean");
  const double h = 0.02, alpha = 0.7;
  ReducedDynamics dynamics(bar.elasticity, bar.unit(), {.time_step = h, .mass_damping = alpha});
  const double small = 1e-6 * bar.size;
  ReducedState state{small * Eigen::Vector4d(1, -0.5, 0.3, 0.2), small * Eigen::Vector4d(3, 1, -2, 5)};
  const Eigen::VectorXd forces = small * Eigen::Vector4d(20, -10, 5, 40);
  for (int n = 0; n < 3; ++n) {
    const ReducedState before = state;
    EXPECT_TRUE(dynamics.step(state, forces).converged());
    for (int i = 0; i < 4; ++i) {
      const double w = bar.modes.frequencies[i];
      const double expected = ((1 + h * alpha) * before.amplitudes[i] + h * before.velocities[i] + h * h * forces[i]) /
                              (1 + h * alpha + h * h * w * w);
      EXPECT_NEAR(state.amplitudes[i], expected, 1e-5 * small);
      EXPECT_NEAR(state.velocities[i], (state.amplitudes[i] - before.amplitudes[i]) / h, 1e-12 * small / h);
    }
  }
}

// Psi^T (M (u - u_n - h v_n)/h^2 + dE/dx - f) = 0 with the elastic forces of the full model.
TEST(ReducedDynamics, LargeStepsBalanceTheProjectedForcesOfTheFullModel) {
  for (const char* material : {"neo_hookean", "stvk"}) {
    const MovingBar bar(material);
    const double h = 0.03;
    ReducedDynamics dynamics(bar.elasticity, bar.unit(), {.time_step = h});
    ReducedState state{Eigen::VectorXd::Zero(4), bar.size * Eigen::Vector4d(8, -3, 2, 1)};
    const Eigen::VectorXd forces = bar.size * Eigen::Vector4d(30, 20, -10, 5);
    for (int n = 0; n < 5; ++n) {
      const ReducedState before = state;
      EXPECT_TRUE(dynamics.step(state, forces).converged());
      const Eigen::MatrixXd& Psi = bar.modes.shapes;
      const Eigen::VectorXd u = Psi * state.amplitudes, predicted = Psi * (before.amplitudes + h * before.velocities);
      const Eigen::VectorXd inertia = bar.system.masses().cwiseProduct(u - predicted) / (h * h);
      const Eigen::VectorXd balance = Psi.transpose() * (inertia + internal_force(bar.model, bar.system, u)) - forces;
      EXPECT_LE(balance.norm(), 1e-8 * (Psi.transpose() * inertia).norm() + 1e-8 * forces.norm()) << material;
    }
    EXPECT_GT(state.amplitudes.norm(), 0.1 * bar.size);
  }
}

TEST(ReducedDynamics, ACubatureMovesNearlyAsAllElements) {
  const MovingBar bar("neo_hookean");
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Eigen::MatrixXd samples(4, 30);
  for (Eigen::Index k = 0; k < samples.size(); ++k) samples.data()[k] = bar.size * uniform(random);
  const Cubature cubature = train_cubature(bar.model, bar.system.positions(), bar.modes.shapes, samples, {.tolerance = 0.01});
  EXPECT_LT(cubature.elements.size(), 200u);
  const auto few = std::make_shared<const ReducedElasticity>(bar.model, bar.system.positions(), bar.modes.shapes, cubature);
  ReducedDynamics full(bar.elasticity, bar.unit(), {.time_step = 0.02}), reduced(few, bar.unit(), {.time_step = 0.02});
  const ReducedState start{bar.size * Eigen::Vector4d(0.5, 0.3, 0.1, 0), Eigen::VectorXd::Zero(4)};
  ReducedState a = start, b = start;
  for (int n = 0; n < 20; ++n) {
    EXPECT_TRUE(full.step(a, Eigen::VectorXd::Zero(4)).converged());
    EXPECT_TRUE(reduced.step(b, Eigen::VectorXd::Zero(4)).converged());
    EXPECT_LE((a.amplitudes - b.amplitudes).norm(), 0.1 * start.amplitudes.norm()) << "step " << n;
  }
}

TEST(ReducedDynamicsBadInput, WhatDoesNotFitIsRefused) {
  const MovingBar bar("neo_hookean");
  const auto expect = [&](const Eigen::MatrixXd& masses, const ReducedDynamicsOptions& options, const std::string& part) {
    try {
      ReducedDynamics(bar.elasticity, masses, options);
      ADD_FAILURE() << "nothing was refused: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect(Eigen::MatrixXd::Identity(3, 3), {}, "masses of 3 by 3 for 4 amplitudes");
  expect(-bar.unit(), {}, "not symmetric and positive definite");
  Eigen::MatrixXd skew = bar.unit();
  skew(0, 1) = 0.5;
  expect(skew, {}, "not symmetric and positive definite");
  expect(bar.unit(), {.time_step = 0}, "the time step 0.0");
  expect(bar.unit(), {.mass_damping = -1}, "mass damping -1.0");
  expect(bar.unit(), {.tolerance = 0}, "the tolerance 0.0");
  expect(bar.unit(), {.max_iterations = 0}, "0 iterations");
}

// Outside of every domain a step cannot start: the state stays as it was.
TEST(ReducedDynamicsBadInput, AStateWithoutEnergyIsReported) {
  const MovingBar bar("neo_hookean");
  ReducedDynamics dynamics(bar.elasticity, bar.unit(), {});
  ReducedState state{1e6 * bar.size * Eigen::Vector4d(1, 1, 1, 1), Eigen::VectorXd::Zero(4)};
  const Eigen::VectorXd before = state.amplitudes;
  const DenseResult result = dynamics.step(state, Eigen::VectorXd::Zero(4));
  EXPECT_FALSE(result.converged());
  EXPECT_FALSE(result.diagnosis.empty());
  EXPECT_EQ(state.amplitudes, before);
}

}  // namespace
}  // namespace holo::test
