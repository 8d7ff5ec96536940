// Robots that are written and read again are the same, and mechanisms become robots with the same poses.

#include "holo/sim/articulated/robot_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <random>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/articulated/joint_axes.h"
#include "holo/sim/articulated/robot_reader.h"
#include "holo/sim/mechanism/kinematics/robot_export.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {
namespace {

using Eigen::Isometry3d, Eigen::Vector3d;

constexpr double rounding = 1e-12;  // of products of some ten rotations, of lengths of about 1 m

class Random {
 public:
  double number() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  Vector3d vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  Eigen::Matrix3d rotation() {
    const double w = number(), x = number(), y = number(), z = number();
    return Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
  }
  Isometry3d pose() {
    Isometry3d pose = Isometry3d::Identity();
    pose.translation() = vector();
    pose.linear() = rotation();
    return pose;
  }

 private:
  std::mt19937_64 engine_{7};
};

// A tree of every type of joint, with masses, a coupling, an actuator and shapes. The frames stand anywhere.
ArticulatedModel every_joint(Random& random, bool with_free_root) {
  ArticulatedModel model;
  const std::vector<std::string> types = {
      with_free_root ? "free" : "fixed", "revolute", "spherical", "prismatic", "fixed", "revolute", "prismatic"};
  for (std::size_t i = 0; i < types.size(); ++i) {
    ArticulatedBody body;
    body.name = "body <" + std::to_string(i) + "> & \"more\"";
    body.parent = i == 4 ? 1 : i == 6 ? 1 : int(i) - 1;  // branches, so that nested and numbered orders differ
    body.joint.name = "joint" + std::to_string(i);
    body.joint.type = types[i];
    body.joint.frame_a = random.pose();
    if (types[i] != "free") body.joint.body_in_b = random.pose();
    if (body.joint.has_position()) body.joint.reference = random.number();
    body.mass = transformed(box_mass({0.1, 0.2, 0.3}, 1000), random.pose());
    model.bodies.push_back(body);
  }
  model.bodies[1].joint.position = {-2, 3};
  model.bodies[1].joint.damping = 0.5;
  model.couplings.push_back({"gear", {}, 5, 3, {0.3, 2, 0, 0, 0}});
  model.actuators.push_back({"motor1", "motor", {}, 1});
  CollisionShape shape;
  shape.kind = CollisionShape::Kind::cylinder;
  shape.body = 2;
  shape.pose = random.pose();
  shape.size = {0.1, 0.4, 0};
  model.shapes.push_back(shape);
  return model;
}

ArticulatedPose random_pose(const ArticulatedModel& model, Random& random) {
  ArticulatedPose pose = file_pose(model);
  for (std::size_t i = 0; i < pose.size(); ++i) {
    pose[i].coordinates[0] = random.number();
    if (model.bodies[i].joint.type == "spherical") pose[i].transform.linear() = random.rotation();
    if (model.bodies[i].joint.type == "free") pose[i].transform = random.pose();
  }
  return pose;
}

double difference(const Isometry3d& a, const Isometry3d& b) { return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff(); }

std::filesystem::path written(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / (std::to_string(getpid()) + "_" + name);
  std::ofstream(path) << text;
  return path;
}

void expect_same_bodies(const ArticulatedModel& model, const ArticulatedPose& pose, const ArticulatedModel& read,
                        const ArticulatedPose& read_pose) {
  const std::vector<Isometry3d> frames = world_frames(model, pose), read_frames = world_frames(read, read_pose);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const ArticulatedBody& body = model.bodies[i];
    const int number = read.body(body.name);
    ASSERT_GE(number, 0) << body.name;
    EXPECT_LT(difference(frames[i], read_frames[std::size_t(number)]), rounding) << body.name;
    if (!(body.mass.mass > 0)) continue;
    const MassProperties &own = body.mass, &other = read.bodies[std::size_t(number)].mass;
    EXPECT_DOUBLE_EQ(own.mass, other.mass);
    EXPECT_LT((own.second_moments - other.second_moments).cwiseAbs().maxCoeff(), 1e-11) << body.name;  // of some kg m^2
  }
}

TEST(RobotWriter, AModelWrittenAsMjcfAndReadAgainHasTheSamePosesAndMasses) {
  Random random;
  const ArticulatedModel model = every_joint(random, true);
  const ArticulatedPose pose = random_pose(model, random);
  const std::filesystem::path file = written("robot.xml", mjcf_text(model, {{"pose", pose}}));
  const ArticulatedFile rest = read_articulated(file), posed = read_articulated(file, {.keyframe = "pose"});
  expect_same_bodies(model, file_pose(model), rest.model, rest.pose);
  expect_same_bodies(model, pose, posed.model, posed.pose);
  const ArticulatedJoint& hinge = rest.model.bodies[std::size_t(rest.model.joint("joint1"))].joint;
  EXPECT_EQ(hinge.reference, model.bodies[1].joint.reference);
  EXPECT_EQ(hinge.position.minimum, -2);
  EXPECT_EQ(hinge.damping, 0.5);
  ASSERT_EQ(rest.model.couplings.size(), 1u);
  EXPECT_EQ(rest.model.couplings[0].polynomial, model.couplings[0].polynomial);
  ASSERT_EQ(rest.model.actuators.size(), 1u);
  EXPECT_EQ(rest.model.bodies[std::size_t(rest.model.actuators[0].joint)].joint.name, "joint1");
  ASSERT_EQ(rest.model.shapes.size(), 1u);
  EXPECT_LT(difference(rest.model.shapes[0].pose, model.shapes[0].pose), rounding);
  std::filesystem::remove(file);
}

TEST(RobotWriter, AModelWrittenAsUrdfAndReadAgainHasTheSamePosesAndMasses) {
  Random random;
  ArticulatedModel model = every_joint(random, false);
  ArticulatedLoop loop;
  loop.name = "rod";
  loop.locks_rotation = false;
  loop.body_a = 2;
  loop.body_b = 6;
  loop.frame_a = random.pose();
  loop.frame_b = random.pose();
  model.loops.push_back(loop);
  const ArticulatedPose pose = random_pose(model, random);
  const UrdfTexts texts = urdf_texts(model);
  const std::filesystem::path file = written("robot.urdf", texts.urdf), loops = written("loops.yaml", texts.loops);
  const ArticulatedFile read = read_articulated(file, {.loop_file = loops});
  ArticulatedPose read_pose = file_pose(read.model);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const int number = read.model.joint(model.bodies[i].joint.name);
    ASSERT_GE(number, 0);
    JointMotion& motion = read_pose[std::size_t(number)];
    motion = pose[i];
    motion.coordinates[0] += model.bodies[i].joint.reference;  // the file counts from 0
    // The link of a ball has the axes that the ball has in the model.
    EXPECT_EQ(read.model.bodies[std::size_t(number)].joint.type, model.bodies[i].joint.type);
  }
  expect_same_bodies(model, pose, read.model, read_pose);
  const std::vector<Isometry3d> frames = world_frames(read.model, read_pose), own = world_frames(model, pose);
  ASSERT_EQ(read.model.loops.size(), 1u);
  EXPECT_FALSE(read.model.loops[0].locks_rotation);
  EXPECT_LT(difference(frames[std::size_t(read.model.loops[0].body_a)] * read.model.loops[0].frame_a, own[2] * loop.frame_a),
            rounding);
  EXPECT_LT(difference(frames[std::size_t(read.model.loops[0].body_b)] * read.model.loops[0].frame_b, own[6] * loop.frame_b),
            rounding);
  // q5 - r5 = 0.3 + 2 (q3 - r3)
  const double r5 = model.bodies[5].joint.reference, r3 = model.bodies[3].joint.reference;
  ASSERT_EQ(read.model.couplings.size(), 1u);
  EXPECT_NEAR(read.model.couplings[0].polynomial[0], r5 + 0.3 - 2 * r3, rounding);
  EXPECT_EQ(read.model.actuators.size(), 1u);
  std::filesystem::remove(file);
  std::filesystem::remove(loops);
}

TEST(RobotWriter, BadInputIsAnOpenLoopAndAFreeJointBelowABodyAndACurvedCoupling) {
  Random random;
  ArticulatedModel model = every_joint(random, true);
  const auto expect_error = [](const auto& write, const std::string& text) {
    try {
      write();
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  model.couplings[0].polynomial[2] = 1;
  expect_error([&] { urdf_texts(model); }, "the coupling 'gear' is not linear");
  ArticulatedLoop loop;
  loop.name = "rod";
  loop.body_a = 2;
  loop.body_b = 6;
  model.loops.push_back(loop);
  expect_error([&] { mjcf_text(model); }, "the loop 'rod' is open by");
  model.loops.clear();
  model.bodies[4].joint.type = "free";
  expect_error([&] { mjcf_text(model); }, "the joint 'joint4' is free");
}

// An open chain of every type of joint, each also from child to parent, in a motion that the plugins' formulas give.
TEST(RobotWriter, AMechanismBecomesARobotWithTheSamePosesAtEachKnot) {
  const PluginHost plugins({HOLO_BINARY_DIR "/plugins"});
  Random random;
  const std::vector<std::string> types = {"revolute",  "prismatic", "cylindrical", "universal",
                                          "cartesian", "spherical", "fixed"};
  MechanismBuilder builder(plugins);
  std::vector<Isometry3d> rest;
  std::string parent;
  for (std::size_t i = 0; i < 2 * types.size(); ++i) {
    const std::string name = "body" + std::to_string(i), type = types[i / 2];
    rest.push_back(random.pose());
    builder.body(name, rest.back().translation(), rest.back().linear());
    const std::string &a = i % 2 == 0 ? parent : name, &b = i % 2 == 0 ? name : parent;
    builder.joint(type + std::to_string(i), type, a, b, random.vector(), random.rotation());
    parent = name;
  }
  const auto model = std::make_shared<const MechanismModel>(builder.build());
  const MechanismLayout layout(model);
  constexpr int knots = 4;
  Eigen::MatrixXd states(layout.state_count(), knots);
  std::vector<std::vector<Isometry3d>> poses;
  for (int k = 0; k < knots; ++k) {
    states.col(k) = layout.rest_state();
    std::vector<Isometry3d>& now = poses.emplace_back();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const MechanismJoint& joint = model->joints()[i];
      const std::string type = joint.type->name();
      Isometry3d place = Isometry3d::Identity(), motion = Isometry3d::Identity();
      place.translation() = joint.point;
      place.linear() = joint.axes;
      const double q[] = {1.5 * k + 0.2 * random.number(), 0.4 * random.number(), random.number()};  // the first one turns on
      const auto turn = [](double angle, int axis) {
        return Eigen::AngleAxisd(angle, Vector3d::Unit(axis)).toRotationMatrix();
      };
      if (type == "revolute") motion.linear() = turn(q[0], 0);
      if (type == "prismatic") motion.translation().x() = q[0];
      if (type == "cylindrical") motion.translation().x() = q[1], motion.linear() = turn(q[0], 0);
      if (type == "universal") motion.linear() = turn(q[0], 0) * turn(q[1], 1);
      if (type == "cartesian") motion.translation() = Vector3d(q[0], q[1], q[2]);
      if (type == "spherical") motion.linear() = random.rotation();
      if (i % 2 == 1) motion = motion.inverse();
      const Isometry3d above = i == 0 ? Isometry3d::Identity() : now[i - 1];
      const Isometry3d rest_above = i == 0 ? Isometry3d::Identity() : rest[i - 1];
      now.push_back(above * rest_above.inverse() * place * motion * place.inverse() * rest[i]);
      const Eigen::Quaterniond rotation(now[i].linear() * rest[i].linear().transpose());
      states.col(k).segment<3>(7 * Eigen::Index(i)) = now[i].translation() / model->length();
      states.col(k).segment<4>(7 * Eigen::Index(i) + 3) << rotation.w(), rotation.x(), rotation.y(), rotation.z();
    }
  }
  const ExportedRobot robot = exported_robot(*model, states);
  ASSERT_EQ(robot.poses.size(), std::size_t(knots));
  for (int k = 0; k < knots; ++k) {
    const std::vector<Isometry3d> frames = world_frames(robot.model, robot.poses[std::size_t(k)]);
    for (std::size_t i = 0; i < rest.size(); ++i)
      EXPECT_LT(difference(frames[std::size_t(robot.model.body("body" + std::to_string(i)))], poses[std::size_t(k)][i]), 1e-11)
          << "knot " << k << ", body " << i;
  }
  // Angles are unwrapped: the first hinge turns on by more than half a turn in all.
  const double first = robot.poses[0][0].coordinates[0], last = robot.poses[3][0].coordinates[0];
  EXPECT_GT(std::abs(last - first), std::numbers::pi);
}

}  // namespace
}  // namespace holo
