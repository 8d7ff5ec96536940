#include "holo/sim/mesh/tetrahedral_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "holo/core/error.h"
#include "mesh/tetrahedron_faces.h"

namespace holo {

namespace {

using Vector = std::array<double, 3>;

constexpr double largest_mesh_coordinate = 1e100;  // m; cubes of edges stay finite
constexpr double smallest_relative_volume = 1e-12;

Vector difference(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double determinant(const Vector& a, const Vector& b, const Vector& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// The fault of one element, or "".
std::string defect(const TetrahedralMesh& mesh, std::size_t element) {
  const std::array<int, 4>& corners = mesh.tetrahedra[element];
  for (int corner : corners)
    if (corner < 0 || static_cast<std::size_t>(corner) >= mesh.vertices.size())
      return fmt::format("names vertex {}, allowed are 0 to {}", corner, static_cast<long>(mesh.vertices.size()) - 1);
  double longest_squared = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) {
      if (corners[i] == corners[j]) return fmt::format("has vertex {} twice, four different ones are required", corners[i]);
      const Vector edge = difference(mesh.vertices[corners[i]], mesh.vertices[corners[j]]);
      longest_squared = std::max(longest_squared, edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2]);
    }
  const double volume = signed_volume(mesh, static_cast<int>(element));
  const double cube = longest_squared * std::sqrt(longest_squared);
  if (!(std::abs(volume) >= smallest_relative_volume * cube) || volume == 0)
    return fmt::format(
        "is degenerate: its volume is {:.6g} m^3, at least {:g} of the cube of its longest edge ({:.6g} m) is required", volume,
        smallest_relative_volume, std::sqrt(longest_squared));
  if (volume < 0)
    return fmt::format(
        "is inverted: its signed volume is {:.6g} m^3, a positive one is required: seen from its fourth vertex "
        "the first three run counter-clockwise",
        volume);
  return "";
}

void check_coordinates(const TetrahedralMesh& mesh) {
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    for (double x : mesh.vertices[v])
      if (!(std::abs(x) <= largest_mesh_coordinate))
        throw Error(Failure::input,
                    fmt::format("{}: vertex {} (counted from 0) has the coordinate {}, finite ones up to {:g} m "
                                "are allowed",
                                mesh.source, v, x, largest_mesh_coordinate));
}

// Only tetrahedra are simulated: a body without its other cells would be another one, with holes.
void check_cells(const TetrahedralMesh& mesh) {
  const OtherCells& others = mesh.other_cells;
  const std::string vertices = fmt::format("({} vertices)", mesh.vertices.size() + mesh.unused_vertices);
  if (others.volume_count() > 0)
    throw Error(Failure::input,
                fmt::format("{}: the mesh has {} beside {} tetrahedra {}; only linear tetrahedra are allowed: divide the other "
                            "cells into tetrahedra",
                            mesh.source, volume_text(others), mesh.tetrahedra.size(), vertices));
  if (mesh.tetrahedra.empty() && others.surface_count() > 0)
    throw Error(Failure::input,
                fmt::format("{}: the mesh has no tetrahedra but {} {}: it is a surface or a mesh of 2D; fill it with linear "
                            "tetrahedra",
                            mesh.source, surface_text(others), vertices));
  if (mesh.tetrahedra.empty())
    throw Error(Failure::input,
                fmt::format("{}: the mesh has no tetrahedra {}, at least one is required", mesh.source, vertices));
}

}  // namespace

double signed_volume(const TetrahedralMesh& mesh, int tetrahedron) {
  const auto& [a, b, c, d] = mesh.tetrahedra[static_cast<std::size_t>(tetrahedron)];
  const Vector& origin = mesh.vertices[a];
  return determinant(difference(mesh.vertices[b], origin), difference(mesh.vertices[c], origin),
                     difference(mesh.vertices[d], origin)) /
         6;
}

std::int64_t element_number(const TetrahedralMesh& mesh, std::size_t tetrahedron) {
  return mesh.element_names.empty() ? static_cast<std::int64_t>(tetrahedron) : mesh.element_names[tetrahedron];
}

// From the cheapest check to the most expensive one; faces are compared only if each element is right by itself.
void validate(const TetrahedralMesh& mesh) {
  check_cells(mesh);
  if (!mesh.element_names.empty() && mesh.element_names.size() != mesh.tetrahedra.size())
    throw Error(Failure::internal, fmt::format("{}: {} element names for {} tetrahedra", mesh.source, mesh.element_names.size(),
                                               mesh.tetrahedra.size()));
  check_coordinates(mesh);
  std::string first;
  std::size_t bad = 0;
  for (std::size_t element = 0; element < mesh.tetrahedra.size(); ++element) {
    const std::string wrong = defect(mesh, element);
    if (wrong.empty()) continue;
    if (bad++ == 0) first = fmt::format("element {} {}", element_number(mesh, element), wrong);
  }
  if (bad == 0) return check_shared_faces(mesh);
  if (bad > 1) first += fmt::format("; {} more of the {} elements are bad", bad - 1, mesh.tetrahedra.size());
  throw Error(Failure::input, mesh.source + ": " + first);
}

// Used vertices move forward in their order; everything that names a vertex follows by `new_index`.
int remove_unused_vertices(TetrahedralMesh& mesh) {
  std::vector<int> new_index(mesh.vertices.size(), -1);
  for (const auto& corners : mesh.tetrahedra)
    for (int corner : corners) new_index[corner] = 0;
  int used = 0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (new_index[v] < 0) continue;
    mesh.vertices[used] = mesh.vertices[v];
    new_index[v] = used++;
  }
  const int removed = static_cast<int>(mesh.vertices.size()) - used;
  if (removed == 0) return 0;
  mesh.vertices.resize(used);
  mesh.unused_vertices += removed;
  for (auto& corners : mesh.tetrahedra)
    for (int& corner : corners) corner = new_index[corner];
  renumber_mesh_data(mesh, new_index);
  return removed;
}

// Faces of one tetrahedron only, found as those that stand alone among all faces sorted by their corners.
std::vector<std::array<int, 3>> boundary_triangles(const TetrahedralMesh& mesh) {
  std::vector<int> vertices(mesh.vertices.size());
  std::iota(vertices.begin(), vertices.end(), 0);
  const std::vector<TetrahedronFace> faces = sorted_faces(mesh, vertices);
  std::vector<std::size_t> single;
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    end = end_of_same_face(faces, begin);
    if (end == begin + 1) single.push_back(faces[begin].number);
  }
  std::sort(single.begin(), single.end());  // in the order of the elements, whatever the vertices' numbers
  std::vector<std::array<int, 3>> triangles(single.size());
  std::transform(single.begin(), single.end(), triangles.begin(), [&](std::size_t number) {
    const auto& corners = mesh.tetrahedra[number / 4];
    const int* face = tetrahedron_faces[number % 4];
    return std::array<int, 3>{corners[face[0]], corners[face[1]], corners[face[2]]};
  });
  return triangles;
}

double BoundingBox::diagonal() const {
  return std::hypot(maximum[0] - minimum[0], maximum[1] - minimum[1], maximum[2] - minimum[2]);
}

BoundingBox bounding_box(const TetrahedralMesh& mesh) {
  if (mesh.vertices.empty()) return {};
  BoundingBox box{mesh.vertices[0], mesh.vertices[0]};
  for (const Vector& x : mesh.vertices)
    for (int i = 0; i < 3; ++i) {
      box.minimum[i] = std::min(box.minimum[i], x[i]);
      box.maximum[i] = std::max(box.maximum[i], x[i]);
    }
  return box;
}

}  // namespace holo
