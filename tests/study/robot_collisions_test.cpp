// The pairs of capsules that get a loss, and the distances that these keep.
#include "studies/robot_design/robot_collisions.h"

#include <algorithm>

#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"
#include "holo/study/frames_file.h"
#include "holo/study/study.h"
#include "small_arm.h"

namespace holo_test {
namespace robot_collisions {

using Eigen::Vector3d;
using Pairs = std::vector<std::pair<int, int>>;

// Four links of 1 m in a row on hinges, the third of two halves with a length between them; and a post 2.5 m up.
struct Row {
  holo::PluginHost plugins;
  holo::MechanismBuilder builder{plugins};
  std::vector<holo::BodyCapsule> capsules;

  Row() {
    const char* names[] = {"a", "b", "c1", "c2", "d"};
    const double begins[] = {0, 1, 2, 2.5, 3}, ends[] = {1, 2, 2.5, 3, 4};
    for (int i = 0; i < 5; ++i) {
      const Vector3d from(begins[i], 0, 0), way(ends[i] - begins[i], 0, 0);
      builder.body(names[i], from);
      const bool slides = i == 3;
      builder.joint("j" + std::to_string(i), slides ? "prismatic" : "revolute", i == 0 ? "world" : names[i - 1], names[i], from,
                    holo::axes_along(slides ? Vector3d(1, 0, 0) : Vector3d(0, 0, 1)),
                    slides ? holo::JointRole::configurable : holo::JointRole::actuator);
      add(names[i], i, Vector3d::Zero(), way);
    }
    builder.body("post", {0, 2.5, 0});
    builder.ground("post");
    add("post", 5, {0, -0.5, 0}, {0, 0.5, 0});
  }
  void add(const std::string& name, int body, const Vector3d& from, const Vector3d& to) {
    capsules.push_back({name, body, from, to, 0.1});
  }
  Pairs pairs(double margin = 0.1) const { return holo::pairs_that_may_meet(builder.build(), capsules, margin); }
};

// a, b, c1, c2, d, post: 0 to 5. Neighbors are a-b, b-c, c-d. The post begins 2 m up: a alone ends at 1 m, a and b together
// reach it.
TEST(RobotCollisionPairs, NeighborsAndWhatIsOutOfReachAreLeftOut) {
  EXPECT_EQ(Row().pairs(), (Pairs{{0, 2}, {0, 3}, {0, 4}, {1, 4}, {1, 5}, {2, 5}, {3, 5}, {4, 5}}));
  EXPECT_EQ(Row().pairs(0.85), (Pairs{{0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 4}, {1, 5}, {2, 5}, {3, 5}, {4, 5}}));
}

TEST(RobotCollisionPairs, TheOrderOfTheCapsulesDoesNotMatter) {
  Row row;
  Pairs mirrored;
  for (const auto& [i, j] : row.pairs()) mirrored.emplace_back(5 - j, 5 - i);
  std::sort(mirrored.begin(), mirrored.end());
  std::reverse(row.capsules.begin(), row.capsules.end());
  EXPECT_EQ(row.pairs(), mirrored);
}

TEST(RobotCollisionPairs, WhatStandsOnTheWorldDoesNotMove) {
  Row row;
  row.builder.body("wall", {0, 2.6, 0});
  row.builder.ground("wall");
  row.add("wall", 6, {0, 0, 0}, {1, 0, 0});
  const Pairs pairs = row.pairs();
  EXPECT_EQ(std::count(pairs.begin(), pairs.end(), std::pair(5, 6)), 0);
  EXPECT_EQ(std::count(pairs.begin(), pairs.end(), std::pair(4, 6)), 1);
}

class RobotCollisions : public SmallRuns {};

// A ball around the tool, which turns at 0.3 m from the axis, and a post that stands.
TEST_F(RobotCollisions, CapsulesAreDrawnWhereTheirBodiesAre) {
  write(replaced(small_arm("from: 0.1, to: 0.4, amplitude: 0.5", "type: recorded, body: tool"), "  joints:\n",
                 "    - {name: post, origin: [0.6, 0, 0]}\n  joints:\n"
                 "    - {name: stand, type: fixed, between: [world, post], point: [0.6, 0, 0]}\n") +
        "collisions:\n  margin: 0.05\n  proxies:\n    - {body: tool, from: [0, 0, 0], to: [0, 0, 0], radius: 0.05}\n"
        "    - {body: post, from: [0, 0, -0.2], to: [0, 0, 0.2], radius: 0.04}\n");
  run("a");
  const holo::FramesFile frames(folder_ / "a" / "frames.bin");
  const holo::Scene& scene = frames.scene();
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const std::vector<double> places = holo::places_of(scene, frames.read(k));
    std::vector<Vector3d> points;  // of the first robot
    std::size_t first = 0;
    for (const holo::SceneBody& body : scene.bodies) {
      for (std::size_t i = first; body.kind == "collision capsule" && body.group == 0 && i < first + body.points.size(); ++i)
        points.push_back(Eigen::Map<const Vector3d>(places.data() + 3 * i));
      first += body.points.size();
    }
    const std::size_t each = 50;
    ASSERT_EQ(points.size(), 2 * each);
    Vector3d tool = Vector3d::Zero();
    for (std::size_t i = 0; i < each; ++i) tool += points[i] / double(each);
    EXPECT_NEAR(tool.norm(), 0.3, 1e-9);
    for (std::size_t i = 0; i < each; ++i) EXPECT_NEAR((points[i] - tool).norm(), 0.05, 1e-9);
    for (std::size_t i = each; i < 2 * each; ++i) {
      const Vector3d on_axis(0.6, 0, std::clamp(points[i].z(), -0.2, 0.2));
      EXPECT_NEAR((points[i] - on_axis).norm(), 0.04, 1e-9);
    }
  }
}

class RobotCollisionsBadInput : public SmallRuns {};

std::string with(const std::string& collisions) {
  return small_arm("amplitude: 0.5", "type: recorded, body: tool, design: {reach: 0.07}") + "collisions:\n" + collisions;
}

TEST_F(RobotCollisionsBadInput, ProxiesAreRefusedWhereTheyStand) {
  const std::string good =
      "  margin: 0.1\n  proxies:\n    - {body: arm, from: [0, 0, 0], to: [0.1, 0, 0], radius: 0.1}\n"
      "    - {body: tool, from: [0, 0, 0], to: [0, 0, 0], radius: 0.1}\n";
  EXPECT_HOLDS(refusal(with(good)), "no two of the proxies can meet");
  EXPECT_HOLDS(refusal(with(replaced(good, "margin: 0.1", "margin: 0"))), "collisions.margin");
  EXPECT_HOLDS(refusal(with(replaced(good, "body: arm", "body: amr"))), "arm");
  EXPECT_HOLDS(refusal(with(replaced(good, "0.1, 0, 0], radius: 0.1", "0.1, 0, 0], radius: 0"))), "radius");
  EXPECT_HOLDS(refusal(with(replaced(good, "body: tool", "body: arm"))), "two proxies named 'arm'");
  EXPECT_HOLDS(refusal(with(replaced(good, "body: arm", "bdoy: arm"))), "bdoy");
}

}  // namespace robot_collisions
}  // namespace holo_test
