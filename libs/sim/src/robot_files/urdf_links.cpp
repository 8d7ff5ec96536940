#include "robot_files/urdf_links.h"

#include <fmt/format.h>

#include <algorithm>

namespace holo {

using Eigen::Isometry3d, Eigen::Matrix3d;

namespace {

double required_number(const XmlElement& element, const char* attribute) {
  if (!element.has(attribute)) element.fail(fmt::format("the attribute '{}' is missing", attribute));
  return element.number(attribute, 0);
}

double length(const XmlElement& element, const char* attribute) {
  const double value = required_number(element, attribute);
  if (!(value > 0)) element.fail(fmt::format("'{}' is {}; it must be above 0", attribute, value));
  return value;
}

MassProperties read_inertial(const XmlElement& inertial) {
  const XmlElement mass = inertial.child("mass"), inertia = inertial.child("inertia");
  if (!mass) inertial.fail("the element 'mass' is missing");
  Matrix3d moments = Matrix3d::Zero();
  if (inertia) {
    inertia.check_spelling({"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {});
    // All are read before the matrix is filled: Eigen takes an error among them for a matrix that is filled too little.
    const auto at = [&](const char* name) { return inertia.number(name, 0); };
    const double xx = at("ixx"), xy = at("ixy"), xz = at("ixz"), yy = at("iyy"), yz = at("iyz"), zz = at("izz");
    moments << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  }
  const MassProperties result = mass_from_inertia(required_number(mass, "value"), Eigen::Vector3d::Zero(), moments);
  require_physical(inertial, result);
  return transformed(result, urdf_origin(inertial));
}

// The shape of `geometry`, which has exactly one.
void read_geometry(const XmlElement& geometry, CollisionShape& shape) {
  using Kind = CollisionShape::Kind;
  const std::vector<XmlElement> shapes = geometry.children();
  if (shapes.size() != 1) geometry.fail(fmt::format("it has {} shapes; one is needed", shapes.size()));
  const XmlElement& element = shapes[0];
  shape.source = element.source();
  if (element.is("box")) {
    shape.kind = Kind::box;
    shape.size = 0.5 * element.vector3("size", Eigen::Vector3d::Zero());
    if (!(shape.size.minCoeff() > 0)) element.fail("'size' must have three lengths above 0");
  } else if (element.is("sphere")) {
    shape.size[0] = length(element, "radius");
  } else if (element.is("cylinder") || element.is("capsule")) {
    shape.kind = element.is("capsule") ? Kind::capsule : Kind::cylinder;
    const double radius = length(element, "radius"), half_length = 0.5 * length(element, "length");
    shape.size = {radius, half_length, 0};
  } else if (element.is("mesh")) {
    shape.kind = Kind::mesh;
    shape.mesh = element.required_text("filename");
    shape.size = element.vector3("scale", Eigen::Vector3d::Ones());
  } else {
    element.fail("this shape is not read; box, sphere, cylinder, capsule and mesh are." +
                 suggestion(element.name(), {"box", "sphere", "cylinder", "capsule", "mesh"}));
  }
}

}  // namespace

Isometry3d urdf_origin(const XmlElement& parent) {
  Isometry3d origin = Isometry3d::Identity();
  const XmlElement element = parent.child("origin");
  if (!element) return origin;
  element.check_spelling({"xyz", "rpy"}, {});
  const Eigen::Vector3d rpy = element.vector3("rpy", Eigen::Vector3d::Zero());
  origin.translation() = element.vector3("xyz", Eigen::Vector3d::Zero());
  origin.linear() =
      (Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  return origin;
}

void read_urdf_link(const XmlElement& link, int body, ArticulatedModel& model) {
  if (const XmlElement inertial = link.child("inertial"); inertial && body >= 0)
    model.bodies[std::size_t(body)].mass = read_inertial(inertial);
  for (const XmlElement& collision : link.children("collision")) {
    const XmlElement geometry = collision.child("geometry");
    if (!geometry) collision.fail("the element 'geometry' is missing");
    CollisionShape shape;
    shape.name = collision.text("name");
    shape.body = body;
    shape.pose = urdf_origin(collision);
    read_geometry(geometry, shape);
    model.shapes.push_back(shape);
  }
  const std::vector<std::string> read = {"inertial", "collision", "visual"};
  for (const XmlElement& other : link.children())
    if (std::find(read.begin(), read.end(), other.name()) == read.end()) {
      if (const std::string meant = suggestion(other.name(), read); !meant.empty())
        other.fail("unknown element of a link." + meant);
      model.notes.push_back(
          {other.location(), fmt::format("<{}> of the link '{}' is not read", other.name(), link.text("name"))});
    }
}

}  // namespace holo
