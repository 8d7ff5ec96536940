#include "holo/sim/elastic/load_definition.h"

#include <algorithm>

#include "dynamics/loads/load_types.h"

namespace holo {

double LoadDefinition::share_at(double time) const {
  if (time < start) return 0;
  return ramp > 0 ? std::min(1.0, (time - start) / ramp) : 1;
}

LoadDefinition read_load(Configuration& parameters, const std::vector<NamedSubset>& named) {
  LoadDefinition load;
  load.location = parameters.location();
  std::vector<Configuration::Branch> types;
  for (const auto& [name, type] : load_types())
    types.push_back({name, type.summary, [&load, read = type.read](Configuration& p) { load.make = read(p); }});
  parameters.branch("type", types, {}, "kind of the load");
  Configuration on = parameters.section("on",
                                        "vertices on which the load acts: {box: ...}, {sphere: ...}, {half_space: ...}, "
                                        "{group: NAME}, {surface: true}, {all: true} or {name: NAME}");
  load.subset = read_subset(on, named);
  load.start = parameters.number(
      "start", {.unit = "s", .minimum = 0, .default_value = 0.0, .documentation = "time before which there is no load"});
  load.ramp = parameters.number(
      "ramp",
      {.unit = "s", .minimum = 0, .default_value = 0.0, .documentation = "time in which the load grows linearly from 0"});
  return load;
}

}  // namespace holo
