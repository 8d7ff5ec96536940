// Wavefront's OBJ format: lines that begin with a keyword. Corners of faces are numbers of vertices from 1, or negative ones
// that count back from the last vertex so far; a texture coordinate and a normal may follow after slashes.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "holo/core/error.h"
#include "holo/sim/mesh/surface_mesh.h"
#include "mesh/readers/mesh_readers.h"
#include "mesh/readers/mesh_scanner.h"

namespace holo {
namespace {

// Keywords of the format whose lines say nothing about the surface.
constexpr std::array unused_keywords = {"vn",     "vt",     "vp", "g",   "o",          "s",         "l",     "p",
                                        "usemtl", "mtllib", "mg", "lod", "shadow_obj", "trace_obj", "bevel", "usemap"};

void read_vertex(MeshScanner& scanner, double scale, SurfaceMesh& mesh) {
  std::array<double, 3> vertex{};
  for (double& x : vertex) {
    if (!scanner.more_on_line()) scanner.fail_in_column(scanner.last(), "a vertex needs three coordinates");
    x = scale * scanner.number("a coordinate");
  }
  mesh.vertices.push_back(vertex);
}

// The number of the vertex in a word such as 3, 3/1, 3//2 or -1/4/2.
int read_corner(MeshScanner& scanner, int vertex_count) {
  const std::string_view word = scanner.word("a corner of a face");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || (end != word.data() + word.size() && *end != '/'))
    scanner.fail_in_column(scanner.last(),
                           fmt::format("a corner of a face is {}; the number of a vertex is required", shown(word)));
  const std::int64_t vertex = number < 0 ? vertex_count + number : number - 1;
  if (number == 0 || vertex < 0 || vertex >= vertex_count)
    scanner.fail_in_column(scanner.last(), fmt::format("a corner of a face is vertex {}; allowed are 1 to {}, or -1 to -{}",
                                                       number, vertex_count, vertex_count));
  return static_cast<int>(vertex);
}

void read_face(MeshScanner& scanner, SurfaceMesh& mesh) {
  const std::size_t begin = scanner.last();
  std::vector<int> corners;
  while (scanner.more_on_line()) corners.push_back(read_corner(scanner, static_cast<int>(mesh.vertices.size())));
  if (corners.size() < 3)
    scanner.fail_in_column(begin, fmt::format("a face has {} corners; three or more are required", corners.size()));
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (corners[i] == corners[j])
        scanner.fail_in_column(begin, fmt::format("a face has the vertex {} twice; its corners must differ", corners[i] + 1));
  for (std::size_t i = 2; i < corners.size(); ++i) mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

}  // namespace

SurfaceMesh parse_obj(const std::string& name, std::string_view bytes, double scale) {
  if (!(scale > 0 && scale < 1e30))
    throw Error(Failure::input, fmt::format("{}: the scale is {}, a positive finite number is required", name, scale));
  SurfaceMesh mesh;
  mesh.source = name;
  MeshScanner scanner(name, bytes);
  scanner.set_comment('#');
  while (!scanner.at_end()) {
    const std::string_view keyword = scanner.word("a keyword");
    if (keyword == "v")
      read_vertex(scanner, scale, mesh);
    else if (keyword == "f")
      read_face(scanner, mesh);
    else if (std::find(unused_keywords.begin(), unused_keywords.end(), keyword) == unused_keywords.end())
      scanner.fail_in_column(scanner.last(), fmt::format("{} is no keyword of a surface in the OBJ format; lines begin with v, "
                                                         "f, {}",
                                                         shown(keyword), fmt::join(unused_keywords, ", ")));
    scanner.rest_of_line();
  }
  if (mesh.triangles.empty())
    throw Error(Failure::input,
                fmt::format("{}: the file has {} vertices and no faces; a surface is required", name, mesh.vertices.size()));
  return mesh;
}

SurfaceMesh read_surface_mesh(const std::filesystem::path& path, double scale) {
  if (path.extension() != ".obj")
    throw Error(Failure::input, fmt::format("{}: the extension is '{}'; surfaces are read from files of the OBJ format, .obj",
                                            path.string(), path.extension().string()));
  return parse_obj(path.string(), load_mesh_file(path), scale);
}

}  // namespace holo
