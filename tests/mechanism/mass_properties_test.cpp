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

TEST(MassProperties, OfHalvesTogetherAreThoseOfTheWhole) {
  const auto half_at = [](double x) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation().x() = x;
    return transformed(box_mass({0.1, 0.2, 0.4}, 300), pose);
  };
  expect_same(combined({half_at(-0.1), half_at(0.1)}), box_mass({0.2, 0.2, 0.4}, 300), "box of two halves");
  expect_same(with_mass(box_mass({0.2, 0.2, 0.4}, 300), 7), box_mass({0.2, 0.2, 0.4}, 7 / 0.128), "mass given");
}

TEST(MassProperties, OfAnInertiaAreThoseItCameFrom) {
  const MassProperties body = transformed(box_mass({0.1, 0.2, 0.4}, 300), some_pose());
  expect_same(mass_from_inertia(body.mass, body.center, body.inertia()), body, "from its inertia");
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

TEST(MassPropertiesBadInput, SizesAndDensitiesThatNoSolidHasAreRefused) {
  EXPECT_THROW(sphere_mass(0, 1), Error);
  EXPECT_THROW(box_mass({1, -1, 1}, 1), Error);
  EXPECT_THROW(cylinder_mass(1, 1, -1), Error);
}

}  // namespace holo::mass_properties_tests
