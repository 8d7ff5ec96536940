#pragma once
// Characters from articulated models of robots' files.
//
//   const ArticulatedFile robot = read_articulated("humanoid.xml");
//   const CharacterModel character = character_from_robot(robot.model, robot.pose);

#include <filesystem>

#include "holo/sim/articulated/articulated_kinematics.h"
#include "holo/sim/articulated/dynamics/character_model.h"

namespace holo::articulated {

struct RobotCharacterOptions {
  BaseOptions base = {};  // of a root with a free joint
  bool self_collision = false;
  double limit_weight = 1000;  // of joints' ranges, in J/rad^3 of hinges and balls, J/m^3 of slides
  CharacterAdjustment adjust = {};
  // To which the names of meshes refer, without "package://"; empty: the robot's folder.
  std::filesystem::path mesh_folder = {};
  // In place of joints of any type but free ones: frames A and B are those of the file's joint. A joint of one coordinate keeps
  // the limits, spring, damper, friction and armature that the file gives to one of the same unit; others have none.
  JointReplacements joints = {};
};

// The character of a tree of bodies, at rest in `pose`. Hinges and slides become degrees of freedom, universal joints two,
// spherical joints a chart with a cone, fixed joints none. Coordinates count from the file's pose as those of ArticulatedJoint;
// the base's rotation counts from `pose`. bodies() has the file's bodies in their order. Contact points are a sphere's, the two
// ends of a capsule and, as spheres that reach to its ends, of a cylinder, the corners of a box, and the extreme vertices of a
// mesh in a file *.obj (mesh_link.h). Joints with an actuator are actuated, of a file without actuators all but the base.
// shapes() has the shapes of all bodies that move, those that do not collide included, except planes and meshes.
//
// notes() has what the character lacks: dry friction, shapes of other kinds and of the world, meshes whose files are missing or
// have other formats, springs, dampers and armature of spherical joints. Throws Error(input) with the file's place: a loop that
// is not left out, a coupling, a free joint that is not the root's, and as CharacterBuilder::build and read_surface_mesh do.
CharacterModel character_from_robot(const ArticulatedModel& robot, const ArticulatedPose& pose,
                                    const RobotCharacterOptions& options = {});

}  // namespace holo::articulated
