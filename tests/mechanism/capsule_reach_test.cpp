// Which capsules on a mechanism's bodies can come near each other, and what joints allow.
#include "holo/sim/mechanism/kinematics/capsule_reach.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/kinematics/joint_motion.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"

namespace holo {
namespace capsule_reach {

using Eigen::Vector3d;
using Pairs = std::vector<std::pair<int, int>>;

const PluginHost& plugins() {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins", HOLO_BINARY_DIR "/tests/mechanism/own_joints"});
  return host;
}

// Four links of 1 m in a row on hinges, the third of two halves with a length between them; and a post 2.5 m up.
struct Row {
  MechanismBuilder builder{plugins()};
  std::vector<BodyCapsule> capsules;

  explicit Row(const std::string& hinge = "revolute") {
    const char* names[] = {"a", "b", "c1", "c2", "d"};
    const double begins[] = {0, 1, 2, 2.5, 3}, ends[] = {1, 2, 2.5, 3, 4};
    for (int i = 0; i < 5; ++i) {
      const Vector3d from(begins[i], 0, 0), way(ends[i] - begins[i], 0, 0);
      builder.body(names[i], from);
      const bool slides = i == 3;
      builder.joint("j" + std::to_string(i), slides ? "prismatic" : hinge, i == 0 ? "world" : names[i - 1], names[i], from,
                    axes_along(slides ? Vector3d(1, 0, 0) : Vector3d(0, 0, 1)),
                    slides ? JointRole::configurable : JointRole::actuator);
      add(names[i], i, Vector3d::Zero(), way);
    }
    builder.body("post", {0, 2.5, 0});
    builder.ground("post");
    add("post", 5, {0, -0.5, 0}, {0, 0.5, 0});
  }
  void add(const std::string& name, int body, const Vector3d& from, const Vector3d& to) {
    capsules.push_back({name, body, from, to, 0.1});
  }
  Pairs pairs(double margin = 0.1) const { return pairs_that_may_meet(builder.build(), capsules, margin); }
};

// a, b, c1, c2, d, post: 0 to 5. Neighbors are a-b, b-c, c-d. The post begins 2 m up: a alone ends at 1 m, a and b together
// reach it.
TEST(CapsuleReach, NeighborsAndWhatIsOutOfReachAreLeftOut) {
  EXPECT_EQ(Row().pairs(), (Pairs{{0, 2}, {0, 3}, {0, 4}, {1, 4}, {1, 5}, {2, 5}, {3, 5}, {4, 5}}));
  EXPECT_EQ(Row().pairs(0.85), (Pairs{{0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 4}, {1, 5}, {2, 5}, {3, 5}, {4, 5}}));
}

TEST(CapsuleReach, TheOrderOfTheCapsulesDoesNotMatter) {
  Row row;
  Pairs mirrored;
  for (const auto& [i, j] : row.pairs()) mirrored.emplace_back(5 - j, 5 - i);
  std::sort(mirrored.begin(), mirrored.end());
  std::reverse(row.capsules.begin(), row.capsules.end());
  EXPECT_EQ(row.pairs(), mirrored);
}

TEST(CapsuleReach, WhatStandsOnTheWorldDoesNotMove) {
  Row row;
  row.builder.body("wall", {0, 2.6, 0});
  row.builder.ground("wall");
  row.add("wall", 6, {0, 0, 0}, {1, 0, 0});
  const Pairs pairs = row.pairs();
  EXPECT_EQ(std::count(pairs.begin(), pairs.end(), std::pair(5, 6)), 0);
  EXPECT_EQ(std::count(pairs.begin(), pairs.end(), std::pair(4, 6)), 1);
}

// One body on a joint of the type, whose three axes are x, y and z.
MechanismModel on_a_joint(const std::string& type) {
  MechanismBuilder builder(plugins());
  builder.body("plate", {1, 0, 0});
  builder.joint("joint", type, "", "plate", {0.3, 0.2, 0.1}, Eigen::Matrix3d::Identity());
  return builder.build();
}

TEST(JointMotion, KeepsItsPointWhereNothingSlides) {
  for (const char* type : {"fixed", "revolute", "universal", "spherical", "turntable"})
    EXPECT_TRUE(keeps_its_point(on_a_joint(type), 0)) << type;
  for (const char* type : {"prismatic", "cylindrical", "cartesian", "free", "planar", "cam"})
    EXPECT_FALSE(keeps_its_point(on_a_joint(type), 0)) << type;
}

TEST(JointMotion, HasTheAxesOfItsCoordinatesEachOnce) {
  const auto axes = [](const char* type) { return axes_of(on_a_joint(type), 0); };
  const std::vector<Vector3d> x = {{1, 0, 0}}, x_and_y = {{1, 0, 0}, {0, 1, 0}}, z = {{0, 0, 1}};
  for (const char* type : {"revolute", "prismatic", "cylindrical"}) EXPECT_EQ(axes(type), x) << type;
  EXPECT_EQ(axes("universal"), x_and_y);
  EXPECT_EQ(axes("turntable"), z);
  for (const char* type : {"fixed", "spherical", "cartesian", "free", "planar"}) EXPECT_TRUE(axes(type).empty()) << type;
}

// A joint of the user's that turns about its third axis: the row reaches as far as with hinges, whose first axis is that one.
TEST(CapsuleReach, AJointOfAUserThatOnlyTurnsCountsAsAHinge) {
  EXPECT_EQ(Row("turntable").pairs(), Row().pairs());
  // Nothing is known of a joint that slides: all but neighbors may meet.
  EXPECT_EQ(Row("cam").pairs().size(), Row("cylindrical").pairs().size());
  EXPECT_GT(Row("cam").pairs().size(), Row().pairs().size());
}

}  // namespace capsule_reach
}  // namespace holo
