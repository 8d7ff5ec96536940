// The `mesh:` section of an experiment.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "holo/core/configuration.h"
#include "holo/core/error.h"
#include "holo/sim/mesh/shapes.h"

namespace {

using namespace holo;

double volume(const TetrahedralMesh& mesh) {
  double sum = 0;
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) sum += signed_volume(mesh, static_cast<int>(i));
  return sum;
}

// `mesh` is the section's text, indented by two.
MeshSource source_of(const std::string& mesh) {
  ConfigurationFile file = ConfigurationFile::parse("mesh:\n" + mesh, "x.yaml");
  Configuration section = file.root().section("mesh");
  const MeshSource source = read_mesh_source(section);
  file.finish();
  return source;
}

TetrahedralMesh mesh_of(const std::string& mesh) { return source_of(mesh)(); }

std::string problems(const std::string& mesh) {
  try {
    source_of(mesh);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  ADD_FAILURE() << "was accepted:\n" << mesh;
  return "";
}

#define EXPECT_HAS(message, part)                                                \
  do {                                                                           \
    const std::string text_of_message = (message);                               \
    EXPECT_NE(text_of_message.find(part), std::string::npos) << text_of_message; \
  } while (false)

TEST(MeshSource, FileIsReadAndScaled) {
  const std::string path = HOLO_SOURCE_DIR "/tests/sim/fixtures/meshes/medit.mesh";
  EXPECT_EQ(mesh_of("  file: " + path + "\n").tetrahedra.size(), 12u);
  EXPECT_NEAR(volume(mesh_of("  file: " + path + "\n  scale: 2\n")), 8 * 1.25 * 0.5 * 0.75, 1e-14);
}

TEST(MeshSource, NothingIsReadBeforeTheSourceIsCalled) {
  const std::string path = HOLO_SOURCE_DIR "/tests/sim/fixtures/generate_meshes.py";  // exists, but is no mesh
  const MeshSource source = source_of("  file: " + path + "\n");
  EXPECT_THROW(source(), Error);
}

TEST(MeshSource, EveryShapeHasItsVolume) {
  const double pi = std::numbers::pi;
  EXPECT_NEAR(volume(mesh_of("  shape: box\n  size: [1, 2, 0.5]\n  elements: 600\n")), 1, 1e-12);
  EXPECT_NEAR(volume(mesh_of("  shape: sphere\n  center: [1, 0, 0]\n  radius: 0.5\n  elements: 20000\n")), pi / 6, 0.01);
  EXPECT_NEAR(volume(mesh_of("  shape: capsule\n  start: [0, 0, 0]\n  end: [1, 0, 0]\n  radius: 0.2\n  elements: 20000\n")),
              pi * 0.04 * (1 + 0.8 / 3), 0.004);
  EXPECT_NEAR(volume(mesh_of("  shape: cylinder\n  start: [0, 0, 0]\n  end: [0, 1, 0]\n  radius: 0.2\n  elements: 20000\n")),
              pi * 0.04, 0.004);
  const std::string ends = "  start: [0, 0, 0]\n  end: [0, 1, 0]\n  start_radius: 0.3\n  end_radius: 0.1\n  elements: 20000\n";
  EXPECT_NEAR(volume(mesh_of("  shape: cone\n" + ends)), pi / 3 * (0.09 + 0.03 + 0.01), 0.003);
  EXPECT_NEAR(volume(mesh_of("  shape: round_cone\n" + ends)), 0.20022, 0.003);
  EXPECT_NEAR(volume(mesh_of("  shape: ellipsoid\n  semi_axes: [0.5, 0.4, 0.2]\n  elements: 20000\n")), 4 * pi / 3 * 0.04,
              0.004);
}

TEST(MeshSource, CompositionsJoinCutAndIntersect) {
  const double ball = 4 * std::numbers::pi / 3;
  const std::string start = "  shape: composition\n  elements: 20000\n  solids:\n    - {solid: sphere, radius: 1}\n";
  const std::string hollow = start + "    - {solid: sphere, radius: 0.5, combine: subtract}\n";
  EXPECT_NEAR(volume(mesh_of(hollow)), ball * (1 - 0.125), 0.03);
  const std::string half = start + "    - {solid: box, center: [0, 0, 1], size: [4, 4, 2], combine: intersect}\n";
  EXPECT_NEAR(volume(mesh_of(half)), ball / 2, 0.03);
  const std::string two = start + "    - {solid: sphere, center: [3, 0, 0], radius: 1}\n";
  EXPECT_NEAR(volume(mesh_of(two)), 2 * ball, 0.09);
  const std::string boxes =
      "  shape: composition\n  elements: 20000\n  solids:\n    - {solid: box, size: [1, 1, 1], rounding: 0.2}\n";
  // A box rounded by r: the core, six slabs, twelve quarter cylinders, eight octants of a ball.
  const double core = 0.6, r = 0.2;
  EXPECT_NEAR(volume(mesh_of(boxes)),
              core * core * core + 6 * core * core * r + 3 * std::numbers::pi * r * r * core + ball * r * r * r, 0.01);
}

TEST(MeshSource, BlendAddsToAUnionAndTakesFromACut) {
  const std::string start =
      "  shape: composition\n  elements: 20000\n  solids:\n    - {solid: sphere, radius: 1}\n    - {solid: "
      "sphere, center: [1.2, 0, 0], radius: 0.6, combine: ";
  EXPECT_GT(volume(mesh_of(start + "union, blend: 0.4}\n")), volume(mesh_of(start + "union}\n")) + 0.02);
  EXPECT_LT(volume(mesh_of(start + "subtract, blend: 0.4}\n")), volume(mesh_of(start + "subtract}\n")) - 0.02);
  EXPECT_LT(volume(mesh_of(start + "intersect, blend: 0.1}\n")), volume(mesh_of(start + "intersect}\n")) - 0.002);
}

TEST(MeshSource, SourceTellsTheCount) {
  const TetrahedralMesh mesh = mesh_of("  shape: sphere\n  radius: 0.5\n  elements: 1000\n");
  EXPECT_HAS(mesh.source, "sphere: " + std::to_string(mesh.tetrahedra.size()) + " tetrahedra on a lattice of ");
}

TEST(MeshSource, EverythingIsDescribed) {
  const ParameterRecording recording([](Configuration& p) { read_mesh_source(p); });
  std::vector<std::string> paths;
  for (const ParameterDescription& entry : recording.descriptions()) {
    paths.push_back(entry.path);
    EXPECT_FALSE(entry.documentation.empty()) << entry.path;
    if (entry.kind == "number" || entry.kind == "vector3") {
      EXPECT_EQ(entry.unit, "m") << entry.path;
    }
  }
  for (const std::string path : {"file", "scale", "shape", "size", "elements", "radius", "start", "end", "solids[].combine"})
    EXPECT_NE(std::find(paths.begin(), paths.end(), path), paths.end()) << path;
}

TEST(MeshSource, EveryShapeIsDescribed) {
  std::vector<std::string> names;
  for (const ShapeDescription& shape : shape_descriptions()) {
    names.push_back(shape.name);
    EXPECT_FALSE(shape.documentation.empty());
    EXPECT_FALSE(shape.parameters.empty()) << shape.name;
    const auto is_count = [](const ParameterDescription& entry) { return entry.path == "elements" && entry.required; };
    EXPECT_TRUE(std::any_of(shape.parameters.begin(), shape.parameters.end(), is_count)) << shape.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"box", "sphere", "ellipsoid", "capsule", "round_cone", "cylinder", "cone",
                                             "composition"}));
}

TEST(MeshSourceBadInput, ProblemsNameTheirPlace) {
  EXPECT_HAS(problems("  {}\n"), "x.yaml:");
  EXPECT_HAS(problems("  shape: sphere\n  radius: -1\n  elements: 1000\n"), "x.yaml:3:11: ");
  EXPECT_HAS(problems("  shape: sphere\n  radius: 1\n  elements: 5\n"), "x.yaml:4:13: ");
  EXPECT_HAS(problems("  shape: spere\n  radius: 1\n  elements: 500\n"), "sphere");
  EXPECT_HAS(problems("  shape: sphere\n  radios: 1\n  elements: 500\n"), "radios");
  EXPECT_HAS(problems("  file: absent.msh\n"), "absent.msh");
  EXPECT_HAS(problems("  file: " HOLO_SOURCE_DIR "/LICENSE\n  scale: 0\n"), "x.yaml:3:10: ");
}

TEST(MeshSourceBadInput, ShapesWithoutSenseAreRefused) {
  EXPECT_HAS(problems("  shape: cylinder\n  start: [1, 0, 0]\n  end: [1, 0, 0]\n  radius: 1\n  elements: 100\n"),
             "x.yaml:4:8: 'end' is where 'start' is: a cylinder of no height");
  EXPECT_HAS(
      problems("  shape: cone\n  start: [1, 0, 0]\n  end: [1, 0, 0]\n  start_radius: 1\n  end_radius: 2\n  elements: 100\n"),
      "x.yaml:4:8: 'end' is where 'start' is: a cone of no height");
  EXPECT_HAS(problems("  shape: ellipsoid\n  semi_axes: [1, 0, 1]\n  elements: 100\n"), "x.yaml:3:18: ");
  const std::string start = "  shape: composition\n  elements: 1000\n  solids:\n";
  EXPECT_HAS(problems(start + "    - {solid: sphere, radius: 1, combine: subtract}\n"),
             "the first solid has nothing to subtract; 'union' is allowed here");
  EXPECT_HAS(problems(start + "    - {solid: box, size: [1, 1, 0.2], rounding: 0.3}\n"),
             "'rounding' is 0.3 m, at most half the shortest edge (0.1 m) is allowed");
  EXPECT_HAS(problems("  shape: composition\n  elements: 1000\n  solids: []\n"), "x.yaml:4:");
}

TEST(MeshSourceBadInput, EmptyShapeNamesTheExperimentsLine) {
  const MeshSource source = source_of(
      "  shape: composition\n  elements: 1000\n  solids:\n    - {solid: sphere, radius: 1}\n    - {solid: sphere, radius: 2, "
      "combine: subtract}\n");
  try {
    source();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_HAS(error.what(), "x.yaml:2:3: the shape has no inside");
  }
  // Solids that do not meet: the box of their intersection is empty.
  EXPECT_THROW(
      source_of(
          "  shape: composition\n  elements: 1000\n  solids:\n    - {solid: sphere, radius: 1}\n    - {solid: sphere, center: "
          "[5, 0, 0], radius: 1, combine: intersect}\n")(),
      Error);
}

}  // namespace
