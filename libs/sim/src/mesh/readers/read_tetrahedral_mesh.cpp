#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <system_error>

#include "holo/core/error.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"
#include "mesh/readers/mesh_readers.h"
#include "mesh/readers/mesh_scanner.h"

namespace holo {

namespace {

constexpr const char* formats = "gmsh .msh, Medit .mesh, TetGen .node/.ele, legacy .vtk and .vtu";

using Reader = TetrahedralMesh (*)(const std::string& file, std::string_view bytes);

Reader reader_of_content(const std::string& file, std::string_view bytes) {
  MeshScanner scanner(file, bytes.substr(0, 4096));
  if (bytes.starts_with("# vtk DataFile")) return read_legacy_vtk;
  const std::string_view first = scanner.peek_word();
  if (first == "$MeshFormat" || first == "$NOD") return read_gmsh;
  if (first.starts_with("<?xml") || first.starts_with("<VTKFile")) return read_vtu;
  scanner.set_comment('#');
  if (scanner.peek_word() == "MeshVersionFormatted") return read_medit;
  return nullptr;
}

// The reader for a file whose content names no format; it reports the missing parts.
Reader reader_of_extension(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".msh") return read_gmsh;
  if (extension == ".mesh") return read_medit;
  if (extension == ".vtk") return read_legacy_vtk;
  if (extension == ".vtu") return read_vtu;
  return nullptr;
}

void check_scale(const std::string& name, double scale) {
  if (!(scale > 0 && scale < 1e30))
    throw Error(Failure::input, fmt::format("{}: the scale is {}, a positive finite number is required", name, scale));
}

TetrahedralMesh finish(TetrahedralMesh mesh, const std::string& name, double scale) {
  mesh.source = name;
  for (auto& vertex : mesh.vertices)
    for (double& x : vertex) x *= scale;
  validate(mesh);
  remove_unused_vertices(mesh);
  return mesh;
}

}  // namespace

std::string load_mesh_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw Error(Failure::input, fmt::format("{}: there is no such file", path.string()));
  if (!std::filesystem::is_regular_file(status))
    throw Error(Failure::input, fmt::format("{}: this is no regular file; a mesh file is required", path.string()));
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream stream(path, std::ios::binary);
  if (error || !stream) throw Error(Failure::input, fmt::format("{}: the file cannot be read (permission?)", path.string()));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(stream.gcount()) != size)
    throw Error(Failure::input, fmt::format("{}: only {} of {} bytes could be read", path.string(), stream.gcount(), size));
  return bytes;
}

TetrahedralMesh parse_tetrahedral_mesh(const std::string& name, std::string_view bytes, double scale) {
  check_scale(name, scale);
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);  // a byte-order mark
  if (bytes.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(Failure::input, fmt::format("{}: the file is empty; a tetrahedral mesh is required ({})", name, formats));
  Reader read = reader_of_content(name, bytes);
  if (read == nullptr) read = reader_of_extension(name);
  if (read == nullptr)
    throw Error(Failure::input,
                fmt::format("{}: neither the content ({}...) nor the extension '{}' is that of a known mesh format; "
                            "allowed are {}",
                            name, shown(bytes.substr(0, 20)), std::filesystem::path(name).extension().string(), formats));
  return finish(read(name, bytes), name, scale);
}

TetrahedralMesh read_tetrahedral_mesh(const std::filesystem::path& path, double scale) {
  check_scale(path.string(), scale);
  const std::string extension = path.extension().string();
  if (extension == ".node" || extension == ".ele") return finish(read_tetgen(path), path.string(), scale);
  return parse_tetrahedral_mesh(path.string(), load_mesh_file(path), scale);
}

}  // namespace holo
