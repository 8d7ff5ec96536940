// Exact intersections of surfaces, against integer arithmetic.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "holo/sim/intersection/surface_intersections.h"
#include "integer_geometry.h"
#include "torus_mesh.h"

namespace holo::test {
namespace {

// The segment as the triangle 0 of the vertices p, q, p: of its edges only p q has a length, and its corner is its own.
bool library_finds(const Corners& corners) {
  std::vector<double> x;
  for (const auto& corner : corners) x.insert(x.end(), corner.begin(), corner.end());
  x.insert(x.end(), corners[0].begin(), corners[0].end());
  const std::array<int, 3> triangles[] = {{0, 1, 5}, {2, 3, 4}};
  for (const EdgeTriangleIntersection& found : find_intersections({x, triangles, {}}))
    if (found.edge == std::array{0, 1} && found.triangle == 1) return true;
  return false;
}

// The segment from the triangle's first corner.
bool library_finds_at_corner(const Corners& corners) {
  std::vector<double> x;
  for (const auto& corner : corners) x.insert(x.end(), corner.begin(), corner.end());
  x.insert(x.end(), {50, 60, 70});
  const std::array<int, 3> triangles[] = {{2, 1, 5}, {2, 3, 4}};
  for (const EdgeTriangleIntersection& found : find_intersections({x, triangles, {}}))
    if (found.edge == std::array{1, 2} && found.triangle == 1) return true;
  return false;
}

// Coordinates of few values: most are touching, coplanar, or collinear.
Corners on_a_grid(std::mt19937& generator, int size) {
  std::uniform_int_distribution<int> coordinate(0, size);
  Corners corners;
  for (auto& corner : corners)
    for (double& x : corner) x = coordinate(generator);
  return corners;
}

TEST(ExactIntersections, AreThoseOfIntegerArithmeticOnAGrid) {
  std::mt19937 generator(1);
  int count = 0, corner_count = 0, flat_count = 0;
  for (int i = 0; i < 12000; ++i) {
    Corners corners = on_a_grid(generator, 1 + i % 4);
    if (!has_area(corners)) {
      const bool meets_edge = !part_in_edge(corners, 2, 3).is_empty() || !part_in_edge(corners, 3, 4).is_empty() ||
                              !part_in_edge(corners, 4, 2).is_empty();
      flat_count += meets_edge;
      ASSERT_EQ(library_finds(corners), meets_edge) << i;
      continue;
    }
    const bool expected = !part_in_triangle(corners).is_empty();
    count += expected;
    ASSERT_EQ(library_finds(corners), expected) << i;
    corners[0] = corners[2];
    const bool expected_at_corner = part_in_triangle(corners).has_positive();
    corner_count += expected_at_corner;
    ASSERT_EQ(library_finds_at_corner(corners), expected_at_corner) << i;
  }
  EXPECT_GT(count, 2000);
  EXPECT_GT(corner_count, 800);
  EXPECT_GT(flat_count, 300);
}

// Points of the triangle's plane, edges and corners as nearly as doubles come to them: rounded determinants say nothing.
TEST(ExactIntersections, AreThoseOfIntegerArithmeticWhereRoundingDecides) {
  std::mt19937 generator(2);
  std::uniform_real_distribution<double> coordinate(1, 2);
  std::uniform_int_distribution<int> ulps(-2, 2), weight(0, 3);
  int count = 0, total = 0;
  for (int i = 0; i < 8000; ++i) {
    Corners c;
    for (auto& corner : c)
      for (double& x : corner) x = coordinate(generator);
    double weights[3], sum = 0;
    for (double& w : weights) sum += w = weight(generator);
    if (sum == 0 || !has_area(c)) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      double& x = c[0][k];
      x = (weights[0] * c[2][k] + weights[1] * c[3][k] + weights[2] * c[4][k]) / sum;
      for (int step = ulps(generator); step != 0; step += step > 0 ? -1 : 1) x = std::nextafter(x, step > 0 ? 3 : 0);
      if (i % 2 == 0) c[1][k] = 2 * x - c[2 + std::size_t(i) % 3][k];  // the segment in the plane, too, nearly
    }
    const bool expected = !part_in_triangle(c).is_empty();
    count += expected, ++total;
    ASSERT_EQ(library_finds(c), expected) << i;
  }
  EXPECT_GT(count, total / 8);
  EXPECT_LT(count, total - total / 8);
}

// The same in planes that contain an axis' direction, where all points are coplanar exactly: z = 1.1, and x = y.
TEST(ExactIntersections, AreThoseOfIntegerArithmeticWhereRoundingDecidesInAPlane) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> coordinate(1, 2);
  std::uniform_int_distribution<int> ulps(-2, 2);
  int count = 0, total = 0;
  for (int i = 0; i < 6000; ++i) {
    Corners c;
    for (auto& corner : c)
      for (double& x : corner) x = coordinate(generator);
    const double t = coordinate(generator) - 1;
    for (std::size_t k = 0; k < 3; ++k) {  // p nearly on the first edge, q on the triangle's far side of p, or not
      double& x = c[0][k];
      x = c[2][k] + t * (c[3][k] - c[2][k]);
      for (int step = ulps(generator); step != 0; step += step > 0 ? -1 : 1) x = std::nextafter(x, step > 0 ? 3 : 0);
      c[1][k] = 2 * x - c[4][k];
    }
    for (auto& corner : c) {
      if (i % 2 == 0) corner[2] = 1.1;
      if (i % 2 == 1) corner[1] = corner[0];
    }
    if (!has_area(c)) continue;
    const bool expected = !part_in_triangle(c).is_empty();
    count += expected, ++total;
    ASSERT_EQ(library_finds(c), expected) << i;
  }
  EXPECT_GT(count, total / 8);
  EXPECT_LT(count, total - total / 8);
}

TEST(ExactIntersections, AreThoseOfIntegerArithmeticForRandomPairs) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> coordinate(-1, 1);
  int count = 0;
  for (int i = 0; i < 5000; ++i) {
    Corners corners;
    for (auto& corner : corners)
      for (double& x : corner) x = std::ldexp(std::round(std::ldexp(coordinate(generator), 60)), -60);
    const bool expected = !part_in_triangle(corners).is_empty();
    count += expected;
    ASSERT_EQ(library_finds(corners), expected) << i;
  }
  EXPECT_GT(count, 200);
}

// Two triangles with `common` common vertices, the corners of the first and the others of the second.
enum class Neighbors {
  on_grid,   // of few values
  in_plane,  // up to rounding
  mirrored   // with edges of both along a line from their common vertex, symmetric to it
};
std::vector<std::array<double, 3>> neighbor_corners(std::mt19937& generator, std::size_t common, Neighbors kind) {
  std::uniform_int_distribution<int> number(0, 3), large_number(-50, 50);
  std::uniform_real_distribution<double> coordinate(0, 1);
  std::array<double, 3> u, w, q;
  for (std::size_t k = 0; k < 3; ++k) {
    u[k] = kind == Neighbors::mirrored ? large_number(generator) : coordinate(generator);
    w[k] = kind == Neighbors::mirrored ? large_number(generator) : coordinate(generator);
  }
  for (std::size_t k = 0; k < 3; ++k) q[k] = u[(k + 1) % 3] * w[(k + 2) % 3] - u[(k + 2) % 3] * w[(k + 1) % 3];
  constexpr int mirrored[5][2] = {{0, 0}, {1, 0}, {1, 1}, {3, 0}, {3, -3}};  // along u, and across it
  std::vector<std::array<double, 3>> corners(6 - common);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const int s = number(generator), t = number(generator);
    for (std::size_t k = 0; k < 3; ++k)
      corners[i][k] = kind == Neighbors::on_grid    ? number(generator)
                      : kind == Neighbors::in_plane ? 4 + s * u[k] + t * w[k]
                                                    : 0x1p-12 * (mirrored[i][0] * u[k] + mirrored[i][1] * q[k]);
  }
  return corners;
}

TEST(ExactIntersections, OfNeighborsAreThoseOfIntegerArithmetic) {
  std::mt19937 generator(5);
  std::array<int, 5> counts = {}, totals = {};
  for (int i = 0; i < 9000; ++i) {
    const std::size_t kind = std::size_t(i) % 5, common = 1 + kind % 2;
    const auto x = neighbor_corners(generator, common,
                                    kind < 2   ? Neighbors::on_grid
                                    : kind < 4 ? Neighbors::in_plane
                                               : Neighbors::mirrored);
    const std::array<std::array<int, 3>, 2> triangles = {{{0, 1, 2}, common == 1 ? std::array{0, 3, 4} : std::array{0, 1, 3}}};
    // The edges of each triangle that are not common, against the other triangle.
    std::vector<EdgeTriangleIntersection> expected;
    bool all_have_area = true;
    for (std::size_t t = 0; t < 2; ++t) {
      const auto& [a, b, c] = triangles[t];
      for (std::size_t e = 0; e < 3; ++e) {
        int p = triangles[1 - t][e], q = triangles[1 - t][(e + 1) % 3];
        const auto is_common = [&](int v) { return v < int(common); };
        if (is_common(p) && is_common(q)) continue;
        if (is_common(q)) std::swap(p, q);
        const Corners of_edge = {x[std::size_t(p)], x[std::size_t(q)], x[std::size_t(a)], x[std::size_t(b)], x[std::size_t(c)]};
        all_have_area = all_have_area && has_area(of_edge);
        const Interval part = part_in_triangle(of_edge);
        if (is_common(p) ? part.has_positive() : !part.is_empty())
          expected.push_back({{std::min(p, q), std::max(p, q)}, int(t), 0, 0});
      }
    }
    if (!all_have_area) continue;
    std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.edge < b.edge; });
    std::vector<double> positions;
    for (const auto& corner : x) positions.insert(positions.end(), corner.begin(), corner.end());
    ASSERT_EQ(find_intersections({positions, triangles, {}}), expected) << i;
    counts[kind] += !expected.empty(), ++totals[kind];
  }
  for (std::size_t kind = 0; kind < 5; ++kind) {
    EXPECT_GT(counts[kind], totals[kind] / 50) << kind;
    if (kind < 4) {
      EXPECT_LT(counts[kind], totals[kind]) << kind;
    }
  }
}

// All pairs of edges and triangles of two crossing tori, without the boxes: those of integer arithmetic.
TEST(ExactIntersections, OfCrossingToriAreThoseOfAllPairsInIntegerArithmetic) {
  TorusMesh mesh;
  add_torus(mesh, {0, 0, 0}, 0, 1, 0);
  add_torus(mesh, {1.5, 0, 0}, 0, 2, 1);
  for (double& x : mesh.positions) x = std::ldexp(std::round(std::ldexp(x, 50)), -50);
  const std::vector<EdgeTriangleIntersection> found = find_intersections({mesh.positions, mesh.triangles, mesh.bodies});
  const auto corner = [&](int v) {
    return std::array{mesh.positions[3 * std::size_t(v)], mesh.positions[3 * std::size_t(v) + 1],
                      mesh.positions[3 * std::size_t(v) + 2]};
  };
  std::size_t expected = 0;
  const std::size_t half = mesh.triangles.size() / 2;
  std::set<std::array<int, 2>> edges;
  for (std::size_t t = 0; t < half; ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  for (const auto& edge : edges)
    for (std::size_t t = half; t < mesh.triangles.size(); ++t) {
      const auto& [a, b, c] = mesh.triangles[t];
      // Integer arithmetic is slow. Edges are shorter than 0.3.
      const auto p = corner(edge[0]), q = corner(a);
      if (std::abs(p[0] - q[0]) > 0.6 || std::abs(p[1] - q[1]) > 0.6 || std::abs(p[2] - q[2]) > 0.6) continue;
      const bool meets = !part_in_triangle({corner(edge[0]), corner(edge[1]), corner(a), corner(b), corner(c)}).is_empty();
      expected += meets;
      EXPECT_EQ(std::count(found.begin(), found.end(), EdgeTriangleIntersection{edge, int(t), 0, 1}), meets);
    }
  EXPECT_EQ(std::count_if(found.begin(), found.end(), [](const auto& f) { return f.edge_body == 0; }), long(expected));
  EXPECT_GT(expected, 5u);
}

}  // namespace
}  // namespace holo::test
