#pragma once
// Motion capture in Biovision's format (.bvh): reader, the tree of joints with the channels of each frame, and joint poses.
//
// Every rotation turns about the joint's own axes, in the order of its channels: "Zrotation Yrotation Xrotation" is R_z R_y
// R_x. In the rest pose, all rotations zero, the axes of every joint are those of the world.

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace holo {

enum class BvhChannel { x_position, y_position, z_position, x_rotation, y_rotation, z_rotation };

struct BvhJoint {
  std::string name;  // of an end site: its joint's with ".end", of further ones ".end2", ...
  int parent = -1;   // -1: a root
  bool is_end_site = false;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  // from the parent's origin, in the file's unit of length
  int first_channel = 0;
  std::vector<BvhChannel> channels;
};

struct BvhMotion {
  std::string source;            // for messages
  std::vector<BvhJoint> joints;  // parents before their children
  Eigen::MatrixXd channels;      // [channel][frame], as in the file: lengths in its unit, angles in degrees
  double frame_time = 0;         // [s], positive

  int frame_count() const { return static_cast<int>(channels.cols()); }
  // The index of a joint. Throws Error(input) for an unknown name, with the nearest one.
  int joint_index(const std::string& name) const;
};

// Reads a file, or a text with `name` for messages. Throws Error(input) "file:line:column: ..." with the joint or frame.
BvhMotion read_bvh(const std::filesystem::path& path);
BvhMotion parse_bvh(const std::string& name, std::string_view text);

// The sum of the offsets' lengths from one joint down to another, in the file's unit: a leg from the hip to the foot. Throws
// Error(input) where `descendant` does not hang below `ancestor`.
double chain_length(const BvhMotion& motion, const std::string& ancestor, const std::string& descendant);

// The axis of the file that points up. The axes are permuted cyclically: with y up, the file's (z, x, y) become (x, y, z), so
// that a person who faces the file's z faces x.
enum class UpAxis { x, y, z };

// The meaning of a joint's position channels. The format adds them to the offset; most files in which all joints have such
// channels repeat the offset in them.
enum class PositionChannels {
  unstated,  // throws Error(input) for a joint with position channels and an offset, where the two differ
  add_to_offset,
  replace_offset
};

struct BvhOptions {
  double scale = 1;  // meters per unit of the file, positive
  UpAxis up = UpAxis::y;
  PositionChannels position_channels = PositionChannels::unstated;
};

// Poses of all joints in a world with z up.
struct BvhPoses {
  std::string source;
  std::vector<std::string> names;  // [joint]
  std::vector<int> roots;          // joints without parent
  double frame_time = 0;           // [s]
  Eigen::MatrixXd rest_positions;  // [axis][joint] in the rest pose: the sums of the offsets [m]
  Eigen::MatrixXd positions;       // [3 joint + axis][frame], of the joints' origins [m]
  Eigen::MatrixXd orientations;    // [4 joint + (w, x, y, z)][frame], from the rest pose; of length 1, continuous in sign

  int frame_count() const { return static_cast<int>(positions.cols()); }
  int joint_index(const std::string& name) const;  // as BvhMotion's
};

BvhPoses bvh_poses(const BvhMotion& motion, const BvhOptions& options = {});

}  // namespace holo
