#pragma once
// Mass, center of mass and second moments of rigid bodies: of primitives, in other frames, and of sums of bodies.
//
//   MassProperties rod = capsule_mass(0.02, 0.2, 1000), head = transformed(sphere_mass(0.05, 1000), pose);
//   Eigen::Matrix3d inertia = combined({rod, head}).inertia();
//
// S = integral of density (x - c)(x - c)^T over the body, with c the center of mass, holds what the inertia holds: I = tr(S) 1
// - S. S of a real body is positive semidefinite, and only then do the principal moments of I satisfy the triangle
// inequalities.

#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace holo {

struct MassProperties {
  double mass = 0;                                           // [kg]
  Eigen::Vector3d center = Eigen::Vector3d::Zero();          // of mass, in the frame [m]
  Eigen::Matrix3d second_moments = Eigen::Matrix3d::Zero();  // S about the center, along the frame's axes [kg m^2]

  Eigen::Matrix3d inertia() const;  // about the center, along the frame's axes [kg m^2]
};

// Mass properties from the inertia I [kg m^2] about the center of mass, along the frame's axes: S = tr(I)/2 1 - I.
MassProperties mass_from_inertia(double mass, const Eigen::Vector3d& center, const Eigen::Matrix3d& inertia);

// Solids of a density [kg/m^3] around the origin; a cylinder's and a capsule's axis is z. `half_length` of a capsule is that of
// its cylinder. Throw Error(input) for a length that is not positive (a capsule's half_length may be 0) or a negative density.
MassProperties sphere_mass(double radius, double density);
MassProperties box_mass(const Eigen::Vector3d& half_sizes, double density);
MassProperties ellipsoid_mass(const Eigen::Vector3d& half_axes, double density);
MassProperties cylinder_mass(double radius, double half_length, double density);
MassProperties capsule_mass(double radius, double half_length, double density);

// The body's properties in another frame, in which its own frame has the pose `pose`.
MassProperties transformed(const MassProperties& body, const Eigen::Isometry3d& pose);
// The sum of bodies that are given in one frame.
MassProperties combined(const std::vector<MassProperties>& bodies);
// The properties scaled to another mass [kg]; a body without mass does not change.
MassProperties with_mass(const MassProperties& body, double mass);

// The reason why no real body can have these properties, or "": a number that is not finite, a negative mass, moments without
// mass, a principal moment of inertia that exceeds the sum of the others by more than `tolerance` of the largest. Files round:
// 1e-6 passes six digits.
std::string physical_problem(const MassProperties& body, double tolerance = 1e-6);

}  // namespace holo
