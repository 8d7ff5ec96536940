// Capsules of a robot that are kept apart.
#include <Eigen/Core>
#include <algorithm>

#include "holo/study/frames_file.h"
#include "holo/study/study.h"
#include "small_arm.h"

namespace holo_test {
namespace robot_collisions {

using Eigen::Vector3d;
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
