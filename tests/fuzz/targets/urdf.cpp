// Robots in URDF, with and without a file of loops.
#include "fuzz/targets/robot_target.h"

namespace holo::fuzz {

namespace {

constexpr const char* links_in_a_row = R"(<robot name='r'>
<link name='base'/>
<link name='lower'><inertial><origin xyz='0 0 .1' rpy='0 0 .3'/><mass value='2'/>
  <inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>
  <collision><origin xyz='0 0 .5'/><geometry><cylinder radius='.1' length='.5'/></geometry></collision></link>
<link name='upper'><collision><geometry><box size='.1 .2 .3'/></geometry></collision></link>
<link name='tip'><visual><geometry><mesh filename='tip.stl' scale='1 1 1'/></geometry></visual></link>
<joint name='slide' type='prismatic'><parent link='lower'/><child link='upper'/><origin xyz='0 0 1'/><axis xyz='0 0 2'/>
  <limit lower='-.5' upper='.5' effort='10' velocity='2'/><dynamics damping='.1' friction='.2'/></joint>
<joint name='hinge' type='continuous'><parent link='base'/><child link='lower'/>
  <origin xyz='1 0 0' rpy='0.3 -0.7 1.1'/><axis xyz='0 1 0'/></joint>
<joint name='end' type='fixed'><parent link='upper'/><child link='tip'/><origin xyz='0 0 0.5'/></joint>
</robot>
)";

constexpr const char* four_bar = R"(<robot name='r'>
<link name='base'/><link name='crank'/><link name='coupler'/><link name='coupler_end'/><link name='rocker'/><link name='rocker_end'/>
<joint name='crank_pivot' type='revolute'><parent link='base'/><child link='crank'/><axis xyz='0 0 1'/></joint>
<joint name='crank_pin' type='revolute'><parent link='crank'/><child link='coupler'/><origin xyz='0 1 0'/><axis xyz='0 0 1'/></joint>
<joint name='coupler_frame' type='fixed'><parent link='coupler'/><child link='coupler_end'/><origin xyz='3 0 0'/></joint>
<joint name='rocker_pivot' type='revolute'><parent link='base'/><child link='rocker'/><origin xyz='3 0 0'/><axis xyz='0 0 1'/></joint>
<joint name='rocker_frame' type='fixed'><parent link='rocker'/><child link='rocker_end'/><origin xyz='0 1 0'/></joint>
</robot>
)";
constexpr const char* four_bar_loops = R"(closed_loop: [[coupler_end, rocker_frame]]
type: [3d]
name_mot: [crank_pivot]
joint_name: [crank_pin]
joint_type: [UJOINT_ZX]
)";

void read_urdf_file(std::string_view bytes) {
  const auto parts = parts_of(bytes);
  const auto robot = parts.find("robot.urdf"), loops = parts.find("loops.yaml");
  const std::filesystem::path path = put("robot.urdf", robot == parts.end() ? "" : robot->second);
  read_robot_file(path, loops == parts.end() ? std::filesystem::path() : put("loops.yaml", loops->second));
}

std::vector<std::string> urdf_robots() {
  return {joined({{"robot.urdf", links_in_a_row}}), joined({{"robot.urdf", four_bar}, {"loops.yaml", four_bar_loops}})};
}

}  // namespace

const Registration urdf(Target{.name = "urdf", .read = read_urdf_file, .seeds = urdf_robots, .places = {scratch().string()}});

}  // namespace holo::fuzz
