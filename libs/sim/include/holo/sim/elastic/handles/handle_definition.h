#pragma once
// A handle of a body, as an entry of its `handles:` gives it.
//
//   handles:
//     - {subset: {box: {max: [0.05, 9, 9]}}, motion: {type: sinusoid, amplitude: [0, 0, 0.2], period: 1.0}, release_time: 2.0}
//     - {subset: {box: {min: [-9, -9, 0.99]}}, motion: {type: linear, displacement: [0, 0, -0.5]}, along: [z]}   # slides in x,
//     y

#include <limits>

#include "holo/core/configuration.h"
#include "holo/sim/elastic/handles/handle_motion.h"
#include "holo/sim/mesh/subset.h"

namespace holo {

// Vertices whose motion is prescribed until `release_time`, along all axes or some; from then on they are free, with the
// velocity that they had.
struct HandleDefinition {
  SubsetDefinition subset;
  MotionDefinition motion;
  double release_time = std::numeric_limits<double>::infinity();  // [s], > 0
  std::array<bool, 3> along = {true, true, true};                 // axes x, y, z; the others are free
  Location location;
};

// Reads one entry, of a body with these named subsets. Problems are reported through the configuration file.
HandleDefinition read_handle(Configuration& parameters, const std::vector<NamedSubset>& named);

}  // namespace holo
