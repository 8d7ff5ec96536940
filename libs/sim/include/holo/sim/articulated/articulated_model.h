#pragma once
// An articulated model as a robot's file describes it: a tree of bodies with mass, each with one joint to its parent, loops,
// couplings, shapes for contact, sites and actuators. Data only: kinematics is in articulated_kinematics.h, mechanisms are made
// by mechanism_files.h, files are read by robot_reader.h.
//
// Numbers are SI. A body's frame is the file's (of the link, of the MJCF body). The world is body -1.

#include <Eigen/Geometry>
#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "holo/core/error.h"
#include "holo/sim/articulated/coupling_polynomial.h"
#include "holo/sim/articulated/mass_properties.h"

namespace holo {

inline constexpr int no_body = -2;

// Location of an element of the robot's file, for errors.
struct FileSource {
  Location location;
  std::string element = {};  // "<joint name='knee'>"

  [[noreturn]] void fail(const std::string& text) const;  // "file:line:column: <joint name='knee'>: text"
};

struct JointRange {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
};

// Frame A stands in the parent, frame B in the body. Hinges turn and slides move along x of both; universal joints turn about
// x, then y.
struct ArticulatedJoint {
  std::string name;
  FileSource source;
  std::string type = "fixed";  // the joint plugin's name: fixed, revolute, prismatic, universal, spherical, free
  Eigen::Isometry3d frame_a = Eigen::Isometry3d::Identity();    // in the parent
  Eigen::Isometry3d body_in_b = Eigen::Isometry3d::Identity();  // the body's frame in frame B
  double reference = 0;                                         // the file's value at coordinate 0 [rad or m]
  JointRange position = {};  // in the file's values [rad or m]; of a spherical joint the angle of its rotation
  double velocity = std::numeric_limits<double>::infinity();  // at most [rad/s or m/s]
  double effort = std::numeric_limits<double>::infinity();    // at most [N m or N]
  double damping = 0;                                         // [N m s/rad or N s/m]
  double friction = 0;                                        // dry, at most [N m or N]
  double stiffness = 0, spring_reference = 0;  // [N m/rad or N/m], and its reference in the file's values [rad or m]
  double armature = 0;                         // the rotor's inertia at the joint [kg m^2 or kg]

  bool has_position() const { return type == "revolute" || type == "prismatic"; }
  int coordinate_count() const;  // coordinates that the closing of loops may change; 0 of a free root
};

struct ArticulatedBody {
  std::string name;
  FileSource source;
  int parent = -1;  // a number below its own
  ArticulatedJoint joint;
  MassProperties mass = {};  // in the body's frame; 0 where the file says none
};

// Closes a loop: a fixed or a spherical joint.
struct ArticulatedLoop {
  std::string name;
  FileSource source;
  bool locks_rotation = true;  // a fixed joint, else a spherical one
  int body_a = -1, body_b = -1;
  Eigen::Isometry3d frame_a = Eigen::Isometry3d::Identity(), frame_b = Eigen::Isometry3d::Identity();  // in these bodies
};

// A coordinate that follows another one: q = c0 + c1 l + c2 l^2 + c3 l^3 + c4 l^4, as the file counts. MJCF: of both from their
// `ref`.
struct JointCoupling {
  std::string name;
  FileSource source;
  int joint = no_body, leader = no_body;  // numbers of their bodies; a leader of -2: the coordinate is c0
  CouplingPolynomial polynomial = {0, 1, 0, 0, 0};
};

// A shape for contact.
struct CollisionShape {
  enum class Kind { sphere, capsule, cylinder, ellipsoid, box, plane, mesh };
  Kind kind = Kind::sphere;
  std::string name;
  FileSource source;
  int body = -1;
  Eigen::Isometry3d pose =
      Eigen::Isometry3d::Identity();  // in the body; a capsule's and a cylinder's axis is z, a plane's normal
  // sphere: radius; capsule, cylinder: radius and half the cylinder's length; ellipsoid: half axes; box: half sizes; plane:
  // half sizes, 0 for unbounded; mesh: its scale.
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  std::filesystem::path mesh = {};  // of a mesh, as the file names it
  double friction = 1;              // sliding
  bool collides = true;             // false: the file takes it out of all contacts
};

struct ContactSite {
  std::string name;
  int body = -1;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  // in the body
};

struct ArticulatedActuator {
  std::string name, kind;  // MJCF: the element's name, such as motor or position; URDF and loop files: motor
  FileSource source;
  int joint = no_body;  // the number of its body; -2: it drives no joint but something else, such as a tendon
  double gear = 1;      // effort over force
  JointRange control = {}, force = {};
};

// An unused part of the file.
struct FileNote {
  Location location;
  std::string text;
  std::string element = {};  // kind of the element, such as "tendon", if it acts on the motion; else ""
};

struct ArticulatedModel {
  static constexpr int world = -1;

  std::string file;
  std::vector<ArticulatedBody> bodies;  // parents first
  std::vector<ArticulatedLoop> loops;
  std::vector<JointCoupling> couplings;
  std::vector<CollisionShape> shapes;
  std::vector<ContactSite> sites;
  std::vector<ArticulatedActuator> actuators;
  std::vector<FileNote> notes;

  int body(const std::string& name) const;   // world for "world"; -2 for none
  int joint(const std::string& name) const;  // number of its body; -2 for none
  std::vector<std::string> body_names() const;
  std::vector<std::string> joint_names() const;
  double total_mass() const;  // [kg]
};

}  // namespace holo
