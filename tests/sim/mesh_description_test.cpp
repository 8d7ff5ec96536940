#include "holo/sim/mesh/mesh_description.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/sim/elastic/elastic_contents.h"
#include "holo/sim/mesh/shapes.h"
#include "scenes.h"

namespace holo::test {
namespace {

TetrahedralMesh one_tetrahedron(const std::vector<std::array<double, 3>>& vertices) {
  TetrahedralMesh mesh;
  mesh.vertices = vertices;
  mesh.tetrahedra = {{0, 1, 2, 3}};
  return mesh;
}

TEST(MeshDescription, RadiusRatioOfRegularAndCornerTetrahedra) {
  const TetrahedralMesh regular = one_tetrahedron({{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}});
  EXPECT_NEAR(radius_ratio(regular, 0), 1, 1e-14);
  // The corner of a cube of edge 1: r = 1 / (3 + sqrt 3), R = sqrt(3) / 2.
  const TetrahedralMesh corner = one_tetrahedron({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_NEAR(radius_ratio(corner, 0), 3 / (3 + std::sqrt(3.0)) * 2 / std::sqrt(3.0), 1e-14);
  EXPECT_LT(radius_ratio(one_tetrahedron({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1e-6}}), 0), 1e-5);
}

TEST(MeshDescription, TellsCountsQualityGroupsAndFields) {
  TetrahedralMesh mesh = box_mesh({1, 2, 3}, 6);
  mesh.vertices[0] = {0.25, 0.25, 0.25};  // makes elements at this corner worse
  mesh.source = "a.msh";
  mesh.element_names = {11, 12, 13, 14, 15, 16};
  mesh.element_names.resize(mesh.tetrahedra.size(), 99);
  mesh.groups = {{"core", 3, {0, 1, 2, 3}, {}, {0}}, {"clamp", 2, {0, 1, 2}, {{0, 1, 2}}, {}}};
  mesh.fields = {{"u", MeshField::Support::vertices, 2, {}}};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    mesh.fields[0].values.insert(mesh.fields[0].values.end(), {static_cast<double>(v), -0.5});
  const std::string text = describe_mesh(mesh);
  const std::string bounds = "[0, 1] x [0, 2] x [0, 3] m";
  for (const std::string& part :
       {std::string("mesh a.msh\n"), bounds, std::string("core (tetrahedra): 4 vertices, 1 element, "),
        std::string("clamp (triangles): 3 vertices, 1 triangle\n"),
        "u (on vertices): 2 components, 0 to " + std::to_string(mesh.vertices.size() - 1) + "; -0.5 to -0.5\n"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  const MeshQuality quality = mesh_quality(mesh);
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) EXPECT_GE(radius_ratio(mesh, static_cast<int>(e)), quality.worst);
  EXPECT_EQ(radius_ratio(mesh, quality.worst_element), quality.worst);
  EXPECT_GE(quality.median, quality.worst);
}

TEST(ElasticContents, TellsVolumeMassAndVerticesOfSubsetsAndHandles) {
  ElasticBodyDefinition body = hand_body(HandEnergy::log, box_source({1, 1, 1}, 384));
  body.density = 500;
  body.handles = {box_handle({-1, -1, -1}, {0, 2, 2}), box_handle({0.99, 0.99, 0.99}, {2, 2, 2})};
  NamedSubset corner{"corner", body.handles[1].subset}, half{"half", {}};
  half.subset.kind = SubsetDefinition::Kind::box;
  half.subset.of = SubsetDefinition::Of::elements;
  half.subset.minimum = {-1, -1, -1}, half.subset.maximum = {2, 2, 0.5};
  body.subsets = {corner, half};
  ElasticSceneDefinition scene;
  scene.bodies = {body};
  const ElasticScene elastic(scene);
  const std::vector<std::string> lines = elastic_contents(*elastic.model, elastic.schedule);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0].find("body 'body': 125 vertices, 384 elements, 1 m^3, 500 kg; the worst element is "), 0u) << lines[0];
  EXPECT_EQ(lines[1], "body 'body', subset 'corner': 1 vertex");
  EXPECT_EQ(lines[2], "body 'body', subset 'half': 75 vertices of 192 elements");
  EXPECT_EQ(lines[3], "body 'body', handle 0: 25 vertices");
  EXPECT_EQ(lines[4], "body 'body', handle 1: 1 vertex");
}

}  // namespace
}  // namespace holo::test
