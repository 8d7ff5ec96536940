#pragma once
// Pairs of capsules on a mechanism's bodies that can come near each other in some pose.

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

// What lies within a radius of the line between two points of a body; a sphere where these are one.
struct BodyCapsule {
  std::string name;
  int body = 0;
  Eigen::Vector3d from, to;  // in the body's coordinates [m]
  double radius = 0;         // [m]
};

// Pairs of capsules, numbers in the list, that may come nearer than the margin [m]. Left out are those of bodies that make up
// one part of the robot, which fixed and configurable joints hold together, and of parts with a joint between them; and those
// that joints without a length in between keep farther apart in every pose.
std::vector<std::pair<int, int>> pairs_that_may_meet(const MechanismModel& model, const std::vector<BodyCapsule>& capsules,
                                                     double margin);

}  // namespace holo
