#pragma once
// Meshes of the scene's glyphs, as the report page draws them: signs of length 1 along y, a ring of radius 1 about z.

#include <cstdint>
#include <vector>

#include "holo/study/scene.h"

namespace holo {

struct GlyphMesh {
  std::vector<float> points;             // [vertex][3]
  std::vector<std::uint32_t> triangles;  // [triangle][3], oriented outwards
};
// `size`: SceneGlyph::size [m], over the ring's radius for a ring.
GlyphMesh glyph_mesh(GlyphShape shape, double size);

}  // namespace holo
