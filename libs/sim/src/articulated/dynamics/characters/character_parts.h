#pragma once
// Parts that procedural characters share: placements, rods and blocks of a given mass, hinges with limits and a control.

#include <string>

#include "holo/sim/articulated/dynamics/procedural_characters.h"

namespace holo::articulated::recipes {

inline Eigen::Isometry3d at(double x, double y, double z) { return Eigen::Isometry3d(Eigen::Translation3d(x, y, z)); }

// A frame on the x axis whose z axis points along x.
inline Eigen::Isometry3d along_x(double x) {
  return at(x, 0, 0) * Eigen::Isometry3d(Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitY()));
}

// A capsule along z with `length` [m] between the centers of its ends, and a block of the given sizes [m]; masses in kg.
inline MassProperties rod(double length, double radius, double mass) {
  return with_mass(capsule_mass(radius, length / 2, 1), mass);
}
inline MassProperties cuboid(double x, double y, double z, double mass) {
  return with_mass(box_mass(Eigen::Vector3d(x, y, z) / 2, 1), mass);
}

struct AngleRange {
  double lower, upper;  // [rad]
};

// The range of a hinge about x or z on the given side: that of the left side (1), or its mirror image (-1).
inline AngleRange on_side(int side, AngleRange left) { return side > 0 ? left : AngleRange{-left.upper, -left.lower}; }
inline const char* side_name(int side) { return side > 0 ? "left" : "right"; }

// A hinge with limits and a control.
inline int add_joint(CharacterBuilder& builder, const CharacterOptions& options, const std::string& name, int parent,
                     const Eigen::Isometry3d& placement, const Eigen::Vector3d& axis, AngleRange range) {
  const int hinge = builder.add_hinge(name, parent, placement, axis);
  builder.limit(hinge, range.lower, range.upper, options.limit_weight);
  builder.actuate(hinge);
  return hinge;
}

// A joint about y with a rod from it downward.
inline int add_rod_joint(CharacterBuilder& builder, const CharacterOptions& options, const std::string& name, int parent,
                         const Eigen::Isometry3d& placement, double length, double radius, double mass, AngleRange range) {
  const int hinge = add_joint(builder, options, name, parent, placement, Eigen::Vector3d::UnitY(), range);
  builder.add_mass(hinge, rod(length, radius, mass), at(0, 0, -length / 2));
  return hinge;
}

// Spheres in the lower corners of a block that reaches from z = 0 down to `bottom` in the frame of a foot's joint, and from
// `heel` to `toe` along x. All lengths in m.
inline void add_sole(CharacterBuilder& builder, int foot, double heel, double toe, double width, double bottom, double radius) {
  for (const double x : {heel + radius, toe - radius})
    for (const double y : {width / 2 - radius, radius - width / 2})
      builder.add_contact_point(foot, {x, y, bottom + radius}, radius);
}

}  // namespace holo::articulated::recipes
