#pragma once
// What holds for a whole MJCF file: the compiler's settings and the classes of defaults.

#include <Eigen/Geometry>
#include <map>
#include <string>

#include "mechanism/files/xml_element.h"

namespace holo {

class MjcfSettings {
 public:
  explicit MjcfSettings(const XmlElement& root);

  double angle(double in_file) const { return to_radians_ * in_file; }  // [rad]
  // pos and one of quat, axisangle, xyaxes, zaxis, euler.
  Eigen::Isometry3d pose(const XmlElement& element) const;

  // The element that says the attribute of an element of a class: itself, or one of the class's defaults (perhaps without it).
  XmlElement source(const XmlElement& element, const std::string& childclass, const char* attribute) const;
  void require_class(const XmlElement& element, const std::string& name) const;

 private:
  // Attributes by kind ("joint") and name, and the default element that says them.
  using Class = std::map<std::pair<std::string, std::string>, XmlElement>;

  void read_compiler(const XmlElement& compiler);
  void read_class(const XmlElement& element, const std::string& name, const Class& parent, int depth);
  Eigen::Matrix3d orientation(const XmlElement& element) const;
  Eigen::Matrix3d euler(const Eigen::Vector3d& angles) const;

  double to_radians_;
  std::string euler_sequence_ = "xyz";
  std::map<std::string, Class> classes_;
};

// w, x, y, z of any length but 0.
Eigen::Matrix3d rotation_from(const XmlElement& element, const char* attribute, const Eigen::Vector4d& quaternion);

}  // namespace holo
