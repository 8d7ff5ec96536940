// Characters that cannot be: the messages name the degree of freedom and the remedy.
#include <gtest/gtest.h>

#include "character_samples.h"
#include "holo/sim/articulated/mesh_mass.h"
#include "refusal_message.h"

namespace holo::articulated::character_bad_input_tests {

using namespace test;

using holo::test::message;
const Eigen::Isometry3d here = Eigen::Isometry3d::Identity();

TEST(CharacterBadInput, NamesTheNearestCharacterAndDegreeOfFreedom) {
  EXPECT_EQ(
      message([] { procedural_character("mammal"); }),
      "there is no procedural character 'mammal'; there are pendulum1, pendulum2, acrobot, block2, rotor3, hopper6, chain, "
      "chain5, mammal18, spider18, biped14, bird2, humanoid, humanoid29. Did you mean 'mammal18'?");
  EXPECT_EQ(message([] { procedural_character("hopper6").dof("kne"); }),
            "the character 'hopper6' has no degree of freedom 'kne'. Did you mean 'knee'?");
}

TEST(CharacterBadInput, StatesHowManyLinksAChainNeeds) {
  EXPECT_EQ(message([] { procedural_character("chain", {.links = 0}); }), "a chain has 0 links; it needs at least 1.");
}

TEST(CharacterBadInput, NamesAnAxisWithoutDirectionAndAnUnknownOrder) {
  EXPECT_EQ(message([] { CharacterBuilder("a").add_hinge("knee", -1, here, Eigen::Vector3d::Zero()); }),
            "the axis of 'knee' has length 0; give a direction");
  EXPECT_EQ(message([] {
              CharacterBuilder("a").add_base({BaseChart::euler, "zyz"});
            }),
            "the order of the base's rotations is 'zyz'; it must have each of x, y and z once, outermost first, such as zyx");
}

TEST(CharacterBadInput, NamesADegreeOfFreedomWithoutMass) {
  CharacterBuilder builder("a");
  const int hip = builder.add_hinge("hip", -1, here, Eigen::Vector3d::UnitY());
  builder.add_mass(hip, sphere_mass(0.1, 1000));
  const int knee = builder.add_hinge("knee", hip, here, Eigen::Vector3d::UnitY());
  EXPECT_EQ(message([&] { builder.build(); }),
            "the degree of freedom 'knee' moves no mass; give its body or one below it a mass, or give it an armature");
  builder.dof(knee).armature = 0.1;
  EXPECT_EQ(builder.build().dof_count(), 2);
}

TEST(CharacterBadInput, NamesABodyThatCannotExist) {
  CharacterBuilder builder("a");
  const int hip = builder.add_hinge("hip", -1, here, Eigen::Vector3d::UnitY());
  builder.add_mass(hip, mass_from_inertia(1, Eigen::Vector3d::Zero(), Eigen::Vector3d(1, 1, 3).asDiagonal()));
  EXPECT_EQ(
      message([&] { builder.build(); }),
      "the body of the degree of freedom 'hip' cannot exist: the principal moments of inertia are 3, 1 and 1 kg m^2; none may "
      "exceed the sum of the other two, and none may be negative");
}

TEST(CharacterBadInput, NamesLimitsAndForcesThatCannotBe) {
  CharacterBuilder builder("a");
  const int ball = builder.add_ball("hip", -1, here, 1, 10);
  builder.add_mass(ball, sphere_mass(0.1, 1000));
  builder.limit(ball, 1, -1, 10);
  EXPECT_EQ(message([&] { builder.build(); }),
            "the degree of freedom 'hip_z' has the limits 1 and -1; the lower one must come first");
  builder.limit(ball, -1, 1, -2);
  EXPECT_EQ(message([&] { builder.build(); }),
            "the degree of freedom 'hip_z' has a weight, armature, damping or stiffness of -2; each must be 0 or more");
  builder.limit(ball, -1, 1, 2);
  EXPECT_EQ(message([&] { builder.build(); }),
            "the degree of freedom 'hip_z' is a coordinate of a rotation vector and has a limit, armature, damping or "
            "stiffness; give a "
            "cone, or make three hinges");
}

TEST(CharacterBadInput, NamesASurfaceThatBoundsNoSolid) {
  SurfaceMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}, "part.obj"};
  EXPECT_EQ(message([&] { mesh_mass(mesh, 1000); }),
            "part.obj: the surface encloses -0.166667 m^3; it must be above 0: turn its triangles to be counterclockwise as "
            "seen from "
            "outside");
  EXPECT_EQ(message([&] { mesh_mass(mesh, -1); }), "the density is -1 kg/m^3; it must be 0 or more");
  mesh.triangles.pop_back();
  EXPECT_NE(message([&] { mesh_mass(mesh, 1000); }), "nothing was thrown");
}

}  // namespace holo::articulated::character_bad_input_tests
