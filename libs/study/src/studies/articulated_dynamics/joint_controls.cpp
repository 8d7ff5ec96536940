#include "studies/articulated_dynamics/joint_controls.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/name_list.h"

namespace holo {

namespace {

using articulated::CharacterModel, articulated::DegreeOfFreedom, articulated::DofKind;

std::vector<std::string> actuated_joints(const CharacterModel* model) {
  std::vector<std::string> names;
  if (model != nullptr)
    for (const int dof : model->actuated()) names.push_back(model->dof_name(dof));
  return names;
}

ControlValue read_control_value(Configuration& entry, const char* key, const char* unit, const char* documentation) {
  const Configuration::NumbersOrName read =
      entry.numbers_or_name(key, 1, "a signal", {.unit = unit, .documentation = documentation});
  return {read.numbers.empty() ? 0 : read.numbers[0], read.name, entry.location(key), -1};
}

void read_target(Configuration& entry, const CharacterModel* model, JointControl& control) {
  control.is_target = true;
  control.value = read_control_value(entry, "target", "rad or m", "coordinate that a spring and a damper follow");
  control.stiffness = entry.number(
      "stiffness", {.unit = "N m/rad or N/m", .minimum = 0, .documentation = "torque per distance from the target"});
  control.damping = entry.number("damping", {.unit = "N m s/rad or N s/m",
                                             .minimum = 0,
                                             .default_value = 0.0,
                                             .documentation = "torque per difference of the joint's rate and the target's"});
  const std::vector<std::string> joints = actuated_joints(model);
  if (!contains(joints, control.joint)) return;
  if (model->dofs()[std::size_t(model->dof(control.joint))].kind == DofKind::rotation_vector)
    entry.problem(entry.location("target"),
                  fmt::format("the joint '{}' is a coordinate of a rotation vector and cannot follow a "
                              "target; hinges and slides can",
                              control.joint));
}

JointControl read_joint_control(Configuration& entry, const CharacterModel* model) {
  JointControl control;
  control.joint = entry.text("joint", {.choices = actuated_joints(model), .documentation = "joint that has an actuator"});
  entry.branch_on_key(
      {{"torque", "torque of a hinge or force of a slide",
        [&](Configuration& p) { control.value = read_control_value(p, "torque", "N m or N", "of the actuator"); }},
       {"target", "torque of a spring and a damper", [&](Configuration& p) { read_target(p, model, control); }}},
      "law of the actuator");
  return control;
}

}  // namespace

std::vector<JointControl> read_joint_controls(Configuration& experiment, const CharacterModel* model) {
  std::vector<JointControl> controls;
  experiment.each(
      "controls",
      [&](Configuration& entry) {
        JointControl control = read_joint_control(entry, model);
        const bool is_double = std::any_of(controls.begin(), controls.end(),
                                           [&](const JointControl& other) { return other.joint == control.joint; });
        if (is_double)
          entry.problem(entry.location("joint"), fmt::format("the joint '{}' has two controls; give it one", control.joint));
        controls.push_back(std::move(control));
      },
      "torques of actuators over time; those of others are 0");
  return controls;
}

void find_control_signals(Configuration& experiment, const SignalStore& signals, std::vector<JointControl>& controls) {
  const std::vector<SignalNames::Signal> all = signals.signals();
  std::vector<std::string> names;
  for (const SignalNames::Signal& signal : all) names.push_back(signal.name);
  for (JointControl& control : controls) {
    ControlValue& value = control.value;
    if (value.signal.empty()) continue;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const SignalNames::Signal& each) { return each.name == value.signal; });
    if (found == all.end())
      experiment.problem(value.where, fmt::format("no signal '{}'.{} There are: {}", value.signal,
                                                  suggestion(value.signal, names), joined_or_none(names)));
    else if (found->component_count != 1)
      experiment.problem(value.where, fmt::format("the signal '{}' has {} numbers; 1 is needed, a signal of `quantity: number`",
                                                  value.signal, found->component_count));
    else
      value.number = found->number;
  }
}

articulated::CharacterAdjustment springs_of_targets(const std::vector<JointControl>& controls) {
  return [controls](articulated::CharacterBuilder& builder) {
    for (const JointControl& control : controls) {
      if (!control.is_target) continue;
      DegreeOfFreedom& dof = builder.dof(builder.so_far().dof(control.joint));
      dof.stiffness += control.stiffness;
      dof.damping += control.damping;
    }
  };
}

JointControls::JointControls(const std::vector<JointControl>& controls, const CharacterModel& model, const SignalStore& signals,
                             double time_step)
    : time_step_(time_step) {
  for (const JointControl& control : controls) {
    const std::size_t joint = std::size_t(model.dof(control.joint));
    const DegreeOfFreedom& dof = model.dofs()[joint];
    const ControlValue& value = control.value;
    entries_.push_back({control, joint, dof.is_length ? "N" : "N m", dof.spring_reference,
                        value.signal.empty() ? Eigen::VectorXd::Constant(1, value.constant)
                                             : Eigen::VectorXd(signals.values()[std::size_t(value.number)].row(0))});
  }
}

// The residual has (k + K)(q - r) + (b + D) q' of the joint's own spring k about r and damper b, and of the target's: what is
// left of K (q - target) + D (q' - target') are the controls K (target - r) + D target'.
void JointControls::set(int knot, Eigen::VectorXd& controls) const {
  controls.setZero();
  for (const Entry& entry : entries_) {
    const JointControl& control = entry.control;
    const double value = entry.at(knot);
    controls[Eigen::Index(entry.dof)] = control.is_target ? control.stiffness * (value - entry.reference) +
                                                                control.damping * (value - entry.at(knot - 1)) / time_step_
                                                          : value;
  }
}

double JointControls::torque(int control, int knot, const articulated::CharacterPose& current,
                             const articulated::CharacterPose& newest) const {
  const Entry& entry = entries_[std::size_t(control)];
  if (!entry.control.is_target) return entry.at(knot);
  const double q = newest.coordinates[entry.dof], target = entry.at(knot);
  const double rate = (q - current.coordinates[entry.dof]) / time_step_;
  const double rate_of_target = knot > 0 ? (target - entry.at(knot - 1)) / time_step_ : 0;
  return entry.control.stiffness * (target - q) - entry.control.damping * (rate - rate_of_target);
}

}  // namespace holo
