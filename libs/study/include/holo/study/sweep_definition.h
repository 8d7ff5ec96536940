#pragma once
// The `sweep` section of an experiment: which values of which parameters its runs have.
//
//   sweep:
//     seed: 1                   # of random and latin_hypercube
//     repeat: 1                 # runs of each point, with the seeds SEED, SEED + 1, ... of the experiment
//     metrics: [tip_deflection] # that the report plots
//     grid:                     # each value of each parameter with each of the others
//       - {path: scene.bodies.0.density, values: [500, 1000]}
//       - {path: scene.bodies.0.material.youngs_modulus, name: E, unit: Pa, from: 1e4, to: 1e6, count: 5, scale: logarithmic}
//     list: [...]               # the first values of all parameters, then the second ones, ...
//     random: {count: 20, parameters: [{path: ..., from: 0.1, to: 0.4}]}
//     latin_hypercube: {count: 20, parameters: [...]}
//
// Each of grid, list, random and latin_hypercube is a block of points. The points of the sweep are all combinations of the
// points of its blocks; those of the last block change fastest.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"

namespace holo {

struct SweptRange {
  double from = 0, to = 0;     // from < to; both are values of a grid or list
  std::int64_t count = 0;      // >= 2, of a grid or list; 0: as many as its block has samples
  bool logarithmic = false;    // equal ratios instead of equal differences; from > 0
  bool whole_numbers = false;  // values are rounded to whole numbers
};

struct SweptParameter {
  std::string path;                          // as in --set
  std::string name;                          // column of the table
  std::string unit;                          // for the report; may be empty
  Location place;                            // of the path in the file
  std::vector<Configuration::Entry> values;  // as YAML; empty if there is a range
  std::optional<SweptRange> range;
};

enum class SweepBlockKind { grid, list, random, latin_hypercube };

struct SweepBlock {
  SweepBlockKind kind = SweepBlockKind::grid;
  std::int64_t count = 0;  // samples of random and latin_hypercube
  std::vector<SweptParameter> parameters;
};

struct SweepDefinition {
  std::uint64_t seed = 1;
  std::int64_t repeat = 1;
  std::vector<std::string> metrics;  // that the report plots; empty: all that differ between runs
  std::vector<SweepBlock> blocks;
  Location place;
};

}  // namespace holo
