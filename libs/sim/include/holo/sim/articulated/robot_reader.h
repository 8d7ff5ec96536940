#pragma once
// Reads articulated models from files of other programs: MJCF (MuJoCo's XML) and URDF, whose loops a loop file closes.
// docs/importing-robots.md says what is read. What a file says and the model does not hold stands in its notes.
//
//   ArticulatedFile robot = read_articulated("humanoid.xml");
//   double mass = robot.model.total_mass();  // [kg]

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "holo/sim/articulated/articulated_kinematics.h"

namespace holo {

struct RobotReaderOptions {
  std::filesystem::path loop_file = {};
  std::string keyframe = {};                        // MJCF: the pose
  std::vector<std::string> left_out = {};           // loops that are not read, by their names
  std::map<std::string, std::string> aliases = {};  // names in the loop file that the robot's file spells otherwise
};

struct ArticulatedFile {
  ArticulatedModel model;
  ArticulatedPose pose;  // the file's, or that of the keyframe
};

// MJCF or URDF by the root element, of a file *.xml, *.mjcf or *.urdf.
// Throws Error(input) with file:line:column and element: no such file, no XML, an include that is missing or returns to itself;
// a missing or doubled name; a name that nothing has, with the nearest; a number that is none; an axis or quaternion of length
// 0; a joint that names no link, a link of two parents, links that no joint ties to the root; a mass or inertia that no body
// has; composites, mocap bodies, planar joints and equalities other than connect, weld and joint. Loops left out stay in the
// model, with both bodies the world.
ArticulatedFile read_articulated(const std::filesystem::path& path, const RobotReaderOptions& options = {});

}  // namespace holo
