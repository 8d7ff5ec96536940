// The sections of an MJCF file beside its bodies: equalities that close loops, actuators, keyframes.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "mechanism/files/mjcf_parts.h"
#include "mesh/readers/mesh_scanner.h"

namespace holo {

namespace {

using Eigen::Isometry3d, Eigen::Vector3d;

Isometry3d placed(const std::vector<Isometry3d>& frames, int body) {
  return body == world ? Isometry3d::Identity() : frames[std::size_t(body)];
}

class EqualityReader {
 public:
  EqualityReader(MjcfParts& parts, const XmlElement& element, const std::string& name)
      : parts_(parts), element_(element), frames_(world_frames(parts.tree)) {
    loop_.name = name;
    loop_.location = element.location();
    loop_.locks_rotation = element.is("weld");
  }

  TreeLoop read() {
    element_.check_spelling({"name", "class", "active", "body1", "body2", "anchor", "relpose", "site1", "site2"},
                            {"solref", "solimp", "torquescale"});
    if (element_.has("site1") || element_.has("site2")) {
      for (const char* attribute : {"body1", "body2", "anchor", "relpose"})
        if (element_.has(attribute))
          element_.fail(fmt::format("both sites and '{}'; either sites or bodies are tied", attribute));
      std::tie(loop_.body_a, loop_.frame_a) = site("site1");
      std::tie(loop_.body_b, loop_.frame_b) = site("site2");
    } else {
      loop_.body_a = body("body1", false);
      loop_.body_b = body("body2", true);
      if (loop_.locks_rotation)
        weld_bodies();
      else
        connect_bodies();
    }
    if (loop_.body_a == loop_.body_b) element_.fail("it ties a body to itself");
    return loop_;
  }

 private:
  std::pair<int, Isometry3d> site(const char* attribute) const {
    const std::string name = element_.required_text(attribute);
    const auto found = parts_.sites.find(name);
    if (found == parts_.sites.end()) {
      std::vector<std::string> names;
      for (const auto& entry : parts_.sites) names.push_back(entry.first);
      refuse_name(element_.location(), "site", name, names);
    }
    const MjcfSite& site = found->second;
    if (site.element.has("fromto")) site.element.fail("a site that ties bodies needs a 'pos'; 'fromto' is not read");
    Isometry3d pose = parts_.settings.pose(site.element);
    if (!site.element.has("pos"))
      pose.translation() = parts_.settings.source(site.element, site.childclass, "pos").vector3("pos", Vector3d::Zero());
    return {site.body, site.frame * pose};
  }

  int body(const char* attribute, bool may_be_missing) const {
    if (may_be_missing && !element_.has(attribute)) return world;
    const std::string name = element_.required_text(attribute);
    const int number = parts_.tree.body(name);
    if (number == no_body) refuse_name(element_.location(), "body", name, parts_.tree.body_names());
    return number;
  }

  // The anchor is in the first body; in the second it is where that is in the file's pose.
  void connect_bodies() {
    if (!element_.has("anchor")) element_.fail("the attribute 'anchor' is missing: the point in 'body1' that is tied");
    loop_.frame_a.translation() = element_.vector3("anchor", Vector3d::Zero());
    loop_.frame_b = placed(frames_, loop_.body_b).inverse() * placed(frames_, loop_.body_a) * loop_.frame_a;
  }

  // The anchor is in the second body; `relpose` is the second body's pose in the first one, or that in the file's pose.
  void weld_bodies() {
    loop_.frame_b.translation() = element_.vector3("anchor", Vector3d::Zero());
    Isometry3d relative = placed(frames_, loop_.body_a).inverse() * placed(frames_, loop_.body_b);
    const std::vector<double> v = element_.numbers("relpose", 7, 7);
    if (!v.empty() && Eigen::Vector4d(v[3], v[4], v[5], v[6]).norm() > 0) {
      relative.translation() = Vector3d(v[0], v[1], v[2]);
      relative.linear() = rotation_from(element_, "relpose", {v[3], v[4], v[5], v[6]});
    }
    loop_.frame_a = relative * loop_.frame_b;
  }

  MjcfParts& parts_;
  const XmlElement& element_;
  std::vector<Isometry3d> frames_;
  TreeLoop loop_;
};

// What a free or ball joint holds in a keyframe.
Eigen::Matrix3d turn_in(const XmlElement& key, const double* q) { return rotation_from(key, "qpos", {q[0], q[1], q[2], q[3]}); }

int key_size(TreeJointType type) {
  switch (type) {
    case TreeJointType::fixed:
      return 0;
    case TreeJointType::free:
      return 7;
    case TreeJointType::spherical:
      return 4;
    default:
      return 1;
  }
}

}  // namespace

void read_mjcf_equalities(const XmlElement& root, MjcfParts& parts, const MechanismFileOptions& options) {
  int number = 0;
  for (const XmlElement& section : root.children("equality"))
    for (const XmlElement& element : section.children()) {
      ++number;
      const std::string name = element.text("name", fmt::format("{}{}", element.name(), number));
      TreeLoop loop;
      loop.name = name;
      if (std::find(options.left_out.begin(), options.left_out.end(), name) == options.left_out.end()) {
        if (parts.settings.source(element, "", "active").text_of("active", {"true", "false"}, "true") == "false") continue;
        if (!element.is("connect") && !element.is("weld"))
          element.fail(
              fmt::format("the equality '{}' couples coordinates, which a mechanism cannot express; 'connect' and 'weld' are "
                          "read. Model the linkage itself, or name '{}' among the loops that are left out",
                          element.name(), name));
        loop = EqualityReader(parts, element, name).read();
      }
      parts.tree.loops.push_back(loop);
    }
}

void read_mjcf_actuators(const XmlElement& root, MjcfParts& parts) {
  std::map<int, std::pair<int, XmlElement>> counts;  // actuators of each joint
  for (const XmlElement& section : root.children("actuator"))
    for (const XmlElement& element : section.children()) {
      const char* attribute = element.has("jointinparent") ? "jointinparent" : "joint";
      if (!element.has(attribute))
        element.fail(
            "it drives no joint but something else (such as a tendon or a site), which a mechanism cannot express; name the "
            "driven joints in the reader's option 'actuators'");
      const std::string name = element.required_text(attribute);
      const int joint = parts.tree.joint(name);
      if (joint == no_body) refuse_name(element.location(), "joint", name, parts.tree.joint_names());
      if (counts.emplace(joint, std::pair(0, element)).first->second.first++ == 0)
        parts.tree.actuators.push_back({name, element.location()});
    }
  for (const auto& [joint, count] : counts) {
    const TreeBody& body = parts.tree.bodies[std::size_t(joint)];
    const int needed = body.type == TreeJointType::spherical ? 3 : body.type == TreeJointType::free ? 6 : 1;
    if (count.first < needed)
      count.second.fail(
          fmt::format("the joint '{}' has {} actuators, of its {} degrees of freedom; a driven joint of a mechanism is "
                      "driven in all. Name the driven joints in the reader's option 'actuators'",
                      body.joint, count.first, needed));
  }
}

void read_mjcf_keyframe(const XmlElement& root, MjcfParts& parts, const std::string& name) {
  std::vector<std::string> names;
  for (const XmlElement& section : root.children("keyframe"))
    for (const XmlElement& key : section.children("key")) {
      names.push_back(key.text("name"));
      if (names.back() != name) continue;
      std::size_t size = 0, first = 0;
      for (const TreeBody& body : parts.tree.bodies) size += std::size_t(key_size(body.type));
      const std::vector<double> q = key.numbers("qpos", size, size);
      if (q.empty()) key.fail("the attribute 'qpos' is missing: the joints' positions");
      for (TreeBody& body : parts.tree.bodies) {
        const double* values = q.data() + first;
        first += std::size_t(key_size(body.type));
        if (body.has_position()) body.motion.coordinates[0] = values[0] - body.reference;
        if (body.type == TreeJointType::spherical) body.motion.transform.linear() = turn_in(key, values);
        if (body.type == TreeJointType::free) {
          // It says the body's pose in the world, not in the frame that the file gives it.
          Isometry3d pose = Isometry3d::Identity();
          pose.translation() = Vector3d(values[0], values[1], values[2]);
          pose.linear() = turn_in(key, values + 3);
          body.motion.transform = body.frame_a.inverse() * pose;
        }
      }
      return;
    }
  refuse_name(root.location(), "keyframe", name, names);
}

}  // namespace holo
