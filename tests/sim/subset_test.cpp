// Subsets of vertices: by position, by the file's groups, by the boundary.
#include "holo/sim/mesh/subset.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "holo/core/error.h"
#include "holo/sim/mesh/shapes.h"

namespace holo {
namespace {

struct SubsetReading {
  SubsetDefinition subset;
  std::string problems;
};

SubsetReading read_subset_text(const std::string& yaml) {
  ConfigurationFile file = ConfigurationFile::parse("subset: " + yaml + "\n", "a.yaml");
  Configuration section = file.root().section("subset");
  SubsetReading reading{read_subset(section, {}), ""};
  try {
    file.finish();
  } catch (const Error& error) {
    reading.problems = error.what();
  }
  return reading;
}

// A grid of 4 x 4 x 4 cells with the groups 'clamp' of points and 'clamp' of triangles.
TetrahedralMesh grouped_cube() {
  TetrahedralMesh mesh = box_mesh({1, 1, 1}, 384);
  mesh.source = "cube.msh";
  mesh.groups = {{"clamp", 2, {3, 5, 8}, {{3, 5, 8}}, {}}, {"clamp", 0, {7}, {}, {}}, {"tip", 0, {1}, {}, {}}};
  return mesh;
}

std::vector<int> selected(const std::string& yaml) {
  const SubsetReading reading = read_subset_text(yaml);
  EXPECT_EQ(reading.problems, "") << yaml;
  return select_vertices(reading.subset, grouped_cube());
}

TEST(Subset, GroupsAreTheFilesOwn) {
  EXPECT_EQ(selected("{group: tip}"), std::vector<int>{1});
  EXPECT_EQ(selected("{group: clamp, dimension: 2}"), (std::vector<int>{3, 5, 8}));
  EXPECT_EQ(selected("{group: clamp, dimension: 0}"), std::vector<int>{7});
}

// Of (n + 1)^3 grid points (n - 1)^3 are inside.
TEST(Subset, SurfaceIsWhatIsNotInside) {
  EXPECT_EQ(selected("{all: true}").size(), 125u);
  EXPECT_EQ(selected("{surface: true}").size(), 125u - 27u);
}

TEST(Subset, HalfSpaceHoldsItsBoundary) {
  EXPECT_EQ(selected("{half_space: {point: [0, 0, 0.5], normal: [0, 0, 2]}}").size(), 75u);
  EXPECT_EQ(selected("{half_space: {point: [0, 0, 0.6]}}").size(), 50u);
  EXPECT_EQ(selected("{half_space: {point: [0.9, 0, 0], normal: [1, 0, 0]}}"), selected("{box: {min: [0.9, -1, -1]}}"));
}

// The cube's 64 cells have 6 tetrahedra each, and its faces 16 squares of two triangles.
SubsetDefinition consisting_of(SubsetDefinition::Of of, const std::string& yaml) {
  SubsetDefinition subset = read_subset_text(yaml).subset;
  subset.of = of;
  return subset;
}

TEST(Subset, ElementsAreThoseWithAllVerticesInIt) {
  using Of = SubsetDefinition::Of;
  const TetrahedralMesh cube = grouped_cube();
  const SubsetDefinition half = consisting_of(Of::elements, "{box: {max: [9, 9, 0.6]}}");
  EXPECT_EQ(select_elements(half, cube).size(), 192u);
  EXPECT_EQ(select_vertices(half, cube).size(), 75u);
  for (const int e : select_elements(half, cube))
    for (const int v : cube.tetrahedra[static_cast<std::size_t>(e)])
      EXPECT_LT(cube.vertices[static_cast<std::size_t>(v)][2], 0.6);
  EXPECT_TRUE(select_elements(consisting_of(Of::elements, "{box: {max: [9, 9, 0.1]}}"), cube).empty());
}

// The faces of the elements below z = 1/2: the bottom and the lower halves of four sides.
TEST(Subset, TrianglesOfElementsAreTheirFacesOnTheSurface) {
  using Of = SubsetDefinition::Of;
  const TetrahedralMesh cube = grouped_cube();
  EXPECT_EQ(select_triangles(consisting_of(Of::elements, "{box: {max: [9, 9, 0.6]}}"), cube).size(), 32u + 4 * 16);
  EXPECT_EQ(select_triangles(consisting_of(Of::surface, "{box: {max: [9, 9, 0.1]}}"), cube).size(), 32u);
  EXPECT_EQ(select_vertices(consisting_of(Of::surface, "{box: {max: [9, 9, 0.1]}}"), cube).size(), 25u);
  EXPECT_EQ(select_triangles(consisting_of(Of::surface, "{all: true}"), cube).size(), 6 * 32u);
}

TEST(Subset, GroupsOfElementsAndTrianglesAreTheFilesOwn) {
  using Of = SubsetDefinition::Of;
  TetrahedralMesh cube = grouped_cube();
  const auto face = boundary_triangles(cube)[7];
  cube.groups = {{"part", 3, {}, {}, {4, 9}}, {"part", 2, {face[0], face[1], face[2]}, {face}, {}}};
  std::sort(cube.groups[1].vertices.begin(), cube.groups[1].vertices.end());
  EXPECT_EQ(select_elements(consisting_of(Of::elements, "{group: part}"), cube), (std::vector<int>{4, 9}));
  const auto triangles = select_triangles(consisting_of(Of::surface, "{group: part}"), cube);
  ASSERT_EQ(triangles.size(), 1u);
  EXPECT_EQ(triangles[0], face);
}

void expect_subset_refused(const std::string& yaml, const std::string& part) {
  const SubsetReading reading = read_subset_text(yaml);
  std::string text = reading.problems;
  if (text.empty()) {
    try {
      select_vertices(reading.subset, grouped_cube());
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      text = error.what();
    }
  }
  EXPECT_EQ(text.find("a.yaml:1:"), 0u) << text;
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(SubsetBadInput, WhatSelectsNothingIsRefused) {
  expect_subset_refused("{group: tipp}",
                        "cube.msh has no group 'tipp'; its groups are 'clamp' (triangles), 'clamp' (points), 'tip'");
  expect_subset_refused("{group: tipp}", "Did you mean 'tip'?");
  expect_subset_refused("{group: clamp}", "`dimension` tells which is meant (2 or 0)");
  expect_subset_refused("{group: tip, dimension: 4}", "dimension");
  expect_subset_refused("{surface: false}", "surface: false selects nothing");
  expect_subset_refused("{half_space: {point: [0, 0, 0], normal: [0, 0, 0]}}", "normal is [0, 0, 0]; a direction is needed");
  expect_subset_refused("{half_space: {normal: [0, 0, 1]}}", "point");
}

}  // namespace
}  // namespace holo
