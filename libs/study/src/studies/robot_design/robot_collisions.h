#pragma once
// The section `collisions`: which parts of a robot are kept apart.

#include <optional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/losses/loss_data.h"
#include "holo/sim/mechanism/kinematics/capsule_reach.h"
#include "holo/study/study.h"

namespace holo {

struct CollisionPlan {
  std::vector<BodyCapsule> capsules;
  double margin = 0;      // [m]
  int weight_signal = 0;  // a constant
  std::shared_ptr<const LossPlugin> plugin;
  NamedLoss example;  // of two of the capsules, for the names of its measures
  Location where;     // of the capsules
};

// None without the section, and after problems, which are reported through the configuration file. `model` is null after a
// problem of the robot.
std::optional<CollisionPlan> read_collisions(Configuration& experiment, const PluginHost& host, const MechanismModel* model,
                                             SignalNames& signals, std::vector<UsedPlugin>& plugins);
// A loss for each pair that may come nearer than the margin. Throws Error(input), with the place, where no pair can.
std::vector<NamedLoss> losses_of(const CollisionPlan& plan, const MechanismModel& model);

}  // namespace holo
