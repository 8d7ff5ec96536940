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

// A body with mass, and the shape that it is drawn as.
struct Solid {
  MassProperties mass;
  CollisionShape::Kind kind;
  Eigen::Vector3d size;                                          // as of CollisionShape [m]
  Eigen::Isometry3d shape_pose = Eigen::Isometry3d::Identity();  // in the frame of the mass
};

// A capsule along z with `length` [m] between the centers of its ends, a block of the given sizes [m], a ball, a cylinder along
// z, an ellipsoid; masses in kg.
inline Solid rod(double length, double radius, double mass) {
  return {with_mass(capsule_mass(radius, length / 2, 1), mass), CollisionShape::Kind::capsule, {radius, length / 2, 0}};
}
inline Solid cuboid(double x, double y, double z, double mass) {
  const Eigen::Vector3d half_size = Eigen::Vector3d(x, y, z) / 2;
  return {with_mass(box_mass(half_size, 1), mass), CollisionShape::Kind::box, half_size};
}
inline Solid ball(double radius, double mass) {
  return {with_mass(sphere_mass(radius, 1), mass), CollisionShape::Kind::sphere, {radius, 0, 0}};
}
inline Solid disk(double radius, double half_height, double mass) {
  return {with_mass(cylinder_mass(radius, half_height, 1), mass), CollisionShape::Kind::cylinder, {radius, half_height, 0}};
}
inline Solid egg(const Eigen::Vector3d& half_size, double mass) {
  return {with_mass(ellipsoid_mass(half_size, 1), mass), CollisionShape::Kind::ellipsoid, half_size};
}

inline void add_shape(CharacterBuilder& builder, int dof, CollisionShape::Kind kind, const Eigen::Vector3d& size,
                      const Eigen::Isometry3d& pose) {
  builder.add_shape({kind, builder.so_far().dof_name(dof), dof, pose, size});
}
// `pose` places the solid in the frame of the degree of freedom.
inline void add_solid(CharacterBuilder& builder, int dof, const Solid& solid, const Eigen::Isometry3d& pose = at(0, 0, 0)) {
  builder.add_mass(dof, solid.mass, pose);
  add_shape(builder, dof, solid.kind, solid.size, pose * solid.shape_pose);
}
// A sphere that touches obstacles and is drawn.
inline void add_foot(CharacterBuilder& builder, int dof, const Eigen::Vector3d& center, double radius) {
  builder.add_contact_point(dof, center, radius);
  add_shape(builder, dof, CollisionShape::Kind::sphere, {radius, 0, 0}, at(center.x(), center.y(), center.z()));
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
  add_solid(builder, hinge, rod(length, radius, mass), at(0, 0, -length / 2));
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
