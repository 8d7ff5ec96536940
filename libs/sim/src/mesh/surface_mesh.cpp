#include "holo/sim/mesh/surface_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "holo/core/error.h"

namespace holo {
namespace {

// Of an edge: how many triangles have it from its smaller to its larger vertex, and how many the other way.
struct EdgeUse {
  int forward = 0, backward = 0;
  bool is_of_surface(bool may_be_open) const {
    if (forward > 1 || backward > 1) return false;
    return may_be_open || forward + backward == 2;
  }
};

std::string fault_of(const EdgeUse& use) {
  if (use.forward + use.backward == 1) return "has one triangle, so that the surface is open there";
  if (use.forward + use.backward == 2) return "has two triangles with opposite orientations";
  return fmt::format("has {} triangles", use.forward + use.backward);
}

}  // namespace

void require_surface(const SurfaceMesh& mesh, bool may_be_open) {
  std::map<std::array<int, 2>, EdgeUse> uses;
  for (const std::array<int, 3>& triangle : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = triangle[i], b = triangle[(i + 1) % 3];
      EdgeUse& use = uses[{std::min(a, b), std::max(a, b)}];
      ++(a < b ? use.forward : use.backward);
    }
  std::size_t faults = 0;
  const std::pair<const std::array<int, 2>, EdgeUse>* first = nullptr;
  for (const auto& each : uses)
    if (!each.second.is_of_surface(may_be_open)) {
      if (faults++ == 0) first = &each;
    }
  if (faults == 0) return;
  const auto place = [&](int vertex) {
    const auto& x = mesh.vertices[static_cast<std::size_t>(vertex)];
    return fmt::format("vertex {} at [{:.6g}, {:.6g}, {:.6g}]", vertex + 1, x[0], x[1], x[2]);
  };
  throw Error(Failure::input,
              fmt::format("{}: the edge from {} to {} {}{}. At each edge of {} surface two triangles meet, whose corners have "
                          "the same sense of rotation{}.",
                          mesh.source, place(first->first[0]), place(first->first[1]), fault_of(first->second),
                          faults > 1 ? fmt::format("; so have {} other edges a fault", faults - 1) : "",
                          may_be_open ? "an open" : "a closed", may_be_open ? ", or one ends" : ""));
}

}  // namespace holo
