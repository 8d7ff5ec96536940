#pragma once
// A load on a body, as an entry of its `loads:` gives it; libs/sim/src/dynamics/loads turns it into a term of the energy.
//
//   loads:
//     - {type: force, force: [0, 0, -10], on: {sphere: {center: [1, 0, 0], radius: 0.1}}}   # N, shared by the vertices
//     - {type: traction, traction: [0, 0, -100], on: {box: {min: [0.9, -9, -9]}}}           # Pa, keeps its direction
//     - {type: pressure, pressure: 2000, on: {all: true}, start: 0.1, ramp: 0.5}            # Pa, follows the surface; s

#include <functional>
#include <memory>

#include "holo/core/configuration.h"
#include "holo/sim/mesh/subset.h"

namespace holo {

class ElasticModel;
class PotentialTerm;
struct ElasticBody;
struct LoadDefinition;

// Makes the term of a load on a body of the model. Throws Error(input) at the load's place in the experiment where its subset
// holds nothing that it can act on.
using LoadMaker = std::function<std::unique_ptr<PotentialTerm>(const ElasticModel& model, const ElasticBody& body,
                                                               const LoadDefinition& load)>;

struct LoadDefinition {
  LoadMaker make;           // of the load's type, with its own values (libs/sim/src/dynamics/loads/load_types.h)
  SubsetDefinition subset;  // where it acts; of a surface its triangles (mesh/subset.h)
  double start = 0;         // [s], before which there is no load
  double ramp = 0;          // [s], in which it grows linearly from 0; 0: at once
  Location location;

  // The part of the load that acts at a time [s], 0 to 1.
  double share_at(double time) const;
};

// Reads one entry, of a body with these named subsets. Problems are reported through the configuration file.
LoadDefinition read_load(Configuration& parameters, const std::vector<NamedSubset>& named);

}  // namespace holo
