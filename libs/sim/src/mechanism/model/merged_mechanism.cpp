#include "holo/sim/mechanism/model/merged_mechanism.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numeric>
#include <utility>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"
#include "mechanism/kinematics/design_approach.h"

namespace holo {

namespace {

// The states at a design (SI units), in the layout's units, approached from rest in steps.
Eigen::VectorXd state_at(const MechanismLayout& layout, const Eigen::VectorXd& design) {
  if (design.size() != layout.parameter_count())
    throw Error(Failure::input, std::to_string(design.size()) + " design parameters are given; the mechanism has " +
                                    std::to_string(layout.parameter_count()));
  Eigen::VectorXd scaled = design;
  for (int i = 0; i < layout.parameter_count(); ++i) scaled[i] /= layout.parameter_scale(i);
  const ConstraintEquations equations(std::make_shared<const MechanismLayout>(layout));
  DesignApproach approach = approach_design(equations, std::move(scaled), Eigen::MatrixXd::Zero(layout.prescribed_count(), 1));
  if (approach.failed_step > 0)
    throw Error(Failure::input, fmt::format("the mechanism cannot be assembled with this design, {}/{} of the way from rest: "
                                            "it is {}",
                                            approach.failed_step, design_approach_steps, approach.diagnosis));
  return approach.state;
}

// For each body, the number of the first body of its group; configurable joints connect the bodies of a group.
std::vector<int> groups_of(const MechanismModel& model) {
  std::vector<int> group(model.bodies().size());
  std::iota(group.begin(), group.end(), 0);
  for (const MechanismJoint& joint : model.joints()) {
    if (joint.role != JointRole::configurable) continue;
    if (joint.body_a == world || joint.body_b == world)
      throw Error(Failure::input,
                  "the configurable joint '" + joint.name +
                      "' connects a body with the world, which cannot be merged; put a body that is fixed to the "
                      "world between them");
    const int a = group[std::size_t(joint.body_a)], b = group[std::size_t(joint.body_b)];
    for (int& each : group)
      if (each == a || each == b) each = std::min(a, b);
  }
  return group;
}

class Merging {
 public:
  Merging(const MechanismLayout& layout, const Eigen::VectorXd& state)
      : layout_(layout), model_(layout.model()), state_(state), group_(groups_of(model_)), number_(group_.size(), -1) {
    const MechanismModel& model = model_;
    for (std::size_t i = 0; i < group_.size(); ++i) {
      const auto pose = state.segment<HOLO_POSE_SIZE>(Eigen::Index(HOLO_POSE_SIZE * i));
      origins_.push_back(model.length() * pose.head<3>());
      turns_.push_back(Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]).normalized().toRotationMatrix());
    }
  }

  // Each group becomes a body with the frame of its first body at the design and the world's axes. All former bodies, and
  // merged bodies of them, keep their frames as merged bodies; the remaining joints move with their bodies.
  MechanismModel build() {
    std::vector<MechanismBody> bodies;
    std::vector<MergedBody> parts;
    for (std::size_t i = 0; i < group_.size(); ++i) {
      const std::size_t first = std::size_t(group_[i]);
      if (first == i) {
        number_[i] = int(bodies.size());
        bodies.push_back({model_.bodies()[i].name + "_group", origins_[i]});
      }
      parts.push_back(
          {model_.bodies()[i].name, number_[first], origins_[i] - origins_[first], turns_[i] * model_.bodies()[i].axes});
    }
    for (const MergedBody& old : model_.merged_bodies()) {
      // A part is given in its body's pose, not in the body's own frame.
      const MergedBody& of = parts[std::size_t(old.body)];
      const Eigen::Matrix3d& turn = turns_[std::size_t(old.body)];
      parts.push_back({old.name, of.body, of.origin + turn * old.origin, turn * old.axes});
    }
    std::vector<MechanismJoint> joints;
    std::vector<int> joint_number;
    for (const MechanismJoint& joint : model_.joints()) {
      joint_number.push_back(int(joints.size()));
      if (joint.role != JointRole::configurable) joints.push_back(moved(joint));
    }
    return {std::move(bodies), std::move(joints), std::move(parts), couplings(joint_number)};
  }

 private:
  // Coordinates of the merged mechanism count from the design's pose.
  std::vector<MechanismCoupling> couplings(const std::vector<int>& joint_number) const {
    std::vector<MechanismCoupling> result;
    for (const MechanismCoupling& coupling : model_.couplings()) {
      for (const int joint : {coupling.joint, coupling.leader})
        if (const MechanismJoint& of = model_.joints()[std::size_t(joint)]; of.role == JointRole::configurable)
          throw Error(Failure::input, "the configurable joint '" + of.name +
                                          "' is coupled to another joint, which would move with it; coupled joints cannot be "
                                          "merged");
      const UnknownIndex& leader = layout_.unknowns_of(coupling.leader).back();
      result.push_back({joint_number[std::size_t(coupling.joint)], joint_number[std::size_t(coupling.leader)],
                        polynomial_from(coupling.polynomial, leader.scale * state_[leader.index])});
    }
    return result;
  }

  int number_of(int body) const { return body == world ? world : number_[std::size_t(group_[std::size_t(body)])]; }
  Eigen::Matrix3d turn_of(int body) const {
    return body == world ? Eigen::Matrix3d::Identity().eval() : turns_[std::size_t(body)];
  }

  MechanismJoint moved(const MechanismJoint& joint) const {
    MechanismJoint result = joint;
    result.body_a = number_of(joint.body_a);
    result.body_b = number_of(joint.body_b);
    const Eigen::Matrix3d a = turn_of(joint.body_a) * joint.axes, b = turn_of(joint.body_b) * joint.axes;
    if (joint.body_a != world) {
      const std::size_t body = std::size_t(joint.body_a);
      result.point = origins_[body] + turns_[body] * (joint.point - model_.bodies()[body].origin);
    }
    // A passive joint may have turned: the second axis of a universal one is its second body's.
    const bool is_across = std::abs(a.col(0).dot(b.col(1))) < 1e-9;
    result.axes = is_across ? axes_along(a.col(0), b.col(1)) : a;
    return result;
  }

  const MechanismLayout& layout_;
  const MechanismModel& model_;
  const Eigen::VectorXd& state_;
  std::vector<int> group_, number_;
  std::vector<Eigen::Vector3d> origins_;  // [m], at the design
  std::vector<Eigen::Matrix3d> turns_;
};

}  // namespace

MechanismModel merged(const std::shared_ptr<const MechanismModel>& model, const Eigen::VectorXd& design) {
  const MechanismLayout layout(model);
  const Eigen::VectorXd state = state_at(layout, design);
  return Merging(layout, state).build();
}

}  // namespace holo
