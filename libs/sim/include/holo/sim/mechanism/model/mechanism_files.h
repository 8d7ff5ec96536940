#pragma once
// Mechanisms from robots' files of other programs: MJCF (MuJoCo's XML) and URDF, whose trees a loop file closes. A mechanism is
// kinematics: bodies, joints, loops and who drives what. Masses, shapes and limits stay in the articulated model that
// holo/sim/articulated/robot_reader.h reads.
//
//   MechanismFile file = read_mechanism("leg.urdf", plugins, {.loop_file = "leg.yaml", .close_loops = true});
//   file.model.body("foot");  file.loops[0].gap;
//
// The files have poses of rest of their own. A body's own frame is the file's (of the link, of the MJCF body): points, capsules
// and orientations are in it, whatever pose the rest is. `frames` says where these frames are at rest.
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
  // A root that the file leaves free (URDF: that nothing ties to the world) is fixed to the world, or stays free.
  enum class Root { grounded, free } root = Root::grounded;
  std::string ground = {};  // fixes this body to the world instead of the roots, which then stay untied; "": the roots
  // Driven joints, instead of those that the files name (then a file's actuators need not be expressible).
  std::optional<std::vector<std::string>> actuators = {};
  std::vector<std::string> configurable = {};  // joints that are design parameters
  // Joints whose distance from the joint before them becomes a design parameter [m]: a body JOINT_mount, and a configurable
  // slide JOINT_length between the parent and it, along the line between the two joints at rest.
  std::vector<std::string> lengths = {};
  std::string keyframe = {};                        // MJCF: rest is at this keyframe
  std::map<std::string, double> positions = {};     // of joints of one coordinate at rest, as the file counts [rad or m]
  std::vector<std::string> left_out = {};           // loops and couplings that are not read, by their names
  std::map<std::string, std::string> aliases = {};  // names in the loop file that the robot's file spells otherwise
  // Moves the joints, but those in `positions`, until the loops close. Files often have a rest at which they are open.
  bool close_loops = false;
  // How far a loop may be open at rest, as a part of the model's length, and in rad. It then counts as closed: the joint's
  // point is the middle of the two. 1e-5 passes numbers of six digits, rounded by 5e-7 of their size each, along a chain of ten
  // whose levers are twice the length; it is well below what a part is made to.
  double tolerance = 1e-5;
};

// How far apart the two frames of a loop are.
struct LoopClosure {
  std::string name;                     // of its joint in the model
  double gap_in_file = 0, gap = 0;      // of their points [m]: at the file's (or the given) positions, and at the model's rest
  double angle_in_file = 0, angle = 0;  // of their axes [rad], 0 for spherical joints
};

struct MechanismFile {
  MechanismModel model;
  std::vector<LoopClosure> loops;           // in the files' order
  std::vector<Eigen::Isometry3d> frames;    // of each body of the model: the file's frame in the world at rest [m]
  std::map<std::string, double> positions;  // of each joint of one coordinate at rest, as the file counts [rad or m]
  std::vector<FileNote> notes;              // what the file says and nothing reads
};

// MJCF or URDF by the root element, of a file *.xml, *.mjcf or *.urdf.
// Throws Error(input) with file:line and element: no such file, no XML, an include that is missing or returns to itself; a
// missing or doubled name; a name that nothing has, with the nearest; a number that is none; an axis or quaternion of length 0;
// a joint that names no link, a link of two parents, links that no joint ties to the root; what a mechanism cannot express:
// actuators of anything but joints, composites, mocap bodies, planar joints; couplings in a cycle, or two of one joint; a loop
// that is open at rest beyond the tolerance, or a coupling that does not hold there, with its name and the gap, and whether
// closing was tried.
MechanismFile read_mechanism(const std::filesystem::path& path, const PluginHost& plugins,
                             const MechanismFileOptions& options = {});

}  // namespace holo
