#include "holo/sim/mechanism/model/mechanism_model.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"
#include "mechanism/model/checked_couplings.h"

namespace holo {

namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(Failure::input, text); }

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

template <class Things>
void require_names(const Things& things, const std::string& kind, const std::string& kinds) {
  std::set<std::string> seen;
  for (const auto& thing : things) {
    if (thing.name.empty()) refuse("a " + kind + " without a name");
    if (!seen.insert(thing.name).second) refuse("two " + kinds + " are called '" + thing.name + "'");
  }
}

template <class Things>
int index_of(const Things& things, const std::string& kind, const std::string& name) {
  for (std::size_t i = 0; i < things.size(); ++i)
    if (things[i].name == name) return int(i);
  refuse("the mechanism has no " + kind + " '" + name + "'." + suggestion(name, names_of(things)));
}

// Axes may have rounding errors of the files that give them.
bool is_orthonormal(const Eigen::Matrix3d& axes) {
  return (axes.transpose() * axes - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-9;
}
bool is_rotation(const Eigen::Matrix3d& axes) { return is_orthonormal(axes) && axes.determinant() > 0; }

// The checks of one joint, from its type to its numbers, so that messages name the first fault.
void check_joint(const MechanismJoint& joint, int body_count) {
  const std::string head = "the joint '" + joint.name + "' ";
  if (!joint.type) refuse(head + "has no type");
  for (const int body : {joint.body_a, joint.body_b})
    if (body < world || body >= body_count)
      refuse(head + "names body number " + std::to_string(body) + "; there are " + std::to_string(body_count));
  if (joint.body_a == joint.body_b) refuse(head + "connects a body with itself");
  if (!joint.point.allFinite()) refuse(head + "has a point that is not finite");
  if (!is_orthonormal(joint.axes)) refuse(head + "has axes that are not of length 1 and at right angles to each other");
  if (joint.axes.determinant() < 0) refuse(head + "has left-handed axes");
  if (joint.constants.size() != joint.type->abi().constant_count)
    refuse(head + "has " + std::to_string(joint.constants.size()) + " constants; its type '" + joint.type->name() + "' takes " +
           std::to_string(joint.type->abi().constant_count));
}

// Names of the bodies that are not connected with the world. Connected bodies grow from the world over the joints until no
// joint adds one.
std::string loose_bodies(const std::vector<MechanismBody>& bodies, const std::vector<MechanismJoint>& joints) {
  std::vector<bool> tied(bodies.size(), false);
  const auto is_tied = [&](int body) { return body == world || tied[std::size_t(body)]; };
  for (bool grew = true; grew;) {
    grew = false;
    for (const MechanismJoint& joint : joints)
      if (is_tied(joint.body_a) != is_tied(joint.body_b)) {
        tied[std::size_t(is_tied(joint.body_a) ? joint.body_b : joint.body_a)] = true;
        grew = true;
      }
  }
  std::string names;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!tied[i]) names += (names.empty() ? "'" : ", '") + bodies[i].name + "'";
  return names;
}

void check_merged_bodies(const std::vector<MechanismBody>& bodies, const std::vector<MergedBody>& parts) {
  require_names(parts, "merged body", "merged bodies");
  for (const MergedBody& part : parts) {
    if (std::any_of(bodies.begin(), bodies.end(), [&](const MechanismBody& body) { return body.name == part.name; }))
      refuse("a merged body and a body are both called '" + part.name + "'");
    if (part.body < 0 || part.body >= int(bodies.size()))
      refuse("the merged body '" + part.name + "' belongs to body number " + std::to_string(part.body) + "; there are " +
             std::to_string(bodies.size()));
  }
}

}  // namespace

std::string to_string(JointRole role) {
  switch (role) {
    case JointRole::passive:
      return "passive";
    case JointRole::actuator:
      return "actuator";
    case JointRole::configurable:
      return "configurable";
    default:
      return "prescribed";
  }
}

int MechanismJoint::coordinate_count() const { return int(type->abi().coordinate_count); }

int MechanismJoint::equation_count() const {
  if (is_driven() || has_free_coordinates()) return int(HOLO_JOINT_EQUATION_COUNT);
  return int(type->abi().passive_equation_count);
}

bool MechanismJoint::has_free_coordinates() const {
  return is_coupled || (!is_driven() && type->abi().passive_equation_count == 0 && coordinate_count() > 0);
}

MechanismModel::MechanismModel(std::vector<MechanismBody> bodies, std::vector<MechanismJoint> joints,
                               std::vector<MergedBody> parts, std::vector<MechanismCoupling> couplings)
    : bodies_(std::move(bodies)),
      joints_(std::move(joints)),
      merged_bodies_(std::move(parts)),
      couplings_(std::move(couplings)) {
  if (bodies_.empty()) refuse("a mechanism without bodies");
  require_names(bodies_, "body", "bodies");
  require_names(joints_, "joint", "joints");
  check_merged_bodies(bodies_, merged_bodies_);
  // Checks of the bodies and joints. Their points at rest span the box whose half diagonal is the unit of length of all
  // unknowns.
  Eigen::AlignedBox3d box;
  for (const MechanismBody& body : bodies_) {
    if (body.name == "world") refuse("a body is called 'world', which is the name of the ground; give it another name");
    if (!body.origin.allFinite()) refuse("the body '" + body.name + "' has an origin that is not finite");
    if (!is_rotation(body.axes)) refuse("the body '" + body.name + "' has a frame whose axes are no rotation of the world's");
    box.extend(body.origin);
  }
  for (const MechanismJoint& joint : joints_) {
    check_joint(joint, int(bodies_.size()));
    box.extend(joint.point);
  }
  // A body without a connection to the world would leave six undetermined states.
  if (const std::string loose = loose_bodies(bodies_, joints_); !loose.empty())
    refuse("no chain of joints connects " + loose +
           " with the world; fix one body to the world, by a joint of type 'fixed' between [world, NAME OF THE BODY]");
  check_couplings(couplings_, joints_);
  for (MechanismJoint& joint : joints_) joint.is_coupled = false;
  for (const MechanismCoupling& coupling : couplings_)
    for (const int joint : {coupling.joint, coupling.leader}) joints_[std::size_t(joint)].is_coupled = true;
  const double length = 0.5 * box.diagonal().norm();
  length_ = length > 0 ? length : 1;
}

std::vector<std::string> MechanismModel::observable_names() const {
  std::vector<std::string> names = names_of(bodies_);
  for (const MergedBody& part : merged_bodies_) names.push_back(part.name);
  return names;
}

// Numbers continue from the bodies to the merged bodies. A body stands for itself, with its own axes, since its pose turns
// from rest.
MergedBody MechanismModel::observable(int number) const {
  const std::size_t i = std::size_t(number);
  if (i < bodies_.size()) return {bodies_[i].name, number, Eigen::Vector3d::Zero(), bodies_[i].axes};
  return merged_bodies_[i - bodies_.size()];
}

int MechanismModel::body(const std::string& name) const { return index_of(bodies_, "body", name); }
int MechanismModel::joint(const std::string& name) const { return index_of(joints_, "joint", name); }

// For both bodies of the joint: the point and the axes at rest, relative to the body's origin, in world axes, because poses
// turn from rest; then the axes as a quaternion.
std::vector<double> MechanismModel::frames(int joint) const {
  const MechanismJoint& j = joints_[std::size_t(joint)];
  const Eigen::Quaterniond q(j.axes);
  std::vector<double> result;
  for (const int body : {j.body_a, j.body_b}) {
    const Eigen::Vector3d origin = body == world ? Eigen::Vector3d::Zero().eval() : bodies_[std::size_t(body)].origin;
    const Eigen::Vector3d point = j.point - origin;
    result.insert(result.end(), point.data(), point.data() + 3);
    result.insert(result.end(), j.axes.data(), j.axes.data() + 9);
    for (const double entry : {q.w(), q.x(), q.y(), q.z()}) result.push_back(entry);
  }
  return result;
}

MechanismModel MechanismModel::frozen(const std::vector<int>& joints, const std::shared_ptr<const JointPlugin>& fixed) const {
  std::vector<MechanismJoint> changed = joints_;
  for (const int joint : joints) {
    changed[std::size_t(joint)].type = fixed;
    changed[std::size_t(joint)].role = JointRole::passive;
    changed[std::size_t(joint)].constants.clear();
  }
  return {bodies_, std::move(changed), merged_bodies_, couplings_without(couplings_, joints_, joints)};
}

MechanismModel MechanismModel::prescribed(const std::vector<int>& joints) const {
  std::vector<MechanismJoint> changed = joints_;
  for (const int joint : joints) {
    if (changed[std::size_t(joint)].role != JointRole::passive)
      refuse("the motion of the joint '" + changed[std::size_t(joint)].name + "' cannot be prescribed: it is " +
             to_string(changed[std::size_t(joint)].role) + "; a passive one can");
    if (changed[std::size_t(joint)].coordinate_count() == 0)
      refuse("the joint '" + changed[std::size_t(joint)].name + "' has no motion that could be prescribed: its type is '" +
             changed[std::size_t(joint)].type->name() + "'");
    changed[std::size_t(joint)].role = JointRole::prescribed;
  }
  return {bodies_, std::move(changed), merged_bodies_, couplings_};
}

MechanismModel MechanismModel::without(const std::vector<int>& bodies) const {
  // The remaining bodies are numbered anew; removed ones get a number below the world's.
  std::vector<int> number(bodies_.size(), 0);  // afterwards; world - 1 for one that goes
  for (const int body : bodies) number[std::size_t(body)] = world - 1;
  std::vector<MechanismBody> kept;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (number[i] < world) continue;
    number[i] = int(kept.size());
    kept.push_back(bodies_[i]);
  }
  std::vector<MechanismJoint> joints;
  std::vector<int> joint_number(joints_.size(), -1);  // afterwards; -1 for one that goes
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    MechanismJoint joint = joints_[j];
    // A joint remains if both of its bodies do. The motion of a prescribed joint would be lost with a body.
    for (int* body : {&joint.body_a, &joint.body_b})
      if (*body != world) *body = number[std::size_t(*body)];
    if (joint.body_a >= world && joint.body_b >= world) {
      joint_number[j] = int(joints.size());
      joints.push_back(joint);
    } else if (joint.role == JointRole::prescribed)
      refuse("the motion of the joint '" + joint.name + "' is prescribed, but a body of it is removed");
  }
  std::vector<MergedBody> parts;
  for (MergedBody part : merged_bodies_) {
    part.body = number[std::size_t(part.body)];
    if (part.body > world) parts.push_back(part);
  }
  return {std::move(kept), std::move(joints), std::move(parts), renumbered_couplings(couplings_, joints_, joint_number)};
}

}  // namespace holo
