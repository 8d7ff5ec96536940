// Characters with two and four legs that are made of rods: a quadruped, a spider, a biped, a bird.
#include <fmt/format.h>

#include <cmath>

#include "articulated/dynamics/characters/character_parts.h"
#include "articulated/dynamics/characters/recipes.h"

namespace holo::articulated::recipes {

// A torso with four legs of three joints each.
void mammal18(CharacterBuilder& builder, const CharacterOptions& options) {
  const int torso = builder.add_base(options.base);
  add_solid(builder, torso, cuboid(0.6, 0.2, 0.15, 10));
  for (const double x : {0.28, -0.28})
    for (const int side : {1, -1}) {
      const std::string leg = fmt::format("{}_{}", x > 0 ? "front" : "hind", side_name(side));
      const int roll =
          add_joint(builder, options, leg + "_roll", torso, at(x, side * 0.12, 0), Eigen::Vector3d::UnitX(), {-0.6, 0.6});
      add_solid(builder, roll, ball(0.03, 0.3));
      const int thigh = add_rod_joint(builder, options, leg + "_hip", roll, at(0, 0, 0), 0.25, 0.03, 0.8, {-1.4, 1.4});
      const int shank = add_rod_joint(builder, options, leg + "_knee", thigh, at(0, 0, -0.25), 0.25, 0.03, 0.5, {-2.4, 2.4});
      add_foot(builder, shank, {0, 0, -0.25}, 0.03);
      builder.set_rest(thigh, -0.4);
      builder.set_rest(shank, 0.8);
    }
  builder.set_rest("base_z", 0.5 * std::cos(0.4) + 0.03);
}

// A disk with four legs at its edge, which point outward where their joints are 0. At rest their first rods rise.
void spider18(CharacterBuilder& builder, const CharacterOptions& options) {
  constexpr double radius = 0.02, rise = 0.5, fall = 1.1;  // of the rods [m]; their angles below the horizontal [rad]
  const int torso = builder.add_base(options.base);
  add_solid(builder, torso, disk(0.15, 0.04, 3));
  for (const double along : {1.0, -1.0})
    for (const int side : {1, -1}) {
      const std::string leg = fmt::format("{}_{}", along > 0 ? "front" : "hind", side_name(side));
      const Eigen::Isometry3d hip = Eigen::AngleAxisd(std::atan2(side, along), Eigen::Vector3d::UnitZ()) * at(0.15, 0, 0);
      const int yaw = add_joint(builder, options, leg + "_yaw", torso, hip, Eigen::Vector3d::UnitZ(), {-0.8, 0.8});
      const int femur = add_joint(builder, options, leg + "_hip", yaw, at(0, 0, 0), Eigen::Vector3d::UnitY(), {-1.2, 1.2});
      add_solid(builder, femur, rod(0.25, radius, 0.3), along_x(0.125));
      const int tibia =
          add_joint(builder, options, leg + "_knee", femur, at(0.25, 0, 0), Eigen::Vector3d::UnitY(), {-2.2, 2.2});
      add_solid(builder, tibia, rod(0.35, radius, 0.3), along_x(0.175));
      add_foot(builder, tibia, {0.35, 0, 0}, radius);
      builder.set_rest(femur, -rise);
      builder.set_rest(tibia, rise + fall);
    }
  builder.set_rest("base_z", 0.35 * std::sin(fall) - 0.25 * std::sin(rise) + radius);
}

namespace {

// A leg of hip roll, hip pitch, knee and ankle with a flat foot, at rest below the hip. A leg whose thigh points forward at
// rest has its knee in front, one whose thigh points backward has it behind.
struct LegSizes {
  double thigh, shank;                       // lengths [m]
  double thigh_radius, shank_radius;         // [m]
  double thigh_mass, shank_mass, foot_mass;  // [kg]
  double heel, toe, width, height;           // of the foot: ends along x, sizes [m]; the ankle is at its upper side
  double sole_radius;                        // of its spheres [m]
  AngleRange pitch, knee;
  double thigh_pitch, shank_pitch;  // at rest, about y [rad]

  double hip_height() const { return thigh * std::cos(thigh_pitch) + shank * std::cos(shank_pitch) + height; }  // at rest [m]
};

void add_leg(CharacterBuilder& builder, const CharacterOptions& options, const LegSizes& leg, int side, int body,
             const Eigen::Isometry3d& hip) {
  const std::string name = side_name(side);
  const int roll = add_joint(builder, options, name + "_roll", body, hip, Eigen::Vector3d::UnitX(), {-0.5, 0.5});
  const int thigh =
      add_rod_joint(builder, options, name + "_hip", roll, at(0, 0, 0), leg.thigh, leg.thigh_radius, leg.thigh_mass, leg.pitch);
  const int shank = add_rod_joint(builder, options, name + "_knee", thigh, at(0, 0, -leg.thigh), leg.shank, leg.shank_radius,
                                  leg.shank_mass, leg.knee);
  const int foot =
      add_joint(builder, options, name + "_ankle", shank, at(0, 0, -leg.shank), Eigen::Vector3d::UnitY(), {-0.8, 0.8});
  add_solid(builder, foot, cuboid(leg.toe - leg.heel, leg.width, leg.height, leg.foot_mass),
            at((leg.heel + leg.toe) / 2, 0, -leg.height / 2));
  add_sole(builder, foot, leg.heel, leg.toe, leg.width, -leg.height, leg.sole_radius);
  builder.set_rest(thigh, leg.thigh_pitch);
  builder.set_rest(shank, leg.shank_pitch - leg.thigh_pitch);
  builder.set_rest(foot, -leg.shank_pitch);
}

}  // namespace

// A torso with two legs. The base's frame is between the hips.
void biped14(CharacterBuilder& builder, const CharacterOptions& options) {
  constexpr LegSizes leg{.thigh = 0.4,
                         .shank = 0.4,
                         .thigh_radius = 0.06,
                         .shank_radius = 0.045,
                         .thigh_mass = 5,
                         .shank_mass = 3,
                         .foot_mass = 1,
                         .heel = -0.07,
                         .toe = 0.15,
                         .width = 0.1,
                         .height = 0.05,
                         .sole_radius = 0.02,
                         .pitch = {-1.6, 1},
                         .knee = {0, 2.4},
                         .thigh_pitch = -0.3,
                         .shank_pitch = 0.3};
  const int torso = builder.add_base(options.base);
  add_solid(builder, torso, cuboid(0.2, 0.3, 0.5, 20), at(0, 0, 0.25));
  for (const int side : {1, -1}) add_leg(builder, options, leg, side, torso, at(0, side * 0.1, 0));
  builder.set_rest("base_z", leg.hip_height());
}

// An egg-shaped body with a neck and two legs that stand on their toes: the joints above them point backward.
void bird2(CharacterBuilder& builder, const CharacterOptions& options) {
  constexpr LegSizes leg{.thigh = 0.2,
                         .shank = 0.25,
                         .thigh_radius = 0.025,
                         .shank_radius = 0.015,
                         .thigh_mass = 0.4,
                         .shank_mass = 0.2,
                         .foot_mass = 0.1,
                         .heel = -0.02,
                         .toe = 0.08,
                         .width = 0.06,
                         .height = 0.03,
                         .sole_radius = 0.015,
                         .pitch = {-1, 1.6},
                         .knee = {-2.4, 0},
                         .thigh_pitch = 0.6,
                         .shank_pitch = -0.45};
  const int body = builder.add_base(options.base);
  add_solid(builder, body, egg({0.25, 0.11, 0.11}, 4));
  const int pitch = add_joint(builder, options, "neck_pitch", body, at(0.22, 0, 0.06), Eigen::Vector3d::UnitY(), {-1, 1});
  const int head = add_joint(builder, options, "neck_yaw", pitch, at(0, 0, 0), Eigen::Vector3d::UnitZ(), {-1.2, 1.2});
  add_solid(builder, head, ball(0.05, 0.4), at(0.1, 0, 0.15));
  for (const int side : {1, -1}) add_leg(builder, options, leg, side, body, at(-0.02, side * 0.08, -0.05));
  builder.set_rest("base_z", 0.05 + leg.hip_height());
}

}  // namespace holo::articulated::recipes
