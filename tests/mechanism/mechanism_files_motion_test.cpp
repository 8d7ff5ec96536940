// A mechanism that was read moves as its file says: driven from one pose of rest to another, it stands where the file has it
// there.
#include "mechanism_files_tools.h"
#include "oracle_mechanisms.h"

namespace holo::mechanism_files_tests {

using namespace mechanism_files_tools;

namespace {

// Drives all actuators of `from` to their positions in `to`, which was read from the same file.
void expect_motion_leads(const MechanismFile& from, const MechanismFile& to, double tolerance) {
  const oracle::Oracle mechanism(from.model);
  Eigen::MatrixXd controls = mechanism.layout->rest_controls().replicate(1, 2);
  double farthest = 0;
  for (int i = 0; i < mechanism.layout->control_count(); ++i) {
    // A slide's control is in units of the length.
    const std::string joint_name = mechanism.layout->control_names()[std::size_t(i)];
    const double way = to.positions.at(joint_name) - from.positions.at(joint_name);
    controls(i, 1) += way / mechanism.layout->control_scale(i);
    farthest = std::max(farthest, std::abs(way));
  }
  EXPECT_GT(farthest, 0.04);
  const Kinematics motion = mechanism.follow(controls);
  ASSERT_EQ(motion.status, KinematicsStatus::done) << motion.diagnosis;
  for (const MechanismBody& body : from.model.bodies()) {
    const Eigen::Matrix3d turn = frame(to, body.name).linear() * frame(from, body.name).linear().transpose();
    EXPECT_LT((mechanism.origin(motion.states, body.name, 1) - frame(to, body.name).translation()).norm(), tolerance)
        << body.name;
    EXPECT_LT((mechanism.orientation(motion.states, body.name, 1).toRotationMatrix() - turn).norm(), tolerance) << body.name;
  }
}

TEST(MechanismFileMotion, AChainOfAnMjcfMovesAsItsPositionsSay) {
  const std::string robot = mjcf(R"(<body name='a' pos='1 2 3' euler='20 -40 60'>
      <joint name='hinge' axis='1 2 3' pos='0.3 0.1 -0.2' ref='10'/><joint name='slide' type='slide' axis='0 1 -1' ref='0.5'/>
      <body name='b' pos='0.7 0 0.4' zaxis='1 2 -1'><joint name='wrist' axis='-2 1 0' pos='0 0.2 0'/><body name='c' pos='0 0 1'/>
      </body></body>)",
                                 "<actuator><motor joint='hinge'/><motor joint='slide'/><motor joint='wrist'/></actuator>");
  expect_motion_leads(read_text("r.xml", robot, {.positions = {{"hinge", -0.1}, {"slide", 0.7}, {"wrist", 0.3}}}),
                      read_text("r.xml", robot, {.positions = {{"hinge", 0.6}, {"slide", 0.2}, {"wrist", -0.5}}}), 1e-10);
}

TEST(MechanismFileMotion, AFourBarOfAUrdfMovesToThePoseThatClosingFinds) {
  const auto hinge = [](const std::string& name, const std::string& parent, const std::string& child, const std::string& x) {
    return "<joint name='" + name + "' type='continuous'><parent link='" + parent + "'/><child link='" + child +
           "'/><origin xyz='" + x + " 0 0'/><axis xyz='0 0 1'/></joint>";
  };
  const std::string robot =
      urdf("<link name='base'/><link name='crank'/><link name='coupler'/><link name='rocker'/><link name='end'/>" +
           hinge("drive", "base", "crank", "0") + hinge("pin", "crank", "coupler", "1") + hinge("far", "base", "rocker", "4") +
           hinge("knee", "rocker", "end", "3") +
           "<link name='tip'/><joint name='tip_frame' type='fixed'><parent link='coupler'/><child link='tip'/>"
           "<origin xyz='3.5 0 0'/></joint>");
  const std::string loops = "closed_loop: [[tip, end]]\ntype: [6d]\nname_mot: [drive]\n";
  const auto at = [&](double angle) {
    return read_text("r.urdf", robot, {.positions = {{"drive", angle}}, .close_loops = true}, loops);
  };
  // Both are closed from the same side of the links' common line.
  expect_motion_leads(at(1.0), at(1.1), 1e-9);
}

#ifdef HOLO_DATA_DIR
TEST(MechanismFileMotion, APublicRobotsLegsMoveToThePoseThatClosingFinds) {
  const std::filesystem::path folder = std::filesystem::path(HOLO_DATA_DIR) / "robots/closed_loop/digit_like_2legs";
  MechanismFileOptions options{.loop_file = folder / "robot.yaml", .close_loops = true};
  const MechanismFile rest = read_mechanism(folder / "robot.urdf", plugins(), options);
  double way = 0.05;
  for (const MechanismJoint& driven : rest.model.joints())
    if (driven.role == JointRole::actuator) options.positions[driven.name] = rest.positions.at(driven.name) + (way = -way);
  expect_motion_leads(rest, read_mechanism(folder / "robot.urdf", plugins(), options), 1e-9);
}
#endif

}  // namespace
}  // namespace holo::mechanism_files_tests
