// MJCF, MuJoCo's XML: bodies nested in their parents. The pose of the file is the one at which each joint has its `ref`.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "holo/sim/articulated/joint_axes.h"
#include "robot_files/mjcf_parts.h"

namespace holo {

namespace {

using Eigen::Isometry3d;

class MjcfReader {
 public:
  MjcfReader(const XmlElement& root, MjcfParts& parts) : root_(root), parts_(parts) {}

  void read() {
    check_sections();
    for (const XmlElement& worldbody : root_.children("worldbody")) {
      collect_names(worldbody, 0);
      read_content(worldbody, {ArticulatedModel::world, Isometry3d::Identity(), ""}, 0);
    }
    if (parts_.model.bodies.empty()) root_.fail("the file has no body; a 'worldbody' with at least one 'body' is needed");
  }

 private:
  // The parent, frame and default class of the children of a body or frame.
  struct Place {
    int parent;
    Isometry3d pose;  // in the parent
    std::string childclass;
  };

  void check_sections() const {
    const std::vector<std::string> known = {"compiler", "option",    "size",    "visual",  "statistic",  "default",
                                            "asset",    "worldbody", "contact", "tendon",  "equality",   "actuator",
                                            "sensor",   "keyframe",  "custom",  "include", "deformable", "extension"};
    for (const XmlElement& section : root_.children())
      if (std::find(known.begin(), known.end(), section.name()) == known.end())
        section.fail("unknown section." + suggestion(section.name(), known));
  }

  // Names that the file gives, which made-up ones must avoid.
  void collect_names(const XmlElement& element, int depth) {
    if (depth > deepest) element.fail(fmt::format("elements are nested over {} deep", deepest));
    for (const XmlElement& child : element.children()) {
      const bool is_body = child.is("body");
      if (is_body || child.is("joint") || child.is("freejoint")) (is_body ? bodies_ : joints_).insert(child.text("name"));
      if (is_body || child.is("frame")) collect_names(child, depth + 1);
    }
  }

  static std::string unused(std::set<std::string>& names, std::string name) {
    while (!names.insert(name).second) name += "_";
    return name;
  }

  void read_content(const XmlElement& element, const Place& place, int depth) {
    const std::vector<std::string> passed_over = {"camera", "light", "plugin", "joint", "freejoint"};
    for (const XmlElement& child : element.children()) {
      if (child.is("body")) {
        read_body(child, place, depth);
      } else if (place.parent == ArticulatedModel::world && (child.is("joint") || child.is("freejoint"))) {
        child.fail("the world has no joints; put it into the body that it moves");
      } else if (child.is("frame")) {
        child.check_spelling({"childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"}, {"name"});
        parts_.settings.require_class(child, child.text("childclass"));
        read_content(child,
                     {place.parent, place.pose * parts_.settings.pose(child), child.text("childclass", place.childclass)},
                     depth + 1);
      } else if (child.is("geom")) {
        read_mjcf_geom(child, place.childclass, place.parent, place.pose, parts_);
      } else if (child.is("inertial") && place.parent >= 0) {
        read_mjcf_inertial(child, place.parent, place.pose, parts_);
      } else if (child.is("site")) {
        read_mjcf_site(child, place.childclass, place.parent, place.pose, parts_);
        if (child.has("name")) parts_.sites[child.text("name")] = {place.parent, child, place.childclass, place.pose};
      } else if (std::find(passed_over.begin(), passed_over.end(), child.name()) == passed_over.end()) {
        child.fail(
            "this element is not read: it makes bodies that the file does not list, or is misspelled. Save the model from "
            "MuJoCo, which writes such bodies out." +
            suggestion(child.name(), {"body", "joint", "site", "frame", "freejoint"}));
      } else if (!child.is("joint") && !child.is("freejoint")) {
        parts_.pass_over(child);
      }
    }
  }

  void read_body(const XmlElement& element, const Place& place, int depth) {
    element.check_spelling({"name", "childclass", "mocap", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"},
                           {"gravcomp", "user", "sleep"});
    if (element.text("mocap", "false") == "true")
      element.fail("a 'mocap' body moves as another program says, which no joint of a mechanism expresses; give it joints");
    ++body_count_;
    const std::string name =
        element.has("name") ? element.required_text("name") : unused(bodies_, fmt::format("body{}", body_count_));
    if (name == "world") element.fail("the name 'world' is the world's; choose another");
    if (parts_.model.body(name) != no_body) element.fail("a second body of this name; names must differ");
    const std::string childclass = element.text("childclass", place.childclass);
    parts_.settings.require_class(element, childclass);
    const int number = add_joints(element, name, place, childclass);
    read_content(element, {number, Isometry3d::Identity(), childclass}, depth + 1);
  }

  // The joints of a body and of frames around them, with their poses in the body.
  struct Joint {
    XmlElement element;
    Isometry3d frame;
    std::string childclass;
  };
  void collect_joints(const XmlElement& element, const Isometry3d& frame, const std::string& childclass,
                      std::vector<Joint>& joints) const {
    for (const XmlElement& child : element.children()) {
      if (child.is("joint") || child.is("freejoint")) joints.push_back({child, frame, childclass});
      if (child.is("frame"))
        collect_joints(child, frame * parts_.settings.pose(child), child.text("childclass", childclass), joints);
    }
  }

  // Returns the body's number. Bodies between several joints are at the pose of the body itself.
  int add_joints(const XmlElement& element, const std::string& name, const Place& place, const std::string& childclass) {
    std::vector<Joint> joints;
    collect_joints(element, Isometry3d::Identity(), childclass, joints);
    ArticulatedBody body;
    body.name = name;
    body.parent = place.parent;
    body.source = body.joint.source = element.source();
    Isometry3d pose = place.pose * parts_.settings.pose(element);  // of the body in its parent
    if (joints.empty()) {
      body.joint.name = unused(joints_, name + "_fixed");
      body.joint.frame_a = pose;
      parts_.model.bodies.push_back(body);
    }
    for (std::size_t i = 0; i < joints.size(); ++i) {
      body.joint = {};
      body.joint.frame_a = pose;
      body.joint.name =
          joint_name(joints[i].element, joints.size() > 1 ? fmt::format("{}_joint{}", name, i + 1) : name + "_joint");
      body.joint.source = joints[i].element.source();
      body.name = i + 1 == joints.size() ? name : unused(bodies_, body.joint.name + "_link");
      set_joint(joints[i], body.parent, joints.size(), body.joint);
      parts_.model.bodies.push_back(body);
      body.parent = int(parts_.model.bodies.size()) - 1;
      if (i + 1 < joints.size()) parts_.made_up.insert(body.parent);
      pose.setIdentity();
    }
    return int(parts_.model.bodies.size()) - 1;
  }

  std::string joint_name(const XmlElement& joint, const std::string& otherwise) {
    const std::string name = joint.has("name") ? joint.required_text("name") : unused(joints_, otherwise);
    if (parts_.model.joint(name) != no_body) joint.fail("a second joint of this name; names must differ");
    return name;
  }

  void set_joint(const Joint& given, int parent, std::size_t joint_count, ArticulatedJoint& joint) const {
    const XmlElement& element = given.element;
    const auto from = [&](const char* attribute) { return parts_.settings.source(element, given.childclass, attribute); };
    const bool is_free = element.is("freejoint");
    if (!is_free)
      element.check_spelling({"name", "class", "type", "pos", "axis", "ref", "range", "limited", "damping", "stiffness",
                              "armature", "springref", "frictionloss", "actuatorfrcrange", "actuatorfrclimited"},
                             {"group", "margin", "user", "springdamper", "solreflimit", "solimplimit", "solreffriction",
                              "solimpfriction", "actuatorgravcomp"});
    const std::string type = is_free ? "free" : from("type").text_of("type", {"free", "ball", "slide", "hinge"}, "hinge");
    joint.type = type == "free" ? "free" : type == "ball" ? "spherical" : type == "slide" ? "prismatic" : "revolute";
    if (type == "free") {
      if (parent != ArticulatedModel::world || joint_count > 1)
        element.fail("a free joint must be the only joint of a body right below the world");
      return;
    }
    const Eigen::Vector3d anchor = given.frame * from("pos").vector3("pos", Eigen::Vector3d::Zero());
    const Eigen::Vector3d axis = given.frame.linear() * from("axis").vector3("axis", Eigen::Vector3d::UnitZ());
    Isometry3d frame = Isometry3d::Identity();  // of the joint in the body
    frame.translation() = anchor;
    if (joint.has_position()) {
      if (!(axis.norm() > 1e-9)) from("axis").fail("the joint's axis has the length 0; give it an entry that is not 0");
      frame.linear() = axes_along(axis);
      const double reference = from("ref").number("ref", 0);
      joint.reference = type == "hinge" ? parts_.settings.angle(reference) : reference;
    }
    joint.frame_a = joint.frame_a * frame;
    joint.body_in_b = frame.inverse();
    set_dynamics(given, type != "slide", joint);
  }

  // Limits, springs and dampers. Positions of hinges and balls are angles.
  void set_dynamics(const Joint& given, bool is_angle, ArticulatedJoint& joint) const {
    const auto from = [&](const char* attribute) { return parts_.settings.source(given.element, given.childclass, attribute); };
    const auto number = [&](const char* attribute) { return from(attribute).number(attribute, 0); };
    const auto position = [&](double in_file) { return is_angle ? parts_.settings.angle(in_file) : in_file; };
    const auto range = [&](const char* name, const char* limited) {
      return read_mjcf_range(given.element, given.childclass, name, limited, parts_);
    };
    if (const auto positions = range("range", "limited"))
      joint.position = {position(positions->minimum), position(positions->maximum)};
    if (const auto efforts = range("actuatorfrcrange", "actuatorfrclimited"))
      joint.effort = std::max(std::abs(efforts->minimum), std::abs(efforts->maximum));
    joint.damping = number("damping");
    joint.stiffness = number("stiffness");
    joint.spring_reference = position(number("springref"));
    joint.armature = number("armature");
    joint.friction = number("frictionloss");
  }

  static constexpr int deepest = 200;
  XmlElement root_;
  MjcfParts& parts_;
  std::set<std::string> bodies_, joints_;
  int body_count_ = 0;
};

}  // namespace

ArticulatedFile read_mjcf(XmlFiles& files, const RobotReaderOptions& options) {
  const XmlElement root = files.root();
  MjcfParts parts{MjcfSettings(root)};
  parts.model.file = files.path().string();
  MjcfReader(root, parts).read();
  finish_mjcf_masses(root, parts);
  read_mjcf_equalities(root, parts, options);
  read_mjcf_actuators(root, parts);
  for (const XmlElement& section : root.children())
    for (const char* unread : {"option", "contact", "tendon", "sensor", "custom", "deformable", "extension"})
      if (section.is(unread)) parts.pass_over(section);
  for (const auto& [name, found] : parts.passed_over)
    parts.model.notes.push_back(
        {found.second,
         fmt::format("<{}> is not read{}", name, found.first > 1 ? fmt::format(", nor are {} more", found.first - 1) : ""),
         name == "tendon" || name == "deformable" ? name : ""});
  const ArticulatedPose pose =
      options.keyframe.empty() ? file_pose(parts.model) : read_mjcf_keyframe(root, parts, options.keyframe);
  return {std::move(parts.model), pose};
}

}  // namespace holo
