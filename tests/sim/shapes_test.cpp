// Quality, counts and volumes of the procedural bodies.
#include "holo/sim/mesh/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "holo/core/error.h"
#include "refusal_message.h"

namespace {

using namespace holo;
using Point = std::array<double, 3>;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double volume(const TetrahedralMesh& mesh) {
  double sum = 0;
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) sum += signed_volume(mesh, static_cast<int>(i));
  return sum;
}

struct Angles {
  double smallest = 180, largest = 0;  // degrees
};

Angles dihedral_angles(const TetrahedralMesh& mesh) {
  Angles angles;
  for (const auto& corners : mesh.tetrahedra)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) {
        std::array<int, 2> rest{};
        for (int k = 0, n = 0; k < 4; ++k)
          if (k != i && k != j) rest[n++] = k;
        const Point& origin = mesh.vertices[corners[i]];
        const Point edge = minus(mesh.vertices[corners[j]], origin);
        const Point a = cross(edge, minus(mesh.vertices[corners[rest[0]]], origin));
        const Point b = cross(edge, minus(mesh.vertices[corners[rest[1]]], origin));
        const double angle =
            std::acos(std::clamp(dot(a, b) / std::sqrt(dot(a, a) * dot(b, b)), -1.0, 1.0)) * 180 / std::numbers::pi;
        angles.smallest = std::min(angles.smallest, angle);
        angles.largest = std::max(angles.largest, angle);
      }
  return angles;
}

// How many boundary edges are not shared by exactly two triangles that run along them in opposite directions.
int open_edges(const TetrahedralMesh& mesh) {
  std::map<std::array<int, 2>, std::array<int, 2>> uses;
  for (const auto& triangle : boundary_triangles(mesh))
    for (int i = 0; i < 3; ++i) {
      const int a = triangle[i], b = triangle[(i + 1) % 3];
      ++uses[{std::min(a, b), std::max(a, b)}][a < b];
    }
  return static_cast<int>(std::count_if(uses.begin(), uses.end(), [](const auto& use) {
    return use.second != std::array{1, 1};
  }));
}

struct Body {
  const char* name;
  SignedDistance distance;
  BoundingBox box;
  double volume;  // m^3; 0: unknown
};

// The area of its circles, integrated along the axis from one pole to the other [m^3].
double round_cone_volume(double radius_a, double radius_b, double height) {
  const double sine = (radius_a - radius_b) / height, cosine = std::sqrt(1 - sine * sine);
  const int steps = 100000;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double z = -radius_a + (i + 0.5) / steps * (radius_a + height + radius_b);
    const double on_cone = (radius_a - sine * z) / cosine;
    const double square = z < radius_a * sine            ? radius_a * radius_a - z * z
                          : z > height + radius_b * sine ? radius_b * radius_b - (z - height) * (z - height)
                                                         : on_cone * on_cone;
    sum += std::numbers::pi * square;
  }
  return sum * (radius_a + height + radius_b) / steps;
}

std::vector<Body> bodies() {
  const double pi = std::numbers::pi;
  const SignedDistance starfish = [] {
    SignedDistance all = sphere({0, 0, 0}, 0.15);
    for (int arm = 0; arm < 5; ++arm) {
      const double angle = 2 * std::numbers::pi * arm / 5;
      all = smooth_union(all, capsule({0, 0, 0}, {0.5 * std::cos(angle), 0.5 * std::sin(angle), 0}, 0.08), 0.05);
    }
    return all;
  }();
  return {
      {"sphere", sphere({0.1, 0, 0}, 0.5), {{-0.4, -0.5, -0.5}, {0.6, 0.5, 0.5}}, pi / 6},
      {"capsule",
       capsule({0, 0, 0}, {1, 0.3, 0}, 0.2),
       {{-0.2, -0.2, -0.2}, {1.2, 0.5, 0.2}},
       pi * 0.04 * (std::hypot(1, 0.3) + 0.8 / 3)},
      {"cylinder", cylinder({0, 0, 0}, {0, 0, 1}, 0.3), {{-0.3, -0.3, 0}, {0.3, 0.3, 1}}, pi * 0.09},
      {"round cone",
       round_cone({0, 0, 0}, 0.4, {0, 0, 1}, 0.2),
       {{-0.4, -0.4, -0.4}, {0.4, 0.4, 1.2}},
       round_cone_volume(0.4, 0.2, 1)},
      {"cone", cone({0, 0, 0}, 0.4, {0, 0, 1}, 0.2), {{-0.4, -0.4, 0}, {0.4, 0.4, 1}}, pi / 3 * (0.16 + 0.08 + 0.04)},
      {"box", box({0, 0, 0}, {0.5, 0.3, 0.2}, 0), {{-0.5, -0.3, -0.2}, {0.5, 0.3, 0.2}}, 0.24},
      {"hollow",
       difference(sphere({0, 0, 0}, 0.5), sphere({0, 0, 0}, 0.3)),
       {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}},
       4 * pi / 3 * (0.125 - 0.027)},
      {"lens",
       intersection(sphere({0, 0, -0.3}, 0.5), sphere({0, 0, 0.3}, 0.5)),
       {{-0.5, -0.5, -0.2}, {0.5, 0.5, 0.2}},
       2 * pi * 0.04 * (3 * 0.5 - 0.2) / 3},
      {"starfish", starfish, {{-0.7, -0.7, -0.2}, {0.7, 0.7, 0.2}}, 0},
  };
}

TEST(IsosurfaceStuffing, DihedralAnglesKeepThePapersBounds) {
  for (const Body& body : bodies())
    for (int elements : {300, 1000, 5000, 20000}) {
      SCOPED_TRACE(std::string(body.name) + " " + std::to_string(elements));
      const TetrahedralMesh mesh = isosurface_stuffing(body.distance, body.box, elements);
      const Angles angles = dihedral_angles(mesh);
      EXPECT_GT(angles.smallest, 10.78);
      EXPECT_LT(angles.largest, 164.75);
    }
}

TEST(IsosurfaceStuffing, BoundaryIsClosedAndEveryVolumePositive) {
  for (const Body& body : bodies())
    for (int elements : {300, 2000, 10000}) {
      SCOPED_TRACE(std::string(body.name) + " " + std::to_string(elements));
      const TetrahedralMesh mesh = isosurface_stuffing(body.distance, body.box, elements);
      EXPECT_NO_THROW(validate(mesh));
      EXPECT_EQ(open_edges(mesh), 0) << mesh.source;
    }
}

TEST(IsosurfaceStuffing, CountIsWithinThreePercent) {
  for (const Body& body : bodies())
    for (int elements : {600, 3000, 7500, 30000}) {
      SCOPED_TRACE(std::string(body.name) + " " + std::to_string(elements));
      const TetrahedralMesh mesh = isosurface_stuffing(body.distance, body.box, elements);
      EXPECT_NEAR(static_cast<double>(mesh.tetrahedra.size()), elements, 0.03 * elements) << mesh.source;
    }
}

TEST(IsosurfaceStuffing, VolumeConvergesToTheAnalyticOne) {
  for (const Body& body : bodies()) {
    if (body.volume == 0) continue;
    SCOPED_TRACE(body.name);
    const double coarse = std::abs(volume(isosurface_stuffing(body.distance, body.box, 2000)) / body.volume - 1);
    const double fine = std::abs(volume(isosurface_stuffing(body.distance, body.box, 64000)) / body.volume - 1);
    EXPECT_LT(coarse, 0.12);
    EXPECT_LT(fine, 0.02);
    EXPECT_LT(fine, coarse / 4);  // second order in the spacing would be a tenth
  }
}

TEST(IsosurfaceStuffing, BoundaryVerticesLieOnTheSurface) {
  const SignedDistance distance = sphere({0, 0, 0}, 0.5);
  const TetrahedralMesh mesh = isosurface_stuffing(distance, {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, 3000);
  double worst = 0;
  for (const auto& triangle : boundary_triangles(mesh))
    for (int v : triangle) worst = std::max(worst, std::abs(distance(mesh.vertices[v])));
  EXPECT_LT(worst, 1e-9);
}

TEST(IsosurfaceStuffing, IsDeterministic) {
  const Body body = bodies().back();
  const TetrahedralMesh a = isosurface_stuffing(body.distance, body.box, 5000),
                        b = isosurface_stuffing(body.distance, body.box, 5000);
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.tetrahedra, b.tetrahedra);
}

TEST(IsosurfaceStuffing, DistanceIsCutAtTheBox) {
  const TetrahedralMesh mesh = isosurface_stuffing([](const Point& x) { return x[2]; }, {{-1, -1, -1}, {1, 1, 1}}, 2000);
  EXPECT_NEAR(volume(mesh), 4, 0.2);
}

TEST(BoxMesh, FillsTheBoxWithTheWantedCount) {
  for (const Point& size : {Point{1, 1, 1}, Point{1.2, 0.4, 0.4}, Point{10, 0.5, 1}, Point{1, 1, 0.01}})
    for (int elements : {600, 5000, 30000}) {
      SCOPED_TRACE(testing::Message() << size[0] << " " << size[1] << " " << size[2] << ", " << elements);
      const TetrahedralMesh mesh = box_mesh(size, elements);
      EXPECT_NO_THROW(validate(mesh));
      EXPECT_NEAR(static_cast<double>(mesh.tetrahedra.size()), elements, 0.04 * elements);
      EXPECT_NEAR(volume(mesh), size[0] * size[1] * size[2], 1e-11 * size[0]);
      EXPECT_EQ(open_edges(mesh), 0);
      const BoundingBox bounds = bounding_box(mesh);
      EXPECT_EQ(bounds.minimum, (Point{0, 0, 0}));
      EXPECT_EQ(bounds.maximum, size);
    }
}

TEST(BoxMesh, CellsAreNearlyCubic) {
  EXPECT_GT(dihedral_angles(box_mesh({1.2, 0.4, 0.4}, 30000)).smallest, 35);  // 45 for a cube
  EXPECT_GT(dihedral_angles(box_mesh({3, 1, 1}, 600)).smallest, 30);
}

TEST(BoxMesh, SmallestIsOneCell) { EXPECT_EQ(box_mesh({1, 1, 1}, 6).tetrahedra.size(), 6u); }

TEST(BoxMesh, ExtremeAspectIsStillFast) {
  const TetrahedralMesh mesh = box_mesh({1e5, 1, 1e-3}, 600);
  EXPECT_NEAR(static_cast<double>(mesh.tetrahedra.size()), 600, 18);
}

using test::message;

TEST(ShapesBadInput, EmptyShapeIsRefused) {
  const std::string text = message([] { isosurface_stuffing([](const Point&) { return 1.0; }, {{0, 0, 0}, {1, 1, 1}}, 1000); });
  EXPECT_NE(text.find("no inside"), std::string::npos) << text;
}

// A lattice coarser than the wall finds fragments of it only.
TEST(ShapesBadInput, ShapeTooThinForTheCountIsRefused) {
  const SignedDistance shell = difference(sphere({0, 0, 0}, 0.5), sphere({0, 0, 0}, 0.47));
  const std::string text = message([&] { isosurface_stuffing(shell, {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, 300); });
  EXPECT_NE(text.find("too thin or too fine for 300 elements: the nearest mesh has"), std::string::npos) << text;
}

TEST(ShapesBadInput, NonFiniteDistanceIsRefused) {
  const std::string text = message([] {
    isosurface_stuffing([](const Point&) { return std::nan(""); }, {{0, 0, 0}, {1, 1, 1}}, 1000);
  });
  EXPECT_NE(text.find("not finite"), std::string::npos) << text;
}

TEST(ShapesBadInput, ImpossibleSizesAndCountsAreRefused) {
  EXPECT_NE(message([] { box_mesh({1, 0, 1}, 100); }).find("an edge is 0 m"), std::string::npos);
  EXPECT_NE(message([] { box_mesh({1, 1, std::nan("")}, 100); }).find("nan"), std::string::npos);
  EXPECT_NE(message([] { box_mesh({1, 1, 1}, 5); }).find("at least 6"), std::string::npos);
  EXPECT_NE(message([] {
              isosurface_stuffing(sphere({0, 0, 0}, 1), {{0, 0, 0}, {1e9, 1, 1}}, 100);
            }).find("diagonal"),
            std::string::npos);
  EXPECT_NE(message([] {
              isosurface_stuffing(sphere({0, 0, 0}, 1), {{0, 0, 0}, {1, -1, 1}}, 100);
            }).find("its box runs from 0 to -1 m along y"),
            std::string::npos);
}

}  // namespace
