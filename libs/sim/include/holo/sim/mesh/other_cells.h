#pragma once
// Counts of a mesh file's cells other than tetrahedra, by shape and of any order.

#include <array>
#include <cstdint>
#include <string>

namespace holo {

enum class CellShape { triangle, quadrangle, pyramid, wedge, hexahedron, polyhedron };

struct OtherCells {
  std::array<std::int64_t, 6> counts = {};  // by CellShape

  void add(CellShape shape, std::int64_t count = 1) { counts[static_cast<std::size_t>(shape)] += count; }
  std::int64_t surface_count() const { return counts[0] + counts[1]; }
  std::int64_t volume_count() const { return counts[2] + counts[3] + counts[4] + counts[5]; }
  bool empty() const { return surface_count() + volume_count() == 0; }
};

// Texts of the counts: "512 triangles and 16 quadrangles", "16 pyramids and 8 wedges"; "" if there are none.
std::string surface_text(const OtherCells& cells);
std::string volume_text(const OtherCells& cells);

}  // namespace holo
