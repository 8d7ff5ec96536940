#include "holo/sim/mechanism/model/mechanism_files.h"

#include "holo/core/plugins/joint_plugin.h"
#include "mechanism_files_tools.h"

namespace holo::mechanism_files_tests {

using namespace mechanism_files_tools;

using Eigen::Matrix3d, Eigen::Vector3d;

namespace {

TEST(MjcfFile, NestedBodiesStandWhereTheirPosesMultiplyTo) {
  const MechanismFile file = read_mjcf(R"(<body name='a' pos='1 2 3' euler='0 0 90'>
      <body name='b' pos='1 0 0' quat='2 2 0 0'><joint name='j' pos='0 0 0.5' axis='0 3 0'/>
        <body name='c' pos='0 1 0'/></body></body>)");
  EXPECT_NEAR_VECTOR(frame(file, "b").translation(), Vector3d(1, 3, 3));
  EXPECT_NEAR_MATRIX(frame(file, "b").linear(), about(ez, quarter) * about(ex, quarter));
  EXPECT_NEAR_VECTOR(frame(file, "c").translation(), Vector3d(1, 3, 4));  // b's y shows up
  EXPECT_NEAR_VECTOR(joint(file, "j").point, Vector3d(1.5, 3, 3));        // b's z shows along the world's x
  EXPECT_NEAR_VECTOR(joint(file, "j").axes.col(0), ez);
  EXPECT_EQ(joint(file, "j").type->name(), "revolute");
  EXPECT_EQ(joint(file, "c_fixed").type->name(), "fixed");
  EXPECT_EQ(joint(file, "a_fixed").body_a, world);
  EXPECT_NEAR_VECTOR(file.model.bodies()[2].origin, Vector3d(1, 3, 4));
}

TEST(MjcfFile, EveryFormOfOrientationIsRead) {
  const auto turned = [](const std::string& orientation, const std::string& compiler = "") {
    return frame(read_mjcf("<body name='a' " + orientation + "/>", compiler), "a").linear().eval();
  };
  const Matrix3d x = about(ex, 0.3), y = about(ey, -0.7), z = about(ez, 1.1);
  EXPECT_NEAR_MATRIX(turned("euler='0.3 -0.7 1.1'", "<compiler angle='radian'/>"), x * y * z);
  EXPECT_NEAR_MATRIX(turned("euler='0.3 -0.7 1.1'", "<compiler angle='radian' eulerseq='XYZ'/>"), z * y * x);
  EXPECT_NEAR_MATRIX(turned("euler='1.1 -0.7 0.3'", "<compiler angle='radian' eulerseq='zyx'/>"), z * y * x);
  EXPECT_NEAR_MATRIX(turned("euler='0.3 1.1 -0.7'", "<compiler angle='radian' eulerseq='xZy'/>"), z * x * y);
  EXPECT_NEAR_MATRIX(turned("axisangle='0 0 2 90'"), about(ez, quarter));
  EXPECT_NEAR_MATRIX(turned("axisangle='0 0 2 1.1'", "<compiler angle='radian'/>"), z);
  EXPECT_NEAR_MATRIX(turned("xyaxes='0 2 0 -1 5 0'"), about(ez, quarter));
  EXPECT_NEAR_MATRIX(turned("zaxis='0 3 0'"), about(ex, -quarter));
  EXPECT_NEAR_MATRIX(turned("zaxis='0 0 -1'"), about(ex, 2 * quarter));
  EXPECT_NEAR_MATRIX(turned("quat='0 0 0 -3'"), about(ez, 2 * quarter));
}

TEST(MjcfFile, FramesPlaceWhatTheyHold) {
  const MechanismFile file = read_mjcf(R"(<frame pos='0 0 1' euler='0 0 90'>
      <body name='a' pos='1 0 0'><frame pos='0 0 1' euler='90 0 0'><joint name='j' pos='0 0 1' axis='0 0 1'/></frame></body></frame>)");
  EXPECT_NEAR_VECTOR(frame(file, "a").translation(), Vector3d(0, 1, 1));
  EXPECT_NEAR_VECTOR(joint(file, "j").point, Vector3d(1, 1, 2));  // (0, -1, 1) of the body, whose x is the world's y
  EXPECT_NEAR_VECTOR(joint(file, "j").axes.col(0), ex);
}

TEST(MjcfFile, JointsTakeWhatTheirClassesSay) {
  const MechanismFile file = read_mjcf(R"(<body name='a' childclass='outer'><joint name='ja'/>
      <body name='b'><joint name='jb' class='inner'/>
      <body name='c' childclass='inner'><joint name='jc' axis='0 0 1'/>
      <body name='d'><joint name='jd' class='main'/></body></body></body>
      <body name='e'><joint name='je'/></body><frame childclass='inner'><body name='f'><joint name='jf'/></body></frame></body>)",
                                       R"(<default><joint axis='1 1 0'/>
      <default class='outer'><joint axis='0 1 0' pos='0 0 2'/><default class='inner'><joint type='slide'/></default></default>
      </default>)");
  EXPECT_NEAR_VECTOR(joint(file, "ja").axes.col(0), ey);
  EXPECT_NEAR_VECTOR(joint(file, "ja").point, Vector3d(0, 0, 2));
  EXPECT_EQ(joint(file, "ja").type->name(), "revolute");
  EXPECT_EQ(joint(file, "jb").type->name(), "prismatic");
  EXPECT_NEAR_VECTOR(joint(file, "jb").axes.col(0), ey);
  EXPECT_EQ(joint(file, "jc").type->name(), "prismatic");
  EXPECT_NEAR_VECTOR(joint(file, "jc").axes.col(0), ez);
  EXPECT_NEAR_VECTOR(joint(file, "je").axes.col(0), ey);
  EXPECT_EQ(joint(file, "jf").type->name(), "prismatic");
  EXPECT_NEAR_VECTOR(joint(file, "jd").axes.col(0), Vector3d(1, 1, 0).normalized());
}

TEST(MjcfFile, SeveralJointsOfABodyAreAChain) {
  const MechanismFile file = read_mjcf(R"(<body name='a' pos='0 0 1'><joint name='x' axis='1 0 0' type='slide'/>
      <joint name='y' axis='0 1 0' pos='0 0 1'/><joint type='ball'/></body>)");
  ASSERT_EQ(file.model.bodies().size(), 3u);
  EXPECT_EQ(file.model.bodies()[0].name, "x_link");
  EXPECT_EQ(file.model.bodies()[1].name, "y_link");
  EXPECT_EQ(file.model.bodies()[2].name, "a");
  EXPECT_EQ(joint(file, "y").body_a, 0);
  EXPECT_EQ(joint(file, "y").body_b, 1);
  EXPECT_NEAR_VECTOR(joint(file, "y").point, Vector3d(0, 0, 2));
  EXPECT_EQ(joint(file, "a_joint3").type->name(), "spherical");
  EXPECT_EQ(joint(file, "a_joint3").body_b, 2);
}

TEST(MjcfFile, NamelessBodiesGetNamesThatTheFileDoesNotUse) {
  const MechanismFile file = read_mjcf("<body><joint/><body name='body3'/><body/></body>");
  EXPECT_EQ(file.model.body("body1"), 0);
  EXPECT_EQ(file.model.body("body3"), 1);
  EXPECT_EQ(file.model.body("body3_"), 2);
  EXPECT_EQ(file.model.joint("body1_joint"), 0);
}

const char* const two_hinges = R"(<body name='a' pos='0 0 1'><joint name='first' axis='0 1 0'/>
      <body name='b' pos='1 0 0'><joint name='second' axis='0 1 0' ref='90'/>
      <body name='c' pos='1 0 0'/></body></body>)";

TEST(MjcfFile, PositionsCountFromTheReference) {
  EXPECT_NEAR_VECTOR(frame(read_mjcf(two_hinges), "c").translation(), Vector3d(2, 0, 1));
  // The first turns its x down, the second by (180 - 90) degrees more: back along -x.
  const MechanismFile file = read_mjcf(two_hinges, "", {.positions = {{"first", quarter}, {"second", 2 * quarter}}});
  EXPECT_NEAR_VECTOR(frame(file, "b").translation(), Vector3d(0, 0, 0));
  EXPECT_NEAR_VECTOR(frame(file, "c").translation(), Vector3d(-1, 0, 0));
  EXPECT_DOUBLE_EQ(file.positions.at("second"), 2 * quarter);
  const MechanismFile key = read_mjcf(
      two_hinges, "<keyframe><key name='k' qpos='1.5707963267948966 3.1415926535897931'/></keyframe>", {.keyframe = "k"});
  EXPECT_NEAR_VECTOR(frame(key, "c").translation(), Vector3d(-1, 0, 0));
}

TEST(MjcfFile, KeyframesPlaceFreeRootsAndBalls) {
  const MechanismFile file = read_mjcf(R"(<body name='a' pos='5 5 5' euler='10 20 30'><freejoint name='root'/>
      <body name='b' pos='1 0 0'><joint name='ball' type='ball' pos='-1 0 0'/></body></body>)",
                                       "<keyframe><key name='k' qpos='0 0 2 1 0 0 1 1 0 -1 0'/></keyframe>", {.keyframe = "k"});
  EXPECT_NEAR_VECTOR(frame(file, "a").translation(), Vector3d(0, 0, 2));
  EXPECT_NEAR_MATRIX(frame(file, "a").linear(), about(ez, quarter));
  EXPECT_NEAR_VECTOR(frame(file, "b").translation(), Vector3d(0, 0, 3));  // the ball's anchor is at (0, 0, 2), one below
}

TEST(MjcfFile, AFreeRootIsGroundedOrFreeOrReplaced) {
  const char* const robot =
      R"(<body name='trunk'><freejoint name='root'/><body name='foot' pos='0 0 -1'><joint name='j'/></body></body>)";
  const MechanismFile grounded = read_mjcf(robot);
  EXPECT_EQ(joint(grounded, "trunk_ground").type->name(), "fixed");
  EXPECT_EQ(grounded.model.joints().size(), 2u);
  const MechanismFile left_free = read_mjcf(robot, "", {.root = MechanismFileOptions::Root::free});
  EXPECT_EQ(joint(left_free, "root").type->name(), "free");
  EXPECT_EQ(left_free.model.joints().size(), 2u);
  const MechanismFile on_foot = read_mjcf(robot, "", {.ground = "foot"});
  EXPECT_EQ(joint(on_foot, "foot_ground").body_b, on_foot.model.body("foot"));
  EXPECT_EQ(on_foot.model.joints().size(), 2u);
}

TEST(MjcfFile, ActuatorsAndOptionsGiveRoles) {
  const std::string motors = "<actuator><motor joint='second'/><position joint='second'/></actuator>";
  const MechanismFile file = read_mjcf(two_hinges, motors, {.configurable = {"first"}});
  EXPECT_EQ(joint(file, "second").role, JointRole::actuator);
  EXPECT_EQ(joint(file, "first").role, JointRole::configurable);
  EXPECT_EQ(joint(file, "c_fixed").role, JointRole::passive);
  const MechanismFile other =
      read_mjcf(two_hinges, "<actuator><muscle tendon='t'/></actuator>", {.actuators = std::vector<std::string>{"first"}});
  EXPECT_EQ(joint(other, "first").role, JointRole::actuator);
  EXPECT_EQ(joint(other, "second").role, JointRole::passive);
}

TEST(MjcfFile, IncludesStandWhereTheyAre) {
  const Folder folder;
  folder.write("parts.xml", "<mujoco><body name='b' pos='0 1 0'><include file='joint.xml'/></body></mujoco>");
  folder.write("joint.xml", "<mujocoinclude><joint name='j' class='up'/></mujocoinclude>");
  folder.write("classes.xml", "<mujoco><default><default class='up'><joint axis='0 1 0'/></default></default></mujoco>");
  const auto path = folder.write(
      "robot.xml", mjcf("<body name='a' pos='1 0 0'><include file='./parts.xml'/></body>", "<include file='classes.xml'/>"));
  const MechanismFile file = read_mechanism(path, plugins());
  EXPECT_NEAR_VECTOR(joint(file, "j").point, Vector3d(1, 1, 0));
  EXPECT_NEAR_VECTOR(joint(file, "j").axes.col(0), ey);
}

// A square of side 1 in the plane of x and z, four hinges about y, the last one left to an equality.
std::string square(const std::string& equality) {
  return mjcf(R"(<body name='a'><joint name='pa' axis='0 1 0'/><body name='b' pos='0 0 1'><joint name='pb' axis='0 1 0'/>
      <body name='c' pos='1 0 0'><joint name='pc' axis='0 1 0'/><site name='end' pos='0 0 -1'/></body></body></body>
      <frame pos='1 0 0'><site name='pivot' pos='0 0 0.000002'/></frame>)",
              "<equality>" + equality + "</equality>");
}

TEST(MjcfFile, ConnectClosesALoopByABall) {
  const MechanismFile file = read_text("r.xml", square("<connect name='loop' body1='c' anchor='0 0 -1'/>"));
  EXPECT_EQ(file.model.loop_count(), 1);
  EXPECT_EQ(joint(file, "loop").type->name(), "spherical");
  EXPECT_EQ(joint(file, "loop").body_a, file.model.body("c"));
  EXPECT_EQ(joint(file, "loop").body_b, world);
  EXPECT_NEAR_VECTOR(joint(file, "loop").point, Vector3d(1, 0, 0));
  EXPECT_EQ(file.loops.at(0).name, "loop");
  EXPECT_LT(file.loops[0].gap, 1e-15);
}

TEST(MjcfFile, SitesCloseALoopWithinTheTolerance) {
  const MechanismFile file = read_text("r.xml", square("<connect site1='end' site2='pivot'/>"));
  EXPECT_NEAR(file.loops.at(0).gap, 2e-6, 1e-15);
  EXPECT_EQ(file.loops[0].name, "connect1");
  EXPECT_NEAR_VECTOR(joint(file, "connect1").point, Vector3d(1, 0, 1e-6));  // in the middle
}

TEST(MjcfFile, WeldLocksThePoseOfTheFileOrTheGivenOne) {
  const MechanismFile file = read_text("r.xml", square("<weld body1='a' body2='c' anchor='0 0 -1'/>"));
  EXPECT_EQ(joint(file, "weld1").type->name(), "fixed");
  EXPECT_NEAR_VECTOR(joint(file, "weld1").point, Vector3d(1, 0, 0));
  EXPECT_EQ(file.loops[0].gap, 0);
  const MechanismFile given = read_text("r.xml", square("<weld body1='a' body2='c' relpose='1 0 1 2 0 0 0'/>"));
  EXPECT_LT(given.loops[0].gap, 1e-15);
  const MechanismFile turned = read_text("r.xml", square("<weld body1='a' body2='c' relpose='1 0 1 1 0 0.000001 0'/>"));
  EXPECT_NEAR(turned.loops[0].angle, 2e-6, 1e-15);  // twice the half angle's tangent
}

TEST(MjcfFile, InactiveAndLeftOutEqualitiesAreNoLoops) {
  EXPECT_EQ(read_text("r.xml", square("<connect active='false' body1='c' anchor='0 0 7'/>")).model.loop_count(), 0);
  EXPECT_EQ(
      read_text("r.xml", square("<joint name='gear' joint1='pa' joint2='pb'/>"), {.left_out = {"gear"}}).model.loop_count(), 0);
}

}  // namespace
}  // namespace holo::mechanism_files_tests
