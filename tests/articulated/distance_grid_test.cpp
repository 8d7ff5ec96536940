// Distance grids against the distances that they are fitted to: bounds and orders of the errors, and meshes.
#include <gtest/gtest.h>

#include <random>

#include "character_samples.h"
#include "holo/sim/articulated/dynamics/obstacle_distance.h"
#include "holo/sim/articulated/dynamics/signed_distance_grid.h"
#include "holo/sim/contact/mesh_distance.h"
#include "refusal_message.h"
#include "surface_samples.h"

namespace holo::articulated::distance_grid_tests {

using namespace test;
using holo::test::box_surface;
using holo::test::message;
using holo::test::star_surface;
using holo::test::torus_surface;
using Point = std::array<double, 3>;

const BoundingBox cube{{-0.7, -0.7, -0.7}, {0.7, 0.7, 0.7}};

// The torus of radii 0.4 and 0.15 around z, with the derivatives of its distance.
double torus(const Point& x) { return std::hypot(std::hypot(x[0], x[1]) - 0.4, x[2]) - 0.15; }
Eigen::Vector3d torus_normal(const Point& x) {
  const double around = std::hypot(x[0], x[1]), across = std::hypot(around - 0.4, x[2]), along = (around - 0.4) / across;
  return {along * x[0] / around, along * x[1] / around, x[2] / across};
}

std::vector<Point> random_points(unsigned seed, int count, const std::function<bool(const Point&)>& chosen) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-0.7, 0.7);
  std::vector<Point> points;
  while (int(points.size()) < count) {
    const Point point{draw(random), draw(random), draw(random)};
    if (chosen(point)) points.push_back(point);
  }
  return points;
}

struct FitErrors {
  double distance = 0, gradient = 0, normal = 0;
};
FitErrors errors_of(const SignedDistanceGrid& grid, const SignedDistance& exact,
                    const std::function<Eigen::Vector3d(const Point&)>& normal, const std::vector<Point>& points) {
  const Obstacle obstacle = grid.obstacle();
  FitErrors errors;
  for (const Point& point : points) {
    const DistanceSample<double> sample = obstacle_distance(obstacle, Vector3<double>{point[0], point[1], point[2]});
    errors.distance = std::max(errors.distance, std::abs(sample.distance - exact(point)));
    for (int i = 0; i < 3; ++i) {
      errors.gradient = std::max(errors.gradient, std::abs(sample.gradient[i] - normal(point)[i]));
      errors.normal = std::max(errors.normal, std::abs(sample.normal[i] - normal(point)[i]));
    }
  }
  return errors;
}

// x^a y^b z^c with exponents up to 3, in the whole region.
TEST(DistanceGrid, ReproducesCubicPolynomials) {
  const auto points = random_points(1, 200, [](const Point&) { return true; });
  for (int a = 0; a <= 3; ++a)
    for (int b = 0; b <= 3; ++b)
      for (int c = 0; c <= 3; ++c) {
        const auto polynomial = [&](const Point& x) { return std::pow(x[0], a) * std::pow(x[1], b) * std::pow(x[2], c); };
        const SignedDistanceGrid grid = fit_signed_distance(polynomial, cube, 0.3);
        const Obstacle obstacle = grid.obstacle();
        for (const Point& x : points)
          EXPECT_NEAR(obstacle_distance(obstacle, Vector3<double>{x[0], x[1], x[2]}).distance, polynomial(x), 1e-14);
      }
}

// Within 0.068 h^4 of the largest fourth derivative along an axis, which is at most 3 / r^3 of a ball's distance at r from its
// center. A value takes samples up to four spacings away along each axis.
TEST(DistanceGrid, OfABallIsWithinItsBound) {
  const SignedDistance ball = sphere({0, 0, 0}, 0.5);
  const auto outward = [](const Point& x) { return Eigen::Vector3d(x[0], x[1], x[2]).normalized(); };
  const auto points = random_points(2, 2000, [&](const Point& x) { return std::abs(ball(x)) < 0.1; });
  for (const double spacing : {0.04, 0.02}) {
    const FitErrors errors = errors_of(fit_signed_distance(ball, cube, spacing), ball, outward, points);
    const double nearest = 0.4 - 4 * std::sqrt(3.0) * spacing;
    EXPECT_LT(errors.distance, 0.068 * std::pow(spacing, 4) * 3 / std::pow(nearest, 3));
    EXPECT_GT(errors.distance, 1e-4 * std::pow(spacing, 4));
    EXPECT_LT(errors.gradient, 0.14 * std::pow(spacing, 3) * 3 / std::pow(nearest, 3));
  }
}

// Distances are of the fourth order, gradients and normals of the third, on a part of the torus whose samples stay off the kink
// in the middle of its tube.
TEST(DistanceGrid, OfATorusConvergesWithItsOrder) {
  const BoundingBox part{{0.2, -0.05, -0.2}, {0.62, 0.05, 0.2}};
  const auto points = random_points(3, 2000, [&](const Point& x) {
    bool inside = std::abs(torus(x)) < 0.06;
    for (std::size_t i = 0; i < 3; ++i) inside = inside && part.minimum[i] <= x[i] && x[i] <= part.maximum[i];
    return inside;
  });
  std::vector<FitErrors> errors;
  for (const double spacing : {0.006, 0.003})
    errors.push_back(errors_of(fit_signed_distance(torus, part, spacing), torus, torus_normal, points));
  EXPECT_NEAR(std::log2(errors[0].distance / errors[1].distance), 4, 0.3);
  EXPECT_NEAR(std::log2(errors[0].gradient / errors[1].gradient), 3, 0.3);
  EXPECT_NEAR(std::log2(errors[0].normal / errors[1].normal), 3, 0.3);
  EXPECT_LT(errors[1].distance, 1e-7);
}

// Where the distance is linear in the samples that a value takes, up to four spacings away along each axis, the fit is exact.
TEST(DistanceGrid, OfABoxKeepsItsFaces) {
  const Point half{0.5, 0.3, 0.4};
  const SignedDistance exact = box({0, 0, 0}, half, 0);
  const double spacing = 0.02;
  const SignedDistanceGrid grid = fit_signed_distance(exact, cube, spacing);
  int on_faces = 0;
  for (const Point& x : random_points(4, 2000, [&](const Point& place) { return std::abs(exact(place)) < 0.1; })) {
    std::array<double, 3> beyond = {std::abs(x[0]) - half[0], std::abs(x[1]) - half[1], std::abs(x[2]) - half[2]};
    std::sort(beyond.begin(), beyond.end());
    if (beyond[2] - beyond[1] < 8 * spacing || beyond[1] > -4 * spacing) continue;
    ++on_faces;
    EXPECT_NEAR(obstacle_distance(grid.obstacle(), Vector3<double>{x[0], x[1], x[2]}).distance, exact(x), 1e-15);
  }
  EXPECT_GT(on_faces, 200);
}

// Where the distance has a kink, the fit rounds it off: the error is proportional to the spacing, here at points at multiples
// of the spacing from an edge, inside and outside, and below that of any distance, 3.1 h.
TEST(DistanceGrid, OfABoxRoundsItsEdgesInProportionToTheSpacing) {
  const SignedDistance exact = box({0, 0, 0}, {0.5, 0.3, 0.4}, 0);
  std::vector<double> largest;
  for (const double spacing : {0.04, 0.02}) {
    const SignedDistanceGrid grid = fit_signed_distance(exact, cube, spacing);
    double error = 0;
    for (int i = -40; i <= 40; ++i)
      for (int j = -40; j <= 40; ++j) {
        const Point x{0.5 + 0.05 * spacing * i, 0.3 + 0.05 * spacing * j, 0.1};
        const double found = obstacle_distance(grid.obstacle(), Vector3<double>{x[0], x[1], x[2]}).distance;
        error = std::max(error, std::abs(found - exact(x)));
      }
    EXPECT_LT(error, 3.1 * spacing);
    largest.push_back(error / spacing);
  }
  EXPECT_GT(largest[0], 0.05);
  EXPECT_NEAR(largest[0], largest[1], 1e-9);
}

// The normal and its derivatives are continuous between cells and beyond the last coefficients, so that contact forces have
// continuous derivatives.
TEST(DistanceGrid, IsSmoothAcrossCells) {
  const SignedDistanceGrid grid = fit_signed_distance(torus, {{-0.7, -0.5, -0.3}, {0.5, 0.5, 0.4}}, 0.1);
  const Obstacle obstacle = grid.obstacle();
  for (int axis = 0; axis < 3; ++axis)
    for (int cell = -1; cell < grid.columns + 2; ++cell) {
      Vector3<double> left{0.33, -0.21, 0.07};
      left[axis] = grid.origin[axis] + 0.1 * cell;
      Vector3<double> right = left;
      left[axis] -= 1e-9;
      right[axis] += 1e-9;
      const DistanceSample<double> a = obstacle_distance(obstacle, left), b = obstacle_distance(obstacle, right);
      EXPECT_NEAR(a.distance, b.distance, 1e-8);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.normal[i], b.normal[i], 1e-6);
      for (int i = 0; i < 9; ++i) EXPECT_NEAR(a.normal_gradient[i], b.normal_gradient[i], 1e-4);
    }
}

// Beyond the last coefficients these repeat: a linear function has the value of the nearest coefficient, and distances of
// solids in the region are positive.
TEST(DistanceGrid, GoesOnWithItsLastCoefficients) {
  const auto linear = [](const Point& x) { return 0.3 + x[0] + 2 * x[1] - 3 * x[2]; };
  const SignedDistanceGrid plane = fit_signed_distance(linear, cube, 0.1), ring = fit_signed_distance(torus, cube, 0.1);
  const double first = -0.8, last = first + 0.1 * (plane.columns - 1);
  for (const double low : {-1e15, -3.0, -1.01})
    for (const double high : {1.01, 5.0, 1e12}) {
      EXPECT_NEAR(obstacle_distance(plane.obstacle(), Vector3<double>{low, high, high}).distance, linear({first, last, last}),
                  1e-14);
      EXPECT_NEAR(obstacle_distance(plane.obstacle(), Vector3<double>{high, low, 0.2}).distance, linear({last, first, 0.2}),
                  1e-14);
      EXPECT_GT(obstacle_distance(ring.obstacle(), Vector3<double>{low, 0.1, high}).distance, 0.1);
    }
}

// A baked mesh has the distance of its triangles; in a frame of its own it moves with it.
TEST(DistanceGrid, OfAMeshHasItsDistance) {
  const SurfaceMesh mesh = torus_surface(0.4, 0.15, 48, 24);
  const MeshDistance exact(mesh);
  const double spacing = 0.03;
  const SignedDistanceGrid grid = bake_signed_distance(mesh, spacing, 0.1);
  EXPECT_LE(grid.origin[0] + 2 * spacing, -0.55 - 0.1 + spacing + 1e-12);
  const Eigen::Isometry3d pose = Eigen::Translation3d(1, 2, 3) * Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, -1).normalized());
  const Obstacle obstacle = grid.obstacle(pose);
  const auto points = random_points(5, 1000, [](const Point& x) { return std::abs(torus(x)) < 0.08; });
  double largest = 0, turned = 0;
  for (const Point& x : points) {
    const Eigen::Vector3d place(x[0], x[1], x[2]), world = pose * place;
    const DistanceSample<double> sample = obstacle_distance(obstacle, Vector3<double>{world[0], world[1], world[2]});
    const ClosestPoint closest = exact.closest(place);
    const Eigen::Vector3d normal = pose.linear() * closest.direction;
    largest = std::max(largest, std::abs(sample.distance - closest.distance));
    turned = std::max(turned, (Eigen::Vector3d(sample.normal[0], sample.normal[1], sample.normal[2]) - normal).norm());
  }
  // edges turn by 15 and by up to 8 degrees there
  EXPECT_LT(largest, 0.1 * spacing);
  EXPECT_LT(turned, 0.3);
  EXPECT_GT(turned, 1e-3);
}

#ifdef HOLO_DATA_DIR
TEST(DistanceGrid, OfAPublicMeshHasItsDistance) {
  const SurfaceMesh mesh = read_surface_mesh(std::string(HOLO_DATA_DIR) + "/meshes/surface/spot.obj");
  const MeshDistance exact(mesh);
  const double spacing = 0.1;
  const SignedDistanceGrid grid = bake_signed_distance(mesh, spacing, 0.1);
  double largest = 0;
  for (const auto& vertex : mesh.vertices)
    largest = std::max(largest,
                       std::abs(obstacle_distance(grid.obstacle(), Vector3<double>{vertex[0], vertex[1], vertex[2]}).distance));
  EXPECT_LT(largest, 3.1 * spacing);
  EXPECT_LT(largest, 0.5 * spacing);  // horns and ears are thin
}
#endif

TEST(DistanceGridBadInput, NamesSpacingsAndRegions) {
  EXPECT_EQ(message([] { fit_signed_distance(torus, cube, 0); }), "the spacing of a distance grid is 0 m; it must be above 0");
  EXPECT_EQ(message([] {
              fit_signed_distance(torus, {{0, 0, 0}, {1, 0, 1}}, 0.1);
            }),
            "the region of a distance grid is 0 m long along axis 2; it must be finite and above 0");
  EXPECT_EQ(message([] { fit_signed_distance(torus, cube, 1e-3); }),
            "a distance grid with a spacing of 0.001 m has 2.76e+09 coefficients; at most 1e+08 are allowed: choose a larger "
            "spacing");
  EXPECT_EQ(message([] { fit_signed_distance([](const Point&) { return std::nan(""); }, cube, 0.7); }).substr(0, 15),
            "the distance at");
  EXPECT_EQ(message([] {
              bake_signed_distance(box_surface({1, 1, 1}), 0.1, -1);
            }),
            "the margin of a distance grid is -1 m; it must be 0 or more");
}

TEST(DistanceGridBadInput, NamesSurfacesThatBoundNoSolid) {
  SurfaceMesh open = box_surface({1, 1, 1});
  open.triangles.pop_back();
  EXPECT_NE(message([&] { bake_signed_distance(open, 0.1, 0.1); }).find("so that the surface is open there"),
            std::string::npos);
  SurfaceMesh reversed = box_surface({1, 1, 1});
  for (auto& triangle : reversed.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_NE(message([&] { bake_signed_distance(reversed, 0.1, 0.1); }).find("the surface encloses -8 m^3"), std::string::npos);
  SurfaceMesh crossing = box_surface({1, 1, 1});  // and another one that is moved by half of its size
  for (const auto& vertex : box_surface({1, 1, 1}).vertices)
    crossing.vertices.push_back({vertex[0] + 1, vertex[1] + 0.9, vertex[2] + 0.8});
  for (const auto& [i, j, k] : box_surface({1, 1, 1}).triangles) crossing.triangles.push_back({i + 8, j + 8, k + 8});
  const std::string text = message([&] { bake_signed_distance(crossing, 0.1, 0.1); });
  EXPECT_NE(text.find("a solid's surface may not intersect or touch itself"), std::string::npos) << text;
}

}  // namespace holo::articulated::distance_grid_tests
