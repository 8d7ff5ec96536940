#pragma once
// Controls of a character's joints over time: torques or forces by signals, or targets that a spring and a damper follow.
//
//   controls:
//     - {joint: hip, torque: push}
//     - {joint: knee, target: 0.8, stiffness: 80, damping: 4}
//
// A target's torque is K (target - q) - D (q' - target') at the newest pose of a time step: it is a spring and a damper of the
// character itself, implicit as its own ones, and takes energy out of the motion for any K and D where the target rests.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/articulated/dynamics/character_model.h"
#include "signals/signal_plan.h"

namespace holo {

// A number, or a signal of the store.
struct ControlValue {
  double constant = 0;
  std::string signal;  // "": the constant
  Location where;
  int number = -1;  // of the signal
};

struct JointControl {
  std::string joint;
  bool is_target = false;
  ControlValue value;                 // of the torque [N m or N] or the target [rad or m]
  double stiffness = 0, damping = 0;  // K, D of a target
};

// Reads the list `controls`. `model` is null after problems, which are reported through the configuration file. Signals are
// found by find_control_signals().
std::vector<JointControl> read_joint_controls(Configuration& experiment, const articulated::CharacterModel* model);
void find_control_signals(Configuration& experiment, const SignalStore& signals, std::vector<JointControl>& controls);

// Adds the stiffness and damping of targets to the joints of the character that is built.
articulated::CharacterAdjustment springs_of_targets(const std::vector<JointControl>& controls);

class JointControls {
 public:
  // `model` has the springs of targets.
  JointControls(const std::vector<JointControl>& controls, const articulated::CharacterModel& model, const SignalStore& signals,
                double time_step);

  int count() const { return int(entries_.size()); }
  const std::string& joint(int control) const { return entries_[std::size_t(control)].control.joint; }
  const char* unit(int control) const { return entries_[std::size_t(control)].unit; }

  // The controls of the step that ends at a knot, so that FD = controls has the torques: dof_count numbers.
  void set(int knot, Eigen::VectorXd& controls) const;
  // The torque or force of a control in the step from `current` to `newest`, which ends at a knot.
  double torque(int control, int knot, const articulated::CharacterPose& current,
                const articulated::CharacterPose& newest) const;

 private:
  struct Entry {
    JointControl control;
    std::size_t dof;
    const char* unit;
    double reference;        // of the joint's spring
    Eigen::VectorXd values;  // [knot], or one constant
    double at(int knot) const { return values[values.size() == 1 ? 0 : knot]; }
  };
  std::vector<Entry> entries_;
  double time_step_;
};

}  // namespace holo
