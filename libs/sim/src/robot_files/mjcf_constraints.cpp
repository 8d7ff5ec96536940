// Equalities of an MJCF file, which close loops or couple joints, and its keyframes.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "mesh/readers/mesh_scanner.h"
#include "robot_files/mjcf_parts.h"

namespace holo {

namespace {

using Eigen::Isometry3d;

Isometry3d placed(const std::vector<Isometry3d>& frames, int body) {
  return body == ArticulatedModel::world ? Isometry3d::Identity() : frames[std::size_t(body)];
}

class EqualityReader {
 public:
  EqualityReader(MjcfParts& parts, const XmlElement& element, const std::string& name)
      : parts_(parts), element_(element), frames_(world_frames(parts.model, file_pose(parts.model))) {
    loop_.name = name;
    loop_.source = element.source();
    loop_.locks_rotation = element.is("weld");
  }

  ArticulatedLoop read() {
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
    const Isometry3d pose = parts_.settings.pose(site.element, site.childclass);
    return {site.body, site.frame * pose};
  }

  int body(const char* attribute, bool may_be_missing) const {
    if (may_be_missing && !element_.has(attribute)) return ArticulatedModel::world;
    const std::string name = element_.required_text(attribute);
    const int number = parts_.model.body(name);
    if (number == no_body) refuse_name(element_.location(), "body", name, parts_.model.body_names());
    return number;
  }

  // The anchor is in the first body; in the second it is where that is in the file's pose.
  void connect_bodies() {
    if (!element_.has("anchor")) element_.fail("the attribute 'anchor' is missing: the point in 'body1' that is tied");
    loop_.frame_a.translation() = element_.vector3("anchor", Eigen::Vector3d::Zero());
    loop_.frame_b = placed(frames_, loop_.body_b).inverse() * placed(frames_, loop_.body_a) * loop_.frame_a;
  }

  // The anchor is in the second body; `relpose` is its position in the first one and the rotation of the second body there. The
  // default is the pose of the file.
  void weld_bodies() {
    loop_.frame_b.translation() = element_.vector3("anchor", Eigen::Vector3d::Zero());
    const std::vector<double> v = element_.numbers("relpose", 7, 7);
    if (!v.empty() && Eigen::Vector4d(v[3], v[4], v[5], v[6]).norm() > 0) {
      loop_.frame_a.translation() = Eigen::Vector3d(v[0], v[1], v[2]);
      loop_.frame_a.linear() = rotation_from(element_, "relpose", {v[3], v[4], v[5], v[6]});
    } else {
      loop_.frame_a = placed(frames_, loop_.body_a).inverse() * placed(frames_, loop_.body_b) * loop_.frame_b;
    }
  }

  MjcfParts& parts_;
  const XmlElement& element_;
  std::vector<Isometry3d> frames_;
  ArticulatedLoop loop_;
};

// The rotation of a free or ball joint in a keyframe.
Eigen::Matrix3d turn_in(const XmlElement& key, const double* q) { return rotation_from(key, "qpos", {q[0], q[1], q[2], q[3]}); }

int key_size(const ArticulatedJoint& joint) {
  if (joint.type == "free") return 7;
  return joint.type == "spherical" ? 4 : joint.has_position() ? 1 : 0;
}

JointCoupling read_coupling(const XmlElement& element, const std::string& name, const ArticulatedModel& model) {
  element.check_spelling({"name", "class", "active", "joint1", "joint2", "polycoef"}, {"solref", "solimp"});
  const auto joint = [&](const char* attribute) {
    const std::string joint_name = element.required_text(attribute);
    const int number = model.joint(joint_name);
    if (number == no_body) refuse_name(element.location(), "joint", joint_name, model.joint_names());
    if (!model.bodies[std::size_t(number)].joint.has_position())
      element.fail(fmt::format("the joint '{}' is {}; only hinges and slides are coupled", joint_name,
                               model.bodies[std::size_t(number)].joint.type));
    return number;
  };
  JointCoupling coupling{name, element.source(), joint("joint1")};
  if (element.has("joint2")) coupling.leader = joint("joint2");
  // Coefficients that are left out stay those of c = l.
  const std::vector<double> polynomial = element.numbers("polycoef", 1, 5);
  std::copy(polynomial.begin(), polynomial.end(), coupling.polynomial.begin());
  return coupling;
}

}  // namespace

void read_mjcf_equalities(const XmlElement& root, MjcfParts& parts, const RobotReaderOptions& options) {
  int number = 0;
  for (const XmlElement& section : root.children("equality"))
    for (const XmlElement& element : section.children()) {
      ++number;
      const std::string name = element.text("name", fmt::format("{}{}", element.name(), number));
      ArticulatedLoop loop;
      loop.name = name;
      if (std::find(options.left_out.begin(), options.left_out.end(), name) == options.left_out.end()) {
        if (parts.settings.source(element, "", "active").text_of("active", {"true", "false"}, "true") == "false") {
          parts.model.notes.push_back({element.location(), fmt::format("the equality '{}' is not active", name)});
          continue;
        }
        if (element.is("joint")) {
          parts.model.couplings.push_back(read_coupling(element, name, parts.model));
          continue;
        }
        if (!element.is("connect") && !element.is("weld"))
          element.fail(
              fmt::format("the equality '{}' is not read; 'connect', 'weld' and 'joint' are. Model the linkage itself, or "
                          "name '{}' among the loops that are left out",
                          element.name(), name));
        loop = EqualityReader(parts, element, name).read();
      }
      parts.model.loops.push_back(loop);
    }
}

ArticulatedPose read_mjcf_keyframe(const XmlElement& root, const MjcfParts& parts, const std::string& name) {
  const std::vector<ArticulatedBody>& bodies = parts.model.bodies;
  ArticulatedPose pose = file_pose(parts.model);
  std::vector<std::string> names;
  for (const XmlElement& section : root.children("keyframe"))
    for (const XmlElement& key : section.children("key")) {
      names.push_back(key.text("name"));
      if (names.back() != name) continue;
      std::size_t size = 0, first = 0;
      for (const ArticulatedBody& body : bodies) size += std::size_t(key_size(body.joint));
      const std::vector<double> q = key.numbers("qpos", size, size);
      if (q.empty()) key.fail("the attribute 'qpos' is missing: the joints' positions");
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const ArticulatedJoint& joint = bodies[i].joint;
        const double* values = q.data() + first;
        first += std::size_t(key_size(joint));
        if (joint.has_position()) pose[i].coordinates[0] = values[0] - joint.reference;
        if (joint.type == "spherical") pose[i].transform.linear() = turn_in(key, values);
        if (joint.type == "free") {
          // It says the body's pose in the world, not in the frame that the file gives it.
          Isometry3d body = Isometry3d::Identity();
          body.translation() = Eigen::Vector3d(values[0], values[1], values[2]);
          body.linear() = turn_in(key, values + 3);
          pose[i].transform = joint.frame_a.inverse() * body;
        }
      }
      return pose;
    }
  refuse_name(root.location(), "keyframe", name, names);
}

}  // namespace holo
