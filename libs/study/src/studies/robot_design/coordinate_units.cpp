#include "coordinate_units.h"

#include "holo/core/plugins/joint_plugin.h"

namespace holo {

namespace {

using Kind = UnknownIndex::Kind;

// The joints' coordinates know what they are; the layout knows where they went. The first 14 unknowns are those of two poses.
std::vector<std::string> units(const MechanismLayout& layout, Kind kind, int count) {
  constexpr std::size_t first_coordinate = 14;
  std::vector<std::string> result(std::size_t(count), "1");
  for (std::size_t j = 0; j < layout.model().joints().size(); ++j) {
    const holo_joint& abi = layout.model().joints()[j].type->abi();
    const std::vector<UnknownIndex>& unknowns = layout.unknowns_of(int(j));
    for (std::uint32_t c = 0; c < abi.coordinate_count; c += abi.coordinates[c].kind == HOLO_COORDINATE_QUATERNION ? 4 : 1) {
      if (abi.coordinates[c].kind == HOLO_COORDINATE_QUATERNION || unknowns[first_coordinate + c].kind != kind) continue;
      result[std::size_t(unknowns[first_coordinate + c].index)] =
          abi.coordinates[c].kind == HOLO_COORDINATE_ANGLE ? "rad" : "m";
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> control_units(const MechanismLayout& layout) {
  return units(layout, Kind::control, layout.control_count());
}

std::vector<std::string> parameter_units(const MechanismLayout& layout) {
  return units(layout, Kind::parameter, layout.parameter_count());
}

}  // namespace holo
