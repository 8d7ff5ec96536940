#include "holo/sim/mechanism/model/mechanism_layout.h"

#include <algorithm>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"

namespace holo {

namespace {

constexpr int pose_size = int(HOLO_POSE_SIZE);

bool contains(const std::vector<int>& sorted, int value) { return std::binary_search(sorted.begin(), sorted.end(), value); }

// An elimination's numbers must exist and ascend, since the code below searches them by bisection.
void require_selection(const std::vector<int>& chosen, int count, const std::string& what) {
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] < 0 || chosen[i] >= count)
      throw Error(Failure::input,
                  what + " number " + std::to_string(chosen[i]) + " is eliminated; there are " + std::to_string(count));
    if (i > 0 && chosen[i] <= chosen[i - 1])
      throw Error(Failure::input, "the eliminated numbers of " + what + "s are not ascending: " + std::to_string(chosen[i]) +
                                      " comes after " + std::to_string(chosen[i - 1]));
  }
}

// "knee" where the joint has one coordinate, else "hip.first_angle".
std::string coordinate_name(const MechanismJoint& joint, int number) {
  const holo_joint_coordinate& coordinate = joint.type->abi().coordinates[number];
  const bool is_only = joint.coordinate_count() == (coordinate.kind == HOLO_COORDINATE_QUATERNION ? 4 : 1);
  std::string name = is_only ? joint.name : joint.name + "." + coordinate.name;
  if (coordinate.kind == HOLO_COORDINATE_QUATERNION) {
    int first = number;
    while (first > 0 && joint.type->abi().coordinates[first - 1].kind == HOLO_COORDINATE_QUATERNION) --first;
    name += std::string(".") + "wxyz"[(number - first) % 4];
  }
  return name;
}

// Quaternions of a joint are groups of four coordinates of that kind.
bool begins_quaternion(const MechanismJoint& joint, int number) {
  const holo_joint_coordinate* coordinates = joint.type->abi().coordinates;
  if (coordinates[number].kind != HOLO_COORDINATE_QUATERNION) return false;
  int first = number;
  while (first > 0 && coordinates[first - 1].kind == HOLO_COORDINATE_QUATERNION) --first;
  return (number - first) % 4 == 0;
}

// The rest of every coordinate is 0, except the first component of a quaternion, which is 1.
void set_rest(const std::vector<int>& quaternions, Eigen::VectorXd& values) {
  for (const int first : quaternions) values[first] = 1;
}

}  // namespace

MechanismLayout::MechanismLayout(std::shared_ptr<const MechanismModel> model, Elimination elimination)
    : model_(std::move(model)), elimination_(std::move(elimination)) {
  number_bodies();
  number_coordinates();
  add_equations();
}

// States of body b: 7 b, ..., 7 b + 6. Each joint's unknowns begin with the poses of its two bodies; the world's pose is
// constant.
void MechanismLayout::number_bodies() {
  for (std::size_t b = 0; b < model_->bodies().size(); ++b) state_quaternions_.push_back(pose_size * int(b) + 3);
  state_count_ = pose_size * int(model_->bodies().size());
  unknowns_.resize(model_->joints().size());
  for (std::size_t j = 0; j < unknowns_.size(); ++j)
    for (const int body : {model_->joints()[j].body_a, model_->joints()[j].body_b})
      for (int k = 0; k < pose_size; ++k) {
        const double scale = k < 3 ? model_->length() : 1;
        unknowns_[j].push_back(body == world ? UnknownIndex{UnknownIndex::Kind::constant, k, 1}
                                             : UnknownIndex{UnknownIndex::Kind::state, pose_size * body + k, scale});
      }
  for (int k = 0; k < state_count_; ++k) state_scales_.push_back(k % pose_size < 3 ? model_->length() : 1);
}

// The joints' coordinates follow in the order of the joints. Their role decides whether they are states, controls, parameters
// or prescribed.
void MechanismLayout::number_coordinates() {
  int controls = 0;
  for (const MechanismJoint& joint : model_->joints())
    if (joint.role == JointRole::actuator) controls += joint.coordinate_count();
  require_selection(elimination_.dependent_controls, controls, "control");
  int control = 0;  // among all, dependent ones too
  for (int j = 0; j < int(unknowns_.size()); ++j) {
    const MechanismJoint& joint = model_->joints()[std::size_t(j)];
    for (int i = 0; i < joint.coordinate_count(); ++i) {
      const bool is_control = joint.role == JointRole::actuator;
      const bool depends = is_control && contains(elimination_.dependent_controls, control++);
      UnknownIndex unknown = number_coordinate(joint, i, depends);
      unknowns_[std::size_t(j)].push_back(unknown);
      if (joint.is_coupled && joint.is_driven()) {
        const UnknownIndex drive = number_drive(joint, i, depends);
        relations_.push_back({unknown, drive, {0, 1, 0, 0, 0}, j, j});
        unknown = drive;
      }
      if (!is_control) continue;
      all_controls_.push_back(unknown);
      all_control_names_.push_back(coordinate_name(joint, i));
    }
  }
  for (const MechanismCoupling& coupling : model_->couplings())
    relations_.push_back({unknowns_[std::size_t(coupling.joint)].back(), unknowns_[std::size_t(coupling.leader)].back(),
                          coupling.polynomial, coupling.joint, coupling.leader});
}

UnknownIndex MechanismLayout::number_coordinate(const MechanismJoint& joint, int number, bool depends) {
  if (!joint.has_free_coordinates()) return number_drive(joint, number, depends);
  if (begins_quaternion(joint, number)) state_quaternions_.push_back(state_count_);
  return number_state(joint, number);
}

UnknownIndex MechanismLayout::number_state(const MechanismJoint& joint, int number) {
  const double scale = joint.type->abi().coordinates[number].kind == HOLO_COORDINATE_LENGTH ? model_->length() : 1;
  state_scales_.push_back(scale);
  return {UnknownIndex::Kind::state, state_count_++, scale};
}

UnknownIndex MechanismLayout::number_drive(const MechanismJoint& joint, int number, bool depends) {
  using Kind = UnknownIndex::Kind;
  const bool begins = begins_quaternion(joint, number);
  const double scale = joint.type->abi().coordinates[number].kind == HOLO_COORDINATE_LENGTH ? model_->length() : 1;
  // A dependent control is a state that its formerly redundant equation determines. A single number of a quaternion cannot be
  // one, since its unit length couples all four.
  if (depends) {
    if (joint.type->abi().coordinates[number].kind == HOLO_COORDINATE_QUATERNION)
      throw Error(
          Failure::input,
          "the control '" + coordinate_name(joint, number) +
              "' is part of a quaternion, one number of which cannot depend on the other controls; drive that joint by angles");
    dependent_names_.push_back(coordinate_name(joint, number));
    dependent_states_.push_back(state_count_);
    return number_state(joint, number);
  }
  const auto add = [&](Kind kind, std::vector<std::string>& names, std::vector<int>& quaternions, std::vector<double>& scales) {
    if (begins) quaternions.push_back(int(names.size()));
    names.push_back(coordinate_name(joint, number));
    scales.push_back(scale);
    return UnknownIndex{kind, int(names.size()) - 1, scale};
  };
  switch (joint.role) {
    case JointRole::actuator:
      return add(Kind::control, control_names_, control_quaternions_, control_scales_);
    case JointRole::configurable:
      return add(Kind::parameter, parameter_names_, parameter_quaternions_, parameter_scales_);
    case JointRole::prescribed:
      if (begins) prescribed_quaternions_.push_back(prescribed_count_);
      return {Kind::prescribed, prescribed_count_++, 1};
    default:  // no equation of it that is used contains them
      return {Kind::constant, begins ? 3 : 0, 1};
  }
}

void MechanismLayout::add_equations() {
  // Equations: the unit lengths of all quaternions among the states, then joint by joint. The Jacobian's pattern tells
  // whether an equation is a length, which is divided by the model's length.
  for (const int first : state_quaternions_) equations_.push_back({-1, first});
  equation_scales_.assign(equations_.size(), 1.0);
  constexpr std::uint32_t origins = 0x7u | (0x7u << pose_size);  // an equation that contains the bodies' origins is a length
  for (int j = 0; j < int(unknowns_.size()); ++j) {
    const MechanismJoint& joint = model_->joints()[std::size_t(j)];
    first_equations_.push_back(int(equations_.size()));
    for (int i = 0; i < joint.equation_count(); ++i) {
      equations_.push_back({j, i});
      equation_scales_.push_back((joint.type->abi().jacobian_pattern[i] & origins) != 0 ? model_->length() : 1);
    }
  }
  for (int r = 0; r < int(relations_.size()); ++r) {
    equations_.push_back({relations_[std::size_t(r)].joint, int(HOLO_JOINT_EQUATION_COUNT), r});
    equation_scales_.push_back(relations_[std::size_t(r)].of.scale);  // a length or an angle
  }
  require_selection(elimination_.redundant, int(equations_.size()), "equation");
  for (int r = 0; r < int(equations_.size()); ++r)
    if (!contains(elimination_.redundant, r)) independent_equations_.push_back(r);
}

const UnknownIndex& MechanismLayout::drive(int joint, int coordinate) const {
  for (const CoordinateRelation& relation : relations_)
    if (relation.is_drive() && relation.joint == joint) return relation.from;
  return unknowns_of(joint)[2 * HOLO_POSE_SIZE + std::size_t(coordinate)];
}

// The equations of a driven joint are those of the passive joint, then those that contain its coordinates.
bool MechanismLayout::is_actuation(int equation) const {
  const ConstraintEquation& r = equations_[std::size_t(equation)];
  if (r.joint < 0 || model_->joints()[std::size_t(r.joint)].role != JointRole::actuator) return false;
  if (r.relation >= 0) return relations_[std::size_t(r.relation)].is_drive();
  if (model_->joints()[std::size_t(r.joint)].is_coupled) return false;  // they contain the coordinate as a state
  return r.index >= int(model_->joints()[std::size_t(r.joint)].type->abi().passive_equation_count);
}

std::string MechanismLayout::equation_name(int equation) const {
  const ConstraintEquation& r = equations_[std::size_t(equation)];
  if (r.relation >= 0) {
    const CoordinateRelation& relation = relations_[std::size_t(r.relation)];
    const std::string& joint = model_->joints()[std::size_t(relation.joint)].name;
    return relation.is_drive() ? joint + ", drive"
                               : joint + ", coupling to " + model_->joints()[std::size_t(relation.leader)].name;
  }
  if (r.joint >= 0) return model_->joints()[std::size_t(r.joint)].name + ", equation " + std::to_string(r.index + 1);
  const std::size_t body = std::size_t(r.index / pose_size);
  return body < model_->bodies().size() ? "length of the quaternion of " + model_->bodies()[body].name
                                        : "length of the quaternion of a joint (state " + std::to_string(r.index) + ")";
}

Eigen::VectorXd MechanismLayout::rest_state() const {
  Eigen::VectorXd state = Eigen::VectorXd::Zero(state_count_);
  for (std::size_t b = 0; b < model_->bodies().size(); ++b)
    state.segment<3>(pose_size * Eigen::Index(b)) = model_->bodies()[b].origin / model_->length();
  set_rest(state_quaternions_, state);
  return state;
}

Eigen::VectorXd MechanismLayout::rest_controls() const {
  Eigen::VectorXd controls = Eigen::VectorXd::Zero(control_count());
  set_rest(control_quaternions_, controls);
  return controls;
}

Eigen::VectorXd MechanismLayout::rest_parameters() const {
  Eigen::VectorXd parameters = Eigen::VectorXd::Zero(parameter_count());
  set_rest(parameter_quaternions_, parameters);
  return parameters;
}

Eigen::VectorXd MechanismLayout::rest_prescribed() const {
  Eigen::VectorXd coordinates = Eigen::VectorXd::Zero(prescribed_count_);
  set_rest(prescribed_quaternions_, coordinates);
  return coordinates;
}

}  // namespace holo
