// The surface of bodies as contact sees it: counts, areas and lengths of known bodies.
#include "holo/sim/contact/contact_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "scenes.h"

namespace holo::test {
namespace {

ContactSurface surface_of_two_boxes() {
  ElasticModelDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, box_source({1, 0.5, 0.5}, 300)),
                       hand_body(HandEnergy::stable, box_source({0.3, 0.3, 0.3}, 48))};
  definition.bodies[1].name = "second";
  definition.bodies[1].translation = {2, 0, 0};
  return contact_surface(*build(definition));
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// Vertices - edges + triangles is 2 for each closed surface without holes, and an edge has two triangles.
TEST(ContactSurface, EdgesAreThoseOfClosedSurfaces) {
  const ContactSurface surface = surface_of_two_boxes();
  EXPECT_EQ(surface.vertices.size() + surface.triangles.size() - surface.edges.size(), 4u);
  EXPECT_EQ(2 * surface.edges.size(), 3 * surface.triangles.size());
  std::set<std::array<int, 2>> expected;
  for (const auto& [a, b, c] : surface.triangles)
    for (const auto& [from, to] : {std::array{a, b}, std::array{b, c}, std::array{c, a}})
      expected.insert({std::min(from, to), std::max(from, to)});
  EXPECT_EQ(surface.edges, std::vector(expected.begin(), expected.end()));
}

// Both distribute the area: a triangle gives a third to each corner, and a third to each edge.
TEST(ContactSurface, AreasOfVerticesAndOfEdgesSumToThatOfTheBodies) {
  const ContactSurface surface = surface_of_two_boxes();
  const double area = 2 * (0.5 + 0.5 + 0.25) + 6 * 0.09;
  EXPECT_NEAR(sum_of(surface.areas), area, 1e-13);
  ASSERT_EQ(surface.edge_areas.size(), surface.edges.size());
  EXPECT_NEAR(sum_of(surface.edge_areas), area, 1e-13);
}

// A cube of six tetrahedra has 12 triangles of half its faces' area, 12 edges of its sides and 6 diagonals.
TEST(ContactSurface, EdgesOfACubeHaveTheirLengthsAndAThirdOfTwoTriangles) {
  ElasticModelDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, box_source({2, 2, 2}, 6))};
  const ContactSurface surface = contact_surface(*build(definition));
  std::map<long, int> count_of_length;
  for (const double length : surface.edge_lengths) ++count_of_length[std::lround(length * 1e9)];
  EXPECT_EQ(count_of_length, (std::map<long, int>{{2000000000, 12}, {std::lround(std::sqrt(8) * 1e9), 6}}));
  for (const double area : surface.edge_areas) EXPECT_NEAR(area, 2 * 2.0 / 3, 1e-14);
}

}  // namespace
}  // namespace holo::test
