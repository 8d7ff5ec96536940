#pragma once
// The demonstrators of [Maloisel2023] Table 5, rebuilt: the same numbers of bodies, joints and rows, dimensions of our own.
// Units m; x forward, y left, z up.

#include "holo/sim/mechanism/model/mechanism_builder.h"

namespace holo {

// Stands on its left foot and kicks with the right: 14 actuators. `configurable`: with 20 spherical and 2 revolute joints to
// configure ("Kickbot (1)"), else with these merged into the bodies ("Kickbot (2)").
MechanismModel make_kickbot(const PluginHost& plugins, bool configurable);
// The animated character that Kickbot shall move like: its skeleton with balls as ankles, hips, neck and shoulders, each of
// three actuators x, y, z (R = R_x R_y R_z of the second body against the first: from the left foot up to the pelvis, from
// there down to the right foot, and outwards), hinges as knees and elbows, and a stiff waist.
MechanismModel make_kickbot_rig(const PluginHost& plugins);
// A pelvis on two legs with planar loops in them: 8 actuators, 2 of them surplus, over two configurable revolute joints.
MechanismModel make_legs(const PluginHost& plugins);
// Three legs on the ground, one free, 33 configurable spherical joints; 12 actuators, 3 surplus.
MechanismModel make_bear(const PluginHost& plugins);
// On a bicycle: cranks and handle bar drive legs, arms and torso; 23 configurable spherical joints.
MechanismModel make_biker(const PluginHost& plugins);

// By name: kickbot, kickbot_merged, kickbot_rig, legs, bear, biker. Throws Error(input) with the names there are.
MechanismModel make_robot(const std::string& name, const PluginHost& plugins);
std::vector<std::string> robot_names();

}  // namespace holo
