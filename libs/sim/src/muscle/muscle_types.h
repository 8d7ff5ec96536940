#pragma once
// The types of muscle. A new one is a file in this folder that defines `MuscleType NAME()` in the namespace muscle_type, and a
// line in this list: the name in experiments is that of the function.

#include <functional>
#include <utility>
#include <vector>

#include "holo/sim/muscle/muscle_definition.h"

#define HOLO_MUSCLE_TYPES(MUSCLE) \
  MUSCLE(line)                    \
  MUSCLE(longitudinal)            \
  MUSCLE(ring)                    \
  MUSCLE(radial)                  \
  MUSCLE(helix)

namespace holo {

// Makes the curves once the file was found without problems. Throws Error(input), without a place, for values that give none.
using CurveMaker = std::function<MuscleCurves()>;

struct MuscleType {
  const char* summary;                 // one line, for the schema
  CurveMaker (*read)(Configuration&);  // reads the type's own keys; problems are reported through the configuration file
};

namespace muscle_type {

#define HOLO_DECLARE_MUSCLE(name) MuscleType name();
HOLO_MUSCLE_TYPES(HOLO_DECLARE_MUSCLE)
#undef HOLO_DECLARE_MUSCLE

}  // namespace muscle_type

// All types of muscles with their names in experiments.
inline std::vector<std::pair<const char*, MuscleType>> muscle_types() {
#define HOLO_LIST_MUSCLE(name) {#name, muscle_type::name()},
  return {HOLO_MUSCLE_TYPES(HOLO_LIST_MUSCLE)};
#undef HOLO_LIST_MUSCLE
}

}  // namespace holo
