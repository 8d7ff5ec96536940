#include "holo/sim/elastic/load_definition.h"

#include <algorithm>

namespace holo {

double LoadDefinition::share_at(double time) const {
  if (time < start) return 0;
  return ramp > 0 ? std::min(1.0, (time - start) / ramp) : 1;
}

LoadDefinition read_load(Configuration& parameters, const std::vector<NamedSubset>& named) {
  using Kind = LoadDefinition::Kind;
  LoadDefinition load;
  load.location = parameters.location();
  parameters.branch("type",
                    {{"force", "a force, shared equally by the vertices of the subset",
                      [&](Configuration& p) {
                        load.kind = Kind::force;
                        load.vector = p.vector3("force", {.unit = "N", .documentation = "sum over the vertices"});
                      }},
                     {"traction", "a force per area of the surface as it starts, which keeps its direction",
                      [&](Configuration& p) {
                        load.kind = Kind::traction;
                        load.vector = p.vector3("traction", {.unit = "Pa"});
                      }},
                     {"pressure", "a force per area of the surface as it is, along its normal",
                      [&](Configuration& p) {
                        load.kind = Kind::pressure;
                        load.pressure =
                            p.number("pressure", {.unit = "Pa", .documentation = "positive pushes onto the surface"});
                      }}},
                    {}, "what kind of load");
  Configuration on = parameters.section("on",
                                        "where it acts: {box: ...}, {sphere: ...}, {half_space: ...}, {group: NAME}, {surface: "
                                        "true}, {all: true} or {name: NAME}");
  load.subset = read_subset(on, named);
  load.start = parameters.number(
      "start", {.unit = "s", .minimum = 0, .default_value = 0.0, .documentation = "before it there is no load"});
  load.ramp = parameters.number(
      "ramp", {.unit = "s", .minimum = 0, .default_value = 0.0, .documentation = "time in which it grows linearly from 0"});
  return load;
}

}  // namespace holo
