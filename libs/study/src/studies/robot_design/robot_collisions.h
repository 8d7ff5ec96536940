#pragma once
// Collision penalties of a robot: capsules on its bodies, and the pairs of capsules that can collide.

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/mechanism/losses/mechanism_losses.h"
#include "holo/study/study.h"

namespace holo {

struct RobotDesignPlan;

// All points within a radius of the segment between two points of a body; a sphere if these are equal.
struct BodyCapsule {
  std::string name;
  int body = 0;
  Eigen::Vector3d from, to;  // in the body's coordinates [m]
  double radius = 0;         // [m]
};

// Pairs of capsules, as numbers in the list, that may come nearer than the margin [m]. Excluded are pairs within a rigid group,
// the bodies that fixed and configurable joints connect; pairs of groups with a joint between them; and pairs whose distance
// is larger in all poses, by a bound over the joints between them.
std::vector<std::pair<int, int>> pairs_that_may_meet(const MechanismModel& model, const std::vector<BodyCapsule>& capsules,
                                                     double margin);

// Reads the section `collisions` and returns its capsules. Adds a loss for each pair that may meet to `losses`, and its plugin
// to `plugins`. Problems are reported through the configuration file.
std::vector<BodyCapsule> read_collisions(Configuration& experiment, const PluginHost& host, const RobotDesignPlan& plan,
                                         std::vector<UsedPlugin>& plugins, std::vector<NamedLoss>& losses);

}  // namespace holo
