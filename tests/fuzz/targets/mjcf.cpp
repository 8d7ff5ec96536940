// Robots of MuJoCo.
#include "fuzz/targets/robot_target.h"

namespace holo::fuzz {

namespace {

constexpr const char* square_of_hinges = R"(<mujoco model='square'>
<compiler angle='degree' eulerseq='xyz' boundmass='0.001'/>
<default>
  <joint damping='.1'/>
  <default class='arm'><geom density='10'/><joint axis='0 1 0' range='-90 90' limited='true'/></default>
</default>
<worldbody>
  <geom type='plane' size='1 1 .1'/>
  <body name='a' childclass='arm'>
    <joint name='pa'/><geom type='capsule' fromto='0 0 0 0 0 1' size='.05'/>
    <body name='b' pos='0 0 1'>
      <joint name='pb' armature='.01' frictionloss='.1'/><inertial pos='.5 0 0' mass='2' diaginertia='1 1 1'/>
      <body name='c' pos='1 0 0'>
        <joint name='pc' stiffness='2' springref='10'/><geom type='box' size='.1 .2 .3' mass='2' quat='1 0 0 0'/>
        <site name='end' pos='0 0 -1'/>
      </body>
    </body>
  </body>
  <frame pos='1 0 0'><site name='pivot'/></frame>
</worldbody>
<equality><connect name='loop' site1='end' site2='pivot'/></equality>
<actuator><motor name='drive' joint='pa' gear='2' ctrlrange='-1 1'/></actuator>
<keyframe><key name='home' qpos='0 0 0'/></keyframe>
</mujoco>
)";

constexpr const char* free_trunk = R"(<mujoco>
<compiler angle='radian' settotalmass='14' inertiafromgeom='auto'/>
<worldbody>
  <body name='trunk' pos='0 0 2' euler='.1 .2 .3'><freejoint name='root'/><geom size='.1'/>
    <body name='arm' pos='1 0 0' axisangle='0 0 1 .5'><joint name='ball' type='ball' pos='-1 0 0'/>
      <geom type='cylinder' size='.1 .5' zaxis='1 0 0'/>
      <body name='slider' xyaxes='1 0 0 0 1 0'><joint name='x' type='slide' axis='1 0 0'/><joint name='y' axis='0 1 0' ref='.5'/>
        <inertial pos='0 0 0' mass='4' fullinertia='3 2 1.5 0 0 .5'/></body>
    </body>
    <body><geom type='ellipsoid' size='.1 .2 .3'/></body>
  </body>
</worldbody>
<equality><weld name='tie' body1='slider' body2='trunk' active='false'/></equality>
<contact><exclude body1='arm' body2='trunk'/></contact>
</mujoco>
)";

void read_mjcf_file(std::string_view bytes) { read_robot_file(put("robot.xml", bytes)); }

std::vector<std::string> mjcf_robots() { return {square_of_hinges, free_trunk}; }

}  // namespace

const Registration mjcf(Target{.name = "mjcf", .read = read_mjcf_file, .seeds = mjcf_robots, .places = {scratch().string()}});

}  // namespace holo::fuzz
