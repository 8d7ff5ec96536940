#include "holo/sim/elastic/load_definition.h"

#include <algorithm>

namespace holo {

double LoadDefinition::share_at(double time) const {
  if (time < start) return 0;
  return ramp > 0 ? std::min(1.0, (time - start) / ramp) : 1;
}

LoadDefinition read_load(Configuration& parameters) {
  using Kind = LoadDefinition::Kind;
  LoadDefinition load;
  load.location = parameters.location();
  parameters.branch("type",
                    {{"force", "force, shared equally by the vertices of the subset",
                      [&](Configuration& p) {
                        load.kind = Kind::force;
                        load.vector = p.vector3("force", {.unit = "N", .documentation = "sum over the vertices"});
                      }},
                     {"traction", "force of constant direction per area of the initial surface",
                      [&](Configuration& p) {
                        load.kind = Kind::traction;
                        load.vector = p.vector3("traction", {.unit = "Pa"});
                      }},
                     {"pressure", "force along the normal per area of the current surface",
                      [&](Configuration& p) {
                        load.kind = Kind::pressure;
                        load.pressure =
                            p.number("pressure", {.unit = "Pa", .documentation = "pressure; positive pushes onto the surface"});
                      }}},
                    {}, "kind of the load");
  Configuration on = parameters.section("on",
                                        "vertices on which the load acts: {box: ...}, {sphere: ...}, {half_space: ...}, "
                                        "{group: NAME}, {surface: true} or {all: true}");
  load.subset = read_subset(on);
  load.start = parameters.number(
      "start", {.unit = "s", .minimum = 0, .default_value = 0.0, .documentation = "time before which there is no load"});
  load.ramp = parameters.number(
      "ramp",
      {.unit = "s", .minimum = 0, .default_value = 0.0, .documentation = "time in which the load grows linearly from 0"});
  return load;
}

}  // namespace holo
