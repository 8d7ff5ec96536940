#include "holo/sim/mesh/tetrahedral_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "holo/core/error.h"
#include "holo/sim/mesh/shapes.h"

namespace {

using namespace holo;

TetrahedralMesh one_tetrahedron() {
  TetrahedralMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tetrahedra = {{0, 1, 2, 3}};
  mesh.source = "one";
  return mesh;
}

std::array<double, 3> normal_times_area(const TetrahedralMesh& mesh, const std::array<int, 3>& t) {
  const auto &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
  const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  return {(u[1] * v[2] - u[2] * v[1]) / 2, (u[2] * v[0] - u[0] * v[2]) / 2, (u[0] * v[1] - u[1] * v[0]) / 2};
}

std::string refusal(const TetrahedralMesh& mesh) {
  try {
    validate(mesh);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  ADD_FAILURE() << "the mesh was accepted";
  return "";
}

TEST(TetrahedralMesh, SignedVolumeFollowsTheOrder) {
  TetrahedralMesh mesh = one_tetrahedron();
  EXPECT_DOUBLE_EQ(signed_volume(mesh, 0), 1.0 / 6);
  std::swap(mesh.tetrahedra[0][0], mesh.tetrahedra[0][1]);
  EXPECT_DOUBLE_EQ(signed_volume(mesh, 0), -1.0 / 6);
}

TEST(TetrahedralMesh, BoundaryTrianglesPointOutwards) {
  // The divergence theorem: the sum of x . n A over the boundary is three times the volume.
  const TetrahedralMesh mesh = box_mesh({1.0, 2.0, 0.5}, 600);
  double sum = 0, area = 0;
  for (const auto& triangle : boundary_triangles(mesh)) {
    const auto n = normal_times_area(mesh, triangle);
    for (int i = 0; i < 3; ++i)
      sum += n[i] * (mesh.vertices[triangle[0]][i] + mesh.vertices[triangle[1]][i] + mesh.vertices[triangle[2]][i]) / 3;
    area += std::hypot(n[0], n[1], n[2]);
  }
  EXPECT_NEAR(sum / 3, 1.0, 1e-12);
  EXPECT_NEAR(area, 2 * (2.0 + 1.0 + 0.5), 1e-12);
}

TEST(TetrahedralMesh, OneElementHasFourBoundaryTriangles) { EXPECT_EQ(boundary_triangles(one_tetrahedron()).size(), 4u); }

TEST(TetrahedralMesh, UnusedVerticesAreRemovedAndOrderKept) {
  TetrahedralMesh mesh = one_tetrahedron();
  mesh.vertices.insert(mesh.vertices.begin() + 1, {9, 9, 9});
  mesh.vertices.push_back({8, 8, 8});
  mesh.tetrahedra = {{0, 2, 3, 4}};
  EXPECT_EQ(remove_unused_vertices(mesh), 2);
  EXPECT_EQ(mesh.vertices, one_tetrahedron().vertices);
  EXPECT_EQ(mesh.tetrahedra, one_tetrahedron().tetrahedra);
  EXPECT_EQ(remove_unused_vertices(mesh), 0);
}

TEST(TetrahedralMesh, BoundingBoxHoldsAllVertices) {
  const BoundingBox box = bounding_box(one_tetrahedron());
  EXPECT_EQ(box.minimum, (std::array<double, 3>{0, 0, 0}));
  EXPECT_EQ(box.maximum, (std::array<double, 3>{1, 1, 1}));
  EXPECT_DOUBLE_EQ(box.diagonal(), std::sqrt(3.0));
}

TEST(TetrahedralMesh, GoodMeshesAreAccepted) {
  EXPECT_NO_THROW(validate(one_tetrahedron()));
  for (double scale : {1e-9, 1e9}) {  // the test of degeneracy does not depend on the unit
    TetrahedralMesh mesh = one_tetrahedron();
    for (auto& vertex : mesh.vertices)
      for (double& x : vertex) x *= scale;
    EXPECT_NO_THROW(validate(mesh)) << scale;
  }
}

TEST(TetrahedralMeshBadInput, EachDefectIsNamed) {
  TetrahedralMesh mesh = one_tetrahedron();
  mesh.tetrahedra.clear();
  EXPECT_EQ(refusal(mesh), "one: the mesh has no tetrahedra (4 vertices), at least one is required");

  mesh = one_tetrahedron();
  mesh.tetrahedra[0][2] = 4;
  EXPECT_EQ(refusal(mesh), "one: element 0 names vertex 4, allowed are 0 to 3");
  mesh.tetrahedra[0][2] = -1;
  EXPECT_EQ(refusal(mesh), "one: element 0 names vertex -1, allowed are 0 to 3");
  mesh.tetrahedra[0][2] = 1;
  EXPECT_EQ(refusal(mesh), "one: element 0 has vertex 1 twice, four different ones are required");

  mesh = one_tetrahedron();
  mesh.vertices[2][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal(mesh).find("one: vertex 2 (counted from 0) has the coordinate nan"), std::string::npos);

  mesh = one_tetrahedron();
  mesh.vertices[3][2] = 1e-13;
  EXPECT_NE(refusal(mesh).find("one: element 0 is degenerate: its volume is 1.66667e-14 m^3"), std::string::npos)
      << refusal(mesh);
  mesh.vertices[3][2] = -1;
  EXPECT_NE(refusal(mesh).find("one: element 0 is inverted: its signed volume is -0.166667 m^3"), std::string::npos);
}

TEST(TetrahedralMeshBadInput, FirstBadElementIsNamedByItsOwnNumberAndTheRestCounted) {
  TetrahedralMesh mesh = one_tetrahedron();
  mesh.tetrahedra = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 2, 3}, {0, 0, 1, 2}, {0, 1, 2, 9}};
  mesh.element_names = {10, 1234567890123, 30, 40, 50};
  const std::string message = refusal(mesh);
  EXPECT_EQ(message.find("one: element 1234567890123 is inverted"), 0u) << message;
  EXPECT_NE(message.find("; 2 more of the 5 elements are bad"), std::string::npos) << message;
}

}  // namespace
