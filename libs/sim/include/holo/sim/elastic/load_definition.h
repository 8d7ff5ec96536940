#pragma once
// A load on a body, as an entry of its `loads:` gives it; libs/sim/src/dynamics/loads turns it into a term of the energy.
//
//   loads:
//     - {type: force, force: [0, 0, -10], on: {sphere: {center: [1, 0, 0], radius: 0.1}}}   # N, shared by the vertices
//     - {type: traction, traction: [0, 0, -100], on: {box: {min: [0.9, -9, -9]}}}           # Pa, keeps its direction
//     - {type: pressure, pressure: 2000, on: {all: true}, start: 0.1, ramp: 0.5}            # Pa, follows the surface; s

#include <array>

#include "holo/core/configuration.h"
#include "holo/sim/mesh/subset.h"

namespace holo {

struct LoadDefinition {
  enum class Kind {
    force,     // the sum over the vertices of the subset, equal shares [N]
    traction,  // per area of the surface as it starts; keeps its direction [Pa]
    pressure   // per area of the surface as it is, along its inward normal [Pa]
  };
  Kind kind = Kind::force;
  std::array<double, 3> vector = {};  // of force and traction
  double pressure = 0;                // positive pushes onto the surface
  SubsetDefinition subset;            // of traction and pressure: its triangles (mesh/subset.h)
  double start = 0;                   // [s], before which there is no load
  double ramp = 0;                    // [s], in which it grows linearly from 0; 0: at once
  Location location;

  // The part of the load that acts at a time [s], 0 to 1.
  double share_at(double time) const;
};

// Reads one entry, of a body with these named subsets. Problems go to the file's account.
LoadDefinition read_load(Configuration& parameters, const std::vector<NamedSubset>& named);

}  // namespace holo
