#include "coordinate_units.h"

#include "holo/core/plugins/joint_plugin.h"

namespace holo {

namespace {

using Kind = UnknownIndex::Kind;

// The joints' coordinates know what they are; the layout knows where they went.
std::vector<std::string> units(const MechanismLayout& layout, Kind kind, int count) {
  std::vector<std::string> result(std::size_t(count), "1");
  for (std::size_t j = 0; j < layout.model().joints().size(); ++j) {
    const holo_joint& abi = layout.model().joints()[j].type->abi();
    for (std::uint32_t c = 0; c < abi.coordinate_count; c += abi.coordinates[c].kind == HOLO_COORDINATE_QUATERNION ? 4 : 1) {
      const UnknownIndex& drive = layout.drive(int(j), int(c));
      if (abi.coordinates[c].kind == HOLO_COORDINATE_QUATERNION || drive.kind != kind) continue;
      result[std::size_t(drive.index)] = abi.coordinates[c].kind == HOLO_COORDINATE_ANGLE ? "rad" : "m";
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
