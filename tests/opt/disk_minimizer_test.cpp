// The minimum of a quadratic function in a disk, against the conditions of a minimum and a search of the circle.
#include "trajectory/disk_minimizer.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

namespace holo {
namespace disk_minimizer_tests {

using Eigen::Matrix2d;
using Eigen::Vector2d;

Matrix2d turned(double first, double second, double angle) {
  const Eigen::Rotation2Dd turn(angle);
  return turn.toRotationMatrix() * Vector2d(first, second).asDiagonal() * turn.toRotationMatrix().transpose();
}

double model(const Matrix2d& B, const Vector2d& g, const Vector2d& a) { return g.dot(a) + a.dot(B * a) / 2; }

// The least value in the disk: at the only stationary point of the interior, or on the circle, which is searched.
double least_value(const Matrix2d& B, const Vector2d& g, double radius) {
  double least = std::numeric_limits<double>::infinity();
  Eigen::SelfAdjointEigenSolver<Matrix2d> eigen(B);
  if (eigen.eigenvalues()[0] > 0) {
    const Vector2d a = -eigen.operatorInverseSqrt() * (eigen.operatorInverseSqrt() * g);
    if (a.norm() <= radius) least = model(B, g, a);
  }
  // Between samples of the circle by thirds of intervals.
  constexpr int samples = 90;
  const auto on_circle = [&](double angle) { return model(B, g, radius * Vector2d(std::cos(angle), std::sin(angle))); };
  for (int i = 0; i < samples; ++i) {
    double low = 2 * M_PI * (i - 1) / samples, high = 2 * M_PI * (i + 1) / samples;
    for (int k = 0; k < 60; ++k) {
      const double third = (high - low) / 3;
      if (on_circle(low + third) < on_circle(high - third))
        high -= third;
      else
        low += third;
    }
    least = std::min(least, on_circle((low + high) / 2));
  }
  return least;
}

TEST(DiskMinimizer, HasTheLeastValueForEveryDefiniteness) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int on_boundary = 0, inside = 0;
  for (int i = 0; i < 60; ++i) {
    const Matrix2d B = turned(std::pow(10, 3 * uniform(generator)) * (i % 3 == 0 ? -1 : 1),
                              std::pow(10, 3 * uniform(generator)) * (i % 5 == 0 ? -1 : 1), 3 * uniform(generator));
    const Vector2d g(uniform(generator), uniform(generator));
    const double radius = std::pow(10, 2 * uniform(generator));
    const Vector2d a = minimize_in_disk(B, g, radius);
    EXPECT_LE(a.norm(), radius * (1 + 1e-14));
    (a.norm() < radius * (1 - 1e-9) ? inside : on_boundary) += 1;
    const double least = least_value(B, g, radius);
    EXPECT_NEAR(model(B, g, a), least, 1e-12 * std::abs(least) + 1e-15) << B << "\n" << g << "\n" << radius;
  }
  EXPECT_GT(on_boundary, 10);
  EXPECT_GT(inside, 10);
}

// (B + sigma I) a = -g with the least sigma >= 0 [Nocedal2006, theorem 4.1].
TEST(DiskMinimizer, SatisfiesTheConditionsOfTheMinimumToRounding) {
  for (double angle : {0.0, 0.3, 1.5707963267948966, 2.0})
    for (double lowest : {-4.0, -1e-9, 0.0, 1e-12, 0.5})
      for (double radius : {1e-6, 0.7, 30.0}) {
        const Matrix2d B = turned(lowest, 3, angle);
        const Vector2d g(0.8, -1.1);
        const Vector2d a = minimize_in_disk(B, g, radius);
        const double sigma = -a.dot(g + B * a) / a.squaredNorm();
        EXPECT_LT((B * a + sigma * a + g).norm(), 1e-12 * (1 + B.norm() * radius)) << angle << " " << lowest << " " << radius;
        EXPECT_GE(sigma, std::max(0.0, -lowest) - 1e-12);
        EXPECT_LE(a.norm(), radius * (1 + 1e-13));
        EXPECT_NEAR(sigma > 1e-9 ? a.norm() : radius, radius, 1e-12 * radius);
      }
}

// g orthogonal to the eigenvector of the negative eigenvalue: in the interior of the path the eigenvector fills up the radius.
TEST(DiskMinimizer, SolvesTheHardCase) {
  const Matrix2d B = Vector2d(-2, 3).asDiagonal();
  const Vector2d a = minimize_in_disk(B, Vector2d(0, 1), 4);
  EXPECT_NEAR(a[1], -0.2, 1e-15);
  EXPECT_NEAR(std::abs(a[0]), std::sqrt(16 - 0.04), 1e-14);
  EXPECT_NEAR(minimize_in_disk(B, Vector2d(0, 1), 0.1)[1], -0.1, 1e-15);
  EXPECT_NEAR(minimize_in_disk(B, Vector2d::Zero(), 4).norm(), 4, 1e-14);
  EXPECT_EQ(minimize_in_disk(Matrix2d::Identity(), Vector2d::Zero(), 4).norm(), 0);
}

}  // namespace disk_minimizer_tests
}  // namespace holo
