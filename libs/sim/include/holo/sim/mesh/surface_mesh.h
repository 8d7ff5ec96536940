#pragma once
// A mesh of triangles, such as that of an obstacle.

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace holo {

struct SurfaceMesh {
  std::vector<std::array<double, 3>> vertices;  // [m]
  std::vector<std::array<int, 3>> triangles;    // vertices, which differ
  std::string source;                           // file, for messages
};

// Reads a file in Wavefront's OBJ format: its vertices and faces. A face of more than three corners becomes triangles that
// share its first corner. Normals, texture coordinates, groups, materials, points and lines are not used. Coordinates are
// multiplied by `scale`. Throws Error(input) with file:line:column, what was found and what is allowed; for a scale that is not
// a positive finite number; for a file without faces.
SurfaceMesh read_surface_mesh(const std::filesystem::path& path, double scale = 1.0);
// The same of a file's content; `name` is for messages.
SurfaceMesh parse_obj(const std::string& name, std::string_view bytes, double scale = 1.0);

// A surface has at each edge two triangles, which have it in opposite directions, or one where `may_be_open`. Throws
// Error(input) with the source, the first edge at which that is not so, its triangles, and the number of further ones.
void require_surface(const SurfaceMesh& mesh, bool may_be_open);

}  // namespace holo
