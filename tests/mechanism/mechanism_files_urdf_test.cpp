// URDF and loop files.
#include <cmath>

#include "holo/core/plugins/joint_plugin.h"
#include "mechanism_files_tools.h"
#include "oracle_mechanisms.h"

namespace holo::mechanism_files_tests {

using namespace mechanism_files_tools;

using Eigen::Matrix3d, Eigen::Vector3d;

namespace {

const char* const arm = R"(<link name='base'/><link name='lower'/><link name='upper'/><link name='tip'/>
    <joint name='slide' type='prismatic'><parent link='lower'/><child link='upper'/><origin xyz='0 0 1'/><axis xyz='0 0 2'/></joint>
    <joint name='hinge' type='continuous'><parent link='base'/><child link='lower'/>
      <origin xyz='1 0 0' rpy='0.3 -0.7 1.1'/><axis xyz='0 1 0'/></joint>
    <joint name='end' type='fixed'><parent link='upper'/><child link='tip'/><origin xyz='0 0 0.5'/><axis xyz='0 0 0'/></joint>)";

TEST(UrdfFile, LinksStandWhereTheirOriginsMultiplyTo) {
  const MechanismFile file = read_text("r.urdf", urdf(arm));
  const Matrix3d R = about(ez, 1.1) * about(ey, -0.7) * about(ex, 0.3);
  EXPECT_NEAR_MATRIX(frame(file, "lower").linear(), R);
  EXPECT_NEAR_VECTOR(frame(file, "tip").translation(), Vector3d(ex + R * Vector3d(0, 0, 1.5)));
  EXPECT_NEAR_VECTOR(joint(file, "hinge").axes.col(0), Vector3d(R * ey));
  EXPECT_NEAR_VECTOR(joint(file, "slide").axes.col(0), Vector3d(R * ez));
  EXPECT_EQ(joint(file, "slide").type->name(), "prismatic");
  EXPECT_EQ(joint(file, "base_ground").type->name(), "fixed");
  EXPECT_EQ(file.model.body("base"), 0);
}

TEST(UrdfFile, PositionsMoveTheLinks) {
  const MechanismFile file = read_text("r.urdf", urdf(arm), {.positions = {{"hinge", 0.4}, {"slide", 0.25}}});
  const Matrix3d R = about(ez, 1.1) * about(ey, -0.7) * about(ex, 0.3) * about(ey, 0.4);
  EXPECT_NEAR_VECTOR(frame(file, "tip").translation(), Vector3d(ex + R * Vector3d(0, 0, 1.75)));
  EXPECT_NEAR_VECTOR(joint(file, "slide").point, Vector3d(ex + R * Vector3d(0, 0, 1.25)));
}

TEST(UrdfFile, ARootCalledWorldIsTheWorld) {
  for (const char* listed : {"<link name='world'/>", ""}) {
    const MechanismFile file =
        read_text("r.urdf", urdf(std::string(listed) + "<link name='a'/><joint name='j' type='revolute'>"
                                                       "<parent link='world'/><child link='a'/></joint>"));
    ASSERT_EQ(file.model.bodies().size(), 1u);
    EXPECT_EQ(joint(file, "j").body_a, world);
    EXPECT_NEAR_VECTOR(joint(file, "j").axes.col(0), ex);  // the default
  }
}

// The four-bar linkage of oracle_mechanisms.h, all links along x at the file's zero; the rocker's end is left to the loop file.
std::string open_four_bar(const char* rocker_end = "fixed") {
  std::string text =
      "<link name='base'/><link name='crank'/><link name='coupler'/><link name='coupler_end'/><link name='rocker'/>"
      "<link name='rocker_end'/>";
  const auto add = [&](const char* name, const char* parent, const char* child, double x, const char* type = "revolute") {
    text += std::string("<joint name='") + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child +
            "'/><origin xyz='" + std::to_string(x) + " 0 0'/><axis xyz='0 0 1'/></joint>";
  };
  add("crank_pivot", "base", "crank", 0);
  add("crank_pin", "crank", "coupler", 1);
  add("coupler_frame", "coupler", "coupler_end", 3.5, "fixed");
  add("rocker_pivot", "base", "rocker", 4);
  add("rocker_frame", "rocker", "rocker_end", 3, rocker_end);
  return urdf(text);
}

TEST(UrdfFile, ClosingLoopsFindsThePoseInClosedForm) {
  const std::string loops = "closed_loop: [[coupler_end, rocker_frame]]\ntype: [3d]\nname_mot: [crank_pivot]\n";
  const MechanismFile file = read_text(
      "r.urdf", open_four_bar(),
      {.positions = {{"crank_pivot", 1.0}, {"rocker_pivot", 2.0}}, .left_out = {"coupler_end_to_rocker_frame"}}, loops);
  EXPECT_EQ(file.model.loop_count(), 0);
  // The crank is held at 1 rad; the rest moves. Started with all links along x the rocker may go up or down.
  const MechanismFile closed =
      read_text("r.urdf", open_four_bar(), {.positions = {{"crank_pivot", 1.0}}, .close_loops = true}, loops);
  EXPECT_GT(closed.loops.at(0).gap_in_file, 0.1);
  EXPECT_LT(closed.loops[0].gap, 1e-13);
  EXPECT_EQ(closed.loops[0].angle, 0);
  const Vector3d tip(std::cos(1.0), std::sin(1.0), 0), far(4, 0, 0), upper = oracle::circles_meet(tip, 3.5, far, 3);
  const Vector3d across = Vector3d::UnitZ().cross(far - tip).normalized(), lower = upper - 2 * across.dot(upper - tip) * across;
  const Vector3d end = joint(closed, "coupler_end_to_rocker_frame").point;
  EXPECT_LT(std::min((end - upper).norm(), (end - lower).norm()), 1e-12);
  EXPECT_NEAR_VECTOR(joint(closed, "crank_pin").point, tip);
  EXPECT_EQ(joint(closed, "crank_pivot").role, JointRole::actuator);
  EXPECT_NEAR(std::atan2(end.y(), end.x() - 4), closed.positions.at("rocker_pivot"), 1e-12);
}

TEST(UrdfFile, ALoopOf6DTurnsItsFramesTogether) {
  const std::string loops = "closed_loop: [[coupler_end, rocker_end]]\ntype: [6d]\n";
  const MechanismFile file = read_text("r.urdf", open_four_bar("revolute"), {.close_loops = true}, loops);
  EXPECT_LT(file.loops.at(0).gap, 1e-13);
  EXPECT_LT(file.loops[0].angle, 1e-13);
  EXPECT_EQ(joint(file, "coupler_end_to_rocker_end").type->name(), "fixed");
  EXPECT_NEAR_MATRIX(frame(file, "coupler_end").linear(), frame(file, "rocker_end").linear());
  EXPECT_NEAR_VECTOR(frame(file, "coupler_end").translation(), frame(file, "rocker_end").translation());
}

TEST(UrdfFile, TheLoopFileChangesTypesOfHinges) {
  const std::string loops = "closed_loop: []\ntype: []\njoint_name: [hinge, renamed]\njoint_type: [UJOINT_ZX, SPHERICAL]\n";
  std::string text = urdf(arm);
  text.replace(text.find("prismatic"), 9, "revolute");
  const MechanismFile file = read_text("r.urdf", text, {.aliases = {{"renamed", "slide"}}}, loops);
  const Matrix3d R = about(ez, 1.1) * about(ey, -0.7) * about(ex, 0.3);
  EXPECT_EQ(joint(file, "hinge").type->name(), "universal");
  EXPECT_NEAR_VECTOR(joint(file, "hinge").axes.col(0), Vector3d(R * ez));
  EXPECT_NEAR_VECTOR(joint(file, "hinge").axes.col(1), Vector3d(R * ex));
  EXPECT_EQ(joint(file, "slide").type->name(), "spherical");
  EXPECT_NEAR_MATRIX(frame(file, "lower").linear(), R);
  EXPECT_NEAR_VECTOR(frame(file, "tip").translation(), Vector3d(ex + R * Vector3d(0, 0, 1.5)));
}

}  // namespace
}  // namespace holo::mechanism_files_tests
