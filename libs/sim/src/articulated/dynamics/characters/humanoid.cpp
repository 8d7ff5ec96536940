// A human body of 60 kg and 1.7 m. Lengths of limbs are fractions of the height by [Winter2009] Fig 4.1: thigh 0.245, shank
// 0.246, ankle's height 0.039, upper arm 0.186, forearm 0.146, shoulders' height 0.818.
#include <cmath>

#include "articulated/dynamics/characters/body_segments.h"
#include "articulated/dynamics/characters/character_parts.h"
#include "articulated/dynamics/characters/recipes.h"

namespace holo::articulated::recipes {

namespace {

constexpr double body_mass = 60;  // [kg]
// Lengths [m].
constexpr double thigh_length = 0.4165, shank_length = 0.418, ankle_height = 0.066;
constexpr double upper_arm_length = 0.316, forearm_length = 0.248;
constexpr double trunk_length = 0.44, waist_height = 0.1, shoulder_height = 0.39;  // from the waist, the hips, the waist
constexpr double hip_offset = 0.09, shoulder_offset = 0.2;                         // of joints from the middle
constexpr double thigh_pitch = -0.2, shank_pitch = 0.2;                            // at rest, about y [rad]

// A limb from its frame's origin downward. Across it has the radius of gyration of the table, along it that of a cylinder.
Solid limb(const segments::BodySegment& segment, double length, double radius) {
  const double mass = segment.mass * body_mass, k = segment.gyration * length;
  const MassProperties properties =
      mass_from_inertia(mass, {0, 0, -segment.center * length},
                        Eigen::Vector3d(mass * k * k, mass * k * k, mass * radius * radius / 2).asDiagonal());
  return {properties, CollisionShape::Kind::capsule, {radius, length / 2 - radius, 0}, at(0, 0, -length / 2)};
}

double mass_of(const segments::BodySegment& segment) { return segment.mass * body_mass; }

// Without `all_joints` there are no wrists, no twist of the forearms, and no roll of the ankles.
class HumanoidRecipe {
 public:
  HumanoidRecipe(CharacterBuilder& builder, const CharacterOptions& options, bool all_joints)
      : builder_(builder), options_(options), all_joints_(all_joints) {}

  void add() {
    const int pelvis = builder_.add_base(options_.base);
    add_solid(builder_, pelvis, cuboid(0.2, 0.34, 0.2, mass_of(segments::pelvis)),
              at(0, 0, (1 - segments::pelvis.center) * waist_height));
    const int trunk = builder_.add_ball("spine", pelvis, at(0, 0, waist_height), 0.8, options_.limit_weight);
    for (int k = trunk - 2; k <= trunk; ++k) builder_.actuate(k);
    add_solid(builder_, trunk, cuboid(0.2, 0.32, trunk_length, mass_of(segments::thorax_and_abdomen)),
              at(0, 0, (1 - segments::thorax_and_abdomen.center) * trunk_length));
    add_head(trunk);
    for (const int side : {1, -1}) {
      add_arm(trunk, side);
      builder_.add_contact_point(pelvis, {0, side * hip_offset, 0}, 0.09);
      add_leg(pelvis, side);
    }
    builder_.set_rest("base_z", thigh_length * std::cos(thigh_pitch) + shank_length * std::cos(shank_pitch) + ankle_height);
  }

 private:
  int joint(const std::string& name, int parent, const Eigen::Isometry3d& placement, const Eigen::Vector3d& axis,
            AngleRange range) {
    return add_joint(builder_, options_, name, parent, placement, axis, range);
  }

  void add_head(int trunk) {
    const int pitch = joint("neck_pitch", trunk, at(0, 0, trunk_length), Eigen::Vector3d::UnitY(), {-0.7, 0.9});
    const int head = joint("neck_yaw", pitch, at(0, 0, 0), Eigen::Vector3d::UnitZ(), {-1.2, 1.2});
    const Eigen::Vector3d center(0, 0, 0.16);
    add_solid(builder_, head, ball(0.1, mass_of(segments::head_and_neck)), at(0, 0, center.z()));
    builder_.add_contact_point(head, center, 0.1);
  }

  // The order pitch, roll, twist is singular where the arm points to the side, beyond the limit of the roll.
  void add_arm(int trunk, int side) {
    const std::string name = side_name(side);
    const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY(), z = Eigen::Vector3d::UnitZ();
    int arm = joint(name + "_shoulder_pitch", trunk, at(0, side * shoulder_offset, shoulder_height), y, {-3, 1});
    arm = joint(name + "_shoulder_roll", arm, at(0, 0, 0), x, on_side(side, {-0.3, 1.4}));
    arm = joint(name + "_shoulder_twist", arm, at(0, 0, 0), z, on_side(side, {-1.4, 1.4}));
    add_solid(builder_, arm, limb(segments::upper_arm, upper_arm_length, 0.04));
    builder_.add_contact_point(arm, {0, 0, -upper_arm_length}, 0.04);
    arm = joint(name + "_elbow", arm, at(0, 0, -upper_arm_length), y, {-2.5, 0});
    builder_.set_rest(arm, -0.3);
    if (all_joints_) arm = joint(name + "_forearm_twist", arm, at(0, 0, 0), z, on_side(side, {-1.4, 1.4}));
    add_solid(builder_, arm, limb(segments::forearm, forearm_length, 0.035));
    double wrist = -forearm_length;  // in the frame that carries the hand
    if (all_joints_) {
      arm = joint(name + "_wrist", arm, at(0, 0, wrist), x, on_side(side, {-1.2, 1.2}));
      wrist = 0;
    }
    add_solid(builder_, arm, egg({0.045, 0.02, 0.09}, mass_of(segments::hand)), at(0, 0, wrist - 0.09));
    builder_.add_contact_point(arm, {0, 0, wrist - 0.09}, 0.04);
  }

  // A heel and two balls of the toes touch the ground.
  void add_leg(int pelvis, int side) {
    const std::string name = side_name(side);
    const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY(), z = Eigen::Vector3d::UnitZ();
    int leg = joint(name + "_hip_yaw", pelvis, at(0, side * hip_offset, 0), z, on_side(side, {-0.7, 0.7}));
    leg = joint(name + "_hip_roll", leg, at(0, 0, 0), x, on_side(side, {-0.4, 0.8}));
    leg = joint(name + "_hip_pitch", leg, at(0, 0, 0), y, {-2.1, 0.6});
    builder_.set_rest(leg, thigh_pitch);
    add_solid(builder_, leg, limb(segments::thigh, thigh_length, 0.07));
    builder_.add_contact_point(leg, {0, 0, -thigh_length}, 0.05);
    leg = joint(name + "_knee", leg, at(0, 0, -thigh_length), y, {0, 2.5});
    builder_.set_rest(leg, shank_pitch - thigh_pitch);
    add_solid(builder_, leg, limb(segments::shank, shank_length, 0.05));
    leg = joint(name + "_ankle", leg, at(0, 0, -shank_length), y, {-0.5, 0.9});
    builder_.set_rest(leg, -shank_pitch);
    if (all_joints_) leg = joint(name + "_ankle_roll", leg, at(0, 0, 0), x, on_side(side, {-0.4, 0.4}));
    const double heel = -0.06, toes = 0.2, width = 0.09, radius = 0.025;
    add_solid(builder_, leg, cuboid(toes - heel, width, ankle_height, mass_of(segments::foot)),
              at((heel + toes) / 2, 0, -ankle_height / 2));
    builder_.add_contact_point(leg, {heel + radius, 0, radius - ankle_height}, radius);
    for (const double left : {1.0, -1.0})
      builder_.add_contact_point(leg, {toes - radius, left * (width / 2 - radius), radius - ankle_height}, radius);
  }

  CharacterBuilder& builder_;
  const CharacterOptions& options_;
  bool all_joints_;
};

}  // namespace

void humanoid(CharacterBuilder& builder, const CharacterOptions& options) { HumanoidRecipe(builder, options, true).add(); }
void humanoid29(CharacterBuilder& builder, const CharacterOptions& options) { HumanoidRecipe(builder, options, false).add(); }

}  // namespace holo::articulated::recipes
