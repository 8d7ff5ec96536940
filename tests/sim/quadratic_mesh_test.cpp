// Meshes of quadratic tetrahedra: raised from linear ones, their maps, masses and faces, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "holo/core/error.h"
#include "holo/sim/mesh/mesh_description.h"
#include "holo/sim/mesh/quadratic_map.h"
#include "holo/sim/mesh/quadratic_tetrahedra.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/sim/mesh/surface_mesh.h"
#include "scenes.h"

namespace holo::test {
namespace quadratic_mesh_tests {

using Point = std::array<double, 3>;

TetrahedralMesh raised_box(int elements = 6 * 27) { return raise_to_quadratic(box_mesh({1, 1, 1}, elements)); }

// The mesh after a map of all of space of degree 2, which quadratic elements follow exactly.
template <class Map>
TetrahedralMesh mapped(TetrahedralMesh mesh, const Map& map) {
  for (Point& x : mesh.vertices) x = map(x);
  return mesh;
}
Point bent(const Point& x) { return {x[0] + 0.3 * x[0] * x[0] - 0.2 * x[1] * x[2], x[1] + 0.25 * x[0] * x[1], x[2]}; }

double volume_by_sampling_of_map(const TetrahedralMesh& mesh, std::size_t element, int n) {  // midpoints of n^3 cells
  const QuadraticMap map(mesh, element);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const double u = (i + 0.5) / n, v = (j + 0.5) / n, w = (k + 0.5) / n;
        const double a = u, b = (1 - u) * v, c = (1 - u) * (1 - v) * w;
        const auto J = map.jacobian({1 - a - b - c, a, b, c});
        const double determinant =
            J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) + J[2] * (J[3] * J[7] - J[4] * J[6]);
        sum += determinant * (1 - u) * (1 - u) * (1 - v) / (n * n * n);
      }
  return sum;
}

std::string refusal_of(const TetrahedralMesh& mesh) {
  try {
    validate(mesh);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "";
}

TEST(QuadraticMesh, RaisingPutsOneVertexOnEachEdgeAndKeepsTheShape) {
  const TetrahedralMesh linear = box_mesh({1, 1, 1}, 6 * 27), mesh = raise_to_quadratic(linear);
  validate(mesh);
  std::map<std::array<int, 2>, int> edges;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    for (std::size_t k = 0; k < 6; ++k) {
      const int a = mesh.tetrahedra[e][std::size_t(tetrahedron_edges[k][0])],
                b = mesh.tetrahedra[e][std::size_t(tetrahedron_edges[k][1])];
      const int between = mesh.edge_vertices[e][k];
      EXPECT_EQ(edges.try_emplace({std::min(a, b), std::max(a, b)}, between).first->second, between);
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_DOUBLE_EQ(2 * mesh.vertices[std::size_t(between)][i],
                         mesh.vertices[std::size_t(a)][i] + mesh.vertices[std::size_t(b)][i]);
    }
  EXPECT_EQ(mesh.vertices.size(), linear.vertices.size() + edges.size());
  EXPECT_NEAR(total_volume(mesh), 1, 1e-13);
  EXPECT_EQ(raise_to_quadratic(mesh).vertices.size(), mesh.vertices.size());  // it stays as it is
}

TEST(QuadraticMesh, GroupsAndFieldsFollowTheNewVertices) {
  TetrahedralMesh linear = box_mesh({1, 1, 1}, 48);
  MeshGroup side{"side", 2, {}, {}, {}}, core{"core", 3, {}, {}, {0, 3}};
  for (const auto& t : boundary_triangles(linear))
    if (linear.vertices[std::size_t(t[0])][0] + linear.vertices[std::size_t(t[1])][0] + linear.vertices[std::size_t(t[2])][0] ==
        0)
      side.triangles.push_back(t), side.vertices.insert(side.vertices.end(), t.begin(), t.end());
  for (const int e : core.elements)
    core.vertices.insert(core.vertices.end(), linear.tetrahedra[std::size_t(e)].begin(),
                         linear.tetrahedra[std::size_t(e)].end());
  const std::size_t triangles = side.triangles.size();
  MeshField height{"height", MeshField::Support::vertices, 1, {}};
  for (const Point& x : linear.vertices) height.values.push_back(x[2]);
  linear.groups = {core, side};
  linear.fields = {height};
  const TetrahedralMesh mesh = raise_to_quadratic(linear);
  EXPECT_EQ(find_group(mesh, "side").triangles.size(), 4 * triangles);
  std::size_t on_side = 0;
  for (const Point& x : mesh.vertices) on_side += x[0] == 0;
  EXPECT_EQ(find_group(mesh, "side").vertices.size(), on_side);
  for (const int e : core.elements)
    for (const int v : mesh.edge_vertices[std::size_t(e)]) {
      const auto& vertices = find_group(mesh, "core").vertices;
      EXPECT_TRUE(std::binary_search(vertices.begin(), vertices.end(), v));
    }
  ASSERT_EQ(mesh.fields[0].values.size(), mesh.vertices.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) EXPECT_DOUBLE_EQ(mesh.fields[0].values[v], mesh.vertices[v][2]);
}

TEST(QuadraticMesh, LinearCellsFillTheElementsAndHaveTheirSurface) {
  const TetrahedralMesh mesh = raised_box();
  TetrahedralMesh cells;
  cells.vertices = mesh.vertices;
  cells.tetrahedra = linear_cells(mesh);
  cells.source = "cells";
  validate(cells);  // positive, and on opposite sides of common faces
  EXPECT_EQ(cells.tetrahedra.size(), 8 * mesh.tetrahedra.size());
  EXPECT_NEAR(total_volume(cells), 1, 1e-13);
  const auto sorted = [](std::vector<std::array<int, 3>> triangles) {
    for (auto& t : triangles) std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    std::sort(triangles.begin(), triangles.end());
    return triangles;
  };
  EXPECT_EQ(sorted(boundary_triangles(mesh)), sorted(boundary_triangles(cells)));
}

TEST(QuadraticMesh, CurvedElementsHaveTheVolumeOfTheirMap) {
  const TetrahedralMesh mesh = mapped(raised_box(48), bent);
  validate(mesh);
  // det of the map's gradient: (1 + 0.6 x)(1 + 0.25 x) + 0.2 z 0.25 y, integrated over the unit cube.
  const double exact = 1 + 0.6 / 2 + 0.25 / 2 + 0.6 * 0.25 / 3 + 0.2 * 0.25 / 4;
  EXPECT_NEAR(total_volume(mesh), exact, 1e-13);
  for (const std::size_t element : {0u, 17u, 40u})
    EXPECT_NEAR(signed_volume(mesh, int(element)), volume_by_sampling_of_map(mesh, element, 40),
                1e-3 * signed_volume(mesh, int(element)));
}

TEST(QuadraticMesh, PointsAreFoundInCurvedElements) {
  const TetrahedralMesh mesh = mapped(raised_box(48), bent);
  for (std::size_t element = 0; element < mesh.tetrahedra.size(); ++element) {
    const QuadraticMap map(mesh, element);
    const QuadraticMap::Barycentric there = {0.4, 0.3, 0.2, 0.1}, found = map.locate(map.at(there));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], there[i], 1e-12);
  }
}

// Newton's method ends somewhere else for some points far from a strongly curved element: none of them is in it.
TEST(QuadraticMesh, PointsFarFromACurvedElementAreNotInIt) {
  const TetrahedralMesh mesh = mapped(raised_box(48), [](const std::array<double, 3>& x) {
    return std::array<double, 3>{x[0] + 0.45 * x[1] * x[1], x[1] - 0.4 * x[2] * x[2], x[2] + 0.4 * x[0] * x[0]};
  });
  std::size_t none = 0;
  for (std::size_t element = 0; element < mesh.tetrahedra.size(); ++element) {
    const QuadraticMap map(mesh, element);
    for (int i = -6; i <= 6; ++i)
      for (int j = -6; j <= 6; ++j) {
        const QuadraticMap::Point point = {0.9 * i, 0.9 * j, 0.7 * (i + j)};
        const QuadraticMap::Barycentric found = map.locate(point);
        if (!std::isfinite(found[0])) {
          ++none;
          continue;
        }
        const QuadraticMap::Point back = map.at(found);
        for (std::size_t k = 0; k < 3; ++k) ASSERT_NEAR(back[k], point[k], 1e-6) << element;
      }
  }
  EXPECT_GT(none, 0u);  // else the test shows nothing
}

TEST(QuadraticMesh, LumpedMassesArePositiveAndShapeMassesIntegrateQuadratics) {
  const TetrahedralMesh mesh = mapped(raised_box(48), bent);
  double lumped_sum = 0;
  Point of_shapes{};  // density 3: total, first and second moment of x[2], which the map leaves as it is
  for (std::size_t element = 0; element < mesh.tetrahedra.size(); ++element) {
    const QuadraticMap map(mesh, element);
    const auto lumped = lumped_masses(map, 3), shapes = shape_masses(map, 3);
    for (std::size_t a = 0; a < 10; ++a) {
      EXPECT_GT(lumped[a], 0);
      lumped_sum += lumped[a];
      const double z = map.vertices[a][2];
      of_shapes[0] += shapes[a], of_shapes[1] += shapes[a] * z;
    }
  }
  EXPECT_NEAR(lumped_sum, 3 * total_volume(mesh), 1e-12);
  EXPECT_NEAR(of_shapes[0], 3 * total_volume(mesh), 1e-12);
  // The integral of z det over the cube: 0.5 (1.3 + 0.125 + 0.05) + 0.05 / 2 / 3.
  EXPECT_NEAR(of_shapes[1], 3 * (0.5 * (1 + 0.3 + 0.125 + 0.05) + 0.05 / 2 / 3), 1e-12);
  // Of straight elements: corners -1/20, edges 1/5 of the mass; scaled diagonals 1/36 and 4/27.
  const TetrahedralMesh straight = raised_box(6);
  const QuadraticMap map(straight, 0);
  const double mass = 3 * map.volume();
  EXPECT_NEAR(shape_masses(map, 3)[0], -mass / 20, 1e-14);
  EXPECT_NEAR(shape_masses(map, 3)[9], mass / 5, 1e-14);
  EXPECT_NEAR(lumped_masses(map, 3)[0], mass / 36, 1e-14);
  EXPECT_NEAR(lumped_masses(map, 3)[9], mass * 4 / 27, 1e-14);
}

// Random elements, some folded, against the determinant on a fine grid; those within the grid's error of 0 are left out.
TEST(QuadraticMesh, BoundsTellWhichElementsAreFolded) {
  TetrahedralMesh mesh = raise_to_quadratic(box_mesh({1, 1, 1}, 6));
  mesh.tetrahedra.resize(1);
  mesh.edge_vertices.resize(1);
  const std::vector<Point> straight = mesh.vertices;
  int folded = 0, sound = 0, hidden = 0;  // hidden: positive at all vertices
  for (std::size_t sample = 0; sample < 400; ++sample) {
    for (std::size_t k = 0; k < 6; ++k)
      for (std::size_t i = 0; i < 3; ++i)
        mesh.vertices[std::size_t(mesh.edge_vertices[0][k])][i] =
            straight[std::size_t(mesh.edge_vertices[0][k])][i] + 0.3 * wiggle(sample * 18 + k * 3 + i);
    const QuadraticMap map(mesh, 0);
    double least = 1e9, least_at_vertices = 1e9;
    constexpr int n = 16;
    for (int a = 0; a <= n; ++a)
      for (int b = 0; a + b <= n; ++b)
        for (int c = 0; a + b + c <= n; ++c) {
          const auto J = map.jacobian({1 - double(a + b + c) / n, double(a) / n, double(b) / n, double(c) / n});
          const double value =
              J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) + J[2] * (J[3] * J[7] - J[4] * J[6]);
          least = std::min(least, value);
          if (a % 8 == 0 && b % 8 == 0 && c % 8 == 0) least_at_vertices = std::min(least_at_vertices, value);
        }
    if (std::abs(least) < 0.03) continue;
    EXPECT_EQ(map.find_fold().found, least < 0) << sample << ": " << least;
    least < 0 ? ++folded : ++sound;
    hidden += least < 0 && least_at_vertices > 0;
  }
  EXPECT_GT(folded, 20);
  EXPECT_GT(sound, 20);
  EXPECT_GT(hidden, 0);
}

TEST(QuadraticMesh, FoldedElementsAreRefusedWithTheirNumberAndPlace) {
  TetrahedralMesh mesh = raised_box(48);
  mesh.source = "box";
  Point& x = mesh.vertices[std::size_t(mesh.edge_vertices[7][2])];
  x[0] += 0.4, x[1] += 0.4;
  const std::string text = refusal_of(mesh);
  EXPECT_NE(text.find("box: element "), std::string::npos) << text;
  EXPECT_NE(text.find("is folded: the determinant of its quadratic map is -"), std::string::npos) << text;
  EXPECT_NE(text.find("nearer to their middles"), std::string::npos) << text;
}

TEST(QuadraticMesh, ElementsMustShareTheVertexOfAnEdge) {
  TetrahedralMesh mesh = raised_box(48);
  mesh.vertices.push_back(mesh.vertices[std::size_t(mesh.edge_vertices[5][3])]);
  mesh.edge_vertices[5][3] = int(mesh.vertices.size()) - 1;
  EXPECT_NE(refusal_of(mesh).find("one vertex for both is required"), std::string::npos) << refusal_of(mesh);
  mesh.edge_vertices[5][3] = mesh.edge_vertices[5][2];
  EXPECT_NE(refusal_of(mesh), "");
  mesh.edge_vertices[5][3] = 100000;
  EXPECT_NE(refusal_of(mesh), "");
}

TEST(QuadraticMesh, UnusedVerticesLeaveWithoutThoseOnEdges) {
  TetrahedralMesh mesh = raised_box(48);
  const std::size_t count = mesh.vertices.size();
  const double volume = total_volume(mesh);
  mesh.vertices.insert(mesh.vertices.begin(), {9, 9, 9});
  for (auto& corners : mesh.tetrahedra)
    for (int& v : corners) ++v;
  for (auto& edges : mesh.edge_vertices)
    for (int& v : edges) ++v;
  EXPECT_EQ(remove_unused_vertices(mesh), 1);
  EXPECT_EQ(mesh.vertices.size(), count);
  EXPECT_NEAR(total_volume(mesh), volume, 1e-14);
}

}  // namespace quadratic_mesh_tests
}  // namespace holo::test
