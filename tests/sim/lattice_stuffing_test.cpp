// The stencils under every way that a surface can cut the lattice: planes and waves in random places.
#include "mesh/lattice_stuffing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace {

using namespace holo;
using Point = std::array<double, 3>;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Visits the six dihedral angles of each tetrahedron [degrees].
template <class Visit>
void for_each_dihedral_angle(const TetrahedralMesh& mesh, Visit&& visit) {
  constexpr int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  for (const auto& corners : mesh.tetrahedra)
    for (const auto& [i, j, k, l] : edges) {
      const Point& origin = mesh.vertices[corners[i]];
      const Point edge = minus(mesh.vertices[corners[j]], origin);
      const Point a = cross(edge, minus(mesh.vertices[corners[k]], origin)),
                  b = cross(edge, minus(mesh.vertices[corners[l]], origin));
      visit(std::acos(std::clamp(dot(a, b) / std::sqrt(dot(a, a) * dot(b, b)), -1.0, 1.0)) * 180 / std::numbers::pi);
    }
}

// A random half space, its face bent by waves of the given height [cells].
SignedDistance random_half_space(std::mt19937& random, double height) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 2 * std::numbers::pi);
  Point n{normal(random), normal(random), normal(random)};
  const double length = std::sqrt(dot(n, n)), offset = uniform(random) / 6;
  for (double& x : n) x /= length;
  const Point phase{uniform(random), uniform(random), uniform(random)};
  return [=](const Point& x) {
    const double waves = std::sin(3 * x[0] + phase[0]) * std::sin(2 * x[1] + phase[1]) + std::sin(2.5 * x[2] + phase[2]);
    return dot(n, x) - offset + height * waves;
  };
}

TEST(LatticeStuffing, AnglesAreBoundedHoweverTheSurfaceRuns) {
  std::mt19937 random(1);
  const BodyCenteredLattice lattice({{-2, -2, -2}, {2, 2, 2}}, 1.0, {0, 0, 0});
  double smallest = 180, largest = 0;
  std::size_t tetrahedra = 0;
  for (int round = 0; round < 200; ++round) {
    const TetrahedralMesh mesh = stuff_lattice(random_half_space(random, round % 2 == 0 ? 0 : 0.15), lattice);
    tetrahedra += mesh.tetrahedra.size();
    for_each_dihedral_angle(mesh, [&](double angle) {
      smallest = std::min(smallest, angle);
      largest = std::max(largest, angle);
    });
    ASSERT_NO_THROW(validate(mesh)) << round;
  }
  EXPECT_GT(tetrahedra, 100000u);
  EXPECT_GT(smallest, 9.3);
  EXPECT_LT(largest, 164.8);
}

// Without faces left between neighbors, the boundary within the lattice lies on the surface.
TEST(LatticeStuffing, NeighborsCutTheirFacesAlike) {
  std::mt19937 random(2);
  const BodyCenteredLattice lattice({{-2, -2, -2}, {2, 2, 2}}, 1.0, {0, 0, 0});
  for (int round = 0; round < 50; ++round) {
    const SignedDistance distance = random_half_space(random, round % 2 == 0 ? 0 : 0.15);
    const TetrahedralMesh mesh = stuff_lattice(distance, lattice);
    int inner = 0;
    for (const auto& triangle : boundary_triangles(mesh)) {
      const bool within = std::all_of(triangle.begin(), triangle.end(), [&](int v) {
        const Point& x = mesh.vertices[v];
        return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}) < 1.9;
      });
      if (!within) continue;  // the lattice's own end
      ++inner;
      for (int v : triangle) ASSERT_NEAR(distance(mesh.vertices[v]), 0, 1e-9) << round;
    }
    EXPECT_GT(inner, 0);
  }
}

}  // namespace
