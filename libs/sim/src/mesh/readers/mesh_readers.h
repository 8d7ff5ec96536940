#pragma once
// One reader for each file format. Each gets the whole file, checks every number, and leaves scale, validation and unused
// vertices to read_tetrahedral_mesh.

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

TetrahedralMesh read_gmsh(const std::string& file, std::string_view bytes);
TetrahedralMesh read_medit(const std::string& file, std::string_view bytes);
TetrahedralMesh read_legacy_vtk(const std::string& file, std::string_view bytes);
TetrahedralMesh read_vtu(const std::string& file, std::string_view bytes);
// Two files; either may be named.
TetrahedralMesh read_tetgen(const std::filesystem::path& path);

std::string load_mesh_file(const std::filesystem::path& path);  // throws Error(input)

constexpr std::int64_t largest_index = std::numeric_limits<int>::max();

}  // namespace holo
