// Characters of few degrees of freedom, and the chain: pendulums, a block, a rotor, a hopper.
#include <fmt/format.h>

#include <cmath>

#include "articulated/dynamics/characters/character_parts.h"
#include "articulated/dynamics/characters/recipes.h"
#include "holo/core/error.h"

namespace holo::articulated::recipes {

namespace {

// Rods of 1 m and 1 kg that hang from each other at hinges about y. Those up to `passive` have no control.
void add_pendulum(CharacterBuilder& builder, int rods, int passive) {
  int parent = -1;
  for (int k = 1; k <= rods; ++k) {
    parent = builder.add_hinge(fmt::format("hinge_{}", k), parent, at(0, 0, k == 1 ? 0 : -1), Eigen::Vector3d::UnitY());
    add_solid(builder, parent, rod(1, 0.05, 1), at(0, 0, -0.5));
    if (k > passive) builder.actuate(parent);
  }
}

}  // namespace

void pendulum1(CharacterBuilder& builder, const CharacterOptions&) { add_pendulum(builder, 1, 0); }
void pendulum2(CharacterBuilder& builder, const CharacterOptions&) { add_pendulum(builder, 2, 0); }
void acrobot(CharacterBuilder& builder, const CharacterOptions&) { add_pendulum(builder, 2, 1); }

// A block that moves in the plane of x and z without turning, with one sphere below it.
void block2(CharacterBuilder& builder, const CharacterOptions&) {
  const int x = builder.add_slide("base_x", -1, at(0, 0, 0), Eigen::Vector3d::UnitX());
  const int z = builder.add_slide("base_z", x, at(0, 0, 0), Eigen::Vector3d::UnitZ());
  add_solid(builder, z, cuboid(0.2, 0.2, 0.2, 1));
  add_foot(builder, z, {0, 0, -0.1}, 0.02);
}

// A free rod in the plane of x and z: the smallest body that has linear and angular momentum.
void rotor3(CharacterBuilder& builder, const CharacterOptions&) {
  const int rotor = builder.add_base({BaseChart::planar, ""});
  add_solid(builder, rotor, rod(0.4, 0.05, 1), along_x(0));
}

// A torso with one leg, in the plane of x and z.
void hopper6(CharacterBuilder& builder, const CharacterOptions& options) {
  const int torso = builder.add_base({BaseChart::planar, ""});
  add_solid(builder, torso, cuboid(0.3, 0.2, 0.3, 5), at(0, 0, 0.1));
  const int thigh = add_rod_joint(builder, options, "hip", torso, at(0, 0, 0), 0.3, 0.03, 2, {-1.4, 1.4});
  const int shank = add_rod_joint(builder, options, "knee", thigh, at(0, 0, -0.3), 0.3, 0.03, 1.5, {-2.4, 2.4});
  const int foot = add_joint(builder, options, "ankle", shank, at(0, 0, -0.3), Eigen::Vector3d::UnitY(), {-0.8, 0.8});
  add_solid(builder, foot, cuboid(0.24, 0.1, 0.04, 0.5));
  for (const double x : {-0.1, 0.1}) add_foot(builder, foot, {x, 0, 0}, 0.03);
  builder.set_rest(thigh, -0.4);
  builder.set_rest(shank, 0.8);
  builder.set_rest(foot, -0.4);
  builder.set_rest("base_z", 0.6 * std::cos(0.4) + 0.03);
}

// Capsules along x at universal joints; the base is the first one.
void chain(CharacterBuilder& builder, const CharacterOptions& options) {
  if (options.links < 1) throw Error(Failure::input, fmt::format("a chain has {} links; it needs at least 1.", options.links));
  int link = builder.add_base(options.base);
  for (int k = 0; k < options.links; ++k) {
    const double middle = k == 0 ? 0 : 0.2;  // of the link, in its frame
    if (k > 0) {
      const double joint = k == 1 ? 0.2 : 0.4;  // of the link before, in its frame
      const int pitch =
          add_joint(builder, options, fmt::format("pitch_{}", k), link, at(joint, 0, 0), Eigen::Vector3d::UnitY(), {-1.2, 1.2});
      link = add_joint(builder, options, fmt::format("yaw_{}", k), pitch, at(0, 0, 0), Eigen::Vector3d::UnitZ(), {-1.2, 1.2});
    }
    add_solid(builder, link, rod(0.4, 0.05, 3), along_x(middle));
    for (const double end : {-0.2, 0.2}) builder.add_contact_point(link, {middle + end, 0, 0}, 0.05);
  }
  builder.set_rest("base_z", 0.05);
}

void chain5(CharacterBuilder& builder, const CharacterOptions& options) {
  CharacterOptions five = options;
  five.links = 5;
  chain(builder, five);
}

}  // namespace holo::articulated::recipes
