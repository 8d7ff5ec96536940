#pragma once
// What a robot's file says, before it becomes a mechanism: a tree of bodies, each with one joint to its parent, and loops.

#include <Eigen/Geometry>
#include <array>
#include <string>
#include <vector>

#include "holo/core/error.h"
#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

enum class TreeJointType { fixed, revolute, prismatic, universal, spherical, free };

std::string to_string(TreeJointType type);  // the plugin's name

// One joint's motion, as its plugin counts it: frame B in frame A.
struct TreeJointMotion {
  std::array<double, 2> coordinates = {0, 0};                   // of hinges and slides [rad or m]
  Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();  // of spherical and free joints

  Eigen::Isometry3d of(TreeJointType type) const;
};

struct TreeBody {
  std::string name;
  int parent = world;
  Location location;
  // Its joint. Frame A stands in the parent, frame B in the body; hinges turn and slides move along x, universals turn about x,
  // then y.
  std::string joint;
  Location joint_location;
  TreeJointType type = TreeJointType::fixed;
  Eigen::Isometry3d frame_a = Eigen::Isometry3d::Identity(), body_in_b = Eigen::Isometry3d::Identity();
  double reference = 0;  // what the file counts where the coordinate is 0
  TreeJointMotion motion = {};

  int coordinate_count() const;  // that closing loops may change
  bool has_position() const { return type == TreeJointType::revolute || type == TreeJointType::prismatic; }
};

struct TreeLoop {
  std::string name;
  Location location;
  bool locks_rotation = true;  // a fixed joint, else a spherical one
  int body_a = world, body_b = world;
  Eigen::Isometry3d frame_a = Eigen::Isometry3d::Identity(), frame_b = Eigen::Isometry3d::Identity();  // in these bodies
};

struct NamedPlace {
  std::string name;
  Location location;
};

struct KinematicTree {
  std::string file;
  std::vector<TreeBody> bodies;  // parents first
  std::vector<TreeLoop> loops;
  std::vector<NamedPlace> actuators;  // names of joints

  int body(const std::string& name) const;   // world for "world"; -2 for none
  int joint(const std::string& name) const;  // number of its body; -2 for none
  std::vector<std::string> body_names() const;
  std::vector<std::string> joint_names() const;
};

inline constexpr int no_body = -2;

// Poses of all bodies in the world.
std::vector<Eigen::Isometry3d> world_frames(const KinematicTree& tree);

// Axes at right angles and of length 1 again, after products.
Eigen::Matrix3d orthonormal(const Eigen::Matrix3d& axes);

}  // namespace holo
