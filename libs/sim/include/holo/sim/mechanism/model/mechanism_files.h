#pragma once
// Reader of mechanisms from MJCF (MuJoCo's XML) and from URDF, whose loops a loop file closes. A mechanism is kinematics only:
// bodies, joints, loops and roles. holo/sim/articulated/robot_reader.h reads masses, shapes and limits, too.
//
//   MechanismFile file = read_mechanism("leg.urdf", plugins, {.loop_file = "leg.yaml", .close_loops = true});
//   file.model.body("foot");  file.loops[0].gap;
//
// The file defines the pose at rest. A body's frame is that of the file's link or MJCF body; points, capsules and orientations
// are in this frame. `frames` has the frames' poses at rest.
//
// MJCF: nested bodies (and frames) with all forms of orientation and the compiler's `angle` and `eulerseq`; joints of the types
// hinge, slide, ball and free, several of one body as a chain of bodies named after the joints; `ref`; classes of defaults;
// `include`; keyframes; equalities `connect` (a spherical joint) and `weld` (a fixed one); actuators that drive joints.
// A body or joint without a name gets one ("body3", "body3_joint").
// URDF: links and joints of the types revolute, continuous, prismatic, fixed and floating; a root link called "world" is the
// world. Loop file (YAML): `closed_loop`, pairs of names of links or of joints, which stand for their child link; `type`, for
// each pair 6d (the two frames are one: a fixed joint) or 3d (their origins are: a spherical joint); `name_mot`, the driven
// joints; `joint_name` and `joint_type`, joints that are SPHERICAL, or UJOINT_XY and so on: universal about these axes of the
// joint's frame.

#include <Eigen/Geometry>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "holo/sim/articulated/articulated_model.h"
#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

class PluginHost;

struct MechanismFileOptions {
  std::filesystem::path loop_file = {};
  // A root that the file leaves free (URDF: without a joint to the world) is fixed to the world, or stays free.
  enum class Root { grounded, free } root = Root::grounded;
  std::string ground = {};  // body that is fixed to the world in place of the roots, which stay free; "": the roots
  // Driven joints in place of the file's actuators, which are then not read.
  std::optional<std::vector<std::string>> actuators = {};
  std::vector<std::string> configurable = {};  // joints whose coordinates are design parameters
  // Joints whose distance from the joint before them becomes a design parameter [m]: a body JOINT_mount, and a configurable
  // slide JOINT_length between the parent and it, along the line between the two joints at rest.
  std::vector<std::string> lengths = {};
  std::string keyframe = {};                        // MJCF: keyframe of the pose at rest
  std::map<std::string, double> positions = {};     // at rest, of joints with one coordinate, from the file's zero [rad or m]
  std::vector<std::string> left_out = {};           // names of loops and couplings that are ignored
  std::map<std::string, std::string> aliases = {};  // names of the robot's file by names of the loop file
  // Moves all joints except those in `positions` until the loops close and the couplings hold; in many files the
  // loops are open at rest.
  bool close_loops = false;
  // Largest gap of a closed loop at rest, over the model's length, and largest angle [rad]. The joint's point is the midpoint
  // of the gap. 1e-5 accepts numbers of six digits, each rounded by 5e-7 of its size, along a chain of ten bodies whose levers
  // are twice the model's length, and is well below manufacturing tolerances.
  double tolerance = 1e-5;
};

// Distance and angle between the two frames of a loop.
struct LoopClosure {
  std::string name;                     // of the loop's joint in the model
  double gap_in_file = 0, gap = 0;      // [m] at the file's or the given positions, and at the model's rest
  double angle_in_file = 0, angle = 0;  // the same for the angle [rad]; 0 for spherical joints
};

struct MechanismFile {
  MechanismModel model;
  std::vector<LoopClosure> loops;           // in the files' order
  std::vector<Eigen::Isometry3d> frames;    // [body] X_WB at rest: the file's frame B in the world W [m]
  std::map<std::string, double> positions;  // at rest, of joints with one coordinate, from the file's zero [rad or m]
  std::vector<FileNote> notes;              // unused parts of the file
};

// Reads a file *.xml, *.mjcf or *.urdf; the root element tells whether it is MJCF or URDF.
// Throws Error(input) with file:line and element: no such file, no XML, an include that is missing or returns to itself; a
// missing or doubled name; a name that nothing has, with the nearest; a number that is none; an axis or quaternion of length 0;
// a joint that names no link, a link of two parents, links that no joint ties to the root; what a mechanism cannot express:
// actuators of anything but joints, composites, mocap bodies, planar joints; couplings in a cycle, or two of one joint; a loop
// that is open at rest beyond the tolerance, or a coupling that does not hold there, with its name and the gap, and whether
// closing was tried.
MechanismFile read_mechanism(const std::filesystem::path& path, const PluginHost& plugins,
                             const MechanismFileOptions& options = {});

}  // namespace holo
