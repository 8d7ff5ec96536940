// What articulated models hold of robots' files beside their kinematics: masses by closed forms, shapes, limits, actuators.
#include <numbers>

#include "holo/core/error.h"
#include "holo/sim/articulated/joint_axes.h"
#include "holo/sim/articulated/robot_reader.h"
#include "mechanism_files_tools.h"

namespace holo::articulated_model_tests {

using namespace mechanism_files_tools;
using std::numbers::pi;

ArticulatedModel articulated(const std::string& name, const std::string& text) {
  const Folder folder;
  return read_articulated(folder.write(name, text)).model;
}
ArticulatedModel of_mjcf(const std::string& worldbody, const std::string& other = "") {
  return articulated("r.xml", mjcf(worldbody, other));
}
const ArticulatedBody& body_of(const ArticulatedModel& model, const std::string& name) {
  return model.bodies[std::size_t(model.body(name))];
}

TEST(ArticulatedModel, AnAxisOfAnyLengthIsADirection) {
  for (const double length : {1e-9, 1.0, 1e308}) {
    const Eigen::Matrix3d axes = axes_along({length, 0, length});
    EXPECT_LT((axes.col(0) - Eigen::Vector3d(1, 0, 1).normalized()).norm(), 1e-15) << length;
    EXPECT_LT((axes.transpose() * axes - Eigen::Matrix3d::Identity()).norm(), 1e-15) << length;
  }
  EXPECT_THROW(axes_along({INFINITY, 0, 0}), Error);
}

TEST(ArticulatedModel, MassesOfGeomsAreClosedForms) {
  const ArticulatedModel model = of_mjcf(
      "<body name='a'><joint/><geom type='capsule' fromto='0 0 -.3 0 0 .3' size='.1'/></body>"
      "<body name='b' childclass='light'><geom size='.2' pos='1 0 0'/><geom size='.2' pos='-1 0 0'/></body>"
      "<body name='c'><geom type='box' size='.1 .2 .3' mass='2' euler='0 0 90'/><geom type='cylinder' size='1 1' "
      "mass='0'/></body>"
      "<body name='d'><geom size='.1'/><inertial pos='1 2 3' mass='4' fullinertia='3 2 1.5 0 0 .5'/></body>",
      "<default><default class='light'><geom density='10'/></default></default>");
  // pi r^2 (2 h + 4/3 r), and about its axis m_c r^2/2 + m_s 2/5 r^2
  const double cylinder = 1000 * pi * 0.01 * 0.6, ends = 1000 * 4 / 3.0 * pi * 0.001;
  const MassProperties a = body_of(model, "a").mass, b = body_of(model, "b").mass, c = body_of(model, "c").mass;
  EXPECT_NEAR(a.mass, cylinder + ends, 1e-12);
  EXPECT_NEAR(a.inertia()(2, 2), cylinder * 0.005 + ends * 0.004, 1e-13);
  // two balls of 10 kg/m^3 at distance 1: across 2 m (2/5 r^2 + 1)
  const double ball = 10 * 4 / 3.0 * pi * 0.008;
  EXPECT_NEAR(b.mass, 2 * ball, 1e-13);
  EXPECT_NEAR(b.inertia()(2, 2), 2 * ball * (0.4 * 0.04 + 1), 1e-13);
  EXPECT_NEAR(c.mass, 2, 1e-15);
  EXPECT_NEAR(c.inertia()(1, 1), 2.0 / 3 * (0.04 + 0.09), 1e-14) << "turned by 90 degrees: the half size along x is 0.2";
  const MassProperties d = body_of(model, "d").mass;
  EXPECT_EQ(d.mass, 4) << "an inertial comes before geoms";
  EXPECT_EQ(d.center, Eigen::Vector3d(1, 2, 3));
  EXPECT_NEAR(d.inertia()(1, 2), 0.5, 1e-15);
  EXPECT_NEAR(d.inertia()(0, 0), 3, 1e-15);
}

TEST(ArticulatedModel, TheCompilersSettingsChangeMasses) {
  const std::string bodies =
      "<body name='a'><geom size='.1' group='1'/><inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/></body>"
      "<body name='b'><geom size='.1' group='2'/></body>";
  EXPECT_NEAR(of_mjcf(bodies, "<compiler settotalmass='14'/>").total_mass(), 14, 1e-14);
  const ArticulatedModel geoms = of_mjcf(bodies, "<compiler inertiafromgeom='true' inertiagrouprange='1 1'/>");
  EXPECT_NEAR(body_of(geoms, "a").mass.mass, 4 / 3.0 * pi, 1e-14);
  EXPECT_EQ(body_of(geoms, "b").mass.mass, 0);
}

TEST(ArticulatedModel, BoundsHoldForEachBodyOfTheFile) {
  const ArticulatedModel model = of_mjcf(
      "<body name='a'/><body name='b'><joint name='x' type='slide'/><joint/>"
      "<inertial pos='0 0 0' euler='0 0 45' mass='3' diaginertia='1 2 2.5'/></body>",
      "<compiler boundmass='.5' boundinertia='2.2'/>");
  EXPECT_EQ(body_of(model, "a").mass.mass, .5);
  EXPECT_NEAR_MATRIX(body_of(model, "a").mass.inertia(), 2.2 * Eigen::Matrix3d::Identity());
  EXPECT_EQ(body_of(model, "x_link").mass.mass, 0) << "the file has no such body";
  EXPECT_EQ(body_of(model, "b").mass.mass, 3);
  EXPECT_NEAR_MATRIX(body_of(model, "b").mass.inertia(), Eigen::Vector3d(2.2, 2.2, 2.5).asDiagonal().toDenseMatrix());
}

TEST(ArticulatedModel, AShellHasNoMassAndANote) {
  const ArticulatedModel model =
      of_mjcf("<body name='a'><geom size='.1' shellinertia='true'/><geom size='.1' mass='2'/></body>");
  EXPECT_EQ(body_of(model, "a").mass.mass, 2);
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_EQ(model.notes[0].text, "the mass of the body 'a' is without that of a shell ('shellinertia')");
}

TEST(ArticulatedModel, DefaultsHoldForMeshesSitesThatTieBodiesAndAllActuators) {
  const ArticulatedModel model = of_mjcf(
      "<site name='fixed'/><body name='a' childclass='side'><joint name='j'/><site name='tip'/>"
      "<geom type='mesh' mesh='hull'/></body>",
      "<default><mesh scale='2 3 4'/><motor gear='7'/><default class='side'><site pos='1 2 3' euler='0 0 90'/></default>"
      "</default><asset><mesh name='hull' file='hull.stl'/></asset><equality><weld site1='fixed' site2='tip'/></equality>"
      "<actuator><position joint='j'/></actuator>");
  EXPECT_EQ(model.shapes.at(0).size, Eigen::Vector3d(2, 3, 4));
  EXPECT_NEAR_VECTOR(model.loops.at(0).frame_b.translation(), Eigen::Vector3d(1, 2, 3));
  EXPECT_NEAR_MATRIX(model.loops[0].frame_b.linear(), about(ez, quarter));
  EXPECT_EQ(model.actuators.at(0).gear, 7);
  EXPECT_EQ(model.actuators[0].kind, "position");
}

TEST(ArticulatedModel, ARelposeIsOfTheAnchorInTheFirstBody) {
  const ArticulatedLoop loop =
      of_mjcf("<body name='a'/><body name='b'/>",
              "<equality><weld body1='a' body2='b' anchor='0 0 -1' relpose='1 2 3 1 0 0 1'/></equality>")
          .loops.at(0);
  EXPECT_NEAR_VECTOR(loop.frame_a.translation(), Eigen::Vector3d(1, 2, 3));
  EXPECT_NEAR_MATRIX(loop.frame_a.linear(), about(ez, quarter));
  EXPECT_NEAR_VECTOR(loop.frame_b.translation(), Eigen::Vector3d(0, 0, -1));
  EXPECT_NEAR_MATRIX(loop.frame_b.linear(), Eigen::Matrix3d::Identity());
}

TEST(ArticulatedModel, ARangeCountsWhereItSaysSoOrItsNumbersAscend) {
  const auto hip = [](const std::string& joint, const std::string& compiler = "") {
    return of_mjcf("<body name='a'><joint name='hip' type='slide' " + joint + "/></body>", compiler).bodies.at(0).joint;
  };
  const double none = std::numeric_limits<double>::infinity();
  EXPECT_EQ(hip("range='1 2'").position.maximum, 2);
  EXPECT_EQ(hip("range='1 2' limited='auto'", "<compiler autolimits='false'/>").position.maximum, none);
  EXPECT_EQ(hip("range='0 0'").position.maximum, none);
  EXPECT_EQ(hip("range='0 0' limited='true'").position.maximum, 0);
  EXPECT_EQ(hip("actuatorfrcrange='0 0'").effort, none);
  EXPECT_EQ(hip("actuatorfrcrange='-3 2'").effort, 3);
  const ArticulatedModel model = of_mjcf("<body><joint name='j' range='2 1'/></body>",
                                         "<actuator><motor joint='j' ctrlrange='0 0' forcerange='-1 1'/></actuator>");
  EXPECT_EQ(model.bodies.at(0).joint.position.minimum, -none);
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_EQ(model.notes[0].text, "'range' is not read: 2 is not below 1, and 'limited' is not true");
  EXPECT_EQ(model.actuators.at(0).control.maximum, none);
  EXPECT_EQ(model.actuators[0].force.maximum, 1);
}

TEST(ArticulatedModel, ShapesSitesLimitsAndActuatorsOfMjcfAreRead) {
  const ArticulatedModel model = of_mjcf(
      "<geom name='floor' type='plane' size='0 0 1'/><body name='a'>"
      "<joint name='hip' range='-90 45' damping='.5' armature='.1' stiffness='7' springref='10' frictionloss='.2'/>"
      "<geom name='rod' type='capsule' fromto='1 0 0 3 0 0' size='.1' friction='.4 .1 .1' contype='0' conaffinity='0'/>"
      "<geom name='shell' type='mesh' mesh='hull'/><site name='tip' pos='3 0 0'/>"
      "<body name='b'><joint name='rail' type='slide' range='1 2' limited='false'/></body></body>",
      "<compiler meshdir='meshes'/><asset><mesh name='hull' file='hull.stl' scale='2 2 2'/></asset>"
      "<actuator><motor name='m' joint='hip' gear='50' ctrlrange='-1 2'/><position joint='rail'/></actuator>"
      "<sensor><gyro site='tip'/></sensor>");
  const ArticulatedJoint& hip = body_of(model, "a").joint;
  EXPECT_NEAR(hip.position.minimum, -pi / 2, 1e-15);
  EXPECT_NEAR(hip.position.maximum, pi / 4, 1e-15);
  EXPECT_NEAR(hip.spring_reference, pi / 18, 1e-15);
  EXPECT_EQ(hip.damping + hip.armature + hip.stiffness + hip.friction, .5 + .1 + 7 + .2);
  EXPECT_EQ(body_of(model, "b").joint.position.maximum, std::numeric_limits<double>::infinity()) << "limited is false";
  ASSERT_EQ(model.shapes.size(), 3u);
  EXPECT_EQ(model.shapes[0].body, ArticulatedModel::world);
  const CollisionShape& rod = model.shapes[1];
  EXPECT_NEAR_VECTOR(rod.size, Eigen::Vector3d(.1, 1, 0));
  EXPECT_NEAR_VECTOR(rod.pose.translation(), Eigen::Vector3d(2, 0, 0));
  EXPECT_NEAR(std::abs(rod.pose.linear()(0, 2)), 1, 1e-15) << "its axis lies along the line between its ends";
  EXPECT_EQ(rod.friction, .4);
  EXPECT_FALSE(rod.collides);
  EXPECT_EQ(model.shapes[2].mesh, std::filesystem::path("meshes/hull.stl"));
  EXPECT_EQ(model.shapes[2].size, Eigen::Vector3d(2, 2, 2));
  ASSERT_EQ(model.sites.size(), 1u);
  ASSERT_EQ(model.actuators.size(), 2u);
  EXPECT_EQ(model.actuators[0].gear, 50);
  EXPECT_EQ(model.actuators[0].control.maximum, 2);
  EXPECT_EQ(model.actuators[1].kind, "position");
  std::string notes;
  for (const FileNote& note : model.notes) notes += note.text + "\n";
  EXPECT_NE(notes.find("<sensor> is not read"), std::string::npos) << notes;
  EXPECT_NE(notes.find("the mass of the body 'a' is without that of a mesh"), std::string::npos) << notes;
}

const std::string arm =
    "<link name='a'/><link name='b'><inertial><origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
    "<inertia ixx='3' iyy='2' izz='1.5' ixy='0' ixz='0' iyz='.5'/></inertial>"
    "<collision name='hull'><origin xyz='1 0 0'/><geometry><cylinder radius='.1' length='3'/></geometry></collision>"
    "<collision><geometry><mesh filename='package://x/hull.stl'/></geometry></collision></link>"
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><limit lower='-1' upper='2' effort='30' velocity='4'/>"
    "<dynamics damping='.1' friction='.2'/></joint>"
    "<link name='c'/><joint name='k' type='prismatic'><parent link='b'/><child link='c'/><mimic joint='j' multiplier='-2' "
    "offset='.1'/><limit effort='1' velocity='1'/></joint>";

TEST(ArticulatedModel, UrdfIsReadWhole) {
  const ArticulatedModel model = articulated("r.urdf", urdf(arm + "<transmission name='t'/>"));
  const ArticulatedBody& b = body_of(model, "b");
  EXPECT_EQ(b.mass.mass, 2);
  EXPECT_EQ(b.mass.center, Eigen::Vector3d(0, 0, 1));
  EXPECT_NEAR(b.mass.inertia()(0, 0), 2, 1e-14) << "turned by 90 degrees about z";
  EXPECT_NEAR(b.mass.inertia()(0, 2), -.5, 1e-14);
  EXPECT_EQ(b.joint.position.maximum, 2);
  EXPECT_EQ(b.joint.velocity, 4);
  EXPECT_EQ(b.joint.effort, 30);
  EXPECT_EQ(b.joint.damping, .1);
  EXPECT_EQ(body_of(model, "c").joint.position.minimum, -std::numeric_limits<double>::infinity()) << "no bounds are given";
  ASSERT_EQ(model.shapes.size(), 2u);
  EXPECT_EQ(model.shapes[0].kind, CollisionShape::Kind::cylinder);
  EXPECT_EQ(model.shapes[0].size, Eigen::Vector3d(.1, 1.5, 0));
  EXPECT_EQ(model.shapes[1].mesh, std::filesystem::path("package://x/hull.stl"));
  ASSERT_EQ(model.couplings.size(), 1u);
  EXPECT_EQ(model.couplings[0].polynomial, (std::array<double, 5>{.1, -2, 0, 0, 0}));
  EXPECT_EQ(model.couplings[0].leader, model.joint("j"));
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_EQ(model.notes[0].text, "<transmission> is not read");
}

// Couplings can be left out by name, and their joints driven.
TEST(ArticulatedModel, ACouplingIsRead) {
  EXPECT_EQ(read_text("r.urdf", urdf(arm), {.left_out = {"k_mimic"}}).model.joints().size(), 3u);
  const ArticulatedModel gear = of_mjcf("<body><joint name='i'/><body><joint name='j'/></body></body>",
                                        "<equality><joint joint1='i' joint2='j' polycoef='0 3'/></equality>");
  ASSERT_EQ(gear.couplings.size(), 1u);
  EXPECT_EQ(gear.couplings[0].polynomial, (std::array<double, 5>{0, 3, 0, 0, 0}));
  const ArticulatedModel shifted = of_mjcf("<body><joint name='i'/><body><joint name='j'/></body></body>",
                                           "<equality><joint joint1='i' joint2='j' polycoef='.1'/></equality>");
  EXPECT_EQ(shifted.couplings.at(0).polynomial, (std::array<double, 5>{.1, 1, 0, 0, 0})) << "the rest is as by default";
}

TEST(ArticulatedModelBadInput, WhatNoRobotHasIsRefusedWithItsPlace) {
  const auto refused = [](const std::string& text, const std::string& part) {
    try {
      articulated(text.find("<robot") == 0 ? "r.urdf" : "r.xml", text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  const auto geom = [](const std::string& attributes) { return mjcf("<body><geom " + attributes + "/></body>"); };
  const auto replaced = [](const std::string& find, const std::string& put) {
    std::string text = arm;
    return urdf(text.replace(text.find(find), find.size(), put));
  };
  refused(geom("type='capsule' size='.1'"), "r.xml:4:7: <geom>: a capsule needs 2 numbers in 'size', and 1 are there");
  refused(geom("size='-1'"), "lengths must be above 0");
  refused(geom("size='1' mass='-1'"), "'mass' is -1; it must be 0 or more");
  refused(geom("type='capsule' size='1' fromto='1 2 3 1 2 3'"), "are one point");
  refused(geom("type='capsule' size='.05' fromto='-1e308 0 0 0 0 1'"),
          "r.xml:4:7: <geom>: the two ends of 'fromto' are too far");
  refused(geom("size='1e308'"), "r.xml:4:7: <geom>: ");
  refused(geom("type='mesh' mesh='none'"), "there is no mesh 'none'");
  refused(geom("typ='box' size='1'"), "Did you mean 'type'?");
  refused(mjcf("<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>"), "none may exceed the sum");
  const auto unbalanced = [](const std::string& inertial) {
    return mjcf("<body><inertial pos='0 0 0' " + inertial + "/></body>", "<compiler balanceinertia='true'/>");
  };
  refused(unbalanced("mass='-1' diaginertia='1 1 1'"), "r.xml:4:7: <inertial>: 'mass' is -1; it must be 0 or more");
  refused(unbalanced("mass='1' diaginertia='1 1 -1'"), "the principal moments of inertia are 1, 1 and -1 kg m^2; none may be");
  refused(unbalanced("mass='1' fullinertia='1 1 1 2 0 0'"), "none may be negative");
  EXPECT_EQ(articulated("r.xml", unbalanced("mass='1' diaginertia='1 1 3'")).total_mass(), 1);
  refused(mjcf("<body><joint range='2 1' limited='true'/></body>"), "the first number of 'range' is above the second");
  refused(replaced("izz='1.5'", "izz='9'"), "none may exceed the sum of the other two");
  refused(replaced("<mass value='2'/>", ""), "the element 'mass' is missing");
  refused(replaced("lower='-1'", "lower='3'"), "'lower' is above 'upper'");
  refused(replaced("radius='.1'", "radius='0'"), "'radius' is 0; it must be above 0");
  refused(replaced("mimic joint='j'", "mimic joint='jj'"), "there is no joint 'jj'. Did you mean 'j'?");
}

#ifdef HOLO_DATA_DIR
// Masses that the files themselves state, and closed forms of their geoms.
TEST(ArticulatedModel, MassesOfPublicRobotsAreTheirSums) {
  const std::filesystem::path robots = std::filesystem::path(HOLO_DATA_DIR) / "robots";
  const auto total = [&](const char* file) { return read_articulated(robots / file).model.total_mass(); };
  EXPECT_NEAR(total("urdf/quadruped_primitive.urdf"), 30.702, 1e-12);
  EXPECT_NEAR(total("urdf/solo12.urdf"), 2.50000279, 1e-12);
  EXPECT_NEAR(total("urdf/simple_humanoid.urdf"), 130.8, 1e-11);
  EXPECT_NEAR(total("urdf/acrobot.urdf"), 2, 1e-15);
  EXPECT_NEAR(total("mjcf/dm_suite/cheetah.xml"), 14, 1e-12) << "settotalmass";
  EXPECT_NEAR(total("mjcf/dm_suite/swimmer.xml"), 0.01, 1e-15) << "one box of 10 g";
  const auto capsule = [](double length) { return pi * .0064 * length + 4 / 3.0 * pi * .000512; };
  EXPECT_NEAR(total("mjcf/ant.xml"), 100 * 4 / 3.0 * pi / 64 + 50 * (8 * capsule(std::sqrt(.08)) + 4 * capsule(std::sqrt(.32))),
              1e-12);
  for (const char* file : {"humanoid.xml", "arm26_muscles.xml", "slider_crank.xml", "dm_suite/hopper.xml",
                           "dm_suite/walker.xml", "dm_suite/quadruped.xml", "dm_suite/humanoid_CMU.xml"}) {
    RobotReaderOptions options;  // the quadruped couples tendons
    for (const char* leg : {"front_left", "front_right", "back_right", "back_left"})
      if (std::string(file).find("quadruped") != std::string::npos) options.left_out.push_back(std::string("coupling_") + leg);
    const ArticulatedModel model = read_articulated(robots / "mjcf" / file, options).model;
    EXPECT_GT(model.total_mass(), 0) << file;
    for (const ArticulatedBody& body : model.bodies) EXPECT_EQ(physical_problem(body.mass), "") << file << " " << body.name;
  }
}
#endif

}  // namespace holo::articulated_model_tests
