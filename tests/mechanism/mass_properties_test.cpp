// Masses and moments of solids against textbook formulas, integrals over slices, and each other.
#include "holo/sim/articulated/mass_properties.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "holo/core/error.h"

namespace holo::mass_properties_tests {

using Eigen::Matrix3d, Eigen::Vector3d;
using std::numbers::pi;

// Sums of few products of numbers near 1.
void expect_same(const MassProperties& a, const MassProperties& b, const char* what, double tolerance = 1e-13) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass) << what;
  EXPECT_LT((a.center - b.center).norm(), tolerance) << what;
  EXPECT_LT((a.second_moments - b.second_moments).norm(), tolerance * b.second_moments.norm()) << what;
}

Eigen::Isometry3d some_pose() {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::AngleAxisd(0.7, Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  pose.translation() = Vector3d(0.3, -0.8, 0.4);
  return pose;
}

TEST(MassProperties, OfPrimitivesAreTheTextbooks) {
  const double density = 800, r = 0.3, h = 0.7;
  const MassProperties ball = sphere_mass(r, density), box = box_mass({0.1, 0.2, 0.4}, density),
                       cylinder = cylinder_mass(r, h, density), egg = ellipsoid_mass({0.1, 0.2, 0.4}, density);
  EXPECT_NEAR(ball.mass, density * 4 / 3 * pi * r * r * r, 1e-12 * ball.mass);
  EXPECT_LT((ball.inertia() - 0.4 * ball.mass * r * r * Matrix3d::Identity()).norm(), 1e-14 * ball.mass);
  EXPECT_NEAR(box.mass, density * 0.2 * 0.4 * 0.8, 1e-12 * box.mass);
  EXPECT_NEAR(box.inertia()(0, 0), box.mass / 12 * (0.4 * 0.4 + 0.8 * 0.8), 1e-14 * box.mass);
  EXPECT_NEAR(box.inertia()(2, 2), box.mass / 12 * (0.2 * 0.2 + 0.4 * 0.4), 1e-14 * box.mass);
  EXPECT_NEAR(cylinder.mass, density * pi * r * r * 2 * h, 1e-12 * cylinder.mass);
  EXPECT_NEAR(cylinder.inertia()(2, 2), cylinder.mass * r * r / 2, 1e-14 * cylinder.mass);
  EXPECT_NEAR(cylinder.inertia()(0, 0), cylinder.mass / 12 * (3 * r * r + 4 * h * h), 1e-14 * cylinder.mass);
  EXPECT_NEAR(egg.inertia()(1, 1), egg.mass / 5 * (0.1 * 0.1 + 0.4 * 0.4), 1e-14 * egg.mass);
}

// Slices at z are disks of radius s: their mass is pi s^2, their moments pi s^4 / 4 across. Simpson's rule is exact for these
// polynomials of degree 4 up to its error of h^4 in the caps; the ends of the cylinder are nodes.
TEST(MassProperties, OfACapsuleAreItsSlices) {
  const double r = 0.25, h = 0.6;
  double mass = 0, along = 0, across = 0;
  const auto add = [&](double from, double to) {
    constexpr int n = 2000;
    for (int i = 0; i <= n; ++i) {
      const double z = from + (to - from) * i / n, beyond = std::max(0.0, std::abs(z) - h);
      const double weight = (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * (to - from) / n / 3, s2 = r * r - beyond * beyond;
      mass += weight * pi * s2;
      along += weight * pi * s2 * z * z;
      across += weight * pi * s2 * s2 / 4;
    }
  };
  add(-h - r, -h), add(-h, h), add(h, h + r);
  const MassProperties capsule = capsule_mass(r, h, 1);
  EXPECT_NEAR(capsule.mass, mass, 1e-12);
  EXPECT_NEAR(capsule.second_moments(2, 2), along, 1e-12);
  EXPECT_NEAR(capsule.second_moments(0, 0), across, 1e-12);
  expect_same(capsule_mass(r, 0, 1), sphere_mass(r, 1), "without a cylinder");
}

// A box's surface, turned outwards: vertex i lies at +x, +y, +z where bits 1, 2, 4 of i are set.
Eigen::Matrix3Xd box_vertices(const Vector3d& half) {
  Eigen::Matrix3Xd vertices(3, 8);
  for (int i = 0; i < 8; ++i)
    vertices.col(i) = half.cwiseProduct(Vector3d((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1));
  return vertices;
}
Eigen::Matrix3Xi box_triangles() {
  const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  Eigen::Matrix3Xi triangles(3, 12);
  for (int f = 0; f < 6; ++f) {
    triangles.col(2 * f) << faces[f][0], faces[f][1], faces[f][2];
    triangles.col(2 * f + 1) << faces[f][0], faces[f][2], faces[f][3];
  }
  return triangles;
}

TEST(MassProperties, OfAClosedMeshAreThoseOfItsSolidWhereverItStands) {
  const Vector3d half(0.1, 0.2, 0.4);
  const Eigen::Isometry3d pose = some_pose();
  Eigen::Matrix3Xd vertices = box_vertices(half);
  for (Eigen::Index i = 0; i < vertices.cols(); ++i) vertices.col(i) = pose * vertices.col(i).eval();
  expect_same(closed_mesh_mass(vertices, box_triangles(), 500), transformed(box_mass(half, 500), pose), "box");
  // A corner: volume 1/6, center at a quarter, mean of x^2 1/10, of xy 1/20.
  Eigen::Matrix3Xd corner(3, 4);
  corner << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
  Eigen::Matrix3Xi faces(3, 4);
  faces << 0, 0, 0, 1, 2, 1, 3, 2, 1, 3, 2, 3;
  const MassProperties tetrahedron = closed_mesh_mass(corner, faces, 6);
  EXPECT_NEAR(tetrahedron.mass, 1, 1e-15);
  EXPECT_LT((tetrahedron.center - Vector3d::Constant(0.25)).norm(), 1e-15);
  EXPECT_NEAR(tetrahedron.second_moments(0, 0), 0.1 - 1.0 / 16, 1e-15);
  EXPECT_NEAR(tetrahedron.second_moments(0, 1), 0.05 - 1.0 / 16, 1e-15);
}

TEST(MassProperties, OfHalvesTogetherAreThoseOfTheWhole) {
  const auto half_at = [](double x) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation().x() = x;
    return transformed(box_mass({0.1, 0.2, 0.4}, 300), pose);
  };
  expect_same(combined({half_at(-0.1), half_at(0.1)}), box_mass({0.2, 0.2, 0.4}, 300), "box of two halves");
  expect_same(with_mass(box_mass({0.2, 0.2, 0.4}, 300), 7), box_mass({0.2, 0.2, 0.4}, 7 / 0.128), "mass given");
}

TEST(MassProperties, SteinersTheoremHoldsAboutAnyPoint) {
  const MassProperties body = transformed(box_mass({0.1, 0.2, 0.4}, 300), some_pose());
  const Vector3d point(0.5, -0.1, 0.2), d = body.center - point;
  const Matrix3d expected = body.inertia() + body.mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
  EXPECT_LT((body.inertia_about(point) - expected).norm(), 1e-13 * expected.norm());
  const MassProperties back = mass_from_inertia(body.mass, body.center, body.inertia());
  expect_same(back, body, "from its inertia");
}

// The sum of two principal moments exceeds the third, up to flat bodies, where it is equal.
TEST(MassProperties, OnlyMomentsOfRealBodiesPass) {
  const auto problem = [](double mass, const Vector3d& moments) {
    return physical_problem(mass_from_inertia(mass, Vector3d::Zero(), moments.asDiagonal()));
  };
  EXPECT_EQ(problem(1, {1, 1, 1}), "");
  EXPECT_EQ(problem(1, {1, 1, 2}), "") << "a flat body";
  EXPECT_EQ(problem(1, {0, 0, 0}), "") << "a point";
  EXPECT_NE(problem(1, {1, 1, 2.1}).find("none may exceed the sum"), std::string::npos);
  EXPECT_NE(problem(1, {1, 1, -0.1}).find("none may be negative"), std::string::npos);
  EXPECT_NE(problem(-1, {1, 1, 1}).find("the mass is -1 kg"), std::string::npos);
  EXPECT_NE(problem(0, {1, 1, 1}).find("without a mass"), std::string::npos);
  EXPECT_NE(problem(std::nan(""), {1, 1, 1}).find("not finite"), std::string::npos);
}

std::string mesh_refusal(const Eigen::Matrix3Xi& triangles) {
  try {
    closed_mesh_mass(box_vertices({1, 1, 1}), triangles, 1);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

TEST(MassPropertiesBadInput, SurfacesThatEncloseNothingAreRefused) {
  const Eigen::Matrix3Xi good = box_triangles();
  EXPECT_NE(mesh_refusal(good.leftCols(11)).find("the surface is open at the edge"), std::string::npos);
  Eigen::Matrix3Xi bad = good;
  bad.row(0).swap(bad.row(1));
  EXPECT_NE(mesh_refusal(bad).find("turned inside out"), std::string::npos);
  bad = good;
  std::swap(bad(0, 3), bad(1, 3));
  EXPECT_NE(mesh_refusal(bad).find("passed twice in one sense"), std::string::npos);
  bad = good;
  bad(0, 0) = 8;
  EXPECT_NE(mesh_refusal(bad).find("has the vertex 8; there are 8"), std::string::npos);
  EXPECT_THROW(sphere_mass(0, 1), Error);
  EXPECT_THROW(box_mass({1, -1, 1}, 1), Error);
  EXPECT_THROW(cylinder_mass(1, 1, -1), Error);
}

}  // namespace holo::mass_properties_tests
