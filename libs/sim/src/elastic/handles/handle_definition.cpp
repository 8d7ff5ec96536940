#include "holo/sim/elastic/handles/handle_definition.h"

namespace holo {

HandleDefinition read_handle(Configuration& parameters, const std::vector<NamedSubset>& named) {
  HandleDefinition handle;
  handle.location = parameters.location();
  Configuration subset = parameters.section("subset",
                                            "vertices of the handle: {box: ...}, {sphere: ...}, {half_space: ...}, "
                                            "{group: NAME}, {surface: true}, {all: true} or {name: NAME}");
  handle.subset = read_subset(subset, named);
  Configuration motion = parameters.section("motion", "motion of the vertices", false);
  handle.motion = read_prescribed_motion(motion);
  if (parameters.has("release_time") || parameters.recording())
    handle.release_time = parameters.number("release_time", {.unit = "s",
                                                             .minimum = 0,
                                                             .minimum_excluded = true,
                                                             .default_value = std::numeric_limits<double>::infinity(),
                                                             .documentation = "time after which the vertices are free"});
  return handle;
}

}  // namespace holo
