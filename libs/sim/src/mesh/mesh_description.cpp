#include "holo/sim/mesh/mesh_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holo {

namespace {

using Point = std::array<double, 3>;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Point cross_product(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double norm(const Point& a) { return std::hypot(a[0], a[1], a[2]); }

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string shape_lines(const TetrahedralMesh& mesh) {
  const BoundingBox box = bounding_box(mesh);
  const MeshQuality quality = mesh_quality(mesh);
  std::string text = fmt::format("  {:<9} {}\n  {:<9} {}{}\n", "vertices", mesh.vertices.size(), "elements",
                                 mesh.tetrahedra.size(), mesh.is_quadratic() ? " (quadratic)" : "");
  if (mesh.unused_vertices > 0)
    text += fmt::format("  {:<9} {} vertices in no tetrahedron\n", "left out", mesh.unused_vertices);
  if (const std::string surface = surface_text(mesh.other_cells); !surface.empty())
    text += fmt::format("  {:<9} {}, not simulated\n", "beside", surface);
  text += fmt::format("  {:<9} [{:.6g}, {:.6g}] x [{:.6g}, {:.6g}] x [{:.6g}, {:.6g}] m\n", "bounds", box.minimum[0],
                      box.maximum[0], box.minimum[1], box.maximum[1], box.minimum[2], box.maximum[2]);
  text += fmt::format("  {:<9} {:.6g} m^3\n", "volume", total_volume(mesh));
  return text + fmt::format("  {:<9} worst {:.4g} (element {}), median {:.4g}; 1: regular, 0: flat\n", "quality", quality.worst,
                            element_number(mesh, static_cast<std::size_t>(quality.worst_element)), quality.median);
}

std::string group_line(const TetrahedralMesh& mesh, const MeshGroup& group) {
  std::string text = fmt::format("  {} ({}): {}", group.name, cells_of_dimension(group.dimension),
                                 counted(group.vertices.size(), "vertex", "vertices"));
  if (group.dimension == 2) text += fmt::format(", {}", counted(group.triangles.size(), "triangle", "triangles"));
  if (group.dimension == 3) {
    double volume = 0;
    for (const int element : group.elements) volume += signed_volume(mesh, element);
    text += fmt::format(", {}, {:.6g} m^3", counted(group.elements.size(), "element", "elements"), volume);
  }
  return text + "\n";
}

std::string field_line(const MeshField& field) {
  constexpr std::size_t longest = 9;  // components in a line
  const auto components = static_cast<std::size_t>(field.components);
  std::string text =
      fmt::format("  {} (on {}): {}", field.name, support_name(field.support), counted(components, "component", "components"));
  for (std::size_t c = 0; c < std::min(components, longest); ++c) {
    double least = std::numeric_limits<double>::infinity(), largest = -least;
    for (std::size_t i = c; i < field.values.size(); i += components) {
      least = std::min(least, field.values[i]);
      largest = std::max(largest, field.values[i]);
    }
    text += fmt::format("{} {:.6g} to {:.6g}", c == 0 ? "," : ";", least, largest);
  }
  return text + (components > longest ? "; ...\n" : "\n");
}

}  // namespace

// Inscribed: 3 V / A. Circumscribed: |a^2 b x c + b^2 c x a + c^2 a x b| / (12 V), with the edges a, b, c from one vertex.
double radius_ratio(const TetrahedralMesh& mesh, int tetrahedron) {
  const auto& [v0, v1, v2, v3] = mesh.tetrahedra[static_cast<std::size_t>(tetrahedron)];
  const auto vertex = [&](int v) -> const Point& { return mesh.vertices[static_cast<std::size_t>(v)]; };
  const Point a = minus(vertex(v1), vertex(v0)), b = minus(vertex(v2), vertex(v0)), c = minus(vertex(v3), vertex(v0));
  const Point bc = cross_product(b, c), ca = cross_product(c, a), ab = cross_product(a, b);
  const Point opposite = cross_product(minus(b, a), minus(c, a));
  const double volume = std::abs(a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2]) / 6;
  const double area = (norm(bc) + norm(ca) + norm(ab) + norm(opposite)) / 2;
  const double aa = norm(a) * norm(a), bb = norm(b) * norm(b), cc = norm(c) * norm(c);
  Point center{};  // of the circumscribed sphere, from v0, times 12 volumes
  for (std::size_t i = 0; i < 3; ++i) center[i] = aa * bc[i] + bb * ca[i] + cc * ab[i];
  const double inscribed = 3 * volume / area, circumscribed = norm(center) / (12 * volume);
  return 3 * inscribed / circumscribed;
}

MeshQuality mesh_quality(const TetrahedralMesh& mesh) {
  std::vector<double> ratios(mesh.tetrahedra.size());
  for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] = radius_ratio(mesh, static_cast<int>(i));
  const auto worst = std::min_element(ratios.begin(), ratios.end());
  MeshQuality quality{*worst, 0, static_cast<int>(worst - ratios.begin())};
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  quality.median = *middle;
  return quality;
}

double total_volume(const TetrahedralMesh& mesh) {
  double volume = 0;
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) volume += signed_volume(mesh, static_cast<int>(i));
  return volume;
}

std::string describe_mesh(const TetrahedralMesh& mesh) {
  std::string text =
      fmt::format("mesh {}\n{}\ngroups{}\n", mesh.source, shape_lines(mesh), mesh.groups.empty() ? ": none" : "");
  for (const MeshGroup& group : mesh.groups) text += group_line(mesh, group);
  text += fmt::format("\nfields{}\n", mesh.fields.empty() ? ": none" : "");
  for (const MeshField& field : mesh.fields) text += field_line(field);
  return text;
}

}  // namespace holo
