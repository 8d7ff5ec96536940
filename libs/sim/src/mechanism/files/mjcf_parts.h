#pragma once
// The parts of an MJCF file that its readers hand to each other.

#include <map>
#include <string>

#include "mechanism/files/mjcf_settings.h"
#include "mechanism/files/robot_readers.h"

namespace holo {

struct MjcfSite {
  int body;
  XmlElement element;
  std::string childclass;
  Eigen::Isometry3d frame;  // around it, in the body
};

struct MjcfParts {
  MjcfSettings settings;
  KinematicTree tree;
  std::map<std::string, MjcfSite> sites;
};

// Loops, at the pose of the file.
void read_mjcf_equalities(const XmlElement& root, MjcfParts& parts, const MechanismFileOptions& options);
void read_mjcf_actuators(const XmlElement& root, MjcfParts& parts);
// Moves the tree to a keyframe.
void read_mjcf_keyframe(const XmlElement& root, MjcfParts& parts, const std::string& name);

}  // namespace holo
