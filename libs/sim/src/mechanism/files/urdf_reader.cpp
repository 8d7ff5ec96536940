// URDF: links, and joints that each name a parent and a child link.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "holo/sim/mechanism/model/mechanism_builder.h"
#include "mechanism/files/robot_readers.h"

namespace holo {

namespace {

using Eigen::Isometry3d, Eigen::Vector3d;

struct UrdfJoint {
  XmlElement element;
  std::string parent, child;
};

Isometry3d origin_of(const XmlElement& joint) {
  Isometry3d origin = Isometry3d::Identity();
  const XmlElement element = joint.child("origin");
  if (!element) return origin;
  element.check_spelling({"xyz", "rpy"}, {});
  const Vector3d rpy = element.vector3("rpy", Vector3d::Zero());
  origin.translation() = element.vector3("xyz", Vector3d::Zero());
  origin.linear() = (Eigen::AngleAxisd(rpy.z(), Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vector3d::UnitY()) *
                     Eigen::AngleAxisd(rpy.x(), Vector3d::UnitX()))
                        .toRotationMatrix();
  return origin;
}

Vector3d axis_of(const XmlElement& joint) {
  const XmlElement element = joint.child("axis");
  const Vector3d axis = element ? element.vector3("xyz", Vector3d::UnitX()) : Vector3d::UnitX();
  if (!(axis.norm() > 1e-9)) element.fail("the joint's axis has the length 0; give it an entry that is not 0");
  return axis;
}

class UrdfReader {
 public:
  explicit UrdfReader(XmlFiles& files) : root_(files.root()) { tree_.file = files.path().string(); }

  KinematicTree read() {
    read_links();
    read_joints();
    const std::string root = find_root();
    if (root != "world") add_root(root);
    add_below(root);
    return std::move(tree_);
  }

 private:
  void read_links() {
    for (const XmlElement& link : root_.children("link")) add_link(link.required_text("name"), link);
    if (links_.empty()) root_.fail("the robot has no 'link'");
  }

  void add_link(const std::string& name, const XmlElement& element) {
    if (!links_.emplace(name, element).second) element.fail("a second link of this name; names must differ");
    link_names_.push_back(name);
  }

  std::string link_of(const XmlElement& joint, const char* end) const {
    const XmlElement element = joint.child(end);
    if (!element) joint.fail(fmt::format("the element '{}' is missing; it names a link", end));
    const std::string link = element.required_text("link");
    if (!links_.contains(link)) refuse_name(element.location(), "link", link, link_names_);
    return link;
  }

  void read_joints() {
    std::map<std::string, XmlElement> names;
    for (const XmlElement& joint : root_.children("joint"))  // the world may be a parent without being listed
      if (const XmlElement parent = joint.child("parent");
          parent && parent.text("link") == "world" && !links_.contains("world"))
        add_link("world", parent);
    for (const XmlElement& joint : root_.children("joint")) {
      joint.check_spelling({"name", "type"}, {});
      if (!names.emplace(joint.required_text("name"), joint).second)
        joint.fail("a second joint of this name; names must differ");
      check_parts(joint);
      const UrdfJoint read{joint, link_of(joint, "parent"), link_of(joint, "child")};
      if (read.parent == read.child) joint.fail(fmt::format("parent and child are the same link '{}'", read.child));
      const auto [other, is_new] = to_child_.emplace(read.child, joints_.size());
      if (!is_new)
        joint.fail(
            fmt::format("the link '{}' has a second parent '{}' beside '{}' (joint '{}'); a tree's links have one: close loops "
                        "in a loop file instead",
                        read.child, read.parent, joints_[other->second].parent, joints_[other->second].element.text("name")));
      joints_.push_back(read);
    }
  }

  // Elements of a joint that would change its motion must not be overlooked.
  static void check_parts(const XmlElement& joint) {
    const std::vector<std::string> matters = {"origin", "parent", "child", "axis", "mimic"};
    for (const XmlElement& part : joint.children()) {
      if (part.is("mimic"))
        part.fail(fmt::format(
            "'mimic' couples two joints, which a mechanism cannot express; model the linkage or the gear's bodies, or "
            "leave the element out and drive both joints"));
      const bool is_known = std::find(matters.begin(), matters.end(), part.name()) != matters.end();
      if (const std::string meant = suggestion(part.name(), matters); !is_known && part.name() != "limit" && !meant.empty())
        part.fail(fmt::format("unknown element of a joint.{}", meant));
    }
  }

  std::string find_root() const {
    std::vector<std::string> roots;
    for (const std::string& link : link_names_)
      if (!to_child_.contains(link)) roots.push_back(link);
    if (roots.empty())
      root_.fail("every link is some joint's child: the joints form a circle, and no link is the root of the tree");
    if (roots.size() > 1)
      links_.at(roots[1]).fail(
          fmt::format("no joint ties this link to the root '{}'; {} links have no parent ('{}'), one may have none", roots[0],
                      roots.size(), fmt::join(roots, "', '")));
    return roots[0];
  }

  void add_root(const std::string& name) {
    TreeBody body;
    body.name = name;
    body.location = body.joint_location = links_.at(name).location();
    body.joint = name + "_root";
    body.type = TreeJointType::free;
    tree_.bodies.push_back(body);
  }

  // Level by level, in the file's order.
  void add_below(const std::string& root) {
    std::vector<std::string> level = {root};
    std::size_t reached = 1;
    while (!level.empty()) {
      std::vector<std::string> next;
      for (const std::string& parent : level)
        for (const UrdfJoint& joint : joints_)
          if (joint.parent == parent) {
            add(joint);
            next.push_back(joint.child);
          }
      reached += next.size();
      level = std::move(next);
    }
    if (reached == links_.size()) return;
    for (const UrdfJoint& joint : joints_)
      if (tree_.body(joint.child) == no_body)
        joint.element.fail(
            fmt::format("the link '{}' does not hang on the root '{}': its joints form a circle; close loops in a loop "
                        "file instead",
                        joint.child, root));
  }

  void add(const UrdfJoint& joint) {
    TreeBody body;
    body.name = joint.child;
    body.parent = tree_.body(joint.parent);
    body.location = links_.at(joint.child).location();
    body.joint = joint.element.text("name");
    body.joint_location = joint.element.location();
    body.frame_a = origin_of(joint.element);
    set_type(joint.element, body);
    tree_.bodies.push_back(body);
  }

  void set_type(const XmlElement& joint, TreeBody& body) const {
    const std::string type =
        joint.text_of("type", {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"}, "(none)");
    if (type == "planar") joint.fail("'planar' joints are not read; write two 'prismatic' ones and a 'revolute' one");
    if (type == "fixed") return;
    if (type == "floating") {
      body.type = TreeJointType::free;
      return;
    }
    body.type = type == "prismatic" ? TreeJointType::prismatic : TreeJointType::revolute;
    const Eigen::Matrix3d axes = axes_along(axis_of(joint));
    body.frame_a.linear() = body.frame_a.linear() * axes;
    body.body_in_b.linear() = axes.transpose();
  }

  XmlElement root_;
  KinematicTree tree_;
  std::map<std::string, XmlElement> links_;
  std::vector<std::string> link_names_;  // in the file's order
  std::vector<UrdfJoint> joints_;
  std::map<std::string, std::size_t> to_child_;  // a link's joint
};

}  // namespace

KinematicTree read_urdf(XmlFiles& files) { return UrdfReader(files).read(); }

}  // namespace holo
