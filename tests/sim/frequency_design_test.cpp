// The design of a frequency: its derivatives, its minimum by Newton's method; the motion of linear bodies and its frequency.
#include "holo/sim/design/frequency_design.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "holo/sim/design/linear_motion.h"

namespace holo::test {
namespace frequency_design_tests {

VibratingBody bridge() {
  VibratingBody body;
  body.family = shape_family("bridge");
  body.elements = 600;
  body.parameters = {10, 2, 2, 1.2, 2e7, 0.3, 900};
  body.acceleration = {0, 2, -1};
  return body;
}

double omega_squared(LinearVibration& vibration, const Eigen::VectorXd& values) {
  double result = 0;
  EXPECT_TRUE(vibration.evaluate(values, result)) << vibration.problem();
  return result;
}

TEST(FrequencyDesign, NewtonsMethodFindsAShapeInEightIterationsOfOneFactorizationEach) {
  const Eigen::Vector3d start(10, 2, 1.2);
  LinearVibration vibration(bridge(), {0, 1, 3});
  for (const double factor : {0.8, 1.3}) {
    FrequencyDesign design(vibration, factor * omega_squared(vibration, start), start);
    const int factorizations = vibration.factorizations();
    DenseWorkspace workspace;
    Eigen::VectorXd x = Eigen::Vector3d::Ones();
    const DenseBounds bounds{Eigen::Vector3d(0.5, 0.5, 0.5), Eigen::Vector3d(1.5, 1.5, 1.4)};
    const DenseResult result = minimize(design, bounds, x, {.method = DenseMethod::newton, .tolerance = 1e-11}, workspace);
    EXPECT_TRUE(result.converged()) << result.diagnosis;
    EXPECT_LE(result.iterations.size(), 9u);  // the last one sees that it has converged
    int evaluations = 0;
    for (const DenseIteration& iteration : result.iterations) evaluations += iteration.evaluations;
    EXPECT_LE(vibration.factorizations() - factorizations, evaluations + 1);
    EXPECT_LT(std::sqrt(design.value(x)), 1e-10) << factor;
  }
}

// The model's own differences: of the gradient, of fourth order.
TEST(FrequencyDesign, HessiansAreThoseOfDifferences) {
  const Eigen::Vector3d units(10, 2, 1.2);
  LinearVibration vibration(bridge(), {0, 1, 3});
  FrequencyDesign design(vibration, 1.2 * omega_squared(vibration, units), units);
  const Eigen::Vector3d at(1.02, 0.97, 1.05);
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
  design.gradient(at, gradient);
  ASSERT_TRUE(design.hessian(at, hessian));
  for (int k = 0; k < 3; ++k) {
    const double h = 1e-3;
    const auto gradient_at = [&](double step) {
      Eigen::VectorXd moved = at, result;
      moved[k] += step * h;
      design.gradient(moved, result);
      return result;
    };
    const Eigen::VectorXd column = (gradient_at(-2) - 8 * gradient_at(-1) + 8 * gradient_at(1) - gradient_at(2)) / (12 * h);
    EXPECT_LT((hessian.col(k) - column).cwiseAbs().maxCoeff(), 1e-7 * hessian.cwiseAbs().maxCoeff()) << k;
  }
}

TEST(FrequencyDesign, AFrequencyOutsideOfTheBoundsEndsAtThem) {
  const Eigen::Vector3d start(10, 2, 1.2);
  LinearVibration vibration(bridge(), {0, 1, 3});
  FrequencyDesign design(vibration, 100 * omega_squared(vibration, start), start);
  DenseWorkspace workspace;
  Eigen::VectorXd x = Eigen::Vector3d::Ones();
  const DenseBounds bounds{Eigen::Vector3d(0.9, 0.9, 0.9), Eigen::Vector3d(1.1, 1.1, 1.1)};
  minimize(design, bounds, x, {}, workspace);
  EXPECT_GT(design.value(x), 0.5);
  EXPECT_EQ(x[0], 0.9);  // a shorter bridge is stiffer
}

TEST(DominantFrequency, IsThatOfACosineBetweenThePointsOfItsSpectrum) {
  for (const double frequency : {1.0, 1.013, 1.024}) {
    std::vector<double> samples;
    for (int n = 0; n < 800; ++n) samples.push_back(3 + std::cos(2 * std::numbers::pi * frequency * 0.025 * n + 0.4));
    // The points of the spectrum are 0.05 Hz apart, and its mirrored half is 40 of them away, which leaves 40^-3.
    EXPECT_NEAR(dominant_frequency(samples, 0.025), frequency, 1e-4 * 0.05) << frequency;
  }
}

// The trapezoidal rule keeps u' M u'/2 + u K u/2 - a M u, which is 0 at the start; so the body swings about its equilibrium,
// with the frequency of the lowest eigenvector that the field excites, as the rule has it: 2/dt atan(omega dt/2).
TEST(LinearMotion, SwingsAboutTheEquilibriumWithTheLowestFrequency) {
  VibratingBody body;
  body.family = shape_family("beam");
  body.elements = 480;
  body.parameters = {4, 0.9, 0.5, 1e7, 0.3, 1000};  // bends along z first
  body.acceleration = {0, 0, 1};
  LinearVibration vibration(body, {});
  const double omega = std::sqrt(omega_squared(vibration, Eigen::VectorXd(0)));
  const double dt = 2 * std::numbers::pi / omega / 40;
  LinearMotion motion(vibration, dt);
  std::vector<double> amplitudes;
  double least = 0, most = 0;
  for (int n = 0; n < 1000; ++n) {
    amplitudes.push_back(motion.amplitude());
    least = std::min(least, amplitudes.back());
    most = std::max(most, amplitudes.back());
    motion.step();
  }
  EXPECT_GT(least, -0.02);
  EXPECT_GT(most, 1.95);
  EXPECT_LT(most, 2.02);
  // The lowest eigenvalue by inverse iteration, from the matrices of the body.
  const Eigen::MatrixXd K = Eigen::MatrixXd(vibration.stiffness()).selfadjointView<Eigen::Lower>();
  Eigen::VectorXd masses(K.rows());
  for (Eigen::Index i = 0; i < masses.size(); ++i)
    masses[i] = vibration.is_held(int(i / 3)) ? 0 : vibration.masses()[std::size_t(i / 3)];
  const Eigen::LDLT<Eigen::MatrixXd> factor(K);
  Eigen::VectorXd mode = vibration.displacements();
  for (int n = 0; n < 60; ++n) mode = factor.solve(masses.cwiseProduct(mode)).normalized();
  const double lowest = std::sqrt(mode.dot(K * mode) / mode.dot(masses.cwiseProduct(mode)));
  const double found = 2 * std::numbers::pi * dominant_frequency(amplitudes, dt);
  EXPECT_NEAR(found, 2 / dt * std::atan(lowest * dt / 2), 1e-4 * lowest);
  EXPECT_NEAR(omega, lowest, 0.01 * lowest);  // an upper bound
  EXPECT_GE(omega, lowest);
}

}  // namespace frequency_design_tests
}  // namespace holo::test
