#pragma once
// Settings of a complete MJCF file: those of the compiler, and the classes of defaults.

#include <Eigen/Geometry>
#include <array>
#include <filesystem>
#include <map>
#include <string>

#include "robot_files/xml_element.h"

namespace holo {

struct MjcfMesh {
  std::filesystem::path file;  // in the compiler's meshdir
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
};

class MjcfSettings {
 public:
  explicit MjcfSettings(const XmlElement& root);

  double angle(double in_file) const { return to_radians_ * in_file; }  // [rad]
  // The pose of an element: `pos` and one of quat, axisangle, xyaxes, zaxis, euler.
  Eigen::Isometry3d pose(const XmlElement& element) const;
  // The pose of an element, with the defaults of its class for missing attributes.
  Eigen::Isometry3d pose(const XmlElement& element, const std::string& childclass) const;

  const std::string& inertia_from_geoms() const { return inertia_from_geoms_; }  // true, false, auto
  bool balances_inertia() const { return balances_inertia_; }
  bool limits_automatically() const { return limits_automatically_; }
  double total_mass() const { return total_mass_; }            // that bodies are scaled to [kg]; not positive: they are not
  double least_mass() const { return least_mass_; }            // [kg]
  double least_inertia() const { return least_inertia_; }      // [kg m^2]
  double first_mass_group() const { return mass_groups_[0]; }  // of geoms that have mass
  double last_mass_group() const { return mass_groups_[1]; }
  const std::map<std::string, MjcfMesh>& meshes() const { return meshes_; }

  // The element that says the attribute of an element of a class: itself, or one of the class's defaults (perhaps without it).
  XmlElement source(const XmlElement& element, const std::string& childclass, const char* attribute) const;
  void require_class(const XmlElement& element, const std::string& name) const;

 private:
  // Attributes by kind ("joint"; "general" for all actuators) and name, and the default element that says them.
  using Class = std::map<std::pair<std::string, std::string>, XmlElement>;

  void read_compiler(const XmlElement& compiler);
  void read_class(const XmlElement& element, const std::string& name, const Class& parent, int depth);
  Eigen::Matrix3d orientation(const XmlElement& element) const;
  Eigen::Matrix3d euler(const Eigen::Vector3d& angles) const;

  void read_meshes(const XmlElement& root);

  double to_radians_;
  std::string euler_sequence_ = "xyz";
  std::string inertia_from_geoms_ = "auto", mesh_folder_;
  bool balances_inertia_ = false, limits_automatically_ = true;
  double total_mass_ = -1, least_mass_ = 0, least_inertia_ = 0;
  std::array<double, 2> mass_groups_ = {0, 5};
  std::map<std::string, MjcfMesh> meshes_;
  std::map<std::string, Class> classes_;
};

// w, x, y, z of any length but 0.
Eigen::Matrix3d rotation_from(const XmlElement& element, const char* attribute, const Eigen::Vector4d& quaternion);

}  // namespace holo
