#pragma once
// Writes articulated models as files of other programs, MJCF (MuJoCo's XML) and URDF with a loop file: the inverse of
// robot_reader.h. docs/export.md says what is written.
//
//   write_whole_file("leg.xml", mjcf_text(robot, {{"crouched", pose}}));

#include <string>
#include <vector>

#include "holo/sim/articulated/articulated_kinematics.h"

namespace holo {

struct NamedPose {
  std::string name;
  ArticulatedPose pose;
};

// Loops become `connect` and `weld`, couplings `joint`, the poses keyframes. Bodies without mass get 1 kg and 0.01 kg m^2,
// since MuJoCo refuses bodies without any that move. Throws Error(input) with the name: a free joint of a body that is not
// right below the world; a loop that is open at the coordinates 0 by over 1e-6 m, since the file then says another loop.
std::string mjcf_text(const ArticulatedModel& model, const std::vector<NamedPose>& keyframes = {});

struct UrdfTexts {
  std::string urdf, loops;
};
// A moving link of its own stands at each joint that is not at its body's origin. Loops, actuators, and spherical and universal
// joints are in the loop file. Throws Error(input) for a coupling that is not linear, and for one that locks its joint.
UrdfTexts urdf_texts(const ArticulatedModel& model);

// The joints' positions in the order of MuJoCo's qpos, as both files count them: names ("knee", "ball.w"), and values [rad or
// m] of a pose.
std::vector<std::string> position_names(const ArticulatedModel& model);
std::vector<double> positions_of(const ArticulatedModel& model, const ArticulatedPose& pose);

}  // namespace holo
