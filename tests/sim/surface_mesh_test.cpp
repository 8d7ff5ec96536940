// Surfaces of triangles from files in the OBJ format.
#include "holo/sim/mesh/surface_mesh.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "holo/sim/dynamics/elastic_scene.h"
#include "refusal_message.h"

namespace holo::test {
namespace {

// A cube of 2 m with corners as quadrilaterals, written in the ways that the format has.
const std::string cube_text =
    "# a cube\n"
    "mtllib cube.mtl\n"
    "o cube\n"
    "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\n"
    "v 0 0 2\nv 2 0 2 1.0\nv 2 2 2\nv 0 2 2\n"
    "vn 0 0 1\nvt 0 0\n"
    "s off\nusemtl gray\n"
    "f 4 3 2 1   # downwards\n"
    "f 5/1 6/1 7/1 8/1\n"
    "f 1//1 2//1 6//1 5//1\n"
    "f 3/1/1 4/1/1 8/1/1 7/1/1\n"
    "f -7 -6 -2 -3\n"
    "f 1 5 8 4\n";

double signed_volume_of(const SurfaceMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int v) { return Eigen::Vector3d(mesh.vertices[static_cast<std::size_t>(v)].data()); };
    sum += at(a).dot(at(b).cross(at(c))) / 6;
  }
  return sum;
}

TEST(SurfaceMesh, FacesOfAnObjFileAreTrianglesOfTheSameSurface) {
  const SurfaceMesh mesh = parse_obj("cube.obj", cube_text, 0.5);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_NEAR(signed_volume_of(mesh), 1, 1e-15);
  require_surface(mesh, false);
}

TEST(SurfaceMeshBadInput, LinesThatAreWrongAreNamedWithTheirColumn) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const std::array<std::array<std::string, 2>, 9> cases = {
      {{"v 0 0\nf 1 2 3\n", "bad.obj:1:5: a vertex needs three coordinates"},
       {"v 0 zero 0\n", "bad.obj:1"},
       {vertices + "f 1 2\n", "bad.obj:4:1: a face has 2 corners; three or more are required"},
       {vertices + "f 1 2 4\n", "bad.obj:4:7: a corner of a face is vertex 4; allowed are 1 to 3, or -1 to -3"},
       {vertices + "f 1 2 0\n", "bad.obj:4:7: a corner of a face is vertex 0; allowed"},
       {vertices + "f 1 2 -4\n", "bad.obj:4:7: a corner of a face is vertex -4; allowed"},
       {vertices + "f 1 2 third\n", "bad.obj:4:7: a corner of a face is 'third'; the number of a vertex is required"},
       {vertices + "f 1 2 2\n", "bad.obj:4:1: a face has the vertex 2 twice"},
       {vertices + "face 1 2 3\n", "bad.obj:4:1: 'face' is no keyword of a surface in the OBJ format"}}};
  for (const auto& [text, expected] : cases) {
    const std::string found = message([&, wrong = text] { parse_obj("bad.obj", wrong); });
    EXPECT_EQ(found.rfind(expected, 0), 0u) << found;
  }
  EXPECT_EQ(message([&] { parse_obj("bad.obj", vertices); }),
            "bad.obj: the file has 3 vertices and no faces; a surface is required");
  EXPECT_NE(message([&] { parse_obj("bad.obj", cube_text, 0); }).find("the scale is 0"), std::string::npos);
  EXPECT_NE(message([&] { read_surface_mesh("shape.stl"); }).find("the extension is '.stl'"), std::string::npos);
}

TEST(SurfaceMeshBadInput, WhatIsNoClosedOrientedSurfaceIsRefusedWithTheEdge) {
  SurfaceMesh mesh = parse_obj("cube.obj", cube_text);
  mesh.triangles.pop_back();
  const std::string open = message([&] { require_surface(mesh, false); });
  EXPECT_EQ(open.rfind("cube.obj: the edge from vertex 1 at [0, 0, 0] to vertex 4 at [0, 2, 0] has one triangle", 0), 0u)
      << open;
  EXPECT_NE(open.find("2 other edges"), std::string::npos) << open;
  require_surface(mesh, true);
  mesh = parse_obj("cube.obj", cube_text);
  std::swap(mesh.triangles[0][1], mesh.triangles[0][2]);
  for (const bool may_be_open : {false, true})
    EXPECT_NE(message([&] { require_surface(mesh, may_be_open); }).find("has two triangles with opposite orientations"),
              std::string::npos);
  mesh = parse_obj("cube.obj", cube_text);
  mesh.triangles.push_back(mesh.triangles[0]);
  EXPECT_NE(message([&] { require_surface(mesh, true); }).find("has 3 triangles"), std::string::npos);
}

// The scene of a body above an obstacle from a file, which is written first.
std::string made_with_surface(const std::string& text, const std::string& keys, std::size_t& triangles) {
  const std::string file = testing::TempDir() + "obstacle_of_a_test.obj";
  std::ofstream(file) << text;
  return message([&] {
    ConfigurationFile experiment = ConfigurationFile::parse(
        "scene:\n  time_step: 0.01\n  duration: 0.1\n  bodies:\n    - {name: block, mesh: {shape: box, size: [1, 1, 1], "
        "elements: 6}, material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.4}, density: 1000}\n"
        "  obstacles:\n    - {name: thing, type: surface, placement: {translate: [0, 0, -3]}, file: \"" +
            file + "\"" + keys + "}\n",
        "scene.yaml");
    Configuration root = experiment.root(), section = root.section("scene");
    static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
    const ElasticSceneDefinition definition = read_elastic_scene(section, host, ElementDifferentiation::compiled);
    experiment.finish();
    triangles = ElasticScene(definition).contact.mesh->mesh->triangles.size();
  });
}

TEST(SurfaceMesh, AreObstaclesOfScenes) {
  std::size_t triangles = 0;
  made_with_surface(cube_text, ", scale: 0.5", triangles);
  EXPECT_EQ(triangles, 24u);
  const std::string without_top = cube_text.substr(0, cube_text.rfind("f 1 5 8 4"));
  made_with_surface(without_top, ", open: true", triangles);
  EXPECT_EQ(triangles, 22u);
}

TEST(SurfaceMeshBadInput, ObstaclesThatAreNoSurfacesAreRefused) {
  std::size_t ignored = 0;
  const std::string without_top = cube_text.substr(0, cube_text.rfind("f 1 5 8 4"));
  EXPECT_NE(made_with_surface(without_top, "", ignored).find("so that the surface is open there"), std::string::npos);
  EXPECT_NE(made_with_surface(cube_text, ", scale: -1", ignored).find("'scene.obstacles.0.scale' must be a number > 0"),
            std::string::npos);
  EXPECT_NE(made_with_surface(cube_text, ", open: 3", ignored).find("scene.obstacles.0.open"), std::string::npos);
}

}  // namespace
}  // namespace holo::test
