#include "holo/sim/articulated/dynamics/procedural_characters.h"

#include <fmt/format.h>

#include <cmath>

#include "holo/core/error.h"

namespace holo::articulated {

using Eigen::Isometry3d, Eigen::Vector3d;

namespace {

Isometry3d at(double x, double y, double z) { return Isometry3d(Eigen::Translation3d(x, y, z)); }

// A frame at a point whose z axis points along x.
Isometry3d along_x(double x) { return at(x, 0, 0) * Isometry3d(Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY())); }

using ShapeKind = CollisionShape::Kind;

void add_shape(CharacterBuilder& builder, int dof, ShapeKind kind, const Vector3d& size, const Isometry3d& pose) {
  builder.add_shape({kind, builder.so_far().dof_name(dof), dof, pose, size});
}

// Solids around `pose` in the frame of a degree of freedom; a rod's length, along z, is that between the centers of its ends.
void add_rod(CharacterBuilder& builder, int dof, double length, double radius, double mass, const Isometry3d& pose) {
  builder.add_mass(dof, with_mass(capsule_mass(radius, length / 2, 1), mass), pose);
  add_shape(builder, dof, ShapeKind::capsule, {radius, length / 2, 0}, pose);
}

void add_cuboid(CharacterBuilder& builder, int dof, const Vector3d& size, double mass, const Isometry3d& pose) {
  builder.add_mass(dof, with_mass(box_mass(size / 2, 1), mass), pose);
  add_shape(builder, dof, ShapeKind::box, size / 2, pose);
}

void add_foot(CharacterBuilder& builder, int dof, const Vector3d& center, double radius) {
  builder.add_contact_point(dof, center, radius);
  add_shape(builder, dof, ShapeKind::sphere, {radius, 0, 0}, at(center.x(), center.y(), center.z()));
}

// Rods of 1 m and 1 kg that hang from each other at hinges about y.
void add_pendulum(CharacterBuilder& builder, int rods) {
  int parent = -1;
  for (int k = 0; k < rods; ++k) {
    parent = builder.add_hinge(fmt::format("hinge_{}", k + 1), parent, at(0, 0, k == 0 ? 0 : -1), Vector3d::UnitY());
    add_rod(builder, parent, 1, 0.05, 1, at(0, 0, -0.5));
    builder.actuate(parent);
  }
}

void pendulum1(CharacterBuilder& builder, const CharacterOptions&) { add_pendulum(builder, 1); }
void pendulum2(CharacterBuilder& builder, const CharacterOptions&) { add_pendulum(builder, 2); }

// A block that moves in the plane of x and z without turning, with one sphere below it.
void block2(CharacterBuilder& builder, const CharacterOptions&) {
  const int x = builder.add_slide("base_x", -1, at(0, 0, 0), Vector3d::UnitX());
  const int z = builder.add_slide("base_z", x, at(0, 0, 0), Vector3d::UnitZ());
  add_cuboid(builder, z, {0.2, 0.2, 0.2}, 1, at(0, 0, 0));
  add_foot(builder, z, {0, 0, -0.1}, 0.02);
}

// A hinge about y of a leg, that is a rod of the given length from the hinge downward.
int add_leg_part(CharacterBuilder& builder, const CharacterOptions& options, const std::string& name, int parent,
                 const Isometry3d& placement, double length, double mass, double range) {
  const int hinge = builder.add_hinge(name, parent, placement, Vector3d::UnitY());
  builder.limit(hinge, -range, range, options.limit_weight);
  add_rod(builder, hinge, length, 0.03, mass, at(0, 0, -length / 2));
  builder.actuate(hinge);
  return hinge;
}

// A torso with one leg, in the plane of x and z.
void hopper6(CharacterBuilder& builder, const CharacterOptions& options) {
  const int torso = builder.add_base({BaseChart::planar, ""});
  add_cuboid(builder, torso, {0.3, 0.2, 0.3}, 5, at(0, 0, 0.1));
  const int thigh = add_leg_part(builder, options, "hip", torso, at(0, 0, 0), 0.3, 2, 1.4);
  const int shank = add_leg_part(builder, options, "knee", thigh, at(0, 0, -0.3), 0.3, 1.5, 2.4);
  const int foot = builder.add_hinge("ankle", shank, at(0, 0, -0.3), Vector3d::UnitY());
  builder.limit(foot, -0.8, 0.8, options.limit_weight);
  add_cuboid(builder, foot, {0.24, 0.1, 0.04}, 0.5, at(0, 0, 0));
  builder.actuate(foot);
  for (const double x : {-0.1, 0.1}) add_foot(builder, foot, {x, 0, 0}, 0.03);
  builder.set_rest(thigh, -0.4);
  builder.set_rest(shank, 0.8);
  builder.set_rest(foot, -0.4);
  builder.set_rest("base_z", 0.6 * std::cos(0.4) + 0.03);
}

// Five capsules along x at universal joints; the base is the first one.
void chain5(CharacterBuilder& builder, const CharacterOptions& options) {
  int link = builder.add_base(options.base);
  for (int k = 0; k < 5; ++k) {
    const double middle = k == 0 ? 0 : 0.2;  // of the link, in its frame
    if (k > 0) {
      const double joint = k == 1 ? 0.2 : 0.4;  // of the link before, in its frame
      const int pitch = builder.add_hinge(fmt::format("pitch_{}", k), link, at(joint, 0, 0), Vector3d::UnitY());
      link = builder.add_hinge(fmt::format("yaw_{}", k), pitch, at(0, 0, 0), Vector3d::UnitZ());
      for (const int hinge : {pitch, link}) {
        builder.limit(hinge, -1.2, 1.2, options.limit_weight);
        builder.actuate(hinge);
      }
    }
    add_rod(builder, link, 0.4, 0.05, 3, along_x(middle));
    for (const double end : {-0.2, 0.2}) builder.add_contact_point(link, {middle + end, 0, 0}, 0.05);
  }
  builder.set_rest("base_z", 0.05);
}

// A torso with four legs of three joints each.
void mammal18(CharacterBuilder& builder, const CharacterOptions& options) {
  const int torso = builder.add_base(options.base);
  add_cuboid(builder, torso, {0.6, 0.2, 0.15}, 10, at(0, 0, 0));
  for (const double x : {0.28, -0.28})
    for (const double y : {0.12, -0.12}) {
      const std::string leg = fmt::format("{}_{}", x > 0 ? "front" : "hind", y > 0 ? "left" : "right");
      const int roll = builder.add_hinge(leg + "_roll", torso, at(x, y, 0), Vector3d::UnitX());
      builder.limit(roll, -0.6, 0.6, options.limit_weight);
      builder.add_mass(roll, with_mass(sphere_mass(0.03, 1), 0.3));
      add_shape(builder, roll, ShapeKind::sphere, {0.03, 0, 0}, at(0, 0, 0));
      builder.actuate(roll);
      const int thigh = add_leg_part(builder, options, leg + "_hip", roll, at(0, 0, 0), 0.25, 0.8, 1.4);
      const int shank = add_leg_part(builder, options, leg + "_knee", thigh, at(0, 0, -0.25), 0.25, 0.5, 2.4);
      builder.add_contact_point(shank, {0, 0, -0.25}, 0.03);
      builder.set_rest(thigh, -0.4);
      builder.set_rest(shank, 0.8);
    }
  builder.set_rest("base_z", 0.5 * std::cos(0.4) + 0.03);
}

struct Recipe {
  const char* name;
  void (*add)(CharacterBuilder&, const CharacterOptions&);
};
constexpr Recipe recipes[] = {{"pendulum1", pendulum1}, {"pendulum2", pendulum2}, {"block2", block2},
                              {"hopper6", hopper6},     {"chain5", chain5},       {"mammal18", mammal18}};

}  // namespace

std::vector<std::string> procedural_character_names() {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes) names.emplace_back(recipe.name);
  return names;
}

CharacterModel procedural_character(const std::string& name, const CharacterOptions& options) {
  for (const Recipe& recipe : recipes)
    if (name == recipe.name) {
      CharacterBuilder builder(name);
      recipe.add(builder, options);
      builder.add_springs(options.stiffness, options.damping);
      if (options.adjust) options.adjust(builder);
      return builder.build(options.self_collision);
    }
  const std::vector<std::string> names = procedural_character_names();
  throw Error(Failure::input, fmt::format("there is no procedural character '{}'; there are {}.{}", name,
                                          fmt::join(names, ", "), suggestion(name, names)));
}

}  // namespace holo::articulated
