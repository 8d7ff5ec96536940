// Distances and normals of obstacles against closed forms, and their derivatives against complex steps.
#include "holo/sim/articulated/dynamics/obstacle_distance.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "character_samples.h"

namespace holo::articulated::obstacle_distance_tests {

using namespace test;

struct NamedObstacle {
  const char* name;
  Obstacle obstacle;
};

// Of each kind, in frames of their own.
std::vector<NamedObstacle> obstacles(const std::vector<double>& heights) {
  const RigidFrame<double> frame{rotation_of_vector(Vector3<double>{0.4, -0.3, 0.8}), {0.2, -0.1, 0.3}};
  std::vector<NamedObstacle> all{{"plane", {}}, {"sphere", {}}, {"box", {}}, {"height field", {}}, {"distance grid", {}}};
  const ObstacleKind kinds[] = {ObstacleKind::plane, ObstacleKind::sphere, ObstacleKind::box, ObstacleKind::height_field,
                                ObstacleKind::distance_grid};
  for (std::size_t i = 0; i < 5; ++i) {
    all[i].obstacle.kind = kinds[i];
    all[i].obstacle.frame = frame;
    all[i].obstacle.size = {0.5, 0.3, 0.4};
    all[i].obstacle.heights = heights.data();
    all[i].obstacle.distances = heights.data();
    all[i].obstacle.columns = i == 4 ? 2 : 6;
    all[i].obstacle.rows = i == 4 ? 3 : 4;
    all[i].obstacle.layers = 4;
    all[i].obstacle.spacing = 0.3;
  }
  return all;
}

std::vector<double> random_heights() {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> draw(-0.2, 0.2);
  std::vector<double> heights(24);
  for (double& height : heights) height = draw(random);
  return heights;
}

TEST(ObstacleDistance, HasItsDerivatives) {
  const std::vector<double> heights = random_heights();
  std::mt19937 random(2);
  std::uniform_real_distribution<double> draw(-1.5, 2.5);
  for (const auto& [name, obstacle] : obstacles(heights))
    for (int sample = 0; sample < 40; ++sample) {
      const Vector3<double> point{draw(random), draw(random), draw(random)};
      const DistanceSample<double> at = obstacle_distance(obstacle, point);
      EXPECT_NEAR(norm(at.normal), 1, 1e-14) << name;
      for (int k = 0; k < 3; ++k) {
        Vector3<ComplexStep> moved = matrix_cast<ComplexStep>(point);
        moved[k] += ComplexStep::seed(0.0, 1.0);
        const DistanceSample<ComplexStep> step = obstacle_distance(obstacle, moved);
        EXPECT_NEAR(step.distance.derivative(), at.gradient[k], 1e-12) << name;
        // Rounding is relative to the largest curvature, and for boxes to the sharpness, whose exponentials cancel.
        double scale = obstacle.kind == ObstacleKind::box ? obstacle.sharpness : 1 / norm(point);
        for (int i = 0; i < 9; ++i) scale = std::max(scale, std::abs(at.normal_gradient[i]));
        for (int i = 0; i < 3; ++i)
          EXPECT_NEAR(step.normal[i].derivative(), at.normal_gradient(i, k), 1e-12 * (1 + scale)) << name;
      }
    }
}

TEST(ObstacleDistance, IsThatOfPlanesAndSpheres) {
  const std::vector<double> heights = random_heights();
  const std::vector<NamedObstacle> all = obstacles(heights);
  const RigidFrame<double>& frame = all[0].obstacle.frame;
  const DistanceSample<double> plane = obstacle_distance(all[0].obstacle, frame * Vector3<double>{3, 2, -0.7});
  EXPECT_NEAR(plane.distance, -0.7, 1e-15);
  EXPECT_NEAR(plane.normal[2], frame.rotation(2, 2), 1e-15);
  const DistanceSample<double> sphere = obstacle_distance(all[1].obstacle, frame * Vector3<double>{0.3, 0, -0.4});
  EXPECT_NEAR(sphere.distance, 0, 1e-15);
  const Vector3<double> outward = transpose(frame.rotation) * sphere.normal;
  EXPECT_NEAR(outward[0], 0.6, 1e-15);
  EXPECT_NEAR(outward[2], -0.8, 1e-15);
}

// At the center of a sphere and a box the distance has no gradient.
TEST(ObstacleDistance, HasANormalAtCenters) {
  Obstacle obstacle;
  obstacle.size = {0.5, 0.5, 0.5};
  for (const ObstacleKind kind : {ObstacleKind::sphere, ObstacleKind::box}) {
    obstacle.kind = kind;
    const DistanceSample<double> center = obstacle_distance(obstacle, Vector3<double>{0, 0, 0});
    EXPECT_NEAR(center.distance, kind == ObstacleKind::sphere ? -0.5 : -0.5 + std::log(6.0) / obstacle.sharpness, 1e-15);
    EXPECT_EQ(center.normal[2], 1);
    EXPECT_EQ(norm(center.normal), 1);
    for (int i = 0; i < 9; ++i) EXPECT_EQ(center.normal_gradient[i], 0);
  }
}

// Rounded distances are those of the largest face distance, or up to log(6) / sharpness more.
TEST(ObstacleDistance, OfABoxIsWithinItsBound) {
  Obstacle box;
  box.kind = ObstacleKind::box;
  box.size = {0.5, 0.3, 0.4};
  std::mt19937 random(2);
  std::uniform_real_distribution<double> draw(-0.8, 0.8);
  for (int sample = 0; sample < 200; ++sample) {
    const Vector3<double> p{draw(random), draw(random), draw(random)};
    const double exact = std::max({std::abs(p[0]) - 0.5, std::abs(p[1]) - 0.3, std::abs(p[2]) - 0.4});
    const double rounded = obstacle_distance(box, p).distance;
    EXPECT_GE(rounded, exact - 1e-15);
    EXPECT_LE(rounded, exact + std::log(6.0) / box.sharpness);
  }
  const DistanceSample<double> above = obstacle_distance(box, Vector3<double>{0.1, -0.1, 0.39});
  EXPECT_NEAR(above.distance, -0.01, 1e-9);
  EXPECT_NEAR(above.normal[2], 1, 1e-9);
}

// The coefficients x^2 - spacing^2 / 3 give the parabola h = x^2, inclined planes themselves: where no coefficient repeats.
TEST(ObstacleDistance, OfAHeightFieldReproducesAParabola) {
  constexpr int count = 9;
  constexpr double spacing = 0.25;
  std::vector<double> heights;
  for (int row = 0; row < count; ++row)
    for (int column = 0; column < count; ++column)
      heights.push_back(column * column * spacing * spacing - spacing * spacing / 3 + 0.5 * row * spacing);
  Obstacle field;
  field.kind = ObstacleKind::height_field;
  field.heights = heights.data();
  field.columns = field.rows = count;
  field.spacing = spacing;
  for (const double x : {0.3, 0.5, 0.77})
    for (const double z : {-0.2, 0.0, 0.1}) {
      const double y = 0.9, h = x * x + 0.5 * y, length = std::sqrt(1 + 4 * x * x + 0.25);
      const DistanceSample<double> sample = obstacle_distance(field, Vector3<double>{x, y, h + z});
      EXPECT_NEAR(sample.distance, z / length, 1e-15);
      EXPECT_NEAR(sample.normal[0], -2 * x / length, 1e-14);
      EXPECT_NEAR(sample.normal[1], -0.5 / length, 1e-14);
      EXPECT_NEAR(sample.normal_gradient(0, 0), (-2 + 4 * x * x * 2 / (length * length)) / length, 1e-13);
    }
  const DistanceSample<double> far = obstacle_distance(field, Vector3<double>{-1e12, 1e15, 3});
  EXPECT_NEAR(far.distance, 3 - (0.5 * 8 * spacing - spacing * spacing / 3), 1e-12);
  EXPECT_NEAR(far.normal[2], 1, 1e-15);
}

// Across cells the normal and its derivative are continuous, so that contact forces have continuous derivatives.
TEST(ObstacleDistance, OfAHeightFieldIsSmoothAcrossCells) {
  const std::vector<double> heights = random_heights();
  Obstacle field = obstacles(heights)[3].obstacle;
  field.frame = identity_frame<double>();
  for (const double x : {-0.3, 0.0, 0.3, 0.9, 1.5, 1.8}) {
    const DistanceSample<double> left = obstacle_distance(field, Vector3<double>{x - 1e-9, 0.4, 0.1}),
                                 right = obstacle_distance(field, Vector3<double>{x + 1e-9, 0.4, 0.1});
    EXPECT_NEAR(left.distance, right.distance, 1e-8);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(left.normal[i], right.normal[i], 1e-7);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(left.normal_gradient[i], right.normal_gradient[i], 1e-6);
  }
}

}  // namespace holo::articulated::obstacle_distance_tests
