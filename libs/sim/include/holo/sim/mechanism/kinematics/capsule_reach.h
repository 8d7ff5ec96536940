#pragma once
// Pairs of capsules on a mechanism's bodies that can come near each other in some pose.

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

// All points within a radius of the segment between two points of a body; a sphere if these are equal.
struct BodyCapsule {
  std::string name;
  int body = 0;
  Eigen::Vector3d from, to;  // in the body's coordinates [m]
  double radius = 0;         // [m]
};

// Pairs of capsules, as indices in the list, whose distance may fall below the margin [m]. Excluded are pairs within a rigid
// group, i.e. bodies that fixed and configurable joints connect, and between groups with a joint between them; and pairs whose
// distance stays above the margin in every pose, since the joints between them have no coordinate of length.
std::vector<std::pair<int, int>> pairs_that_may_meet(const MechanismModel& model, const std::vector<BodyCapsule>& capsules,
                                                     double margin);

}  // namespace holo
