#include "mesh/tetrahedron_faces.h"

#include <algorithm>

namespace holo {

namespace {

TetrahedronFace face_of(const TetrahedralMesh& mesh, const std::vector<int>& vertices, std::size_t number) {
  const auto& element = mesh.tetrahedra[number / 4];
  const int* face = tetrahedron_faces[number % 4];
  std::array<int, 3> corners = {vertices[element[face[0]]], vertices[element[face[1]]], vertices[element[face[2]]]};
  bool turned = false;
  const auto order = [&](int a, int b) {
    if (corners[a] <= corners[b]) return;
    std::swap(corners[a], corners[b]);
    turned = !turned;
  };
  order(0, 1), order(1, 2), order(0, 1);
  return {corners, turned, number};
}

}  // namespace

// A counting sort by the first corner: only the few faces of one vertex remain to be compared with each other.
std::vector<TetrahedronFace> sorted_faces(const TetrahedralMesh& mesh, const std::vector<int>& vertices) {
  const std::size_t count = 4 * mesh.tetrahedra.size();
  std::vector<std::size_t> begin(mesh.vertices.size() + 1, 0);
  for (std::size_t i = 0; i < count; ++i) ++begin[static_cast<std::size_t>(face_of(mesh, vertices, i).corners[0]) + 1];
  for (std::size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
  std::vector<TetrahedronFace> faces(count);
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const TetrahedronFace face = face_of(mesh, vertices, i);
    faces[next[static_cast<std::size_t>(face.corners[0])]++] = face;
  }
  for (std::size_t v = 0; v + 1 < begin.size(); ++v)
    std::sort(faces.begin() + static_cast<std::ptrdiff_t>(begin[v]), faces.begin() + static_cast<std::ptrdiff_t>(begin[v + 1]),
              [](const TetrahedronFace& a, const TetrahedronFace& b) {
                return a.corners != b.corners ? a.corners < b.corners : a.number < b.number;
              });
  return faces;
}

std::size_t end_of_same_face(const std::vector<TetrahedronFace>& faces, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < faces.size() && faces[end].corners == faces[begin].corners) ++end;
  return end;
}

}  // namespace holo
