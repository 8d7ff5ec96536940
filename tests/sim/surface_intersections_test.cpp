// Intersections of surfaces that are known, and what is refused.
#include "holo/sim/intersection/surface_intersections.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/core/error.h"
#include "refusal_message.h"
#include "torus_mesh.h"

namespace holo::test {
namespace {

using Found = std::vector<EdgeTriangleIntersection>;

// A triangle below, the triangle 0, and one with an edge from the vertex 3 to the vertex 4.
Found of_two_triangles(const std::vector<double>& x) {
  const std::array<int, 3> triangles[] = {{0, 1, 2}, {3, 4, 5}};
  const int bodies[] = {4, 7};
  return find_intersections({x, triangles, bodies});
}

TEST(SurfaceIntersections, EdgesThroughFacesAreFoundWithTheirBodies) {
  // The second triangle stands in the plane x = y, and reaches from (1, 1) over the first's edge.
  EXPECT_EQ(of_two_triangles({0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 1, 9, 9, 1}),
            (Found{{{1, 2}, 1, 4, 7}, {{3, 4}, 0, 7, 4}}));
}

TEST(SurfaceIntersections, EdgesThatCrossAreFoundInBothTriangles) {
  // The edge 3-4 crosses the edge 0-1 at (2, 0, 0).
  EXPECT_EQ(of_two_triangles({0, 0, 0, 4, 0, 0, 0, 4, 0, 2, 0, -1, 2, 0, 1, 2, -3, 0}),
            (Found{{{0, 1}, 1, 4, 7}, {{3, 4}, 0, 7, 4}}));
}

TEST(SurfaceIntersections, TouchingIsFoundAndOneUnitInTheLastPlaceAwayIsNot) {
  // The vertex 3 above, on and below the plane 3 x + 5 y + 7 z = 15, in which it is the sum of the corners over 4, 2 and 4.
  const double a[] = {5, 0, 0}, b[] = {0, 3, 0}, c[] = {-5, -1, 5};
  ASSERT_EQ(3 * c[0] + 5 * c[1] + 7 * c[2], 15);
  for (const int step : {-1, 0, 1}) {
    std::vector<double> x = {a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]};
    for (std::size_t i = 0; i < 3; ++i) x.push_back(a[i] / 4 + b[i] / 2 + c[i] / 4);
    if (step != 0) x[9 + 2] = std::nextafter(x[9 + 2], step > 0 ? 100 : -100);
    x.insert(x.end(), {3, 5, 8, 4, 6, 9});
    const Found found = of_two_triangles(x);
    EXPECT_EQ(found.empty(), step > 0) << step;
    if (step <= 0) {
      EXPECT_EQ(found, (Found{{{3, 4}, 0, 7, 4}, {{3, 5}, 0, 7, 4}})) << step;
    }
  }
}

TEST(SurfaceIntersections, VertexOnAVertexAndVertexOnAnEdgeTouch) {
  EXPECT_EQ(of_two_triangles({0, 0, 0, 4, 0, 0, 0, 4, 0, 4, 0, 0, 5, 1, 1, 5, 0, 2}).size(), 4u);  // two edges of each
  EXPECT_EQ(of_two_triangles({0, 0, 0, 4, 0, 0, 0, 4, 0, 2, 2, 0, 5, 3, 1, 5, 4, 2}),
            (Found{{{1, 2}, 1, 4, 7}, {{3, 4}, 0, 7, 4}, {{3, 5}, 0, 7, 4}}));
}

TEST(SurfaceIntersections, CoplanarOverlapIsFoundAndCoplanarNeighborsAreNot) {
  const std::vector<double> below = {0, 0, 0, 4, 0, 0, 0, 4, 0};
  const auto with = [&](const std::vector<double>& other) {
    std::vector<double> x = below;
    x.insert(x.end(), other.begin(), other.end());
    return of_two_triangles(x);
  };
  EXPECT_EQ(with({1, 1, 0, 2, 1, 0, 1, 2, 0}).size(), 3u);        // inside: all edges of the second
  EXPECT_EQ(with({-9, -9, 0, 30, -9, 0, -9, 30, 0}).size(), 3u);  // around: all of the first
  EXPECT_EQ(with({1, -1, 0, 2, -1, 0, 1, 5, 0}).size(), 4u);
  EXPECT_EQ(with({2, 2.5, 0, 3, 3, 0, 3, 4, 0}).size(), 0u);
}

// ---- neighbors

Found of_triangles(const std::vector<double>& x, const std::vector<std::array<int, 3>>& triangles,
                   TestedPairs tested = TestedPairs::all) {
  return find_intersections({x, triangles, {}}, tested);
}

TEST(SurfaceIntersections, TrianglesWithACommonEdgeIntersectWhereTheyAreFoldedFlat) {
  const std::vector<std::array<int, 3>> triangles = {{0, 1, 2}, {1, 0, 3}};
  std::vector<double> x = {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.6, 0.5, 0};
  EXPECT_EQ(of_triangles(x, triangles), (Found{{{0, 3}, 0, 0, 0}, {{1, 3}, 0, 0, 0}}));
  x[11] = 0x1p-60;  // nearly flat
  EXPECT_EQ(of_triangles(x, triangles), Found{});
  x[10] = -0.5, x[11] = 0;  // in one plane, side by side
  EXPECT_EQ(of_triangles(x, triangles), Found{});
}

TEST(SurfaceIntersections, TrianglesWithACommonVertexIntersectWhereTheyPassThroughEachOther) {
  const std::vector<std::array<int, 3>> triangles = {{0, 1, 2}, {0, 3, 4}};
  std::vector<double> x = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 5};
  EXPECT_EQ(of_triangles(x, triangles), (Found{{{3, 4}, 0, 0, 0}}));
  x[11] = 0;  // the edge 0-3 lies on the triangle 0
  EXPECT_EQ(of_triangles(x, triangles), (Found{{{0, 3}, 0, 0, 0}, {{3, 4}, 0, 0, 0}}));
  x[11] = 1;
  EXPECT_EQ(of_triangles(x, triangles), Found{});
  x[9] = x[10] = -1, x[11] = 0;  // in the plane, away from the triangle
  EXPECT_EQ(of_triangles(x, triangles), Found{});
  x[9] = 2, x[10] = 0;  // along its edge 0-1
  EXPECT_EQ(of_triangles(x, triangles), (Found{{{0, 1}, 1, 0, 0}, {{0, 3}, 0, 0, 0}, {{3, 4}, 0, 0, 0}}));
}

TEST(SurfaceIntersections, TriangleWithoutAreaIsItsEdges) {
  // The second triangle is the segment from (1, 1, z) to (3, 1, z).
  EXPECT_EQ(of_two_triangles({0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 3, 1, 1, 2, 1, 1}), Found{});
  EXPECT_EQ(of_two_triangles({0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 3, 1, 1, 2}),
            (Found{{{3, 4}, 0, 7, 4}, {{3, 5}, 0, 7, 4}}));
  // An edge on the segment's line, but beyond its end.
  EXPECT_EQ(of_two_triangles({5, 1, 1, 6, 1, 1, 5, 4, 0, 1, 1, 1, 3, 1, 1, 2, 1, 1}), Found{});
}

// ---- meshes

Found of_two_tori(double distance, TestedPairs tested = TestedPairs::all) {
  TorusMesh mesh;
  add_torus(mesh, {0, 0, 0}, 0, 1, 0);
  add_torus(mesh, {distance, 0, 0}, 0, 2, 1);
  return find_intersections({mesh.positions, mesh.triangles, mesh.bodies}, tested);
}

TEST(SurfaceIntersections, InterlockedToriAreCleanAndSoAreSeparateOnesWithAllOfTheirNeighbors) {
  EXPECT_EQ(of_two_tori(1), Found{});  // linked: the second's tube runs through the first's hole
  EXPECT_EQ(of_two_tori(3), Found{});
  const Found crossing = of_two_tori(1.5);
  EXPECT_GT(crossing.size(), 20u);
  for (const EdgeTriangleIntersection& found : crossing) EXPECT_NE(found.edge_body, found.triangle_body);
}

TEST(SurfaceIntersections, OfDifferentBodiesLeaveOutBodiesThatIntersectThemselves) {
  TorusMesh mesh;
  add_torus(mesh, {0, 0, 0}, 0, 1, 0);
  add_torus(mesh, {1.5, 0, 0}, 0, 2, 0);
  const TriangleSurface surface{mesh.positions, mesh.triangles, mesh.bodies};
  EXPECT_EQ(find_intersections(surface), [] {
    Found found = of_two_tori(1.5);
    for (EdgeTriangleIntersection& f : found) f.edge_body = f.triangle_body = 0;
    return found;
  }());
  EXPECT_EQ(find_intersections(surface, TestedPairs::different_bodies), Found{});
  EXPECT_EQ(of_two_tori(1.5, TestedPairs::different_bodies), of_two_tori(1.5));
}

TEST(SurfaceIntersections, AVertexPushedThroughItsOwnSurfaceIsFound) {
  TorusMesh mesh;
  add_torus(mesh, {0, 0, 0}, 0, 1, 0);
  const int pushed = 5;               // of the first ring; 12 vertices a ring, at the angle 150 degrees
  mesh.positions[3 * pushed] += 0.6;  // through the outer side of its ring
  const Found found = find_intersections({mesh.positions, mesh.triangles, mesh.bodies});
  ASSERT_FALSE(found.empty());
  for (const EdgeTriangleIntersection& f : found) {
    const auto& corners = mesh.triangles[std::size_t(f.triangle)];
    const bool of_pushed =
        f.edge[0] == pushed || f.edge[1] == pushed || std::find(corners.begin(), corners.end(), pushed) != corners.end();
    EXPECT_TRUE(of_pushed) << f.edge[0] << " " << f.edge[1] << " " << f.triangle;
  }
}

// ---- planes

TEST(PointsBelowPlanes, AreThoseOnThePlaneOrBelow) {
  const double above = std::nextafter(0.1, 1.0), below = std::nextafter(0.1, 0.0);
  const std::vector<double> x = {5, 7, 0.1, 5, 7, above, 5, 7, below, 0, 0, 3};
  const std::vector<int> vertices = {0, 1, 2, 3};
  const HalfSpace half_spaces[] = {{{0, 0, 1}, 0.1}, {{1, 0, 0}, -4}};
  EXPECT_EQ(find_points_below(x, vertices, half_spaces), (std::vector<PointBelowPlane>{{0, 0}, {2, 0}}));
  const std::vector<int> one = {2};
  EXPECT_EQ(find_points_below(x, one, half_spaces), (std::vector<PointBelowPlane>{{2, 0}}));
}

// 0.1 + 0.2 > 0.3 in exact arithmetic of these doubles; 1 + 1e16 - 1e16 = 1, which rounding loses.
TEST(PointsBelowPlanes, AreDecidedExactly) {
  const std::vector<int> vertices = {0};
  const auto is_below = [&](const std::vector<double>& x, const HalfSpace& plane) {
    return !find_points_below(x, vertices, std::span(&plane, 1)).empty();
  };
  EXPECT_FALSE(is_below({0.1, 0.2, 0}, {{1, 1, 0}, 0.3}));
  EXPECT_TRUE(is_below({0.1, 0.2, 0}, {{1, 1, 0}, 0.1 + 0.2}));
  EXPECT_FALSE(is_below({1, 1e16, -1e16}, {{1, 1, 1}, 0}));
  EXPECT_TRUE(is_below({-1, 1e16, -1e16}, {{1, 1, 1}, 0}));
  const double third = 1.0 / 3;
  EXPECT_EQ(is_below({third, 0, 0}, {{3, 0, 0}, 1}), true);  // 1/3 is rounded down
}

// ---- input

TEST(SurfaceIntersectionsBadInput, IsRefusedWithItsPlace) {
  const std::vector<double> x = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::vector<std::array<int, 3>> one = {{0, 1, 2}};
  const std::vector<int> bodies = {0, 1};
  EXPECT_EQ(message([&] {
              of_triangles({0, 0, 0, 1}, one);
            }),
            "The positions of a surface are 4 numbers, which is no multiple of 3: each vertex has three.");
  EXPECT_EQ(message([&] {
              of_triangles(x, {{0, 1, 3}});
            }),
            "Triangle 0 of a surface has the vertex 3; the surface has the vertices 0 to 2.");
  EXPECT_EQ(message([&] {
              of_triangles(x, {{0, 1, 2}, {0, -1, 2}});
            }),
            "Triangle 1 of a surface has the vertex -1; the surface has the vertices 0 to 2.");
  EXPECT_EQ(message([&] {
              of_triangles(x, {{0, 1, 0}});
            }),
            "Triangle 0 of a surface has the vertices 0, 1, 0, of which two are equal.");
  EXPECT_EQ(message([&] {
              find_intersections({x, one, bodies});
            }),
            "A surface has 1 triangles and bodies of 2; give one body for each triangle, or none.");
  EXPECT_EQ(message([&] {
              of_triangles({0, 0, 0, 1, 0, 0, 0, NAN, 0}, one);
            }),
            "Coordinate 1 of the vertex 2 of a surface is nan; finite numbers up to 2^300 are allowed.");
  EXPECT_NE(message([&] {
              of_triangles({0, 0, 0, 1, 0, 1e100, 0, 1, 0}, one);
            }).find("finite numbers up to 2^300"),
            std::string::npos);
  EXPECT_EQ(of_triangles({}, {}), Found{});
}

TEST(SurfaceIntersectionsBadInput, OfPointsAndPlanesIsRefusedWithItsPlace) {
  const std::vector<double> x = {0, 0, 0};
  const std::vector<int> none = {1}, first = {0};
  const HalfSpace plane{{0, 0, 1}, 0}, infinite{{0, 0, 1}, INFINITY}, nan{{0, NAN, 1}, 0};
  EXPECT_EQ(message([&] { find_points_below(x, none, std::span(&plane, 1)); }),
            "A point to be compared with planes is the vertex 1; there are the vertices 0 to 0.");
  EXPECT_EQ(message([&] { find_points_below(x, first, std::span(&infinite, 1)); }),
            "The offset of the half space 0 is inf; finite numbers up to 2^300 are allowed.");
  EXPECT_EQ(message([&] { find_points_below(x, first, std::span(&nan, 1)); }),
            "An entry of the normal of the half space 0 is nan; finite numbers up to 2^300 are allowed.");
}

// Coordinates of the size of the least that are exact, and below, where they count as 0.
TEST(SurfaceIntersections, TinyAndHugeCoordinatesAreDecidedExactly) {
  for (const double scale : {0x1p-250, 1.0, 0x1p290}) {
    std::vector<double> x = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 1, 1, 2, 3, 3, 1};
    for (double& coordinate : x) coordinate *= scale;
    x[11] = 0x1p-40 * scale;
    EXPECT_EQ(of_two_triangles(x), Found{}) << scale;
    x[11] = -0x1p-40 * scale;
    EXPECT_FALSE(of_two_triangles(x).empty()) << scale;
    x[11] = 0x1p-301;
    EXPECT_FALSE(of_two_triangles(x).empty()) << scale;
  }
}

}  // namespace
}  // namespace holo::test
