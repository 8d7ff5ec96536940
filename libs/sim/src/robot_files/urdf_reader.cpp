// URDF: links, and joints that each name a parent and a child link.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "holo/sim/articulated/joint_axes.h"
#include "robot_files/urdf_links.h"

namespace holo {

namespace {

struct UrdfJoint {
  XmlElement element;
  std::string parent, child;
};

Eigen::Vector3d axis_of(const XmlElement& joint) {
  const XmlElement element = joint.child("axis");
  const Eigen::Vector3d axis = element ? element.vector3("xyz", Eigen::Vector3d::UnitX()) : Eigen::Vector3d::UnitX();
  if (!(axis.norm() > 1e-9)) element.fail("the joint's axis has the length 0; give it an entry that is not 0");
  return axis;
}

class UrdfReader {
 public:
  explicit UrdfReader(XmlFiles& files) : root_(files.root()) { model_.file = files.path().string(); }

  ArticulatedModel read() {
    read_links();
    read_joints();
    const std::string root = find_root();
    if (root != "world") add_root(root);
    add_below(root);
    read_couplings();
    for (const std::string& link : link_names_) read_urdf_link(links_.at(link), model_.body(link), model_);
    note_the_rest();
    return std::move(model_);
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
  void check_parts(const XmlElement& joint) {
    const std::vector<std::string> read = {"origin", "parent", "child", "axis", "mimic", "limit", "dynamics"};
    for (const XmlElement& part : joint.children()) {
      if (std::find(read.begin(), read.end(), part.name()) != read.end()) continue;
      if (const std::string meant = suggestion(part.name(), read); !meant.empty())
        part.fail(fmt::format("unknown element of a joint.{}", meant));
      model_.notes.push_back(
          {part.location(), fmt::format("<{}> of the joint '{}' is not read", part.name(), joint.text("name"))});
    }
  }

  // q = multiplier * leader + offset.
  void read_couplings() {
    for (const UrdfJoint& joint : joints_) {
      const XmlElement mimic = joint.element.child("mimic");
      if (!mimic) continue;
      mimic.check_spelling({"joint", "multiplier", "offset"}, {});
      const std::string leader = mimic.required_text("joint"), name = joint.element.text("name");
      JointCoupling coupling{name + "_mimic",
                             mimic.source(),
                             model_.joint(name),
                             model_.joint(leader),
                             {mimic.number("offset", 0), mimic.number("multiplier", 1), 0, 0, 0}};
      if (coupling.leader == no_body) refuse_name(mimic.location(), "joint", leader, model_.joint_names());
      if (coupling.leader == coupling.joint) mimic.fail("the joint mimics itself");
      model_.couplings.push_back(coupling);
    }
  }

  void note_the_rest() {
    for (const XmlElement& element : root_.children())
      if (!element.is("link") && !element.is("joint") && !element.is("material"))
        model_.notes.push_back({element.location(), fmt::format("<{}> is not read", element.name())});
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
    ArticulatedBody body;
    body.name = name;
    body.source = body.joint.source = links_.at(name).source();
    body.joint.name = name + "_root";
    body.joint.type = "free";
    model_.bodies.push_back(body);
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
      if (model_.body(joint.child) == no_body)
        joint.element.fail(
            fmt::format("the link '{}' does not hang on the root '{}': its joints form a circle; close loops in a loop "
                        "file instead",
                        joint.child, root));
  }

  void add(const UrdfJoint& joint) {
    ArticulatedBody body;
    body.name = joint.child;
    body.parent = model_.body(joint.parent);
    body.source = links_.at(joint.child).source();
    body.joint.name = joint.element.text("name");
    body.joint.source = joint.element.source();
    body.joint.frame_a = urdf_origin(joint.element);
    set_type(joint.element, body.joint);
    set_limits(joint.element, body.joint);
    model_.bodies.push_back(body);
  }

  static void set_type(const XmlElement& element, ArticulatedJoint& joint) {
    const std::string type =
        element.text_of("type", {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"}, "(none)");
    if (type == "planar") element.fail("'planar' joints are not read; write two 'prismatic' ones and a 'revolute' one");
    if (type == "fixed") return;
    if (type == "floating") {
      joint.type = "free";
      return;
    }
    joint.type = type == "prismatic" ? "prismatic" : "revolute";
    const Eigen::Matrix3d axes = axes_along(axis_of(element));
    joint.frame_a.linear() = joint.frame_a.linear() * axes;
    joint.body_in_b.linear() = axes.transpose();
  }

  static void set_limits(const XmlElement& element, ArticulatedJoint& joint) {
    if (const XmlElement limit = element.child("limit")) {
      limit.check_spelling({"lower", "upper", "effort", "velocity"}, {});
      // A file without both means no limit, although the format's defaults are 0.
      if (element.text("type") != "continuous" && (limit.has("lower") || limit.has("upper")))
        joint.position = {limit.number("lower", 0), limit.number("upper", 0)};
      if (joint.position.minimum > joint.position.maximum) limit.fail("'lower' is above 'upper'");
      joint.velocity = limit.number("velocity", joint.velocity);
      joint.effort = limit.number("effort", joint.effort);
      if (!(joint.velocity >= 0) || !(joint.effort >= 0)) limit.fail("'velocity' and 'effort' must be 0 or more");
    }
    if (const XmlElement dynamics = element.child("dynamics")) {
      dynamics.check_spelling({"damping", "friction"}, {});
      joint.damping = dynamics.number("damping", 0);
      joint.friction = dynamics.number("friction", 0);
    }
  }

  XmlElement root_;
  ArticulatedModel model_;
  std::map<std::string, XmlElement> links_;
  std::vector<std::string> link_names_;  // in the file's order
  std::vector<UrdfJoint> joints_;
  std::map<std::string, std::size_t> to_child_;  // a link's joint
};

}  // namespace

ArticulatedModel read_urdf(XmlFiles& files) { return UrdfReader(files).read(); }

}  // namespace holo
