#include "robot_files/mjcf_settings.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "mesh/readers/mesh_scanner.h"
#include "robot_files/robot_readers.h"

namespace holo {

using Eigen::AngleAxisd, Eigen::Matrix3d;

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double shortest = 1e-9;  // directions below this length are none

// The name under which an element's defaults are stored; all actuators share theirs.
std::string kind_of(const XmlElement& element) {
  for (const char* actuator :
       {"motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "dcmotor", "plugin"})
    if (element.is(actuator)) return "general";
  return element.name();
}

Eigen::Vector3d direction(const XmlElement& element, const char* attribute, const Eigen::Vector3d& vector) {
  if (!(vector.norm() > shortest)) element.fail(fmt::format("'{}' has a direction of length 0", attribute));
  return vector.normalized();
}

// The z axis turned to this direction on the shortest way.
Matrix3d toward(const Eigen::Vector3d& z) {
  const Eigen::Vector3d across = Eigen::Vector3d::UnitZ().cross(z);
  const double angle = std::atan2(across.norm(), z.z());
  return AngleAxisd(angle, across.norm() > shortest ? across.normalized() : Eigen::Vector3d::UnitX()).toRotationMatrix();
}

}  // namespace

Matrix3d rotation_from(const XmlElement& element, const char* attribute, const Eigen::Vector4d& q) {
  if (!(q.norm() > shortest)) element.fail(fmt::format("'{}' has a quaternion of length 0; no turn is 1 0 0 0", attribute));
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

MjcfSettings::MjcfSettings(const XmlElement& root) : to_radians_(degree) {
  for (const XmlElement& compiler : root.children("compiler")) read_compiler(compiler);
  classes_["main"];
  for (const XmlElement& defaults : root.children("default")) {
    read_class(defaults, "main", classes_.at("main"), 0);
    if (defaults.has("class")) classes_[defaults.text("class")] = classes_.at("main");
  }
  read_meshes(root);
}

void MjcfSettings::read_compiler(const XmlElement& compiler) {
  compiler.check_spelling({"angle", "eulerseq", "coordinate", "autolimits", "inertiafromgeom", "inertiagrouprange",
                           "settotalmass", "boundmass", "boundinertia", "balanceinertia", "meshdir", "assetdir"},
                          {"strippath", "texturedir", "discardvisual", "usethread", "fusestatic", "fitaabb", "convexhull",
                           "exactmeshinertia", "alignfree"});
  inertia_from_geoms_ = compiler.text_of("inertiafromgeom", {"true", "false", "auto"}, inertia_from_geoms_);
  balances_inertia_ = compiler.text_of("balanceinertia", {"true", "false"}, balances_inertia_ ? "true" : "false") == "true";
  limits_automatically_ = compiler.text_of("autolimits", {"true", "false"}, limits_automatically_ ? "true" : "false") == "true";
  total_mass_ = compiler.number("settotalmass", total_mass_);
  least_mass_ = compiler.number("boundmass", least_mass_);
  least_inertia_ = compiler.number("boundinertia", least_inertia_);
  mesh_folder_ = compiler.text("meshdir", compiler.text("assetdir", mesh_folder_));
  if (const std::vector<double> groups = compiler.numbers("inertiagrouprange", 2, 2); !groups.empty())
    mass_groups_ = {groups[0], groups[1]};
  if (compiler.has("angle")) to_radians_ = compiler.text_of("angle", {"degree", "radian"}, "degree") == "degree" ? degree : 1;
  if (compiler.text("coordinate", "local") != "local")
    compiler.fail(fmt::format("'coordinate' is {}; only 'local' is read (convert the file with MuJoCo 2.1 or older)",
                              shown(compiler.text("coordinate"))));
  euler_sequence_ = compiler.text("eulerseq", euler_sequence_);
  if (euler_sequence_.size() != 3 || euler_sequence_.find_first_not_of("xyzXYZ") != std::string::npos)
    compiler.fail(
        fmt::format("'eulerseq' is {}; three of x, y, z (about turned axes) or X, Y, Z (about fixed ones) are allowed",
                    shown(euler_sequence_)));
}

// A mesh without a name has its file's.
void MjcfSettings::read_meshes(const XmlElement& root) {
  for (const XmlElement& assets : root.children("asset"))
    for (const XmlElement& mesh : assets.children("mesh")) {
      const std::filesystem::path file = mesh.text("file");
      meshes_[mesh.text("name", file.stem().string())] = {std::filesystem::path(mesh_folder_) / file,
                                                          source(mesh, "", "scale").vector3("scale", Eigen::Vector3d::Ones())};
    }
}

void MjcfSettings::read_class(const XmlElement& element, const std::string& name, const Class& parent, int depth) {
  if (depth > 100) element.fail("classes of defaults are nested over 100 deep");
  Class merged = parent;
  for (const XmlElement& child : element.children())
    if (!child.is("default"))
      for (const pugi::xml_attribute& attribute : child.node().attributes()) merged[{kind_of(child), attribute.name()}] = child;
  classes_[name] = merged;
  for (const XmlElement& child : element.children("default")) {
    const std::string below = child.required_text("class");
    if (classes_.contains(below)) child.fail(fmt::format("a second class '{}'; names must differ", below));
    read_class(child, below, merged, depth + 1);
  }
}

void MjcfSettings::require_class(const XmlElement& element, const std::string& name) const {
  if (name.empty() || classes_.contains(name)) return;
  std::vector<std::string> names;
  for (const auto& entry : classes_) names.push_back(entry.first);
  refuse_name(element.location(), "class of defaults", name, names);
}

XmlElement MjcfSettings::source(const XmlElement& element, const std::string& childclass, const char* attribute) const {
  if (element.has(attribute)) return element;
  const std::string name = element.text("class", childclass.empty() ? "main" : childclass);
  require_class(element, name);
  const Class& chosen = classes_.at(name);
  const auto found = chosen.find({kind_of(element), attribute});
  return found == chosen.end() ? element : found->second;
}

Eigen::Isometry3d MjcfSettings::pose(const XmlElement& element) const {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = element.vector3("pos", Eigen::Vector3d::Zero());
  pose.linear() = orientation(element);
  return pose;
}

Eigen::Isometry3d MjcfSettings::pose(const XmlElement& element, const std::string& childclass) const {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = source(element, childclass, "pos").vector3("pos", Eigen::Vector3d::Zero());
  XmlElement turned = element;
  const auto says = [](const XmlElement& at) {
    return at.has("quat") || at.has("axisangle") || at.has("xyaxes") || at.has("zaxis") || at.has("euler");
  };
  for (const char* attribute : {"quat", "axisangle", "xyaxes", "zaxis", "euler"})
    if (!says(turned)) turned = source(element, childclass, attribute);
  pose.linear() = orientation(turned);
  return pose;
}

Matrix3d MjcfSettings::orientation(const XmlElement& element) const {
  std::string used;
  for (const char* attribute : {"quat", "axisangle", "xyaxes", "zaxis", "euler"}) {
    if (!element.has(attribute)) continue;
    if (!used.empty()) element.fail(fmt::format("both '{}' and '{}' give an orientation; leave one", used, attribute));
    used = attribute;
  }
  if (used.empty()) return Matrix3d::Identity();
  const std::size_t count = used == "xyaxes" ? 6 : used == "zaxis" || used == "euler" ? 3 : 4;
  const std::vector<double> v = element.numbers(used.c_str(), count, count);
  const Eigen::Vector3d first(v[0], v[1], v[2]);
  if (used == "quat") return rotation_from(element, "quat", {v[0], v[1], v[2], v[3]});
  if (used == "euler") return euler(first);
  const Eigen::Vector3d along = direction(element, used.c_str(), first);
  if (used == "axisangle") return AngleAxisd(angle(v[3]), along).toRotationMatrix();
  if (used == "zaxis") return toward(along);
  const Eigen::Vector3d second(v[3], v[4], v[5]);
  Matrix3d axes;
  axes.col(0) = along;
  axes.col(1) = direction(element, "xyaxes", second - along.dot(second) * along);
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

// Lower-case letters turn about the axes as turned so far, capitals about those of the parent.
Matrix3d MjcfSettings::euler(const Eigen::Vector3d& angles) const {
  Matrix3d rotation = Matrix3d::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = euler_sequence_[std::size_t(i)];
    const bool turns_along = letter >= 'x';
    const Matrix3d turn =
        AngleAxisd(angle(angles[i]), Eigen::Vector3d::Unit(letter - (turns_along ? 'x' : 'X'))).toRotationMatrix();
    rotation = turns_along ? Matrix3d(rotation * turn) : Matrix3d(turn * rotation);
  }
  return rotation;
}

}  // namespace holo
