// MJCF: bodies nested in their parents, at the pose in which all coordinates are 0.

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "holo/sim/articulated/robot_writer.h"
#include "robot_files/writer_parts.h"

namespace holo {

namespace {

using Eigen::Isometry3d;

constexpr double largest_gap = 1e-6;  // of a loop at the coordinates 0 [m], or its angle [rad]

class MjcfWriter {
 public:
  explicit MjcfWriter(const ArticulatedModel& model) : model_(model), children_(model.bodies.size() + 1) {
    for (const int body : nested_order(model))
      children_[std::size_t(model.bodies[std::size_t(body)].parent + 1)].push_back(body);
  }

  std::string write(const std::vector<NamedPose>& keyframes) {
    line(0, "<mujoco>");
    line(1, "<compiler angle=\"radian\"/>");
    add_meshes();
    line(1, "<worldbody>");
    add_content(ArticulatedModel::world, 2);
    line(1, "</worldbody>");
    add_equalities();
    add_actuators();
    if (!keyframes.empty()) line(1, "<keyframe>");
    for (const NamedPose& key : keyframes)
      line(2, fmt::format("<key name={} qpos=\"{}\"/>", xml_quoted(key.name), number_list(positions_of(model_, key.pose))));
    if (!keyframes.empty()) line(1, "</keyframe>");
    line(0, "</mujoco>");
    return std::move(text_);
  }

 private:
  void line(int depth, const std::string& text) {
    text_.append(std::size_t(2 * depth), ' ');
    text_ += text + "\n";
  }

  static std::string pose_attributes(const Isometry3d& pose) {
    return fmt::format("pos=\"{}\" quat=\"{}\"", number_list(pose.translation()), quaternion_list(pose.linear()));
  }

  static std::string range_attributes(const char* name, const char* limited, const JointRange& range) {
    if (!std::isfinite(range.minimum) || !std::isfinite(range.maximum)) return "";
    return fmt::format(" {}=\"true\" {}=\"{} {}\"", limited, name, range.minimum, range.maximum);
  }

  static std::string mesh_name(std::size_t shape) { return fmt::format("mesh{}", shape); }

  void add_meshes() {
    std::vector<std::string> meshes;
    for (std::size_t i = 0; i < model_.shapes.size(); ++i)
      if (const CollisionShape& shape = model_.shapes[i]; shape.kind == CollisionShape::Kind::mesh)
        meshes.push_back(fmt::format("<mesh name=\"{}\" file={} scale=\"{}\"/>", mesh_name(i), xml_quoted(shape.mesh.string()),
                                     number_list(shape.size)));
    if (meshes.empty()) return;
    line(1, "<asset>");
    for (const std::string& mesh : meshes) line(2, mesh);
    line(1, "</asset>");
  }

  void add_content(int body, int depth) {
    for (std::size_t i = 0; i < model_.shapes.size(); ++i)
      if (model_.shapes[i].body == body) add_shape(model_.shapes[i], i, depth);
    for (const ContactSite& site : model_.sites)
      if (site.body == body) line(depth, fmt::format("<site name={} {}/>", xml_quoted(site.name), pose_attributes(site.pose)));
    for (const int child : children_[std::size_t(body + 1)]) add_body(child, depth);
  }

  void add_body(int number, int depth) {
    const ArticulatedBody& body = model_.bodies[std::size_t(number)];
    line(depth, fmt::format("<body name={} {}>", xml_quoted(body.name), pose_attributes(body_pose(body.joint))));
    add_joint(body, depth + 1);
    const MassProperties mass = written_mass(body.mass);
    const Eigen::Matrix3d inertia = mass.inertia();
    line(depth + 1,
         fmt::format("<inertial pos=\"{}\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>", number_list(mass.center),
                     mass.mass, inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1), inertia(0, 2), inertia(1, 2)));
    add_content(number, depth + 1);
    line(depth, "</body>");
  }

  void add_joint(const ArticulatedBody& body, int depth) {
    const ArticulatedJoint& joint = body.joint;
    if (joint.type == "fixed") return;
    if (joint.type == "free") {
      if (body.parent != ArticulatedModel::world)
        throw Error(Failure::input, fmt::format("the joint '{}' is free, and its body '{}' is not right below the world; MJCF "
                                                "has no such joints",
                                                joint.name, body.name));
      line(depth, fmt::format("<freejoint name={}/>", xml_quoted(joint.name)));
      return;
    }
    const std::string point = number_list(joint_point(joint));
    if (joint.type == "universal") {
      for (const int axis : {0, 1})
        line(depth,
             fmt::format("<joint name={} type=\"hinge\" pos=\"{}\" axis=\"{}\"/>",
                         xml_quoted(joint.name + (axis == 0 ? ".x" : ".y")), point, number_list(joint_axis(joint, axis))));
      return;
    }
    std::string attributes = fmt::format("name={} pos=\"{}\"", xml_quoted(joint.name), point);
    if (joint.type == "spherical")
      attributes += " type=\"ball\"";
    else
      attributes += fmt::format(" type=\"{}\" axis=\"{}\" ref=\"{}\"", joint.type == "prismatic" ? "slide" : "hinge",
                                number_list(joint_axis(joint)), joint.reference);
    line(depth, "<joint " + attributes + dynamics(joint) + "/>");
  }

  static std::string dynamics(const ArticulatedJoint& joint) {
    std::string text = range_attributes("range", "limited", joint.position);
    const auto add = [&](const char* name, double value) {
      if (value != 0) text += fmt::format(" {}=\"{}\"", name, value);
    };
    add("damping", joint.damping);
    add("stiffness", joint.stiffness);
    add("springref", joint.spring_reference);
    add("armature", joint.armature);
    add("frictionloss", joint.friction);
    return text;
  }

  // Bodies have their masses by `inertial`.
  void add_shape(const CollisionShape& shape, std::size_t number, int depth) {
    static constexpr const char* types[] = {"sphere", "capsule", "cylinder", "ellipsoid", "box", "plane", "mesh"};
    static constexpr int sizes[] = {1, 2, 2, 3, 3, 3, 0};
    const auto kind = static_cast<std::size_t>(shape.kind);
    std::string attributes = fmt::format("type=\"{}\" {}", types[kind], pose_attributes(shape.pose));
    if (!shape.name.empty()) attributes = fmt::format("name={} ", xml_quoted(shape.name)) + attributes;
    if (sizes[kind] > 0)
      attributes +=
          fmt::format(" size=\"{}\"", number_list(std::vector<double>(shape.size.data(), shape.size.data() + sizes[kind])));
    else
      attributes += fmt::format(" mesh=\"{}\"", mesh_name(number));
    if (shape.friction != 1) attributes += fmt::format(" friction=\"{} 0.005 0.0001\"", shape.friction);
    if (!shape.collides) attributes += " contype=\"0\" conaffinity=\"0\"";
    line(depth, fmt::format("<geom {} mass=\"0\"/>", attributes));
  }

  void add_equalities() {
    if (model_.loops.empty() && model_.couplings.empty()) return;
    const std::vector<Isometry3d> frames = world_frames(model_, file_pose(model_));
    line(1, "<equality>");
    for (const ArticulatedLoop& loop : model_.loops)
      if (loop.body_a != loop.body_b) add_loop(loop, frames);
    for (const JointCoupling& coupling : model_.couplings) {
      const auto joint = [&](int body) { return xml_quoted(model_.bodies[std::size_t(body)].joint.name); };
      const std::string leader = coupling.leader == no_body ? "" : fmt::format(" joint2={}", joint(coupling.leader));
      line(2, fmt::format("<joint name={} joint1={}{} polycoef=\"{}\"/>", xml_quoted(coupling.name), joint(coupling.joint),
                          leader, number_list(std::vector<double>(coupling.polynomial.begin(), coupling.polynomial.end()))));
    }
    line(1, "</equality>");
  }

  void add_loop(const ArticulatedLoop& loop, const std::vector<Isometry3d>& frames) {
    const auto frame = [&](int body) {
      return body == ArticulatedModel::world ? Isometry3d::Identity() : frames[std::size_t(body)];
    };
    const Isometry3d gap = (frame(loop.body_a) * loop.frame_a).inverse() * frame(loop.body_b) * loop.frame_b;
    const double angle = loop.locks_rotation ? Eigen::AngleAxisd(gap.linear()).angle() : 0;
    if (!(gap.translation().norm() <= largest_gap) || !(angle <= largest_gap))
      throw Error(Failure::input,
                  fmt::format("the loop '{}' is open by {} m and {} rad at the file's pose, at which MJCF reads it; write the "
                              "model at a pose that closes it",
                              loop.name, gap.translation().norm(), angle));
    const std::string bodies = fmt::format("body1={} body2={}", xml_quoted(body_name(model_, loop.body_a)),
                                           xml_quoted(body_name(model_, loop.body_b)));
    if (loop.locks_rotation) {
      const Isometry3d relative = loop.frame_a * loop.frame_b.inverse();
      line(2, fmt::format("<weld name={} {} relpose=\"{} {}\"/>", xml_quoted(loop.name), bodies,
                          number_list(relative.translation()), quaternion_list(relative.linear())));
    } else {
      line(2, fmt::format("<connect name={} {} anchor=\"{}\"/>", xml_quoted(loop.name), bodies,
                          number_list(loop.frame_a.translation())));
    }
  }

  void add_actuators() {
    if (model_.actuators.empty()) return;
    line(1, "<actuator>");
    for (const ArticulatedActuator& actuator : model_.actuators) {
      if (actuator.joint == no_body) continue;  // it drives something that the model does not hold
      line(2, fmt::format("<{} name={} joint={} gear=\"{}\"{}{}/>", actuator.kind, xml_quoted(actuator.name),
                          xml_quoted(model_.bodies[std::size_t(actuator.joint)].joint.name), actuator.gear,
                          range_attributes("ctrlrange", "ctrllimited", actuator.control),
                          range_attributes("forcerange", "forcelimited", actuator.force)));
    }
    line(1, "</actuator>");
  }

  const ArticulatedModel& model_;
  std::vector<std::vector<int>> children_;  // [parent + 1]
  std::string text_;
};

}  // namespace

std::string mjcf_text(const ArticulatedModel& model, const std::vector<NamedPose>& keyframes) {
  return MjcfWriter(model).write(keyframes);
}

}  // namespace holo
