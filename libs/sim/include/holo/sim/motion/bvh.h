#pragma once
// Motion capture in Biovision's format (.bvh): a tree of joints, and of each frame the numbers of their channels.
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
  // Throws Error(input) with the nearest name there is.
  int joint_index(const std::string& name) const;
};

// Throws Error(input) "file:line:column: ..." for what is no such file, with the joint or frame that it concerns.
BvhMotion read_bvh(const std::filesystem::path& path);
BvhMotion parse_bvh(const std::string& name, std::string_view text);

// The sum of the offsets' lengths from one joint down to another, in the file's unit: a leg from the hip to the foot. Throws
// Error(input) where `descendant` does not hang below `ancestor`.
double chain_length(const BvhMotion& motion, const std::string& ancestor, const std::string& descendant);

// Which axis of the file points up. The others follow it around: with y up the file's (z, x, y) become (x, y, z), so that a
// person who faces the file's z faces x.
enum class UpAxis { x, y, z };

// What a joint's position channels say. The format adds them to the offset; files whose every joint has such channels mostly
// repeat the offset in them.
enum class PositionChannels {
  unstated,  // throws Error(input) where the two differ: at a joint with position channels and an offset
  add_to_offset,
  replace_offset
};

struct BvhOptions {
  double scale = 1;  // meters per unit of the file, positive
  UpAxis up = UpAxis::y;
  PositionChannels position_channels = PositionChannels::unstated;
};

// Where every joint is, in a world whose z points up.
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
