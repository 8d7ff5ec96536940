// Pendulums: the period against the arithmetic-geometric mean, the double pendulum against a Runge-Kutta method of its
// Lagrangian equations. `end` is of first order, `mid` of second.
#include <gtest/gtest.h>

#include "character_motion.h"

namespace holo::articulated::pendulum_tests {

using namespace test;

// Period of a pendulum of the amplitude a: 2 pi sqrt(I / (m g c)) / agm(1, cos(a / 2)).
double exact_period(double inertia, double moment, double amplitude) {
  double a = 1, g = std::cos(amplitude / 2);
  while (std::abs(a - g) > 1e-15) {
    const double mean = (a + g) / 2;
    g = std::sqrt(a * g);
    a = mean;
  }
  return 2 * M_PI * std::sqrt(inertia / (moment * 9.81)) / a;
}

// From rest at the amplitude, the time of the first downward passage through 0 is a quarter of the period. The passage is
// interpolated with the cubic through four samples.
double measured_period(const CharacterModel& model, InertiaRule inertia, double amplitude, double time_step) {
  StepConstants step;
  step.inertia = inertia;
  step.time_step = time_step;
  // the pose before: symmetric in time about rest, with the acceleration at the amplitude
  const SecondMoments& E = model.data().moments[0];
  const double acceleration = E(2, 3) * 9.81 * std::sin(amplitude) / (E(0, 0) + E(2, 2));
  const CharacterPose start{{amplitude}, {}}, before{{amplitude + acceleration * time_step * time_step / 2}, {}};
  std::vector<double> angles{amplitude};
  simulate(model, step, before, start, int(3 / time_step),
           [&](const CharacterPose& pose) { angles.push_back(pose.coordinates[0]); });
  std::size_t i = 0;
  while (i + 1 < angles.size() && angles[i + 1] > 0) ++i;
  const double *y = &angles[i - 1], target = 0;
  double s = y[1] / (y[1] - y[2]);  // of the interval i, i + 1
  for (int newton = 0; newton < 20; ++newton) {
    const auto cubic = [&](double t) {
      return -t * (t - 1) * (t - 2) / 6 * y[0] + (t + 1) * (t - 1) * (t - 2) / 2 * y[1] - (t + 1) * t * (t - 2) / 2 * y[2] +
             (t + 1) * t * (t - 1) / 6 * y[3];
    };
    s -= (cubic(s) - target) * 2e-6 / (cubic(s + 1e-6) - cubic(s - 1e-6));
  }
  return 4 * time_step * (double(i) + s);
}

double order_of(double coarse, double fine) { return std::log2(std::abs(coarse / fine)); }

TEST(Pendulum, HasThePeriodOfTheArithmeticGeometricMean) {
  const CharacterModel model = procedural_character("pendulum1");
  const SecondMoments& E = model.data().moments[0];
  for (const double amplitude : {0.1, 2.0}) {
    const double exact = exact_period(E(0, 0) + E(2, 2), -E(2, 3), amplitude);
    for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid}) {
      std::vector<double> errors;
      for (const double time_step : {0.004, 0.002, 0.001})
        errors.push_back(measured_period(model, inertia, amplitude, time_step) - exact);
      const double expected = inertia == InertiaRule::end ? 1 : 2;
      EXPECT_NEAR(order_of(errors[0], errors[1]), expected, 0.1) << amplitude << " " << errors[0];
      EXPECT_NEAR(order_of(errors[1], errors[2]), expected, 0.1) << amplitude << " " << errors[1];
      EXPECT_LT(std::abs(errors[2]), (inertia == InertiaRule::end ? 1e-2 : 1e-5) * exact);
    }
  }
}

// Two rods of length 1 and mass 1 with moments of inertia `about_center`: theta_1, theta_1 + theta_2 from the vertical.
struct DoublePendulum {
  double about_center;

  Eigen::Vector4d rate(const Eigen::Vector4d& x) const {
    const double a = x[0], b = x[0] + x[1], va = x[2], vb = x[2] + x[3], g = 9.81;
    Eigen::Matrix2d mass;
    mass << about_center + 0.25 + 1, 0.5 * std::cos(a - b), 0.5 * std::cos(a - b), about_center + 0.25;
    const Eigen::Vector2d force(-0.5 * vb * vb * std::sin(a - b) - 1.5 * g * std::sin(a),
                                0.5 * va * va * std::sin(a - b) - 0.5 * g * std::sin(b));
    const Eigen::Vector2d acceleration = mass.inverse() * force;
    return {x[2], x[3], acceleration[0], acceleration[1] - acceleration[0]};
  }
  Eigen::Vector4d at(double time, Eigen::Vector4d x) const {
    const int steps = std::max(1, int(std::ceil(std::abs(time) / 2e-4)));
    const double h = time / steps;
    for (int i = 0; i < steps; ++i) {
      const Eigen::Vector4d k1 = rate(x), k2 = rate(x + h / 2 * k1), k3 = rate(x + h / 2 * k2), k4 = rate(x + h * k3);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return x;
  }
};

TEST(DoublePendulum, ConvergesToRungeKuttaAtTheOrdersOfItsRules) {
  const CharacterModel model = procedural_character("pendulum2");
  const SecondMoments& E = model.data().moments[0];
  const DoublePendulum exact{E(0, 0) + E(2, 2) - E(2, 3) * E(2, 3) / E(3, 3)};
  const Eigen::Vector4d start(1.2, 0.8, 0.5, -1);
  const double duration = 0.5;
  const Eigen::Vector4d end = exact.at(duration, start);
  for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid}) {
    std::vector<double> errors;
    for (const double time_step : {2e-3, 1e-3, 5e-4}) {
      StepConstants step;
      step.inertia = inertia;
      step.time_step = time_step;
      const Eigen::Vector4d before = exact.at(-time_step, start);
      const CharacterPose last = simulate(model, step, {{before[0], before[1]}, {}}, {{start[0], start[1]}, {}},
                                          int(std::lround(duration / time_step)), [](const CharacterPose&) {});
      errors.push_back(std::hypot(last.coordinates[0] - end[0], last.coordinates[1] - end[1]));
    }
    const double low = inertia == InertiaRule::end ? 0.9 : 1.95, high = inertia == InertiaRule::end ? 1.05 : 2.05;
    for (const double order : {order_of(errors[0], errors[1]), order_of(errors[1], errors[2])}) {
      EXPECT_GT(order, low) << errors[0] << " " << errors[2];
      EXPECT_LT(order, high) << errors[0] << " " << errors[2];
    }
  }
}

}  // namespace holo::articulated::pendulum_tests
