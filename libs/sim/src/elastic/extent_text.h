#pragma once
// The extent of a body, for messages on subsets without vertices.

#include <fmt/format.h>

#include <string>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// "[0, 1] x [0, 0.5] x [0, 0.5] m"
inline std::string extent_text(const TetrahedralMesh& mesh) {
  const BoundingBox box = bounding_box(mesh);
  return fmt::format("[{:.6g}, {:.6g}] x [{:.6g}, {:.6g}] x [{:.6g}, {:.6g}] m", box.minimum[0], box.maximum[0], box.minimum[1],
                     box.maximum[1], box.minimum[2], box.maximum[2]);
}

}  // namespace holo
