#include "holo/sim/mesh/tetrahedral_mesh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "holo/core/error.h"
#include "holo/sim/mesh/quadratic_map.h"
#include "mesh/tetrahedron_faces.h"

namespace holo {

namespace {

using Vector = std::array<double, 3>;

constexpr double largest_mesh_coordinate = 1e100;  // m; cubes of edges stay finite
constexpr double smallest_relative_volume = 1e-12;
constexpr int edge_between[4][4] = {{-1, 0, 2, 3}, {0, -1, 1, 4}, {2, 1, -1, 5}, {3, 4, 5, -1}};  // number of two corners' edge

Vector difference(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double determinant(const Vector& a, const Vector& b, const Vector& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

double corner_volume(const TetrahedralMesh& mesh, std::size_t element) {
  const auto& [a, b, c, d] = mesh.tetrahedra[element];
  const Vector& origin = mesh.vertices[a];
  return determinant(difference(mesh.vertices[b], origin), difference(mesh.vertices[c], origin),
                     difference(mesh.vertices[d], origin)) /
         6;
}

// Of a quadratic element with sound corners.
std::string defect_of_map(const TetrahedralMesh& mesh, std::size_t element) {
  for (const int vertex : mesh.edge_vertices[element]) {
    if (vertex < 0 || static_cast<std::size_t>(vertex) >= mesh.vertices.size())
      return fmt::format("names vertex {} on an edge, allowed are 0 to {}", vertex,
                         static_cast<long>(mesh.vertices.size()) - 1);
    const auto& corners = mesh.tetrahedra[element];
    const auto& on_edges = mesh.edge_vertices[element];
    if (std::count(corners.begin(), corners.end(), vertex) + std::count(on_edges.begin(), on_edges.end(), vertex) > 1)
      return fmt::format("has vertex {} twice, ten different ones are required", vertex);
  }
  const QuadraticMap::Fold fold = QuadraticMap(mesh, element).find_fold();
  if (!fold.found) return "";
  return fmt::format(
      "is folded: the determinant of its quadratic map is {:.6g} m^3 at the barycentric coordinates [{:.4g}], and a positive "
      "one "
      "everywhere is required (corners alone: {:.6g} m^3); move the vertices on its edges nearer to their middles",
      fold.determinant, fmt::join(fold.at, ", "), 6 * corner_volume(mesh, element));
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
  const double volume = corner_volume(mesh, element);
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
  return mesh.is_quadratic() ? defect_of_map(mesh, element) : "";
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

// Elements at one edge have the same vertex on it.
void check_edge_vertices(const TetrahedralMesh& mesh) {
  if (mesh.edge_vertices.size() != mesh.tetrahedra.size())
    throw Error(Failure::internal, fmt::format("{}: vertices on the edges of {} of {} tetrahedra", mesh.source,
                                               mesh.edge_vertices.size(), mesh.tetrahedra.size()));
  struct Edge {
    std::array<int, 2> ends;
    int vertex;
    std::size_t element;
  };
  std::vector<Edge> edges;
  edges.reserve(6 * mesh.tetrahedra.size());
  for (std::size_t element = 0; element < mesh.tetrahedra.size(); ++element)
    for (std::size_t e = 0; e < 6; ++e) {
      const auto& corners = mesh.tetrahedra[element];
      const int a = corners[tetrahedron_edges[e][0]], b = corners[tetrahedron_edges[e][1]];
      edges.push_back({{std::min(a, b), std::max(a, b)}, mesh.edge_vertices[element][e], element});
    }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.ends < b.ends; });
  for (std::size_t i = 1; i < edges.size(); ++i)
    if (edges[i].ends == edges[i - 1].ends && edges[i].vertex != edges[i - 1].vertex)
      throw Error(
          Failure::input,
          fmt::format("{}: on the edge between vertices {} and {} element {} has vertex {} and element {} vertex {}; one "
                      "vertex for both is required",
                      mesh.source, edges[i].ends[0], edges[i].ends[1], element_number(mesh, edges[i - 1].element),
                      edges[i - 1].vertex, element_number(mesh, edges[i].element), edges[i].vertex));
}

// Only tetrahedra are simulated: a body without its other cells would be another one, with holes.
void check_cells(const TetrahedralMesh& mesh) {
  const OtherCells& others = mesh.other_cells;
  const std::string vertices = fmt::format("({} vertices)", mesh.vertices.size() + mesh.unused_vertices);
  if (others.volume_count() > 0)
    throw Error(Failure::input,
                fmt::format("{}: the mesh has {} beside {} tetrahedra {}; only tetrahedra are allowed: divide the other "
                            "cells into tetrahedra",
                            mesh.source, volume_text(others), mesh.tetrahedra.size(), vertices));
  if (mesh.tetrahedra.empty() && others.surface_count() > 0)
    throw Error(Failure::input,
                fmt::format("{}: the mesh has no tetrahedra but {} {}: it is a surface or a mesh of 2D; fill it with "
                            "tetrahedra",
                            mesh.source, surface_text(others), vertices));
  if (mesh.tetrahedra.empty())
    throw Error(Failure::input,
                fmt::format("{}: the mesh has no tetrahedra {}, at least one is required", mesh.source, vertices));
}

template <class Visit>
void each_vertex_of_elements(TetrahedralMesh& mesh, const Visit& visit) {
  for (auto& corners : mesh.tetrahedra)
    for (int& vertex : corners) visit(vertex);
  for (auto& on_edges : mesh.edge_vertices)
    for (int& vertex : on_edges) visit(vertex);
}

}  // namespace

double signed_volume(const TetrahedralMesh& mesh, int tetrahedron) {
  const auto element = static_cast<std::size_t>(tetrahedron);
  return mesh.is_quadratic() ? QuadraticMap(mesh, element).volume() : corner_volume(mesh, element);
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
  if (mesh.is_quadratic()) check_edge_vertices(mesh);
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

void renumber_vertices(TetrahedralMesh& mesh, const std::vector<int>& new_index) {
  each_vertex_of_elements(mesh, [&](int& vertex) { vertex = new_index[vertex]; });
  renumber_mesh_data(mesh, new_index);
}

// Used vertices move forward in their order; everything that names a vertex follows by `new_index`.
int remove_unused_vertices(TetrahedralMesh& mesh) {
  std::vector<int> new_index(mesh.vertices.size(), -1);
  each_vertex_of_elements(mesh, [&](int& vertex) { new_index[vertex] = 0; });
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
  renumber_vertices(mesh, new_index);
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
  std::vector<std::array<int, 3>> triangles;
  triangles.reserve(single.size() * (mesh.is_quadratic() ? 4 : 1));
  for (const std::size_t number : single) append_face(mesh, number / 4, static_cast<int>(number % 4), triangles);
  return triangles;
}

void append_face(const TetrahedralMesh& mesh, std::size_t element, int number, std::vector<std::array<int, 3>>& triangles) {
  const auto& corners = mesh.tetrahedra[element];
  const int* face = tetrahedron_faces[number];
  const int a = corners[face[0]], b = corners[face[1]], c = corners[face[2]];
  if (!mesh.is_quadratic()) {
    triangles.push_back({a, b, c});
    return;
  }
  const auto between = [&](int i, int j) { return mesh.edge_vertices[element][edge_between[face[i]][face[j]]]; };
  const int ab = between(0, 1), bc = between(1, 2), ca = between(2, 0);
  for (const auto& part : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) triangles.push_back(part);
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
