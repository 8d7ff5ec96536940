#include "robot_files/writer_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "holo/sim/articulated/robot_writer.h"

namespace holo {

std::string xml_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '&')
      quoted += "&amp;";
    else if (letter == '<')
      quoted += "&lt;";
    else if (letter == '"')
      quoted += "&quot;";
    else
      quoted += letter;
  }
  return quoted + "\"";
}

std::string number_list(const std::vector<double>& values) { return fmt::format("{}", fmt::join(values, " ")); }

std::string number_list(const Eigen::Vector3d& vector) { return fmt::format("{} {} {}", vector.x(), vector.y(), vector.z()); }

std::string quaternion_list(const Eigen::Matrix3d& rotation) {
  const Eigen::Quaterniond q(rotation);
  return fmt::format("{} {} {} {}", q.w(), q.x(), q.y(), q.z());
}

std::vector<int> nested_order(const ArticulatedModel& model) {
  std::vector<std::vector<int>> children(model.bodies.size() + 1);  // [parent + 1]
  for (int i = 0; i < int(model.bodies.size()); ++i)
    children[std::size_t(model.bodies[std::size_t(i)].parent + 1)].push_back(i);
  std::vector<int> order, open(children[0].rbegin(), children[0].rend());
  while (!open.empty()) {
    const int body = open.back();
    open.pop_back();
    order.push_back(body);
    const std::vector<int>& below = children[std::size_t(body + 1)];
    open.insert(open.end(), below.rbegin(), below.rend());
  }
  return order;
}

MassProperties written_mass(const MassProperties& mass) {
  return mass.mass > 0 ? mass : mass_from_inertia(1, Eigen::Vector3d::Zero(), 0.01 * Eigen::Matrix3d::Identity());
}

Eigen::Isometry3d body_pose(const ArticulatedJoint& joint) { return joint.frame_a * joint.body_in_b; }

Eigen::Vector3d joint_point(const ArticulatedJoint& joint) { return joint.body_in_b.inverse().translation(); }

Eigen::Vector3d joint_axis(const ArticulatedJoint& joint, int axis) {
  return joint.body_in_b.linear().transpose() * Eigen::Vector3d::Unit(axis);
}

std::string body_name(const ArticulatedModel& model, int body) {
  return body == ArticulatedModel::world ? "world" : model.bodies[std::size_t(body)].name;
}

std::vector<std::string> position_names(const ArticulatedModel& model) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& joint, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) names.push_back(joint + "." + part);
  };
  for (const int body : nested_order(model)) {
    const ArticulatedJoint& joint = model.bodies[std::size_t(body)].joint;
    if (joint.has_position()) names.push_back(joint.name);
    if (joint.type == "universal") add(joint.name, {"x", "y"});
    if (joint.type == "free") add(joint.name, {"px", "py", "pz"});
    if (joint.type == "free" || joint.type == "spherical") add(joint.name, {"w", "x", "y", "z"});
  }
  return names;
}

std::vector<double> positions_of(const ArticulatedModel& model, const ArticulatedPose& pose) {
  std::vector<double> positions;
  const auto add = [&](const auto& values) { positions.insert(positions.end(), values.begin(), values.end()); };
  for (const int body : nested_order(model)) {
    const ArticulatedJoint& joint = model.bodies[std::size_t(body)].joint;
    const JointMotion& motion = pose[std::size_t(body)];
    if (joint.has_position()) positions.push_back(motion.coordinates[0] + joint.reference);
    if (joint.type == "universal") add(motion.coordinates);
    if (joint.type != "free" && joint.type != "spherical") continue;
    // A ball's turn is along the axes of the body, a free joint's pose is the body's in the world.
    const Eigen::Isometry3d turn = joint.body_in_b.inverse() * motion.transform * joint.body_in_b;
    const Eigen::Isometry3d moved = joint.type == "free" ? joint.frame_a * motion.transform * joint.body_in_b : turn;
    if (joint.type == "free") add(Eigen::Vector3d(moved.translation()));
    const Eigen::Quaterniond q(moved.linear());
    add(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
  }
  return positions;
}

}  // namespace holo
