#pragma once
// The types of load. A new one is a file in this folder that defines `LoadType NAME()` in the namespace load_type, and a line
// in this list: the name in experiments is that of the function.

#include <utility>
#include <vector>

#include "holo/sim/elastic/load_definition.h"

#define HOLO_LOAD_TYPES(LOAD) \
  LOAD(force)                 \
  LOAD(traction)              \
  LOAD(pressure)              \
  LOAD(circular)              \
  LOAD(spring)

namespace holo {

struct LoadType {
  const char* summary;                // one line, for the schema
  LoadMaker (*read)(Configuration&);  // reads the type's own keys; problems are reported through the configuration file
};

namespace load_type {

#define HOLO_DECLARE_LOAD(name) LoadType name();
HOLO_LOAD_TYPES(HOLO_DECLARE_LOAD)
#undef HOLO_DECLARE_LOAD

}  // namespace load_type

// All types of loads with their names in experiments.
inline std::vector<std::pair<const char*, LoadType>> load_types() {
#define HOLO_LIST_LOAD(name) {#name, load_type::name()},
  return {HOLO_LOAD_TYPES(HOLO_LIST_LOAD)};
#undef HOLO_LIST_LOAD
}

}  // namespace holo
