// Procedural characters: sizes and masses, poses that stand, mirror symmetry, and the humanoid's moments of inertia.
#include "holo/sim/articulated/dynamics/procedural_characters.h"

#include <gtest/gtest.h>

#include <numbers>

#include "character_motion.h"

namespace holo::articulated::procedural_characters_tests {

using namespace test;

struct ExpectedCharacter {
  const char* name;
  int dofs, unactuated;
  double mass;     // [kg]
  int supporting;  // contact points that touch the floor at rest
};
const ExpectedCharacter expected[] = {{"pendulum1", 1, 0, 1, 0},   {"pendulum2", 2, 0, 2, 0},   {"acrobot", 2, 1, 2, 0},
                                      {"block2", 2, 2, 1, 0},      {"rotor3", 3, 3, 1, 0},      {"hopper6", 6, 3, 9, 2},
                                      {"chain", 14, 6, 15, 10},    {"chain5", 14, 6, 15, 10},   {"mammal18", 18, 6, 16.4, 4},
                                      {"spider18", 18, 6, 5.4, 4}, {"biped14", 14, 6, 38, 8},   {"bird2", 16, 6, 5.8, 8},
                                      {"humanoid", 35, 6, 60, 6},  {"humanoid29", 29, 6, 60, 6}};

const std::vector<const char*> symmetric_characters{"mammal18", "spider18", "biped14", "bird2", "humanoid", "humanoid29"};

TEST(ProceduralCharacters, HaveTheSpecifiedSizesAndMasses) {
  std::vector<std::string> names;
  for (const auto& [name, dofs, unactuated, mass, supporting] : expected) {
    const CharacterModel model = procedural_character(name);
    names.emplace_back(name);
    EXPECT_EQ(model.dof_count(), dofs) << name;
    EXPECT_NEAR(model.total_mass(), mass, 1e-13 * mass) << name;
    EXPECT_EQ(int(model.unactuated().size()), unactuated) << name;
  }
  EXPECT_EQ(procedural_character_names(), names);
  EXPECT_EQ(procedural_character("acrobot").actuated(), std::vector<int>{1});
  EXPECT_EQ(procedural_character("chain5").contact_points().size(), 10u);
  EXPECT_EQ(procedural_character("humanoid").contact_points().size(), 15u);
}

TEST(ProceduralCharacters, AreChainsOfAnyNumberOfLinks) {
  for (const int links : {1, 3, 15}) {
    const CharacterModel model = procedural_character("chain", {.links = links});
    EXPECT_EQ(model.dof_count(), 4 + 2 * links);
    EXPECT_EQ(model.unactuated().size(), 6u);
    EXPECT_NEAR(model.total_mass(), 3 * links, 1e-12);
    EXPECT_EQ(model.contact_points().size(), std::size_t(2 * links));
    // Straight along x: the base is the middle of the first link of 0.4 m.
    EXPECT_NEAR(center_of_mass(model, model.rest()).x(), 0.2 * (links - 1), 1e-13);
  }
}

struct Support {
  std::vector<Eigen::Vector2d> points;  // where spheres touch the floor
  double lowest_other = 1e300;          // height of the other spheres above it [m]
};
Support support_of(const CharacterModel& model) {
  StateMemory<double> state(model);
  state.set(model, model.rest());
  Support support;
  for (const ContactPoint& point : model.contact_points()) {
    const Vector3<double> center = state.frames[std::size_t(point.dof)] * point.center;
    const double height = center[2] - point.radius;
    if (std::abs(height) < 1e-14)
      support.points.emplace_back(center[0], center[1]);
    else
      support.lowest_other = std::min(support.lowest_other, height);
  }
  return support;
}

TEST(ProceduralCharacters, StandOnTheirFeetAtRest) {
  for (const auto& [name, dofs, unactuated, mass, supporting] : expected) {
    if (supporting == 0) continue;
    const Support support = support_of(procedural_character(name));
    EXPECT_EQ(int(support.points.size()), supporting) << name;
    EXPECT_GT(support.lowest_other, 0.1) << name;
  }
}

// The distance of a point from the boundary of the convex hull of others, negative outside: the least over all directions.
double depth_in_hull(const std::vector<Eigen::Vector2d>& points, const Eigen::Vector2d& at) {
  double least = 1e300;
  for (int k = 0; k < 360; ++k) {
    const double angle = k * std::numbers::pi / 180;
    double reach = -1e300;
    for (const Eigen::Vector2d& point : points)
      reach = std::max(reach, (point - at).dot(Eigen::Vector2d(std::cos(angle), std::sin(angle))));
    least = std::min(least, reach);
  }
  return least;
}

TEST(ProceduralCharacters, HaveTheirCenterOfMassOverTheirFeetAtRest) {
  for (const char* name : symmetric_characters) {
    const CharacterModel model = procedural_character(name);
    const Eigen::Vector3d center = center_of_mass(model, model.rest());
    EXPECT_GT(depth_in_hull(support_of(model).points, center.head<2>()), 0.02) << name;
    EXPECT_NEAR(center.y(), 0, 1e-15) << name;
  }
  const CharacterModel hopper = procedural_character("hopper6");
  EXPECT_LT(std::abs(center_of_mass(hopper, hopper.rest()).x()), 0.08);
}

TEST(ProceduralCharacters, AreAtRestWithinTheirLimits) {
  for (const std::string& name : procedural_character_names()) {
    const CharacterModel model = procedural_character(name, {.limit_weight = 1e6});
    EXPECT_EQ(limit_energy(model.data(), model.rest().coordinates.data()), 0) << name;
  }
}

// The joints' names with left and right exchanged.
std::string on_the_other_side(std::string name) {
  const std::size_t left = name.find("left"), right = name.find("right");
  if (left != std::string::npos) return name.replace(left, 4, "right");
  return right == std::string::npos ? name : name.replace(right, 5, "left");
}

// A reflection at the plane of x and z: moves along y and turns about x and z change their sign.
struct Reflection {
  std::vector<std::size_t> image;  // of each degree of freedom
  std::vector<double> sign;
};
Reflection reflection_of(const CharacterModel& model) {
  Reflection reflection;
  for (int j = 0; j < model.dof_count(); ++j) {
    const DegreeOfFreedom& dof = model.dofs()[std::size_t(j)];
    const bool along_y = std::abs(dof.axis[1]) == 1;
    reflection.image.push_back(std::size_t(model.dof(on_the_other_side(model.dof_name(j)))));
    reflection.sign.push_back(along_y == (dof.kind == DofKind::prismatic) ? -1 : 1);
  }
  return reflection;
}
CharacterPose reflected(const Reflection& reflection, const CharacterPose& pose) {
  CharacterPose result = pose;
  for (std::size_t j = 0; j < reflection.image.size(); ++j)
    result.coordinates[reflection.image[j]] = reflection.sign[j] * pose.coordinates[j];
  return result;
}

// The forces of a reflected motion are the reflected forces, in contact, beyond limits, with springs and self-collision: so all
// masses, lengths, limits and contact points are symmetric.
TEST(ProceduralCharacters, HaveEqualLeftAndRightSides) {
  const Obstacle floor = floor_at(0.1);
  StepConstants step;
  step.normal_weight = 2e4;
  step.tangential_weight = 2e5;
  step.self_collision_weight = 1e4;
  step.obstacles = &floor;
  step.obstacle_count = 1;
  for (const char* name : symmetric_characters)
    for (const BaseChart chart : {BaseChart::euler, BaseChart::rotation_vector}) {
      const CharacterModel model = procedural_character(name, {{chart, "zyx"}, true, 1000, 10, 1});
      const Reflection reflection = reflection_of(model);
      for (unsigned seed = 1; seed <= 3; ++seed) {
        const ThreePoses poses = three_poses(model, seed, 1.5, 0.03, false);
        EXPECT_GT(limit_energy(model.data(), poses.newest.coordinates.data()), 0) << name;
        const ThreePoses mirror{reflected(reflection, poses.newest), reflected(reflection, poses.current),
                                reflected(reflection, poses.previous)};
        const Eigen::VectorXd forces = residual(model, step, poses), mirrored = residual(model, step, mirror);
        for (std::size_t j = 0; j < reflection.image.size(); ++j)
          EXPECT_NEAR(mirrored[Eigen::Index(reflection.image[j])], reflection.sign[j] * forces[Eigen::Index(j)],
                      1e-11 * forces.cwiseAbs().maxCoeff())
              << name << " " << model.dof_name(int(j));
      }
    }
}

// Of 66 men who stood upright, [Santschi1963] measured the mean moments of inertia 12.99, 11.64 and 1.277 kg m^2 about the axes
// forward, sideways and upward through the center of mass, at a mean mass of 75.5 kg and a mean height of 1.763 m, with the
// center of mass at 0.553 of the height. The upright humanoid's moments, divided by mass and squared height, are within 15 % of
// these, its center of mass within 5 %.
TEST(ProceduralCharacters, HumanoidHasTheMomentsOfInertiaOfAHuman) {
  for (const char* name : {"humanoid", "humanoid29"}) {
    const CharacterModel model = procedural_character(name);
    CharacterPose upright = model.rest();
    std::fill(upright.coordinates.begin(), upright.coordinates.end(), 0.0);
    StateMemory<double> state(model);
    state.set(model, upright);
    Eigen::Matrix4d E = Eigen::Matrix4d::Zero();
    double sole = 0, crown = 0;
    for (std::size_t k = 0; k < state.frames.size(); ++k) {
      const Matrix<double, 4, 4> moved = moved_moments(state.frames[k], model.data().moments[k], state.frames[k]);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) E(i, j) += moved(i, j);
    }
    for (const ContactPoint& point : model.contact_points()) {
      const double z = (state.frames[std::size_t(point.dof)] * point.center)[2];
      sole = std::min(sole, z - point.radius);
      crown = std::max(crown, z + point.radius);
    }
    const double mass = E(3, 3), height = crown - sole;
    EXPECT_NEAR(height, 1.7, 0.01) << name;
    const Eigen::Vector3d center = E.topRightCorner<3, 1>() / mass;
    const Eigen::Matrix3d S = E.topLeftCorner<3, 3>() - mass * center * center.transpose();
    const Eigen::Vector3d moments = (Eigen::Vector3d::Constant(S.trace()) - S.diagonal()) / (mass * height * height);
    const Eigen::Vector3d measured = Eigen::Vector3d(12.99, 11.64, 1.277) / (75.5 * 1.763 * 1.763);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(moments[i], measured[i], 0.15 * measured[i]) << name << " axis " << i;
    EXPECT_NEAR((center.z() - sole) / height, 0.553, 0.05 * 0.553) << name;
  }
}

}  // namespace holo::articulated::procedural_characters_tests
