// Elements that share a face lie on either side of it. Where they do not, they overlap: mass and stiffness would count twice.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "holo/core/error.h"
#include "mesh/tetrahedron_faces.h"

namespace holo {

namespace {

using Point = std::array<double, 3>;

// For each vertex, the first vertex with the same position.
std::vector<int> first_at_place(const std::vector<Point>& vertices) {
  std::vector<int> order(vertices.size()), first(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return vertices[a] != vertices[b] ? vertices[a] < vertices[b] : a < b; });
  for (std::size_t i = 0; i < order.size(); ++i)
    first[order[i]] = i > 0 && vertices[order[i]] == vertices[order[i - 1]] ? first[order[i - 1]] : order[i];
  return first;
}

std::string center_text(const TetrahedralMesh& mesh, const int* corners, int count) {
  Point center = {};
  for (int i = 0; i < count; ++i)
    for (int axis = 0; axis < 3; ++axis) center[axis] += mesh.vertices[corners[i]][axis] / count;
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}] m", center[0], center[1], center[2]);
}

// The fault of the elements with a common face.
std::string overlap_text(const TetrahedralMesh& mesh, const std::vector<int>& places, const TetrahedronFace* begin,
                         const TetrahedronFace* end) {
  const auto corners = [&](std::size_t element) {
    std::array<int, 4> sorted = mesh.tetrahedra[element];
    for (int& corner : sorted) corner = places[corner];
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  for (const TetrahedronFace* a = begin; a != end; ++a)
    for (const TetrahedronFace* b = a + 1; b != end; ++b)
      if (corners(a->element()) == corners(b->element()))
        return fmt::format(
            "elements {} and {} fill the same place, a tetrahedron with its center at {}: its mass and stiffness would count "
            "twice; remove one of them",
            element_number(mesh, a->element()), element_number(mesh, b->element()),
            center_text(mesh, mesh.tetrahedra[a->element()].data(), 4));
  const std::string place = center_text(mesh, begin->corners.data(), 3);
  if (end - begin == 2)
    return fmt::format("elements {} and {} lie on the same side of their common face, which has its center at {}: they overlap",
                       element_number(mesh, begin->element()), element_number(mesh, begin[1].element()), place);
  return fmt::format(
      "elements {}, {} and {} share one face, which has its center at {}: a face belongs to at most two tetrahedra, one on "
      "either side, so these overlap",
      element_number(mesh, begin->element()), element_number(mesh, begin[1].element()),
      element_number(mesh, begin[2].element()), place);
}

}  // namespace

// Vertices at the same place count as one, so that parts which touch without common vertices are checked, too. Right are a
// face alone and two that are turned against each other.
void check_shared_faces(const TetrahedralMesh& mesh) {
  const std::vector<int> places = first_at_place(mesh.vertices);
  const std::vector<TetrahedronFace> faces = sorted_faces(mesh, places);
  std::size_t worst_begin = 0, worst_end = 0;  // the face whose first element comes first
  std::set<std::size_t> overlapping;
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    end = end_of_same_face(faces, begin);
    if (end == begin + 1 || (end == begin + 2 && faces[begin].turned != faces[begin + 1].turned)) continue;
    if (overlapping.empty() || faces[begin].element() < faces[worst_begin].element()) worst_begin = begin, worst_end = end;
    for (std::size_t i = begin; i < end; ++i) overlapping.insert(faces[i].element());
  }
  if (overlapping.empty()) return;
  throw Error(Failure::input, fmt::format("{}: {}; {} of the {} elements overlap so in all", mesh.source,
                                          overlap_text(mesh, places, faces.data() + worst_begin, faces.data() + worst_end),
                                          overlapping.size(), mesh.tetrahedra.size()));
}

}  // namespace holo
