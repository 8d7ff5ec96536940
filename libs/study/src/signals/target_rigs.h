#pragma once
// Mechanisms beside the robot: what they do is recorded as targets. A character's rig, with more joints than the robot has
// actuators, leads it so.

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
  std::shared_ptr<const MechanismLayout> layout;  // with all rows; null after a problem of the file
  Eigen::MatrixXd controls;                       // [control][knot] SI
  Location where;
};

// One entry of the last task's `rigs`; problems go to the file's account.
void read_rig(Configuration& entry, const PluginHost& host, RobotDesignPlan& plan, std::vector<UsedPlugin>& plugins);

}  // namespace holo
