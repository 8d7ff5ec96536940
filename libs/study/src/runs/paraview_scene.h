#pragma once
// Frames of a scene as ParaView files.

#include <array>
#include <string>
#include <vector>

#include "holo/study/scene.h"

namespace holo {

// Vertices: those of the deformable bodies, those of rigid ones in their poses, the points of glyphs. Cells: tetrahedra of the
// deformable bodies, then triangles of the rigid ones. The scene must live as long.
class ParaviewScene {
 public:
  explicit ParaviewScene(const Scene& scene);
  // The .vtu file of a frame, with its scalar fields, and with its vector fields unless `vectors` of the frame is empty.
  std::string file_of(const SceneFrame& frame) const;

 private:
  const Scene& scene_;
  std::vector<std::array<int, 4>> tetrahedra_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<double> body_of_cell_;
};

}  // namespace holo
