// Couplings of robots' files: MJCF's equality/joint, URDF's mimic, and YAML.
#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "holo/sim/mechanism/model/robot_file.h"
#include "mechanism_files_tools.h"

namespace holo::file_couplings_tests {

using namespace mechanism_files_tools;

// Two fingers that move together along x, and a free tip.
const std::string gripper =
    "<link name='palm'/><link name='left'/><link name='right'/>"
    "<joint name='l' type='prismatic'><parent link='palm'/><child link='left'/><axis xyz='1 0 0'/></joint>"
    "<joint name='r' type='prismatic'><parent link='palm'/><child link='right'/><axis xyz='1 0 0'/>"
    "<mimic joint='l' multiplier='-1.5' offset='.1'/></joint>";

const std::string geared_bodies =
    "<body pos='0 0 1'><joint name='i' type='hinge' axis='0 0 1' ref='.3'/><geom size='.1'/>"
    "<body name='far' pos='1 0 0'><joint name='j' type='slide' axis='0 0 1'/><geom size='.1'/></body></body>";
std::string geared(const std::string& attributes, const std::string& other = "") {
  return mjcf(geared_bodies, "<equality><joint name='gear' " + attributes + "/></equality><compiler angle='radian'/>" + other);
}

MechanismMotion motion_of(const MechanismFile& file, const Eigen::MatrixXd& controls) {
  return make_motion(std::make_shared<const MechanismModel>(file.model), controls, Eigen::VectorXd(0),
                     Eigen::MatrixXd(0, controls.cols()));
}

// The offset is part of rest, from which the motion counts.
TEST(FileCouplings, AMimicMovesByItsMultiplier) {
  const MechanismFile file = read_text("r.urdf", urdf(gripper), {.actuators = std::vector<std::string>{"l"}});
  EXPECT_NEAR(file.positions.at("r"), 0.1, 1e-15);
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_EQ(file.notes[0].text, "the joint 'r' is at 0.1 m at rest instead of 0 m, where its coupling 'r_mimic' holds");
  const MechanismMotion motion = motion_of(file, Eigen::RowVectorXd::LinSpaced(5, 0, 0.4));
  for (int k = 0; k < 5; ++k)
    EXPECT_NEAR(point_of(file.model, motion.states.col(k), file.model.body("right"), {0, 0, 0}).x(), 0.1 - 1.5 * 0.1 * k,
                1e-12);
}

// From the joint's present position, which `positions` gives: the rest of q = 0.2 + l + 0.5 l^2 is at l = 0.7 - 0.3.
TEST(FileCouplings, AnEqualityIsAPolynomialFromTheReferences) {
  const MechanismFile file = read_text("r.xml", geared("joint1='j' joint2='i' polycoef='.2 1 .5'"),
                                       {.actuators = std::vector<std::string>{"i"}, .positions = {{"i", 0.7}}});
  const auto height = [](double l) { return 1.2 + l + 0.5 * l * l; };
  EXPECT_NEAR(frame(file, "far").translation().z(), height(0.4), 1e-14);
  const MechanismMotion motion = motion_of(file, Eigen::RowVectorXd::LinSpaced(5, 0, -2));
  for (int k = 0; k < 5; ++k)
    EXPECT_NEAR(point_of(file.model, motion.states.col(k), file.model.body("far"), {0, 0, 0}).z(), height(0.4 - 0.5 * k),
                1e-11);
}

TEST(FileCouplings, AConstantLocksItsJoint) {
  const MechanismFile file =
      read_text("r.xml", geared("joint1='j' polycoef='.2'"), {.actuators = std::vector<std::string>{"i"}});
  EXPECT_EQ(joint(file, "j").type->name(), "fixed");
  EXPECT_NEAR(frame(file, "far").translation().z(), 1.2, 1e-15);
  EXPECT_EQ(file.model.couplings().size(), 0u);
}

// Three hinges, a loop of a point, and a coupling of the outer two: the closed pose that the keyframe is near to is the file's.
TEST(FileCouplings, LoopsCloseWithTheirCouplings) {
  const std::string cranks =
      "<body><joint name='a' axis='0 0 1'/><geom size='.1'/><body name='rod' pos='1 0 0'><joint name='p' axis='0 0 1'/>"
      "<geom size='.1'/></body></body>"
      "<body name='other' pos='2 0 0'><joint name='b' axis='0 0 1'/><geom size='.1'/></body>";
  const std::string rest =
      "<equality><joint joint1='b' joint2='a' polycoef='0 -1'/>"
      "<connect name='tip' body1='rod' body2='other' anchor='.6 .8 0'/></equality>"
      "<keyframe><key name='open' qpos='.2 .1 .3'/></keyframe>";
  const MechanismFile file = read_text("r.xml", mjcf(cranks, rest),
                                       {.actuators = std::vector<std::string>{"a"}, .keyframe = "open", .close_loops = true});
  EXPECT_GT(file.loops.at(0).gap_in_file, 0.01);
  EXPECT_LT(file.loops.at(0).gap, 1e-9);
  EXPECT_NEAR(file.positions.at("b"), -file.positions.at("a"), 1e-9);
}

TEST(FileCouplings, YamlNamesARatioOrAPolynomial) {
  const std::string robot = R"(bodies:
  - {name: one, origin: [0, 0, 0]}
  - {name: two, origin: [1, 0, 0]}
joints:
  - {name: a, type: revolute, between: [world, one], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
  - {name: b, type: revolute, between: [world, two], point: [1, 0, 0], axis: [0, 0, 1]}
couplings:
  - )";
  const Folder folder;
  const auto read = [&](const std::string& coupling) {
    return read_robot(folder.write("r.yaml", robot + coupling + "\n"), plugins());
  };
  const MechanismModel gear = read("{joint: b, leader: a, ratio: -2}");
  ASSERT_EQ(gear.couplings().size(), 1u);
  EXPECT_EQ(gear.couplings()[0].joint, 1);
  EXPECT_EQ(gear.couplings()[0].leader, 0);
  EXPECT_EQ(gear.couplings()[0].polynomial, (CouplingPolynomial{0, -2, 0, 0, 0}));
  EXPECT_EQ(read("{joint: b, leader: a, polynomial: [1, 0, 3]}").couplings()[0].polynomial,
            (CouplingPolynomial{0, 1, 0, 3, 0}));
  const auto refused = [&](const std::string& coupling, const std::string& part) {
    try {
      read(coupling);
      ADD_FAILURE() << "accepted: " << coupling;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << "found: " << error.what();
    }
  };
  refused("{joint: bb, leader: a, ratio: 1}", "the mechanism has no joint 'bb'. Did you mean 'b'?");
  refused("{joint: bb, leader: a, ratio: 1}", "r.yaml:8:");
  refused("{joint: b, leader: a}", "ratio");
  refused("{joint: b, leader: a, ratio: 1, polynomial: [1]}", "polynomial");
  refused("{joint: b, leader: a, polynomial: [1, 2, 3, 4, 5]}", "polynomial");
  refused("{joint: b, leader: b, ratio: 1}", "the joint 'b' is coupled to itself");
}

TEST(FileCouplingsBadInput, PlacesAreThoseOfTheElements) {
  const auto refused = [](const std::string& text, const MechanismFileOptions& options, const std::string& part) {
    try {
      read_text("r.xml", text, options);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << "found: " << error.what();
    }
  };
  const MechanismFileOptions drives{.actuators = std::vector<std::string>{"i"}};
  refused(geared("joint1='j' joint2='i' polycoef='.2 1'"), {.actuators = drives.actuators, .positions = {{"j", 0}}},
          "r.xml:2:11: <joint name='gear'>: the coupling 'gear' does not hold at rest: the joint 'j' is at 0 m and should be "
          "at 0.2");
  refused(geared("joint1='j' joint2='j'"), drives, "the coupling 'gear' is one of a cycle, or follows one");
  refused(geared("joint1='j' joint2='i'", "<equality><joint joint1='i' joint2='j'/></equality>"), drives, "one of a cycle");
  refused(geared("joint1='j' polycoef='.2'"), {.actuators = std::vector<std::string>{"j"}},
          "the joint 'j' is locked by a coupling to a constant");
  refused(geared("joint1='j' joint2='i'", "<equality><joint joint1='j' joint2='i' polycoef='0 2'/></equality>"), drives,
          "r.xml: the joint 'j' is coupled twice");
}

}  // namespace holo::file_couplings_tests
