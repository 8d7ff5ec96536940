#pragma once
// Reader of the section `collisions`: penalties of collisions between a robot's bodies.

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

// Reads the section; none without it, and after problems, which are reported through the configuration file. `model` is null
// after a problem of the robot.
std::optional<CollisionPlan> read_collisions(Configuration& experiment, const PluginHost& host, const MechanismModel* model,
                                             SignalNames& signals, std::vector<UsedPlugin>& plugins);
// The losses of all pairs that may come nearer than the margin. Throws Error(input), with the location, if there is no such
// pair.
std::vector<NamedLoss> losses_of(const CollisionPlan& plan, const MechanismModel& model);

}  // namespace holo
