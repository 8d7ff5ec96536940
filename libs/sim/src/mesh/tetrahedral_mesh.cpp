#include "holo/sim/tetrahedral_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "holo/core/error.h"

namespace holo {

namespace {

using Vector = std::array<double, 3>;

constexpr double largest_coordinate = 1e100;  // m; cubes of edges stay finite
constexpr double smallest_relative_volume = 1e-12;

// Corners of the face opposite each vertex, oriented outwards for a positive element.
constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

Vector difference(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double determinant(const Vector& a, const Vector& b, const Vector& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

std::string element_text(const TetrahedralMesh& mesh, std::size_t element) {
  return fmt::format("element {}",
                     mesh.element_names.empty() ? static_cast<std::int64_t>(element) : mesh.element_names[element]);
}

// What is wrong with one element, or "".
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
      if (!(std::abs(x) <= largest_coordinate))
        throw Error(Failure::input,
                    fmt::format("{}: vertex {} (counted from 0) has the coordinate {}, finite ones up to {:g} m "
                                "are allowed",
                                mesh.source, v, x, largest_coordinate));
}

}  // namespace

double signed_volume(const TetrahedralMesh& mesh, int tetrahedron) {
  const auto& [a, b, c, d] = mesh.tetrahedra[static_cast<std::size_t>(tetrahedron)];
  const Vector& origin = mesh.vertices[a];
  return determinant(difference(mesh.vertices[b], origin), difference(mesh.vertices[c], origin),
                     difference(mesh.vertices[d], origin)) /
         6;
}

void validate(const TetrahedralMesh& mesh) {
  if (mesh.tetrahedra.empty())
    throw Error(Failure::input, fmt::format("{}: the mesh has no tetrahedra ({} vertices), at least one is required",
                                            mesh.source, mesh.vertices.size()));
  if (!mesh.element_names.empty() && mesh.element_names.size() != mesh.tetrahedra.size())
    throw Error(Failure::internal, fmt::format("{}: {} element names for {} tetrahedra", mesh.source, mesh.element_names.size(),
                                               mesh.tetrahedra.size()));
  check_coordinates(mesh);
  std::string first;
  std::size_t bad = 0;
  for (std::size_t element = 0; element < mesh.tetrahedra.size(); ++element) {
    const std::string wrong = defect(mesh, element);
    if (wrong.empty()) continue;
    if (bad++ == 0) first = element_text(mesh, element) + " " + wrong;
  }
  if (bad == 0) return;
  if (bad > 1) first += fmt::format("; {} more of the {} elements are bad", bad - 1, mesh.tetrahedra.size());
  throw Error(Failure::input, mesh.source + ": " + first);
}

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
  mesh.vertices.resize(used);
  for (auto& corners : mesh.tetrahedra)
    for (int& corner : corners) corner = new_index[corner];
  return removed;
}

std::vector<std::array<int, 3>> boundary_triangles(const TetrahedralMesh& mesh) {
  struct Face {
    std::array<int, 3> sorted;
    std::size_t number;  // 4 element + face
  };
  std::vector<Face> all(4 * mesh.tetrahedra.size());
  const auto corners_of = [&](std::size_t number) {
    const auto& corners = mesh.tetrahedra[number / 4];
    const int* face = faces[number % 4];
    return std::array<int, 3>{corners[face[0]], corners[face[1]], corners[face[2]]};
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {corners_of(i), i};
    std::sort(all[i].sorted.begin(), all[i].sorted.end());
  }
  std::sort(all.begin(), all.end(),
            [](const Face& a, const Face& b) { return a.sorted != b.sorted ? a.sorted < b.sorted : a.number < b.number; });
  std::vector<std::size_t> single;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t next = i + 1;
    while (next < all.size() && all[next].sorted == all[i].sorted) ++next;
    if (next == i + 1) single.push_back(all[i].number);
    i = next;
  }
  std::sort(single.begin(), single.end());  // in the order of the elements, whatever the vertices' numbers
  std::vector<std::array<int, 3>> triangles(single.size());
  std::transform(single.begin(), single.end(), triangles.begin(), corners_of);
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
