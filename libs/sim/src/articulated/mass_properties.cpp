#include "holo/sim/articulated/mass_properties.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "holo/core/error.h"

namespace holo {

using std::numbers::pi;

namespace {

void require_positive(const char* what, double length) {
  if (!(length > 0) || !std::isfinite(length))
    throw Error(Failure::input, fmt::format("{} is {}; it must be above 0", what, length));
}

void require_density(double density) {
  if (!(density >= 0) || !std::isfinite(density))
    throw Error(Failure::input, fmt::format("the density is {} kg/m^3; it must be 0 or more", density));
}

MassProperties centered(double mass, const Eigen::Vector3d& squares) {
  return {mass, Eigen::Vector3d::Zero(), mass * squares.asDiagonal()};
}

Eigen::Matrix3d spread(double mass, const Eigen::Vector3d& distance) { return mass * distance * distance.transpose(); }

}  // namespace

Eigen::Matrix3d MassProperties::inertia() const {
  return second_moments.trace() * Eigen::Matrix3d::Identity() - second_moments;
}

MassProperties mass_from_inertia(double mass, const Eigen::Vector3d& center, const Eigen::Matrix3d& inertia) {
  return {mass, center, 0.5 * inertia.trace() * Eigen::Matrix3d::Identity() - inertia};
}

MassProperties sphere_mass(double radius, double density) { return ellipsoid_mass(Eigen::Vector3d::Constant(radius), density); }

MassProperties box_mass(const Eigen::Vector3d& half_sizes, double density) {
  for (const double size : half_sizes) require_positive("a box's half size", size);
  require_density(density);
  return centered(density * 8 * half_sizes.prod(), half_sizes.cwiseAbs2() / 3);
}

MassProperties ellipsoid_mass(const Eigen::Vector3d& half_axes, double density) {
  for (const double size : half_axes) require_positive("a half axis (or radius)", size);
  require_density(density);
  return centered(density * 4 * pi / 3 * half_axes.prod(), half_axes.cwiseAbs2() / 5);
}

MassProperties cylinder_mass(double radius, double half_length, double density) {
  require_positive("a cylinder's radius", radius);
  require_positive("a cylinder's half length", half_length);
  require_density(density);
  const double across = radius * radius / 4;
  return centered(density * 2 * pi * radius * radius * half_length, {across, across, half_length * half_length / 3});
}

// A cylinder and two half balls, whose centers lie 3/8 r from its ends. Along z a half ball has r^2/5 about the middle of its
// flat face, so <(h + z)^2> = h^2 + 3/4 h r + r^2/5.
MassProperties capsule_mass(double radius, double half_length, double density) {
  if (half_length == 0) return sphere_mass(radius, density);
  const MassProperties middle = cylinder_mass(radius, half_length, density), ends = sphere_mass(radius, density);
  const double h = half_length, r = radius;
  MassProperties result = combined({middle, ends});
  result.second_moments(2, 2) += ends.mass * (h * h + 0.75 * h * r);
  return result;
}

MassProperties transformed(const MassProperties& body, const Eigen::Isometry3d& pose) {
  return {body.mass, pose * body.center, pose.linear() * body.second_moments * pose.linear().transpose()};
}

MassProperties combined(const std::vector<MassProperties>& bodies) {
  MassProperties sum;
  for (const MassProperties& body : bodies) {
    sum.mass += body.mass;
    sum.center += body.mass * body.center;
  }
  if (sum.mass > 0) sum.center /= sum.mass;
  for (const MassProperties& body : bodies)
    sum.second_moments += body.second_moments + spread(body.mass, body.center - sum.center);
  return sum;
}

MassProperties with_mass(const MassProperties& body, double mass) {
  if (!(body.mass > 0)) return body;
  return {mass, body.center, mass / body.mass * body.second_moments};
}

std::string physical_problem(const MassProperties& body, double tolerance) {
  if (!std::isfinite(body.mass) || !body.center.allFinite() || !body.second_moments.allFinite())
    return "a mass, center of mass or moment is not finite";
  if (body.mass < 0) return fmt::format("the mass is {:.6g} kg; it must be 0 or more", body.mass);
  if (body.mass == 0 && body.second_moments.norm() > 0) return "there are moments of inertia without a mass";
  const Eigen::Vector3d s =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(body.second_moments, Eigen::EigenvaluesOnly).eigenvalues();
  const double x = s[1] + s[2], y = s[0] + s[2], z = s[0] + s[1];  // descending principal moments of inertia
  if (s[0] < -0.5 * tolerance * std::max(std::abs(x), std::abs(z)))
    return fmt::format(
        "the principal moments of inertia are {:.6g}, {:.6g} and {:.6g} kg m^2; none may exceed the sum of the "
        "other two, and none may be negative",
        x, y, z);
  return "";
}

}  // namespace holo
