#pragma once
// The parts of an MJCF file that its readers hand to each other.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "robot_files/mjcf_settings.h"
#include "robot_files/robot_readers.h"

namespace holo {

struct MjcfSite {
  int body;
  XmlElement element;
  std::string childclass;
  Eigen::Isometry3d frame;  // around it, in the body
};

// The sources of a body's mass.
struct MjcfMass {
  std::vector<MassProperties> inertial;  // one, or none
  std::vector<MassProperties> geoms;
  std::vector<FileNote> unknown;  // geoms whose mass is not computed, and what they are: "a mesh"
};

struct MjcfParts {
  MjcfSettings settings;
  ArticulatedModel model = {};
  std::map<std::string, MjcfSite> sites = {};
  std::map<int, MjcfMass> masses = {};                               // by body
  std::set<int> made_up = {};                                        // bodies between several joints of one body
  std::map<std::string, std::pair<int, Location>> passed_over = {};  // elements that are not read: how many, where the first is

  void pass_over(const XmlElement& element) {
    auto& [count, first] = passed_over[element.name()];
    if (count++ == 0) first = element.location();
  }
};

// Two numbers of a joint or actuator, as the file counts, where `limited` says that they count: true, or auto and the first is
// below the second.
std::optional<JointRange> read_mjcf_range(const XmlElement& element, const std::string& childclass, const char* range,
                                          const char* limited, MjcfParts& parts);

// A geom or an inertial of a body; `frame` is around it, in the body.
void read_mjcf_geom(const XmlElement& element, const std::string& childclass, int body, const Eigen::Isometry3d& frame,
                    MjcfParts& parts);
void read_mjcf_inertial(const XmlElement& element, int body, const Eigen::Isometry3d& frame, MjcfParts& parts);
void read_mjcf_site(const XmlElement& element, const std::string& childclass, int body, const Eigen::Isometry3d& frame,
                    MjcfParts& parts);
// Gives the bodies their masses, once all geoms are read.
void finish_mjcf_masses(const XmlElement& root, MjcfParts& parts);

// Loops and couplings, at the pose of the file.
void read_mjcf_equalities(const XmlElement& root, MjcfParts& parts, const RobotReaderOptions& options);
void read_mjcf_actuators(const XmlElement& root, MjcfParts& parts);
// The pose of a keyframe.
ArticulatedPose read_mjcf_keyframe(const XmlElement& root, const MjcfParts& parts, const std::string& name);

}  // namespace holo
