#include "holo/sim/elastic/handles/handle_definition.h"

namespace holo {
namespace {

std::array<bool, 3> read_axes(Configuration& parameters) {
  const std::vector<std::string> names = parameters.texts(
      "along", 1, 3,
      {.choices = {"x", "y", "z"},
       .documentation = "axes along which the motion is prescribed; along others the vertices are free; all by default"});
  if (names.empty()) return {true, true, true};  // a recording, or a problem
  std::array<bool, 3> along = {};
  for (const std::string& name : names) along[std::size_t(name[0] - 'x')] = true;
  return along;
}

}  // namespace

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
  if (parameters.has("along") || parameters.recording()) handle.along = read_axes(parameters);
  return handle;
}

}  // namespace holo
