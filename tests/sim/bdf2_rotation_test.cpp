// Rotations by BDF2 and implicit Euler: what is left of the angular momentum and of the angle.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <complex>

#include "scheme_run.h"

namespace holo::test {
namespace {

struct Rotation {
  double angular_momentum, angle;  // over those of the exact rotation
};

// A rigid rotor in the plane: of all places the one that is next to the predicted one, a complex number of length 1.
enum class RotorStart { first_step_by_implicit_euler, from_the_exact_step_before };
Rotation rotor(IntegrationScheme scheme, double speed, double dt, int steps,
               RotorStart start = RotorStart::first_step_by_implicit_euler) {
  using Complex = std::complex<double>;
  Complex z = 1, v(0, speed), z_before = std::polar(1.0, -speed * dt), v_before = v * z_before;
  double angle = 0;
  for (int n = 0; n < steps; ++n) {
    const bool bdf2 = scheme == IntegrationScheme::bdf2 && (n > 0 || start == RotorStart::from_the_exact_step_before);
    const double h = bdf2 ? 2 * dt / 3 : dt;
    const Complex y = bdf2 ? (4.0 * z - z_before) / 3.0 : z, w = bdf2 ? (4.0 * v - v_before) / 3.0 : v;
    const Complex predicted = y + h * w, next = predicted / std::abs(predicted);
    angle += std::arg(next / z);
    z_before = z, v_before = v;
    v = (next - y) / h, z = next;
  }
  return {(std::conj(z) * v).imag() / speed, angle / (speed * dt * steps)};
}

// The principal axes of the bodies' masses as columns; the last is that of the largest moment of inertia.
Eigen::Matrix3d principal_axes(const ElasticModel& model, const Eigen::VectorXd& positions, const Eigen::Vector3d& center) {
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (int v = 0; v < model.vertex_count(); ++v) {
    const Eigen::Vector3d r = positions.segment<3>(3 * v) - center;
    inertia += model.masses()[std::size_t(v)] * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia).eigenvectors();
}

// A stiff bar about the principal axis of its largest moment of inertia, which stays where it is.
Rotation bar(IntegrationScheme scheme, double speed, double dt, int steps) {
  ElasticSceneDefinition definition = free_block(dt, 1e9);
  definition.bodies[0].mesh = box_source({0.5, 0.1, 0.1}, 30);
  SchemeRun run(definition, scheme);
  const ElasticModel& model = *run.scene.model;
  const Eigen::Vector3d center(center_of_mass(model, run.state).data());
  const Eigen::Matrix3d axes = principal_axes(model, run.state.positions, center);
  const Eigen::Vector3d axis = axes.col(2), first_axis = axes.col(0), second_axis = axis.cross(first_axis);
  const auto arm = [&](int v) -> Eigen::Vector3d { return run.state.positions.segment<3>(3 * v) - center; };
  for (int v = 0; v < model.vertex_count(); ++v) run.state.velocities.segment<3>(3 * v) = speed * axis.cross(arm(v));
  const auto momentum = [&] {
    double sum = 0;
    for (int v = 0; v < model.vertex_count(); ++v)
      sum += model.masses()[std::size_t(v)] * arm(v).cross(run.state.velocities.segment<3>(3 * v)).dot(axis);
    return sum;
  };
  int farthest = 0;
  for (int v = 0; v < model.vertex_count(); ++v)
    if (arm(v).norm() > arm(farthest).norm()) farthest = v;
  const auto direction = [&] { return std::complex(arm(farthest).dot(first_axis), arm(farthest).dot(second_axis)); };
  const double before = momentum();
  double angle = 0;
  for (int n = 0; n < steps; ++n) {
    const std::complex<double> was = direction();
    run.step();
    angle += std::arg(direction() / was);
  }
  return {momentum() / before, angle / (speed * dt * steps)};
}

// The parts that are left after half a second, of docs/elastic-dynamics.md#accuracy, and those of BDF2 without its first step.
struct RotationCase {
  double speed;  // [rad/s]
  int rate;      // steps per second
  Rotation implicit_euler, bdf2, bdf2_alone;
};
constexpr RotationCase rotation_cases[] = {{4, 40, {0.848, 0.917}, {0.987, 0.985}, {0.999, 0.996}},
                                           {8, 40, {0.624, 0.768}, {0.947, 0.944}, {0.988, 0.982}},
                                           {12, 40, {0.469, 0.638}, {0.881, 0.883}, {0.952, 0.952}},
                                           {12, 160, {0.726, 0.841}, {0.992, 0.991}, {0.999, 0.998}}};

TEST(Bdf2Rotation, ARotorKeepsTheAngularMomentumOfTheTable) {
  for (const RotationCase& each : rotation_cases) {
    const double dt = 1.0 / each.rate;
    const int steps = each.rate / 2;
    const auto expect = [&](const Rotation& found, const Rotation& expected) {
      EXPECT_NEAR(found.angular_momentum, expected.angular_momentum, 6e-4) << each.speed << " " << each.rate;
      EXPECT_NEAR(found.angle, expected.angle, 6e-4) << each.speed << " " << each.rate;
    };
    expect(rotor(IntegrationScheme::implicit_euler, each.speed, dt, steps), each.implicit_euler);
    expect(rotor(IntegrationScheme::bdf2, each.speed, dt, steps), each.bdf2);
    expect(rotor(IntegrationScheme::bdf2, each.speed, dt, steps, RotorStart::from_the_exact_step_before), each.bdf2_alone);
  }
}

// Half a second, as in the table. Rotation strains the bar by rho w^2 l^2/E, less than 1e-5 for its half length l.
TEST(Bdf2Rotation, AStiffBarTurnsAsARotor) {
  for (const RotationCase& each : rotation_cases)
    for (const IntegrationScheme scheme : {IntegrationScheme::implicit_euler, IntegrationScheme::bdf2}) {
      const double dt = 1.0 / each.rate;
      const Rotation found = bar(scheme, each.speed, dt, each.rate / 2),
                     expected = rotor(scheme, each.speed, dt, each.rate / 2);
      EXPECT_NEAR(found.angular_momentum, expected.angular_momentum, 2e-5) << each.speed << " " << each.rate;
      EXPECT_NEAR(found.angle, expected.angle, 2e-5) << each.speed << " " << each.rate;
    }
}

}  // namespace
}  // namespace holo::test
