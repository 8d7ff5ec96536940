#include "holo/sim/mesh/other_cells.h"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

namespace holo {

namespace {

constexpr const char* names[6][2] = {{"triangle", "triangles"}, {"quadrangle", "quadrangles"}, {"pyramid", "pyramids"},
                                     {"wedge", "wedges"},       {"hexahedron", "hexahedra"},   {"polyhedron", "polyhedra"}};
constexpr std::size_t first_volume = static_cast<std::size_t>(CellShape::pyramid);

std::string list(const OtherCells& cells, std::size_t begin, std::size_t end) {
  std::vector<std::string> parts;
  for (std::size_t shape = begin; shape < end; ++shape)
    if (const std::int64_t count = cells.counts[shape]; count > 0)
      parts.push_back(fmt::format("{} {}", count, names[shape][count != 1]));
  if (parts.size() < 2) return parts.empty() ? "" : parts[0];
  const std::string last = parts.back();
  parts.pop_back();
  return fmt::format("{} and {}", fmt::join(parts, ", "), last);
}

}  // namespace

std::string surface_text(const OtherCells& cells) { return list(cells, 0, first_volume); }
std::string volume_text(const OtherCells& cells) { return list(cells, first_volume, cells.counts.size()); }

}  // namespace holo
