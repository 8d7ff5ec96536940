#pragma once
// Signals of a robot design: those of all studies, and recorded motions of mechanisms, such as a character's rig with more
// joints than the robot has actuators.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"
#include "holo/study/study.h"
#include "signals/signal_plan.h"
#include "studies/robot_design/control_curves.h"

namespace holo {

struct RobotDesignPlan;

// A mechanism in addition to the robot, from whose motion signals are recorded.
struct Rig {
  std::string name;
  std::shared_ptr<const MechanismModel> model;    // null after a problem of the file
  std::shared_ptr<const MechanismLayout> layout;  // with all equations; null after a problem of the file
  std::vector<ControlCurve> controls;
  Location where;
};

// The path of a body's point, or the body's orientation, in a motion of a rig, or of the robot itself, with other design
// parameters.
struct RecordedMotion {
  int rig = -1;  // of the signal's task; -1: the robot
  int body = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::VectorXd design;  // SI
};

struct RecordedSignal {
  std::size_t signal = 0;  // in SignalPlan::signals
  RecordedMotion motion;
};

// Reads one entry of the last task's `rigs`. Problems are reported through the configuration file.
void read_rig(Configuration& entry, const PluginHost& host, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins);
// Reads the list `signals` of the last task into the plan's signals. Problems are reported through the configuration file.
void read_robot_signals(Configuration& parent, RobotDesignPlan& plan);

// Sets the values of recorded signals: from motions of rigs, and of the robot under `controls` [control][knot] in SI units.
// Throws Error(input) if a mechanism cannot follow its controls, or an edit cannot be applied.
void record_signals(const RobotDesignPlan& plan, const Eigen::MatrixXd& controls, ComputedSignals& signals);

// The numbers of the signals that are positions, each once.
std::vector<int> points_among(const SignalPlan& plan);

}  // namespace holo
