#include "mechanism/model/bodies_and_joints.h"

#include <algorithm>

#include "holo/core/plugins/joint_reader.h"
#include "holo/core/plugins/plugin_host.h"

namespace holo {

namespace {

Eigen::Vector3d vector_of(const std::array<double, 3>& values) { return {values[0], values[1], values[2]}; }

JointRole read_role(Configuration& entry) {
  const std::string role =
      entry.text("role", {.choices = {"passive", "actuator", "configurable", "prescribed"},
                          .default_value = "passive",
                          .documentation = "what determines its coordinates: the mechanism (passive), a control, a design "
                                           "parameter, or its recorded motion in the complete mechanism (prescribed)"});
  if (role == "actuator") return JointRole::actuator;
  if (role == "configurable") return JointRole::configurable;
  return role == "prescribed" ? JointRole::prescribed : JointRole::passive;
}

Eigen::Matrix3d read_axes(Configuration& entry) {
  const Eigen::Vector3d first =
      vector_of(entry.vector3("axis", {.default_value = std::array<double, 3>{1, 0, 0},
                                       .documentation = "the joint's first axis at rest; any length but 0"}));
  const bool has_second = entry.has("second_axis");
  const Eigen::Vector3d second =
      has_second
          ? vector_of(entry.vector3(
                "second_axis",
                {.default_value = std::array<double, 3>{},
                 .documentation = "second axis at rest, made perpendicular to the first; without it any perpendicular axis"}))
          : Eigen::Vector3d::Zero();
  if (entry.recording()) return Eigen::Matrix3d::Identity();
  try {
    return has_second ? axes_along(first, second) : axes_along(first);
  } catch (const Error& error) {
    entry.problem(entry.location("axis"), error.what());
    return Eigen::Matrix3d::Identity();
  }
}

void read_joint(Configuration& entry, const PluginHost& plugins, MechanismBuilder& builder) {
  const std::string name = entry.text("name", {.documentation = "name of the joint"});
  const std::vector<std::string> between =
      entry.texts("between", 2, 2, {.documentation = "the two bodies that the joint connects; `world` is the ground"});
  const Eigen::Vector3d point =
      vector_of(entry.vector3("point", {.unit = "m", .documentation = "position of the joint at rest"}));
  const Eigen::Matrix3d axes = read_axes(entry);
  const JointRole role = read_role(entry);
  JointType type = read_joint_type(entry, plugins);
  if (type.plugin == nullptr || between.size() != 2) return;
  try {
    builder.joint(name, type.plugin->name(), between[0], between[1], point, axes, role, std::move(type.constants));
  } catch (const Error& error) {
    entry.problem(entry.location("between"), error.what());
  }
}

void read_mechanism_coupling(Configuration& entry, MechanismBuilder& builder) {
  const std::string joint = entry.text("joint", {.documentation = "coupled joint; it has one coordinate"});
  const std::string leader =
      entry.text("leader", {.documentation = "joint that the coupled joint follows; it has one coordinate"});
  CouplingPolynomial polynomial = {};
  entry.branch_on_key(
      {{"ratio", "gear or belt",
        [&](Configuration& p) {
          polynomial[1] =
              p.number("ratio", {.documentation = "ratio of the coordinates, joint over leader: -1 for two equal gears"});
        }},
       {"polynomial", "cam",
        [&](Configuration& p) {
          const std::vector<double> c =
              p.numbers("polynomial", 1, 4,
                        {.documentation =
                             "c1, c2, c3, c4: the coordinate is c1 l + c2 l^2 + c3 l^3 + c4 l^4 of the leader's l; both count "
                             "from rest, in rad and m"});
          std::copy(c.begin(), c.end(), polynomial.begin() + 1);
        }}},
      "relation of the two coordinates");
  if (entry.recording() || joint.empty() || leader.empty()) return;
  try {
    builder.couple(joint, leader, polynomial);
  } catch (const Error& error) {
    entry.problem(entry.location("joint"), error.what());
  }
}

}  // namespace

void read_bodies_and_joints(Configuration& robot, const PluginHost& plugins, MechanismBuilder& builder) {
  robot.each(
      "bodies",
      [&](Configuration& entry) {
        const std::string name = entry.text("name", {.documentation = "name of the body"});
        builder.body(name,
                     vector_of(entry.vector3("origin", {.unit = "m", .documentation = "origin of the body's frame at rest"})));
      },
      "rigid bodies; at rest the axes of each body's frame are those of the world", 1);
  robot.each(
      "joints", [&](Configuration& entry) { read_joint(entry, plugins, builder); },
      "joints between two bodies, or a body and the world", 1);
  robot.each(
      "couplings", [&](Configuration& entry) { read_mechanism_coupling(entry, builder); },
      "gears, belts and cams: joints whose coordinate is a function of another joint's");
}

}  // namespace holo
