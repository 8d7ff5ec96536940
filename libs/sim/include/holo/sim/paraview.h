#pragma once
// Frames for ParaView: one .vtu file for each frame (zlib-compressed, appended raw) and the .pvd collection that gives their
// times. Both are returned as whole files; the caller writes them, so that they appear whole or not at all.

#include <array>
#include <span>
#include <string>
#include <vector>

namespace holo {

// Values on the vertices or on the cells: `values` holds `components` numbers for each, one after the other.
struct ParaviewField {
  std::string name;    // shown in ParaView, such as "displacement [m]"
  int components = 1;  // 1 (a scalar) to 9
  std::span<const double> values;
};

// The bytes of one frame. Several bodies are concatenated, with a cell field "body". The same data give the same bytes.
//   positions    vertices as they are drawn [m], 3 numbers for each
//   tetrahedra   four vertex indices for each
//   triangles    three vertex indices for each: cells behind the tetrahedra, also in cell_fields
// Throws Error(internal) when an array's length does not fit, a name repeats, or a vertex index is out of range. Values that
// are not finite are written as they are: a frame of a failed step is wanted for the diagnosis.
std::string paraview_frame(std::span<const double> positions, std::span<const std::array<int, 4>> tetrahedra,
                           const std::vector<ParaviewField>& point_fields = {},
                           const std::vector<ParaviewField>& cell_fields = {},
                           std::span<const std::array<int, 3>> triangles = {});

struct ParaviewFrameEntry {
  double time;       // s
  std::string file;  // relative to the collection
};

std::string paraview_collection(const std::vector<ParaviewFrameEntry>& frames);

}  // namespace holo
