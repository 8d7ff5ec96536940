#include "holo/sim/mechanism/model/mechanism_builder.h"

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/plugin_host.h"

namespace holo {

void MechanismBuilder::body(const std::string& name, const Eigen::Vector3d& origin, const Eigen::Matrix3d& axes) {
  bodies_.push_back({name, origin, axes});
}

void MechanismBuilder::joint(const std::string& name, const std::string& type_name, const std::string& body_a,
                             const std::string& body_b, const Eigen::Vector3d& point, const Eigen::Matrix3d& axes,
                             JointRole role, std::vector<double> constants) {
  joints_.push_back({name, type(type_name), role, body_number(body_a), body_number(body_b), point, axes, std::move(constants)});
}

void MechanismBuilder::ground(const std::string& body) {
  joint(body + "_ground", "fixed", "", body, bodies_[std::size_t(body_number(body))].origin, Eigen::Matrix3d::Identity());
}

void MechanismBuilder::chain(const std::string& body_a, const std::string& body_b, const std::vector<ChainJoint>& joints) {
  std::string from = body_a;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const bool is_last = i + 1 == joints.size();
    const std::string to = is_last ? body_b : joints[i].name + "_link";
    if (!is_last) body(to, 0.5 * (joints[i].point + joints[i + 1].point));
    joint(joints[i].name, joints[i].type, from, to, joints[i].point, joints[i].axes, joints[i].role);
    from = to;
  }
}

void MechanismBuilder::couple(const std::string& joint, const std::string& leader, const CouplingPolynomial& polynomial) {
  couplings_.push_back({joint_number(joint), joint_number(leader), polynomial});
}

int MechanismBuilder::joint_number(const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i].name == name) return int(i);
    names.push_back(joints_[i].name);
  }
  throw Error(Failure::input, "the mechanism has no joint '" + name + "'." + suggestion(name, names));
}

int MechanismBuilder::body_number(const std::string& name) const {
  if (name.empty() || name == "world") return world;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].name == name) return int(i);
    names.push_back(bodies_[i].name);
  }
  throw Error(Failure::input, "the mechanism has no body '" + name + "'." + suggestion(name, names));
}

std::shared_ptr<const JointPlugin> MechanismBuilder::type(const std::string& name) {
  std::shared_ptr<const JointPlugin>& known = types_[name];
  if (!known) known = plugins_.get<JointPlugin>(name);
  return known;
}

}  // namespace holo
