// Mass properties of meshes against closed forms: of a box, and of an icosahedron, in any place.
#include "holo/sim/articulated/mesh_mass.h"

#include <gtest/gtest.h>

#include <cmath>

namespace holo::articulated::mesh_mass_tests {

using Eigen::Matrix3d, Eigen::Vector3d;

SurfaceMesh moved(SurfaceMesh mesh, const Eigen::Isometry3d& pose) {
  for (auto& vertex : mesh.vertices) {
    const Vector3d place = pose * Vector3d(vertex[0], vertex[1], vertex[2]);
    vertex = {place.x(), place.y(), place.z()};
  }
  return mesh;
}

SurfaceMesh box(const Vector3d& half) {
  SurfaceMesh mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.vertices.push_back(
        {(corner & 1 ? 1 : -1) * half.x(), (corner & 2 ? 1 : -1) * half.y(), (corner & 4 ? 1 : -1) * half.z()});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// A regular icosahedron with edges of length 2: cyclic permutations of (0, +-1, +-g) with g the golden ratio.
SurfaceMesh icosahedron() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  SurfaceMesh mesh;
  mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  return mesh;
}

Eigen::Isometry3d some_pose() {
  return Eigen::Translation3d(0.4, -1.5, 2) * Eigen::AngleAxisd(0.9, Vector3d(1, -2, 3).normalized());
}

void expect_same(const MassProperties& mesh, const MassProperties& exact) {
  EXPECT_NEAR(mesh.mass, exact.mass, 1e-12 * exact.mass);
  EXPECT_LT((mesh.center - exact.center).norm(), 1e-12);
  EXPECT_LT((mesh.second_moments - exact.second_moments).norm(), 1e-12 * exact.second_moments.norm());
}

TEST(MeshMass, OfABoxIsItsClosedForm) {
  const Vector3d half(0.3, 0.5, 0.7);
  expect_same(mesh_mass(moved(box(half), some_pose()), 800), transformed(box_mass(half, 800), some_pose()));
}

// Volume 5/12 (3 + sqrt 5) a^3 and moments of inertia (3 + sqrt 5) / 20 m a^2 about any axis, S = I / 2.
TEST(MeshMass, OfAnIcosahedronIsItsClosedForm) {
  const double factor = 3 + std::sqrt(5.0), edge = 2, mass = 800 * 5 * factor / 12 * edge * edge * edge;
  const MassProperties exact{mass, Vector3d::Zero(), factor / 40 * mass * edge * edge * Matrix3d::Identity()};
  expect_same(mesh_mass(icosahedron(), 800), exact);
  expect_same(mesh_mass(moved(icosahedron(), some_pose()), 800), transformed(exact, some_pose()));
}

}  // namespace holo::articulated::mesh_mass_tests
