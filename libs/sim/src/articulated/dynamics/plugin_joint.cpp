// Plugin joints of a character that is being built.
#include "holo/sim/articulated/dynamics/plugin_joint.h"

#include <fmt/format.h>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/articulated/dynamics/character_model.h"

namespace holo::articulated {

using Eigen::Isometry3d;

namespace {

void check_joint_coordinates(const std::string& name, const holo_joint& type) {
  const auto fail = [&](const char* text) {
    throw Error(Failure::input, fmt::format("the joint '{}' has the type '{}', {}", name, type.name, text));
  };
  if (type.coordinate_count == 0) fail("which has no coordinates; leave the joint out, or choose one that moves");
  for (std::uint32_t c = 0; c < type.coordinate_count; ++c)
    if (type.coordinates[c].kind == HOLO_COORDINATE_QUATERNION)
      fail("which has a quaternion; coordinates of a character are lengths and angles, and its ball joints rotation vectors");
}

}  // namespace

int CharacterBuilder::add_plugin_joint(const std::string& name, int parent, const Isometry3d& placement,
                                       const PluginJoint& joint, const Isometry3d& behind) {
  const holo_joint& type = joint.type->abi();
  check_joint_coordinates(name, type);
  PluginJointData data;
  data.first = int(model_.dofs_.size());
  data.coordinate_count = int(type.coordinate_count);
  for (const PluginJointData& other : model_.plugin_joint_data_) {
    data.first_twist += other.coordinate_count;
    data.first_derivative += other.coordinate_count * (other.coordinate_count + 1) / 2;
  }
  data.behind = rigid_frame(behind);
  for (int k = 0; k < data.coordinate_count; ++k) {
    const holo_joint_coordinate& coordinate = type.coordinates[k];
    const int number =
        add(data.coordinate_count == 1 ? name : name + "_" + coordinate.name, k == 0 ? parent : data.first + k - 1,
            DofKind::plugin, k == 0 ? placement : Isometry3d::Identity(), Eigen::Vector3d::UnitX());
    dof(number).plugin_joint = int(model_.plugin_joints_.size());
    dof(number).component = k;
    dof(number).is_length = coordinate.kind == HOLO_COORDINATE_LENGTH;
  }
  model_.plugin_joints_.push_back(joint);
  model_.plugin_joint_data_.push_back(data);
  return data.first + data.coordinate_count - 1;
}

void CharacterBuilder::replace_joint(const std::string& name, const PluginJoint& joint) { replacements_[name] = {joint}; }

const PluginJoint* CharacterBuilder::take_replacement(const std::string& name) {
  const auto found = replacements_.find(name);
  if (found == replacements_.end()) return nullptr;
  found->second.is_taken = true;
  return &found->second.joint;
}

int CharacterBuilder::add_hinge_or_slide(const std::string& name, int parent, DofKind kind, const Isometry3d& placement,
                                         const Eigen::Vector3d& axis) {
  const PluginJoint* joint = take_replacement(name);
  if (joint == nullptr) return add(name, parent, kind, placement, axis);
  const holo_joint& type = joint->type->abi();
  const auto wanted = kind == DofKind::prismatic ? HOLO_COORDINATE_LENGTH : HOLO_COORDINATE_ANGLE;
  if (type.coordinate_count != 1 || type.coordinates[0].kind != std::uint32_t(wanted))
    throw Error(
        Failure::input,
        fmt::format("the joint '{}' is a {}; a joint in its place needs one coordinate that is {}, and '{}' has {}", name,
                    kind == DofKind::prismatic ? "slide" : "hinge", kind == DofKind::prismatic ? "a length" : "an angle",
                    type.name, type.coordinate_count == 1 ? "another kind" : fmt::format("{} numbers", type.coordinate_count)));
  // Frame A has its x axis along the joint's axis, and the degree of freedom's frame is turned back behind frame B.
  const Isometry3d along(Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitX(), axis));
  return add_plugin_joint(name, parent, placement * along, *joint, along.inverse());
}

void CharacterBuilder::check_replacements() const {
  for (const auto& [name, replacement] : replacements_)
    if (!replacement.is_taken)
      throw Error(Failure::input,
                  fmt::format("the character '{}' has no joint '{}' that a joint of the type '{}' could replace.{}",
                              model_.name_, name, replacement.joint.type->name(), suggestion(name, model_.names_)));
}

}  // namespace holo::articulated
