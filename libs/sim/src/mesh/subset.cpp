// Selects the vertices, elements and triangles of subsets.
#include "holo/sim/mesh/subset.h"

#include <algorithm>
#include <set>

namespace holo {

namespace {

using Point = std::array<double, 3>;
using Triangle = std::array<int, 3>;
using Kind = SubsetDefinition::Kind;
using Of = SubsetDefinition::Of;

bool inside_box(const SubsetDefinition& box, const Point& point) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!(point[i] >= box.minimum[i] && point[i] <= box.maximum[i])) return false;
  return true;
}

void sort_uniquely(std::vector<int>& vertices) {
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
}

// The corners of cells, ascending.
template <class Cells>
std::vector<int> corners_of(const Cells& cells) {
  std::vector<int> vertices;
  for (const auto& cell : cells) vertices.insert(vertices.end(), cell.begin(), cell.end());
  sort_uniquely(vertices);
  return vertices;
}

Triangle sorted(Triangle triangle) {
  std::sort(triangle.begin(), triangle.end());
  return triangle;
}

const MeshGroup& group_of(const SubsetDefinition& subset, const TetrahedralMesh& mesh) {
  std::optional<int> dimension = subset.dimension;
  if (!dimension && subset.of != Of::vertices) dimension = subset.of == Of::elements ? 3 : 2;
  try {
    return find_group(mesh, subset.group, dimension);
  } catch (const Error& error) {
    throw_input_error(subset.location, error.what());
  }
}

// The vertices that the position, the surface or the group tells, whatever the subset consists of.
std::vector<int> vertices_within(const SubsetDefinition& subset, const TetrahedralMesh& mesh) {
  if (subset.kind == Kind::surface) return corners_of(boundary_triangles(mesh));
  if (subset.kind == Kind::group) return group_of(subset, mesh).vertices;
  std::vector<int> vertices;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (subset.contains(mesh.vertices[v])) vertices.push_back(static_cast<int>(v));
  return vertices;
}

// Which of the cells have all corners in the subset.
class WithinTest {
 public:
  WithinTest(const SubsetDefinition& subset, const TetrahedralMesh& mesh) : is_within_(mesh.vertices.size(), 0) {
    for (const int v : vertices_within(subset, mesh)) is_within_[static_cast<std::size_t>(v)] = 1;
  }
  template <class Cell>
  bool operator()(const Cell& cell) const {
    return std::all_of(cell.begin(), cell.end(), [&](int v) { return is_within_[static_cast<std::size_t>(v)] != 0; });
  }

 private:
  std::vector<char> is_within_;
};

// The triangles that a subset names itself, each with ascending vertices: those of a group, or the faces of its elements.
std::set<Triangle> named_triangles(const SubsetDefinition& subset, const TetrahedralMesh& mesh) {
  std::set<Triangle> named;
  if (subset.of == Of::elements) {
    std::vector<Triangle> faces;
    for (const int e : select_elements(subset, mesh))
      for (int face = 0; face < 4; ++face) append_face(mesh, static_cast<std::size_t>(e), face, faces);
    for (const Triangle& triangle : faces) named.insert(sorted(triangle));
  } else if (subset.kind == Kind::group) {
    for (const Triangle& triangle : group_of(subset, mesh).triangles) named.insert(sorted(triangle));
  }
  return named;
}

}  // namespace

// Comparisons include the boundary. A half-space needs only the sign of the distance, so that the normal's length does not
// matter.
bool SubsetDefinition::contains(const Point& point) const {
  const Point d = {point[0] - center[0], point[1] - center[1], point[2] - center[2]};
  if (kind == Kind::box) return inside_box(*this, point);
  if (kind == Kind::sphere) return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= radius * radius;
  if (kind == Kind::half_space) return d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2] >= 0;
  return true;
}

std::vector<int> select_vertices(const SubsetDefinition& subset, const TetrahedralMesh& mesh) {
  if (subset.of == Of::vertices) return vertices_within(subset, mesh);
  if (subset.of == Of::surface) return corners_of(select_triangles(subset, mesh));
  std::vector<std::array<int, 4>> cells;
  std::vector<std::array<int, 6>> edges;
  for (const int e : select_elements(subset, mesh)) {
    cells.push_back(mesh.tetrahedra[static_cast<std::size_t>(e)]);
    if (mesh.is_quadratic()) edges.push_back(mesh.edge_vertices[static_cast<std::size_t>(e)]);
  }
  std::vector<int> vertices = corners_of(cells);
  const std::vector<int> on_edges = corners_of(edges);
  std::vector<int> all;
  std::set_union(vertices.begin(), vertices.end(), on_edges.begin(), on_edges.end(), std::back_inserter(all));
  return all;
}

std::vector<int> select_elements(const SubsetDefinition& subset, const TetrahedralMesh& mesh) {
  if (subset.kind == Kind::group && subset.of == Of::elements) return group_of(subset, mesh).elements;
  const WithinTest is_within(subset, mesh);
  std::vector<int> elements;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    if (is_within(mesh.tetrahedra[e])) elements.push_back(static_cast<int>(e));
  return elements;
}

std::vector<Triangle> select_triangles(const SubsetDefinition& subset, const TetrahedralMesh& mesh) {
  const std::set<Triangle> named = named_triangles(subset, mesh);
  std::vector<Triangle> result;
  if (subset.of == Of::elements) {
    for (const Triangle& triangle : boundary_triangles(mesh))
      if (named.count(sorted(triangle)) != 0) result.push_back(triangle);
    return result;
  }
  const WithinTest is_within(subset, mesh);  // without named triangles every one between the vertices counts
  for (const Triangle& triangle : boundary_triangles(mesh))
    if (is_within(triangle) && (named.empty() || named.count(sorted(triangle)) != 0)) result.push_back(triangle);
  return result;
}

std::string_view parts_of(const SubsetDefinition& subset) {
  switch (subset.of) {
    case Of::elements:
      return "elements";
    case Of::surface:
      return "triangles of the surface";
    default:
      return "vertices";
  }
}

}  // namespace holo
