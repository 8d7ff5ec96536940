// URDF: a link's frame is that of its joint, so that a body whose frame is elsewhere hangs fixed on a link of its own.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "holo/sim/articulated/robot_writer.h"
#include "robot_files/writer_parts.h"

namespace holo {

namespace {

using Eigen::Isometry3d;

// Roll, pitch and yaw, one after the other from what is left of the rotation: exact also where the pitch is a right angle.
Eigen::Vector3d roll_pitch_yaw(Eigen::Matrix3d rotation) {
  const double yaw = std::atan2(rotation(1, 0), rotation(0, 0));
  rotation = Eigen::AngleAxisd(-yaw, Eigen::Vector3d::UnitZ()) * rotation;
  const double pitch = std::atan2(-rotation(2, 0), rotation(0, 0));
  rotation = Eigen::AngleAxisd(-pitch, Eigen::Vector3d::UnitY()) * rotation;
  return {std::atan2(rotation(2, 1), rotation(1, 1)), pitch, yaw};
}

std::string origin(const Isometry3d& pose) {
  return fmt::format("<origin xyz=\"{}\" rpy=\"{}\"/>", number_list(pose.translation()),
                     number_list(roll_pitch_yaw(pose.linear())));
}

// A name in YAML's double quotes.
std::string yaml_quoted(const std::string& name) {
  std::string quoted = "\"";
  for (const char letter : name)
    quoted += letter == '"' || letter == '\\' ? std::string("\\") + letter : std::string(1, letter);
  return quoted + "\"";
}

class UrdfWriter {
 public:
  explicit UrdfWriter(const ArticulatedModel& model) : model_(model) {}

  UrdfTexts write() {
    text_ = "<robot name=\"robot\">\n";
    // For MuJoCo: links of joints have no mass, and no link becomes a part of another one.
    text_ +=
        "  <mujoco><compiler boundmass=\"1e-9\" boundinertia=\"1e-9\" discardvisual=\"false\" "
        "fusestatic=\"false\"/></mujoco>\n";
    add_link(ArticulatedModel::world);
    for (const int body : nested_order(model_)) add_body(body);
    for (const ArticulatedLoop& loop : model_.loops)
      if (loop.body_a != loop.body_b) add_loop(loop);
    text_ += "</robot>\n";
    for (const ArticulatedActuator& actuator : model_.actuators)
      if (actuator.joint != no_body) motors_.push_back(yaml_quoted(model_.bodies[std::size_t(actuator.joint)].joint.name));
    return {text_, fmt::format("closed_loop: [{}]\ntype: [{}]\nname_mot: [{}]\njoint_name: [{}]\njoint_type: [{}]\n",
                               fmt::join(loops_, ", "), fmt::join(loop_types_, ", "), fmt::join(motors_, ", "),
                               fmt::join(joints_, ", "), fmt::join(joint_types_, ", "))};
  }

 private:
  void add_body(int number) {
    const ArticulatedBody& body = model_.bodies[std::size_t(number)];
    const ArticulatedJoint& joint = body.joint;
    const std::string parent = body_name(model_, body.parent);
    Isometry3d zero = joint.frame_a;  // frame B in the parent where the file's value is 0
    if (joint.has_position()) zero = zero * motion_of(joint, {{-joint.reference, 0}, Isometry3d::Identity()});
    // The axes of a universal joint are those of its link.
    const bool is_apart =
        joint.type != "fixed" && joint.type != "free" &&
        (!joint.body_in_b.translation().isZero(0) || (joint.type == "universal" && !joint.body_in_b.linear().isIdentity(0)));
    add_link(number);
    if (!is_apart) {
      add_joint(number, parent, body.name, zero * joint.body_in_b, joint_axis(joint));
      return;
    }
    const std::string link = unused_link(joint.name + "_link");
    text_ += fmt::format("  <link name={}/>\n", xml_quoted(link));
    add_joint(number, parent, link, zero, Eigen::Vector3d::UnitX());
    add_fixed(joint.name + "_mount", link, body.name, joint.body_in_b);
  }

  std::string unused_link(std::string name) const {
    while (model_.body(name) != no_body) name += "_";
    return name;
  }

  void add_fixed(const std::string& name, const std::string& parent, const std::string& child, const Isometry3d& pose) {
    text_ += fmt::format("  <joint name={} type=\"fixed\">\n    <parent link={}/><child link={}/>\n    {}\n  </joint>\n",
                         xml_quoted(name), xml_quoted(parent), xml_quoted(child), origin(pose));
  }

  void add_joint(int number, const std::string& parent, const std::string& child, const Isometry3d& pose,
                 const Eigen::Vector3d& axis) {
    const ArticulatedJoint& joint = model_.bodies[std::size_t(number)].joint;
    if (joint.type == "fixed") return add_fixed(joint.name, parent, child, pose);
    const bool has_limits = std::isfinite(joint.position.minimum) && std::isfinite(joint.position.maximum);
    const bool is_hinge = joint.type != "prismatic" && joint.type != "free";  // balls and universal joints stand for hinges
    const std::string type = joint.type == "free"                     ? "floating"
                             : !is_hinge                              ? "prismatic"
                             : has_limits && joint.type == "revolute" ? "revolute"
                                                                      : "continuous";
    text_ += fmt::format("  <joint name={} type=\"{}\">\n    <parent link={}/><child link={}/>\n    {}\n",
                         xml_quoted(joint.name), type, xml_quoted(parent), xml_quoted(child), origin(pose));
    if (joint.type != "free") text_ += fmt::format("    <axis xyz=\"{}\"/>\n", number_list(axis));
    if (joint.has_position()) add_limits(joint, has_limits);
    for (const JointCoupling& coupling : model_.couplings)
      if (coupling.joint == number) add_coupling(coupling);
    text_ += "  </joint>\n";
    if (joint.type != "spherical" && joint.type != "universal") return;
    joints_.push_back(yaml_quoted(joint.name));
    joint_types_.push_back(joint.type == "spherical" ? "SPHERICAL" : "UJOINT_XY");
  }

  void add_limits(const ArticulatedJoint& joint, bool has_limits) {
    std::string limits;
    if (has_limits) limits += fmt::format(" lower=\"{}\" upper=\"{}\"", joint.position.minimum, joint.position.maximum);
    if (std::isfinite(joint.effort)) limits += fmt::format(" effort=\"{}\"", joint.effort);
    if (std::isfinite(joint.velocity)) limits += fmt::format(" velocity=\"{}\"", joint.velocity);
    if (!limits.empty()) text_ += "    <limit" + limits + "/>\n";
    if (joint.damping != 0 || joint.friction != 0)
      text_ += fmt::format("    <dynamics damping=\"{}\" friction=\"{}\"/>\n", joint.damping, joint.friction);
  }

  // Couplings count from the joints' references, the file counts from 0.
  void add_coupling(const JointCoupling& coupling) {
    const CouplingPolynomial& c = coupling.polynomial;
    if (coupling.leader == no_body || c[2] != 0 || c[3] != 0 || c[4] != 0)
      throw Error(Failure::input,
                  fmt::format("the coupling '{}' is not linear in another joint; URDF has no others", coupling.name));
    const ArticulatedJoint& leader = model_.bodies[std::size_t(coupling.leader)].joint;
    const double own = model_.bodies[std::size_t(coupling.joint)].joint.reference;
    text_ += fmt::format("    <mimic joint={} multiplier=\"{}\" offset=\"{}\"/>\n", xml_quoted(leader.name), c[1],
                         own + c[0] - c[1] * leader.reference);
  }

  void add_link(int number) {
    text_ += fmt::format("  <link name={}>\n", xml_quoted(body_name(model_, number)));
    if (number >= 0) add_inertial(model_.bodies[std::size_t(number)].mass);
    for (const CollisionShape& shape : model_.shapes)
      if (shape.body == number) add_shape(shape);
    text_ += "  </link>\n";
  }

  void add_inertial(const MassProperties& of_body) {
    const MassProperties mass = written_mass(of_body);
    Isometry3d center = Isometry3d::Identity();
    center.translation() = mass.center;
    const Eigen::Matrix3d inertia = mass.inertia();
    text_ += fmt::format(
        "    <inertial>\n      {}\n      <mass value=\"{}\"/>\n      <inertia ixx=\"{}\" ixy=\"{}\" ixz=\"{}\" iyy=\"{}\" "
        "iyz=\"{}\" "
        "izz=\"{}\"/>\n    </inertial>\n",
        origin(center), mass.mass, inertia(0, 0), inertia(0, 1), inertia(0, 2), inertia(1, 1), inertia(1, 2), inertia(2, 2));
  }

  // URDF has no ellipsoids and planes.
  void add_shape(const CollisionShape& shape) {
    using Kind = CollisionShape::Kind;
    std::string geometry;
    if (shape.kind == Kind::sphere) geometry = fmt::format("<sphere radius=\"{}\"/>", shape.size.x());
    if (shape.kind == Kind::box) geometry = fmt::format("<box size=\"{}\"/>", number_list(2 * shape.size));
    if (shape.kind == Kind::capsule || shape.kind == Kind::cylinder)
      geometry = fmt::format("<{} radius=\"{}\" length=\"{}\"/>", shape.kind == Kind::capsule ? "capsule" : "cylinder",
                             shape.size.x(), 2 * shape.size.y());
    if (shape.kind == Kind::mesh)
      geometry = fmt::format("<mesh filename={} scale=\"{}\"/>", xml_quoted(shape.mesh.string()), number_list(shape.size));
    if (geometry.empty()) return;
    const char* element = shape.collides ? "collision" : "visual";
    text_ += fmt::format("    <{0}>{1}<geometry>{2}</geometry></{0}>\n", element, origin(shape.pose), geometry);
  }

  void add_loop(const ArticulatedLoop& loop) {
    std::vector<std::string> ends;
    for (const bool second : {false, true}) {
      const std::string link = unused_link(loop.name + (second ? "_b" : "_a"));
      text_ += fmt::format("  <link name={}/>\n", xml_quoted(link));
      add_fixed(link + "_mount", body_name(model_, second ? loop.body_b : loop.body_a), link,
                second ? loop.frame_b : loop.frame_a);
      ends.push_back(yaml_quoted(link));
    }
    loops_.push_back(fmt::format("[{}, {}]", ends[0], ends[1]));
    loop_types_.push_back(loop.locks_rotation ? "6d" : "3d");
  }

  const ArticulatedModel& model_;
  std::string text_;
  std::vector<std::string> loops_, loop_types_, motors_, joints_, joint_types_;
};

}  // namespace

UrdfTexts urdf_texts(const ArticulatedModel& model) { return UrdfWriter(model).write(); }

}  // namespace holo
