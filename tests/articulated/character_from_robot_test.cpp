// Characters from robots' models: frames, masses and rest poses are the files'.
#include "holo/sim/articulated/dynamics/character_from_robot.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "character_samples.h"
#include "holo/sim/articulated/robot_reader.h"
#include "refusal_message.h"

namespace holo::articulated::character_from_robot_tests {

using namespace test;
using holo::test::message;

Eigen::Isometry3d turned(double x, double y, double z, double angle) {
  return Eigen::Translation3d(x, y, z) * Eigen::AngleAxisd(angle, Eigen::Vector3d(1, -2, 3).normalized());
}

ArticulatedBody body(const std::string& name, int parent, const std::string& type) {
  ArticulatedBody result;
  result.name = name;
  result.parent = parent;
  result.joint.name = name + "_joint";
  result.joint.type = type;
  result.joint.frame_a = turned(0.1, -0.2, 0.3, 0.4);
  result.joint.body_in_b = turned(-0.3, 0.1, 0.2, -0.7);
  result.mass = transformed(box_mass({0.1, 0.2, 0.15}, 1000), turned(0.05, 0.1, -0.1, 0.9));
  result.source = {{"robot.xml", 3, 5}, "<body name='" + name + "'>"};
  return result;
}

// A free root with joints of all kinds, fixed ones between.
ArticulatedModel robot_of_all_joints() {
  ArticulatedModel robot;
  robot.file = "robot.xml";
  robot.bodies = {body("trunk", -1, "free"),      body("plate", 0, "fixed"),      body("thigh", 1, "revolute"),
                  body("slider", 2, "prismatic"), body("cardan", 3, "universal"), body("head", 1, "spherical"),
                  body("nose", 5, "fixed")};
  return robot;
}

ArticulatedPose random_pose(const ArticulatedModel& robot, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-0.8, 0.8);
  ArticulatedPose pose = file_pose(robot);
  for (std::size_t i = 0; i < pose.size(); ++i) {
    pose[i].coordinates = {draw(random), draw(random)};
    pose[i].transform = turned(draw(random), draw(random), draw(random), draw(random));
    if (robot.bodies[i].joint.type == "spherical") pose[i].transform.translation().setZero();
  }
  return pose;
}

double largest_difference(const CharacterModel& character, const CharacterPose& pose,
                          const std::vector<Eigen::Isometry3d>& frames) {
  StateMemory<double> state(character);
  state.set(character, pose);
  double largest = character.bodies().size() == frames.size() ? 0 : 1e300;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const BodyFrame& body = character.bodies()[i];
    const RigidFrame<double> frame = body.dof < 0 ? body.placement : state.frames[std::size_t(body.dof)] * body.placement;
    const RigidFrame<double> expected = rigid_frame(frames[i]);
    largest = std::max(largest, norm(frame.origin - expected.origin));
    for (int k = 0; k < 9; ++k) largest = std::max(largest, std::abs(frame.rotation[k] - expected.rotation[k]));
  }
  return largest;
}

TEST(CharacterFromRobot, StandsInThePoseOfTheFile) {
  const ArticulatedModel robot = robot_of_all_joints();
  for (const BaseChart chart : {BaseChart::fixed, BaseChart::planar, BaseChart::euler, BaseChart::rotation_vector})
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const ArticulatedPose pose = random_pose(robot, seed);
      const CharacterModel character = character_from_robot(robot, pose, {{chart, "zyx"}});
      EXPECT_LT(largest_difference(character, character.rest(), world_frames(robot, pose)), 1e-14) << int(chart);
      const int base[] = {0, 3, 6, 6};
      const double fixed = chart == BaseChart::fixed ? robot.bodies[0].mass.mass + robot.bodies[1].mass.mass : 0;
      EXPECT_EQ(character.dof_count(), base[int(chart)] + 1 + 1 + 2 + 3);
      EXPECT_NEAR(character.total_mass(), robot.total_mass() - fixed, 1e-12);
    }
}

// Coordinates count as those of the file.
TEST(CharacterFromRobot, MovesItsJointsAsTheFileDoes) {
  const ArticulatedModel robot = robot_of_all_joints();
  ArticulatedPose pose = random_pose(robot, 1);
  const CharacterModel character = character_from_robot(robot, pose);
  CharacterPose moved = character.rest();
  const auto set = [&](const char* name, double value) { moved.coordinates[std::size_t(character.dof(name))] = value; };
  pose[2].coordinates[0] = 0.9;
  set("thigh_joint", 0.9);
  pose[3].coordinates[0] = -0.2;
  set("slider_joint", -0.2);
  pose[4].coordinates = {0.3, -1.1};
  set("cardan_joint_x", 0.3);
  set("cardan_joint_y", -1.1);
  EXPECT_LT(largest_difference(character, moved, world_frames(robot, pose)), 1e-14);
}

// Forces of weights are the derivatives of the height of the center of mass, here by differences.
TEST(CharacterFromRobot, HasTheMassesOfTheFile) {
  const ArticulatedModel robot = robot_of_all_joints();
  ArticulatedPose pose = random_pose(robot, 2);
  const CharacterModel character = character_from_robot(robot, pose);
  const CharacterPose& rest = character.rest();
  const Eigen::VectorXd forces = residual(character, {}, {rest, rest, rest});
  const auto height_slope = [&](double& coordinate) {
    const double kept = coordinate, step = 1e-5;
    coordinate = kept + step;
    const double above = total_mass_properties(robot, pose).center.z();
    coordinate = kept - step;
    const double below = total_mass_properties(robot, pose).center.z();
    coordinate = kept;
    return (above - below) / (2 * step);
  };
  const double weight = robot.total_mass() * 9.81;
  for (const auto& [name, coordinate] : {std::pair<const char*, double*>{"thigh_joint", &pose[2].coordinates[0]},
                                         {"slider_joint", &pose[3].coordinates[0]},
                                         {"cardan_joint_x", &pose[4].coordinates[0]},
                                         {"cardan_joint_y", &pose[4].coordinates[1]}}) {
    const double slope = height_slope(*coordinate);
    EXPECT_GT(std::abs(weight * slope), 1e-3) << name;
    EXPECT_NEAR(forces[character.dof(name)], weight * slope, 1e-7 * weight) << name;
  }
}

TEST(CharacterFromRobot, TakesLimitsSpringsAndContactPoints) {
  ArticulatedModel robot;
  robot.file = "robot.xml";
  robot.bodies = {body("trunk", -1, "free"), body("thigh", 0, "revolute"), body("head", 0, "spherical")};
  ArticulatedJoint& joint = robot.bodies[1].joint;
  joint.reference = 0.25;
  joint.position = {-0.5, 1.5};
  joint.stiffness = 3;
  joint.spring_reference = 0.75;
  joint.damping = 0.5;
  joint.armature = 0.01;
  joint.friction = 0.1;
  robot.bodies[2].joint.position = {0, 0.9};
  using Kind = CollisionShape::Kind;
  for (const Kind kind : {Kind::sphere, Kind::capsule, Kind::cylinder, Kind::box, Kind::mesh, Kind::plane}) {
    CollisionShape shape;
    shape.kind = kind;
    shape.name = "shape";
    shape.body = kind == Kind::plane ? -1 : 1;
    shape.size = {0.1, 0.3, 0.2};
    if (kind == Kind::mesh) shape.mesh = "package://meshes/thigh.stl";
    robot.shapes.push_back(shape);
  }
  const CharacterModel character = character_from_robot(robot, file_pose(robot), {.limit_weight = 50});
  const DegreeOfFreedom& thigh = character.dofs()[std::size_t(character.dof("thigh_joint"))];
  EXPECT_EQ(thigh.lower, -0.75);
  EXPECT_EQ(thigh.upper, 1.25);
  EXPECT_EQ(thigh.limit_weight, 50);
  EXPECT_EQ(thigh.spring_reference, 0.5);
  EXPECT_EQ(thigh.stiffness, 3);
  EXPECT_EQ(thigh.damping, 0.5);
  EXPECT_EQ(thigh.armature, 0.01);
  EXPECT_EQ(character.data().charts[1].cone, 0.9);
  EXPECT_EQ(character.data().charts[1].cone_weight, 50);
  ASSERT_EQ(character.contact_points().size(), 1u + 2 + 2 + 8);
  const ContactPoint &capsule = character.contact_points()[1], &other = character.contact_points()[2];
  EXPECT_NEAR(norm(capsule.center - other.center), 0.6, 1e-15);
  EXPECT_NEAR(norm(character.contact_points()[3].center - character.contact_points()[4].center), 0.4, 1e-15);
  EXPECT_EQ(character.contact_points()[5].radius, 0);
  // Solids to draw: all but the mesh and the plane, where the contact points are.
  ASSERT_EQ(character.shapes().size(), 4u);
  EXPECT_EQ(character.shapes()[1].owner, "thigh");
  const Eigen::Vector3d end = character.shapes()[1].pose * Eigen::Vector3d(0, 0, -0.3);
  EXPECT_LT((end - Eigen::Vector3d(capsule.center[0], capsule.center[1], capsule.center[2])).norm(), 1e-15);
  EXPECT_EQ(character.notes(), (std::vector<std::string>{
                                   "joint 'thigh_joint': its dry friction is not modeled",
                                   "the shape 'shape' does not touch obstacles: its mesh meshes/thigh.stl is no OBJ file; "
                                   "convert it",
                                   "the shape 'shape' does not move: it is no part of the character, give it as an obstacle"}));
  EXPECT_EQ(character.actuated().size(), 4u);
  robot.actuators.push_back({"motor", "motor", {}, 1, 1, {}, {}});
  EXPECT_EQ(character_from_robot(robot, file_pose(robot)).actuated(), std::vector<int>{character.dof("thigh_joint")});
}

// A box in a file, scaled by the robot's: its corners.
TEST(CharacterFromRobot, TakesTheExtremeVerticesOfMeshes) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("meshes_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "parts");
  std::ofstream file(folder / "parts/box.obj");
  for (int corner = 0; corner < 8; ++corner)
    file << "v " << (corner & 1) << ' ' << (corner >> 1 & 1) << ' ' << (corner >> 2 & 1) << '\n';
  file << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
  file.close();
  ArticulatedModel robot;
  robot.file = (folder / "robot.urdf").string();
  robot.bodies = {body("trunk", -1, "free")};
  CollisionShape shape;
  shape.kind = CollisionShape::Kind::mesh;
  shape.name = "part";
  shape.body = 0;
  shape.size = {0.1, -0.2, 0.3};
  shape.pose = turned(1, 2, 3, 0.5);
  shape.mesh = "package://parts/box.obj";
  robot.shapes = {shape};
  const CharacterModel character = character_from_robot(robot, file_pose(robot));
  EXPECT_TRUE(character.notes().empty());
  ASSERT_EQ(character.contact_points().size(), 8u);
  const RigidFrame<double>& placement = character.bodies()[0].placement;
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d place =
        shape.pose * Eigen::Vector3d(0.1 * (corner & 1), -0.2 * (corner >> 1 & 1), 0.3 * (corner >> 2 & 1));
    const Vector3<double> expected = placement * Vector3<double>{place[0], place[1], place[2]};
    EXPECT_LT(norm(character.contact_points()[std::size_t(corner)].center - expected), 1e-15);
    EXPECT_EQ(character.contact_points()[std::size_t(corner)].radius, 0);
  }
  robot.shapes[0].mesh = "parts/cone.obj";
  EXPECT_EQ(character_from_robot(robot, file_pose(robot)).notes(),
            (std::vector<std::string>{"the shape 'part' does not touch obstacles: its mesh " +
                                      (folder / "parts/cone.obj").string() + " does not exist"}));
  robot.file = "elsewhere.urdf";
  robot.shapes[0].mesh = "box.obj";
  EXPECT_EQ(character_from_robot(robot, file_pose(robot), {.mesh_folder = folder / "parts"}).contact_points().size(), 8u);
  std::filesystem::remove_all(folder);
}

TEST(CharacterFromRobotBadInput, NamesLoopsCouplingsAndFreeJoints) {
  ArticulatedModel robot = robot_of_all_joints();
  robot.loops.push_back({"closing", {{"robot.xml", 7, 9}, "<connect>"}, true, 2, 5, {}, {}});
  const auto convert = [&] { character_from_robot(robot, file_pose(robot)); };
  EXPECT_EQ(message(convert), "robot.xml:7:9: <connect>: it closes a loop, and a character is a tree; leave the loop out");
  robot.loops[0].body_a = robot.loops[0].body_b = -1;
  EXPECT_EQ(message(convert), "nothing was thrown");
  robot.couplings.push_back({"gear", {{"robot.xml", 8, 2}, "<joint>"}, 2, 3, {0, 1, 0, 0, 0}});
  EXPECT_EQ(message(convert),
            "robot.xml:8:2: <joint>: it couples joints, and the joints of a character are independent; remove it");
  robot.couplings.clear();
  robot.bodies[2].joint.type = "free";
  robot.bodies[2].joint.source = {{"robot.xml", 4, 1}, "<freejoint>"};
  EXPECT_EQ(message(convert),
            "robot.xml:4:1: <freejoint>: only the first body, on the world, may have a free joint in a character");
}

#ifdef HOLO_DATA_DIR
// Robots that others published: their frames at rest and their Jacobians.
TEST(CharacterFromRobot, ReadsPublishedRobots) {
  const std::filesystem::path robots = std::filesystem::path(HOLO_DATA_DIR) / "robots";
  const std::vector<std::pair<const char*, int>> files{{"mjcf/ant.xml", 8},
                                                       {"mjcf/humanoid.xml", 27},
                                                       {"mjcf/dm_suite/hopper.xml", 7},
                                                       {"mjcf/dm_suite/walker.xml", 9},
                                                       {"mjcf/dm_suite/cheetah.xml", 9},
                                                       {"urdf/solo12.urdf", 18}};
  for (const auto& [file, count] : files) {
    const ArticulatedFile robot = read_articulated(robots / file);
    const CharacterModel character = character_from_robot(robot.model, robot.pose);
    EXPECT_EQ(character.dof_count(), count) << file;
    EXPECT_LT(largest_difference(character, character.rest(), world_frames(robot.model, robot.pose)), 1e-13) << file;
    const ThreePoses poses = three_poses(character, 1, 0.2, 0.05, false);
    for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid}) {
      StepConstants step;
      step.inertia = inertia;
      const ThreeJacobians closed = closed_form(character, step, poses), complex = by_complex_step(character, step, poses);
      for (int s = 0; s < 3; ++s) EXPECT_LT(relative_difference(closed.D[s], complex.D[s]), 1e-12) << file;
    }
  }
}
#endif

}  // namespace holo::articulated::character_from_robot_tests
