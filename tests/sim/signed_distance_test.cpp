// Signed distances of solids against searches over their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "holo/sim/mesh/shapes.h"

namespace {

using namespace holo;
using SpacePoint = std::array<double, 3>;

double distance_between(const SpacePoint& x, const SpacePoint& y) { return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]); }

// The point of the segment from a to b at the parameter t.
SpacePoint point_between(const SpacePoint& a, const SpacePoint& b, double t) {
  return {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])};
}

std::vector<SpacePoint> random_points(int count) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> coordinate(-1.5, 1.5);
  std::vector<SpacePoint> points;
  for (int i = 0; i < count; ++i) points.push_back({coordinate(generator), coordinate(generator), coordinate(generator)});
  return points;
}

// The hull of two balls is the union of all balls between them, with centers and radii that change linearly.
double distance_to_balls(const SpacePoint& x, const SpacePoint& a, double radius_a, const SpacePoint& b, double radius_b) {
  double nearest = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= 4000; ++i) {
    const double t = i / 4000.0;
    nearest = std::min(nearest, distance_between(x, point_between(a, b, t)) - radius_a - t * (radius_b - radius_a));
  }
  return nearest;
}

// The nearest of many points of the cone's outline in the plane through its axis and x, with the sign of the inside.
double distance_to_outline(const SpacePoint& x, const SpacePoint& a, double radius_a, const SpacePoint& b, double radius_b) {
  const double height = distance_between(a, b);
  double along = 0;
  for (std::size_t i = 0; i < 3; ++i) along += (x[i] - a[i]) * (b[i] - a[i]) / height;
  const double radial = distance_between(x, point_between(a, b, along / height));
  double nearest = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= 4000; ++i) {
    const double t = i / 4000.0;
    nearest = std::min({nearest, std::hypot(radial - t * radius_a, along), std::hypot(radial - t * radius_b, along - height),
                        std::hypot(radial - radius_a - t * (radius_b - radius_a), along - t * height)});
  }
  const bool is_inside = along > 0 && along < height && radial < radius_a + along / height * (radius_b - radius_a);
  return is_inside ? -nearest : nearest;
}

TEST(SignedDistance, RoundConeIsTheUnionOfTheBallsBetweenItsEnds) {
  const SpacePoint a = {-0.4, 0.1, 0}, b = {0.5, 0.3, -0.2};
  for (const auto& [radius_a, radius_b] : {std::pair{0.3, 0.1}, {0.1, 0.3}, {0.2, 0.2}, {1.2, 0.1}, {0.1, 1.2}}) {
    const SignedDistance distance = round_cone(a, radius_a, b, radius_b);
    for (const SpacePoint& x : random_points(200))
      EXPECT_NEAR(distance(x), distance_to_balls(x, a, radius_a, b, radius_b), 1e-5) << radius_a << " " << radius_b;
  }
}

TEST(SignedDistance, ConeIsTheDistanceToItsOutline) {
  const SpacePoint a = {-0.4, 0.1, 0}, b = {0.5, 0.3, -0.2};
  for (const auto& [radius_a, radius_b] : {std::pair{0.6, 0.2}, {0.2, 0.6}, {0.3, 0.3}}) {
    const SignedDistance distance = cone(a, radius_a, b, radius_b);
    for (const SpacePoint& x : random_points(200))
      EXPECT_NEAR(distance(x), distance_to_outline(x, a, radius_a, b, radius_b), 3e-4) << radius_a << " " << radius_b;
  }
}

TEST(SignedDistance, ConeOfEqualRadiiIsACylinder) {
  const SignedDistance a = cone({0, 0, 0.2}, 0.4, {0.3, 0, 1}, 0.4), b = cylinder({0, 0, 0.2}, {0.3, 0, 1}, 0.4);
  for (const SpacePoint& x : random_points(200)) EXPECT_NEAR(a(x), b(x), 1e-14);
}

// The nearest of many points of the surface; the sign follows from the equation.
double distance_to_surface(const SpacePoint& x, const SpacePoint& semi_axes) {
  constexpr double pi = std::numbers::pi;
  double nearest = std::numeric_limits<double>::infinity(), equation = 0;
  for (int i = 0; i <= 400; ++i)
    for (int j = 0; j < 800; ++j) {
      const double polar = pi * i / 400, azimuth = 2 * pi * j / 800;
      const SpacePoint direction = {std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth), std::cos(polar)};
      SpacePoint point{};
      for (std::size_t k = 0; k < 3; ++k) point[k] = semi_axes[k] * direction[k];
      nearest = std::min(nearest, distance_between(x, point));
    }
  for (std::size_t k = 0; k < 3; ++k) equation += x[k] * x[k] / (semi_axes[k] * semi_axes[k]);
  return equation < 1 ? -nearest : nearest;
}

TEST(SignedDistance, EllipsoidIsTheDistanceToItsSurface) {
  const SpacePoint semi_axes = {0.9, 0.4, 0.2};
  const SignedDistance distance = ellipsoid({0, 0, 0}, semi_axes);
  for (const SpacePoint& x : random_points(40)) {
    EXPECT_NEAR(distance(x), distance_to_surface(x, semi_axes), 1e-4);
    const SpacePoint inside = {0.4 * x[0], 0.1 * x[1], 0.05 * x[2]};
    EXPECT_NEAR(distance(inside), distance_to_surface(inside, semi_axes), 1e-4);
  }
  for (const SpacePoint& x :
       {SpacePoint{0, 0, 0}, {0.5, 0, 0}, {0, 0.3, 0}, {0, 0, 0.1}, {0.5, 0.1, 0}, {0.89, 0, 0}, {1.2, 0, 0}})
    EXPECT_NEAR(distance(x), distance_to_surface(x, semi_axes), 1e-4) << x[0] << " " << x[1] << " " << x[2];
}

TEST(SignedDistance, EllipsoidOfEqualSemiAxesIsASphere) {
  const SignedDistance a = ellipsoid({0.1, 0, -0.2}, {0.5, 0.5, 0.5}), b = sphere({0.1, 0, -0.2}, 0.5);
  for (const SpacePoint& x : random_points(200)) EXPECT_NEAR(a(x), b(x), 1e-14);
  EXPECT_NEAR(a({0.1, 0, -0.2}), -0.5, 1e-14);
}

}  // namespace
