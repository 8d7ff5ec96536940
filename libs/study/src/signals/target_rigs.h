#pragma once
// Rigs: mechanisms in addition to the robot, whose motions are recorded as targets. An example is a character's rig with more
// joints than the robot has actuators.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"
#include "holo/study/study.h"

namespace holo {

struct RobotDesignPlan;

struct TargetRig {
  std::string name;
  std::shared_ptr<const MechanismModel> model;    // null after a problem of the file
  std::shared_ptr<const MechanismLayout> layout;  // with all constraint equations; null after a problem of the file
  Eigen::MatrixXd controls;                       // [control][knot] SI
  Location where;
};

// Reads one entry of the last task's `rigs` into the plan, and its joint plugins into `plugins`. Problems are reported through
// the configuration file.
void read_rig(Configuration& entry, const PluginHost& host, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins);

}  // namespace holo
