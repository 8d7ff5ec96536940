// Reads geoms, inertials and sites of MJCF bodies, and computes the bodies' masses from them.

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "robot_files/mjcf_parts.h"

namespace holo {

namespace {

using Eigen::Isometry3d, Eigen::Matrix3d;
using Kind = CollisionShape::Kind;

// Reads one geom: type and pose, size, contact properties, then its mass.
class GeomReader {
 public:
  GeomReader(const XmlElement& element, const std::string& childclass, MjcfParts& parts)
      : element_(element), childclass_(childclass), parts_(parts) {}

  void read(int body, const Isometry3d& frame) {
    element_.check_spelling({"name", "class", "type", "size", "fromto", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler",
                             "mass", "density", "mesh", "friction", "contype", "conaffinity", "group", "shellinertia"},
                            {"rgba", "material", "condim", "priority", "margin", "gap", "solref", "solimp", "solmix", "user",
                             "fitscale", "hfield", "fluidshape", "fluidcoef"});
    shape_.source = element_.source();
    shape_.name = element_.text("name");
    shape_.body = body;
    const std::string type = from("type").text_of(
        "type", {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"}, "sphere");
    if (type == "hfield" || type == "sdf" || (type != "mesh" && from("mesh").has("mesh"))) return leave_out(type, body);
    shape_.pose = frame * parts_.settings.pose(element_, childclass_);
    set_shape(type, frame);
    const std::vector<double> friction = from("friction").numbers("friction", 1, 3);
    if (!friction.empty()) shape_.friction = friction[0];
    shape_.collides = from("contype").number("contype", 1) != 0 || from("conaffinity").number("conaffinity", 1) != 0;
    parts_.model.shapes.push_back(shape_);
    if (body >= 0 && type != "plane" && counts_for_mass()) add_mass(body);
  }

 private:
  // The element that has the attribute: the geom itself or a default of its class.
  XmlElement from(const char* attribute) const { return parts_.settings.source(element_, childclass_, attribute); }

  void leave_out(const std::string& type, int body) {
    parts_.model.notes.push_back(
        {element_.location(),
         fmt::format("the geom '{}' is not read: {}", shape_.name,
                     type == "hfield" || type == "sdf" ? "its type is " + type : "it is fitted to a mesh"),
         "geom"});
    if (body >= 0) parts_.masses[body].unknown.push_back({element_.location(), "a geom that is not read"});
  }

  // Sets the kind and the size. The number of sizes depends on the type; `fromto` replaces all but the radius.
  void set_shape(const std::string& type, const Isometry3d& frame) {
    const std::vector<double> ends = from("fromto").numbers("fromto", 6, 6);
    const bool may_have_ends = type == "capsule" || type == "cylinder" || type == "ellipsoid" || type == "box";
    const bool has_ends = !ends.empty() && may_have_ends;
    shape_.kind = type == "sphere"      ? Kind::sphere
                  : type == "capsule"   ? Kind::capsule
                  : type == "cylinder"  ? Kind::cylinder
                  : type == "ellipsoid" ? Kind::ellipsoid
                  : type == "box"       ? Kind::box
                  : type == "plane"     ? Kind::plane
                                        : Kind::mesh;
    if (shape_.kind == Kind::mesh) return set_mesh();
    const bool is_round = type == "capsule" || type == "cylinder";
    const std::size_t needed = type == "sphere" || has_ends ? 1 : is_round ? 2 : 3;
    const std::vector<double> size = from("size").numbers("size", 0, 3);
    if (size.size() < needed)
      element_.fail(fmt::format("a {} needs {} numbers in 'size', and {} are there", type, needed, size.size()));
    for (std::size_t i = 0; i < needed; ++i) {
      shape_.size[Eigen::Index(i)] = size[i];
      if (type != "plane" && !(size[i] > 0)) from("size").fail(fmt::format("'size' has {}; lengths must be above 0", size[i]));
    }
    if (has_ends) put_between(ends, is_round, frame);
  }

  // Pose and length of a geom between two points: z along the line, the origin at the midpoint.
  void put_between(const std::vector<double>& ends, bool is_round, const Isometry3d& frame) {
    const Eigen::Vector3d a(ends[0], ends[1], ends[2]), b(ends[3], ends[4], ends[5]);
    const double half = 0.5 * (b - a).norm();
    if (!(half > 0)) from("fromto").fail("the two ends of 'fromto' are one point");
    if (!std::isfinite(half)) from("fromto").fail("the two ends of 'fromto' are too far apart for a length");
    if (is_round)
      shape_.size[1] = half;
    else
      shape_.size << shape_.size[0], shape_.size[0], half;
    Isometry3d pose = Isometry3d::Identity();
    pose.translation() = 0.5 * (a + b);
    pose.linear() = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), a - b).toRotationMatrix();
    shape_.pose = frame * pose;
  }

  void set_mesh() {
    const std::string name = from("mesh").required_text("mesh");
    const auto found = parts_.settings.meshes().find(name);
    if (found == parts_.settings.meshes().end()) {
      std::vector<std::string> names;
      for (const auto& mesh : parts_.settings.meshes()) names.push_back(mesh.first);
      refuse_name(element_.location(), "mesh", name, names);
    }
    shape_.mesh = found->second.file;
    shape_.size = found->second.scale;
  }

  // The compiler may restrict the mass to geoms of some groups.
  bool counts_for_mass() const {
    const double group = from("group").number("group", 0);
    return group >= parts_.settings.first_mass_group() && group <= parts_.settings.last_mass_group();
  }

  // A stated mass scales that of the solid; otherwise the density gives it. Masses of meshes and shells are not computed and
  // become notes.
  void add_mass(int body) {
    MjcfMass& mass = parts_.masses[body];
    const XmlElement given = from("mass");
    const double stated = given.number("mass", -1);
    if (given.has("mass") && !(stated >= 0)) given.fail(fmt::format("'mass' is {}; it must be 0 or more", stated));
    const double density = from("density").number("density", 1000);
    if (!(density >= 0)) from("density").fail(fmt::format("'density' is {}; it must be 0 or more", density));
    if (given.has("mass") ? stated == 0 : density == 0) return;
    const bool is_shell = from("shellinertia").text_of("shellinertia", {"true", "false"}, "false") == "true";
    if (shape_.kind == Kind::mesh || is_shell) {
      mass.unknown.push_back({element_.location(), shape_.kind == Kind::mesh ? "a mesh" : "a shell ('shellinertia')"});
      return;
    }
    const MassProperties result = mass_of(given.has("mass") ? &stated : nullptr, density);
    if (!std::isfinite(result.mass) || !result.second_moments.allFinite())
      element_.fail("its mass or inertia is too large for a number");
    mass.geoms.push_back(result);
  }

  // In the body's frame. Errors get the element's place.
  MassProperties mass_of(const double* stated, double density) const {
    try {
      const MassProperties solid = solid_mass(stated != nullptr ? 1000 : density);
      return transformed(stated != nullptr ? with_mass(solid, *stated) : solid, shape_.pose);
    } catch (const Error& error) {
      element_.fail(error.what());
    }
  }

  MassProperties solid_mass(double density) const {
    const Eigen::Vector3d& size = shape_.size;
    switch (shape_.kind) {
      case Kind::sphere:
        return sphere_mass(size[0], density);
      case Kind::capsule:
        return capsule_mass(size[0], size[1], density);
      case Kind::cylinder:
        return cylinder_mass(size[0], size[1], density);
      case Kind::ellipsoid:
        return ellipsoid_mass(size, density);
      default:
        return box_mass(size, density);
    }
  }

  const XmlElement& element_;
  const std::string& childclass_;
  MjcfParts& parts_;
  CollisionShape shape_;
};

// The body's mass properties with the compiler's lower bounds of the mass and of the principal moments of inertia.
MassProperties bounded(MassProperties body, const MjcfSettings& settings) {
  if (body.mass < settings.least_mass()) body.mass = settings.least_mass();
  if (!(settings.least_inertia() > 0)) return body;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(body.inertia());
  if (!(principal.eigenvalues()[0] < settings.least_inertia())) return body;
  const Eigen::Vector3d moments = principal.eigenvalues().cwiseMax(settings.least_inertia());
  const Matrix3d& axes = principal.eigenvectors();
  return mass_from_inertia(body.mass, body.center, axes * moments.asDiagonal() * axes.transpose());
}

// Files round: a moment of 0 may come out as below 0 by a millionth of the largest one.
void require_not_negative(const XmlElement& element, double mass, const Matrix3d& inertia) {
  if (!(mass >= 0)) element.fail(fmt::format("'mass' is {}; it must be 0 or more", mass));
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(moments[0] >= -1e-6 * std::abs(moments[2])))
    element.fail(fmt::format("the principal moments of inertia are {:.6g}, {:.6g} and {:.6g} kg m^2; none may be negative",
                             moments[2], moments[1], moments[0]));
}

}  // namespace

void read_mjcf_geom(const XmlElement& element, const std::string& childclass, int body, const Isometry3d& frame,
                    MjcfParts& parts) {
  GeomReader(element, childclass, parts).read(body, frame);
}

void read_mjcf_inertial(const XmlElement& element, int body, const Isometry3d& frame, MjcfParts& parts) {
  element.check_spelling({"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "mass", "diaginertia", "fullinertia"}, {});
  if (!element.has("mass")) element.fail("the attribute 'mass' is missing");
  const std::vector<double> full = element.numbers("fullinertia", 6, 6);  // xx yy zz xy xz yz
  Matrix3d inertia = element.vector3("diaginertia", Eigen::Vector3d::Zero()).asDiagonal();
  if (!full.empty() && element.has("diaginertia"))
    element.fail("both 'diaginertia' and 'fullinertia' give an inertia; leave one");
  if (!full.empty()) inertia << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
  require_not_negative(element, element.number("mass", 0), inertia);
  const MassProperties mass = mass_from_inertia(element.number("mass", 0), Eigen::Vector3d::Zero(), inertia);
  if (!parts.settings.balances_inertia()) require_physical(element, mass);
  if (!parts.masses[body].inertial.empty()) element.fail("a second 'inertial' of one body; leave one");
  parts.masses[body].inertial.push_back(transformed(mass, frame * parts.settings.pose(element)));
}

void read_mjcf_site(const XmlElement& element, const std::string& childclass, int body, const Isometry3d& frame,
                    MjcfParts& parts) {
  if (element.has("fromto")) return parts.pass_over(element);
  parts.model.sites.push_back({element.text("name"), body, frame * parts.settings.pose(element, childclass)});
}

void finish_mjcf_masses(const XmlElement& root, MjcfParts& parts) {
  // Each body's mass comes from its geoms or its inertial, as the compiler's `inertiafromgeom` states. Bodies between several
  // joints of one body have none. `settotalmass` finally scales all masses.
  const MjcfSettings& settings = parts.settings;
  for (int number = 0; number < int(parts.model.bodies.size()); ++number) {
    if (parts.made_up.contains(number)) continue;
    const MjcfMass& mass = parts.masses[number];
    const bool takes_geoms =
        settings.inertia_from_geoms() == "true" || (settings.inertia_from_geoms() == "auto" && mass.inertial.empty());
    ArticulatedBody& body = parts.model.bodies[std::size_t(number)];
    body.mass = bounded(combined(takes_geoms ? mass.geoms : mass.inertial), settings);
    for (const FileNote& geom : takes_geoms ? mass.unknown : std::vector<FileNote>())
      parts.model.notes.push_back(
          {geom.location, fmt::format("the mass of the body '{}' is without that of {}", body.name, geom.text), "mass"});
  }
  const double stated = settings.total_mass(), total = parts.model.total_mass();
  if (!(stated > 0)) return;
  if (!(total > 0)) root.fail(fmt::format("the compiler's 'settotalmass' is {}, and no body has a mass", stated));
  for (ArticulatedBody& body : parts.model.bodies) body.mass = with_mass(body.mass, body.mass.mass * stated / total);
}

}  // namespace holo
