#pragma once
// Elements of a robot's file that act on its motion and that a character lacks, for messages and for leaving them out on
// purpose.
//
//   for (const UnsupportedElement& element : unsupported_elements(robot)) std::cerr << element.text << '\n';

#include <string>
#include <vector>

#include "holo/sim/articulated/articulated_model.h"

namespace holo::articulated {

struct UnsupportedElement {
  std::string kind;  // "tendon", "loop", "coupling", "friction", "spring", "shape", "actuator", "geom", "mass", "range"
  std::string name;  // of the element or its joint; "" without one
  std::string text;  // "robot.xml:12:5: <geom name='floor'>: it does not move; give it as an obstacle"

  bool is(const std::string& name_or_kind) const { return name_or_kind == kind || (!name.empty() && name_or_kind == name); }
};

// Loops, couplings, tendons and other elements that the readers note; dry friction; springs, dampers and armature of joints
// with several axes; shapes that collide and are ellipsoids, planes or meshes, or of the world or a body that stays and carries
// nothing that moves; actuators of anything but a joint.
std::vector<UnsupportedElement> unsupported_elements(const ArticulatedModel& robot);

// The robot without its loops and couplings that one of the names or kinds names.
ArticulatedModel without_elements(ArticulatedModel robot, const std::vector<std::string>& names_or_kinds);

// Gives the robot's root, which its file fixes to the world, a free joint, in the pose of the file. Throws Error(input) for a
// file with several bodies on the world, and for a root that has a joint already.
void add_free_base(ArticulatedModel& robot);

}  // namespace holo::articulated
