// Intersections of the bodies of a scene: which are counted, which contact is to prevent, and how messages name them.
#include "holo/sim/elastic/elastic_intersections.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "holo/core/error.h"
#include "refusal_message.h"
#include "scenes.h"

namespace holo::test {
namespace {

// Two boxes of 1 m beside each other, `gap` apart along x, 0.5 m above a plane; their meshes are different.
ElasticSceneDefinition two_boxes_above_a_plane(double gap) {
  ElasticSceneDefinition definition;
  for (const int elements : {160, 60})
    definition.bodies.push_back(hand_body(HandEnergy::stable, box_source({1, 1, 1}, elements)));
  definition.bodies[0].name = "left";
  definition.bodies[1].name = "right";
  definition.bodies[0].translation = {0, 0, 0.5};
  definition.bodies[1].translation = {1 + gap, 0.013, 0.517};
  definition.contact.planes.push_back({"ground", {0, 0, 0}, {0, 0, 1}, 0, {}});
  return definition;
}

struct IntersectionsOfBoxes {
  explicit IntersectionsOfBoxes(const ElasticSceneDefinition& definition)
      : scene(definition), test(scene.model, scene.contact) {}
  explicit IntersectionsOfBoxes(double gap) : IntersectionsOfBoxes(two_boxes_above_a_plane(gap)) {}
  // Positions of the scene with the body moved.
  Eigen::VectorXd moved(std::size_t body, const Eigen::Vector3d& by) const {
    Eigen::VectorXd positions = scene.model->start_positions();
    const ElasticBody& of = scene.model->bodies()[body];
    for (int v = of.first_vertex; v < of.first_vertex + of.vertex_count; ++v) positions.segment<3>(3 * v) += by;
    return positions;
  }
  // Positions with the corner of the left box at its minimum moved out of the opposite corner.
  Eigen::VectorXd turned_inside_out() const {
    Eigen::VectorXd positions = scene.model->start_positions();
    Eigen::Index corner = 0;
    for (Eigen::Index v = 0; v < positions.size() / 3; ++v)
      if (positions.segment<3>(3 * v).sum() < positions.segment<3>(3 * corner).sum()) corner = v;
    positions.segment<3>(3 * corner) += Eigen::Vector3d(1.3, 1.21, 1.17);
    return positions;
  }
  Eigen::VectorXd shifted(double x, double z) const {
    Eigen::VectorXd positions = scene.model->start_positions();
    for (Eigen::Index i = 0; i < positions.size(); i += 3) positions[i] += x, positions[i + 2] += z;
    return positions;
  }
  std::string text(const Eigen::VectorXd& positions) const { return test.describe(test.find(positions, 0), positions, 0); }

  ElasticScene scene;
  ElasticIntersections test;
};

TEST(ElasticIntersections, AreThoseOfTwoBodiesThatOverlapAndNoneOfBodiesThatDoNot) {
  const IntersectionsOfBoxes apart(1e-9), overlapping(-0.1);
  EXPECT_EQ(apart.test.find(apart.scene.model->start_positions(), 0).count(), 0);
  const Eigen::VectorXd& positions = overlapping.scene.model->start_positions();
  const FoundIntersections found = overlapping.test.find(positions, 0);
  ASSERT_GT(found.of_surfaces.size(), 3u);
  EXPECT_TRUE(found.below_planes.empty());
  for (const EdgeTriangleIntersection& each : found.of_surfaces) EXPECT_NE(each.edge_body, each.triangle_body);
  EXPECT_EQ(overlapping.test.prevented(found).count(), 0) << "no contact keeps bodies apart";
  const std::string text = overlapping.text(positions);
  for (const char* part : {"an edge of '", "meets the triangle of '", "'left'", "'right'", "with the corners [", "; and "})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST(ElasticIntersections, AreThoseOfABodyThatPassesThroughItself) {
  const IntersectionsOfBoxes boxes(1);
  const Eigen::VectorXd positions = boxes.turned_inside_out();
  const FoundIntersections found = boxes.test.find(positions, 0);
  ASSERT_GT(found.count(), 0);
  for (const EdgeTriangleIntersection& each : found.of_surfaces) {
    EXPECT_EQ(each.edge_body, 0);
    EXPECT_EQ(each.triangle_body, 0);
  }
}

TEST(ElasticIntersections, WithAPlaneAreTheVerticesOfSurfacesOnOrBelowIt) {
  const IntersectionsOfBoxes boxes(1);
  EXPECT_EQ(boxes.test.find(boxes.shifted(0, -0.499), 0).count(), 0);
  for (const double depth : {0.5, 0.9}) {
    const Eigen::VectorXd positions = boxes.shifted(0, -depth);
    int below = 0;
    for (const int vertex : boxes.scene.contact.surface->vertices) below += positions[3 * vertex + 2] <= 0;
    const FoundIntersections found = boxes.test.find(positions, 0);
    EXPECT_GT(below, 0);
    EXPECT_EQ(found.count(), below);
    EXPECT_EQ(boxes.test.prevented(found).count(), below);
  }
  // Vertices inside of a body may be anywhere: elements show that they are inverted.
  Eigen::VectorXd positions = boxes.scene.model->start_positions();
  const auto& of_surface = boxes.scene.contact.surface->vertices;
  int inner = 0;
  while (std::binary_search(of_surface.begin(), of_surface.end(), inner)) ++inner;
  ASSERT_LT(inner, boxes.scene.model->vertex_count());
  positions[3 * inner + 2] = -3;
  EXPECT_EQ(boxes.test.find(positions, 0).count(), 0);
  positions = boxes.scene.model->start_positions();
  positions.segment<3>(3 * of_surface.back()) = Eigen::Vector3d(9, 8, -7);
  const std::string text = boxes.test.describe(boxes.test.prevented(boxes.test.find(positions, 0)), positions, 0);
  EXPECT_NE(text.find("a vertex of 'right' at [9, 8, -7] lies in the obstacle 'ground'"), std::string::npos) << text;
}

TEST(ElasticIntersections, OfSurfacesThatCollideAreThoseThatContactPrevents) {
  ElasticSceneDefinition definition = two_boxes_above_a_plane(0.5);
  definition.contact.between_bodies = true;
  definition.bodies[0].self_contact = true;
  const IntersectionsOfBoxes boxes(definition);
  const FoundIntersections crossing = boxes.test.find(boxes.moved(1, {-0.8, 0, 0}), 0),
                           inside_out = boxes.test.find(boxes.turned_inside_out(), 0);
  EXPECT_GT(crossing.count(), 0);
  EXPECT_EQ(boxes.test.prevented(crossing).count(), crossing.count());
  EXPECT_GT(inside_out.count(), 0);
  EXPECT_EQ(boxes.test.prevented(inside_out).count(), inside_out.count());
  definition.bodies[0].self_contact = false;
  EXPECT_EQ(IntersectionsOfBoxes(definition).test.prevented(inside_out).count(), 0);
}

// Two obstacles that overlap, which is allowed; a body moves into one of them.
TEST(ElasticIntersections, WithObstaclesThatAreMeshesAreThoseOfTheirSurfaces) {
  ElasticSceneDefinition definition = two_boxes_above_a_plane(0.5);
  for (const double x : {4.0, 4.5}) {
    MeshObstacleDefinition wall;
    wall.name = x == 4 ? "wall" : "pillar";
    wall.mesh = box_source({1, 1, 2}, 48);
    wall.translation = {x, 0.1, 0};
    definition.contact.meshes.push_back(wall);
  }
  const IntersectionsOfBoxes boxes(definition);
  EXPECT_EQ(boxes.test.find(boxes.scene.model->start_positions(), 0).count(), 0);
  const Eigen::VectorXd positions = boxes.moved(1, {1.8, 0, 0});  // to 0.3 m inside the wall
  const FoundIntersections found = boxes.test.find(positions, 0);
  ASSERT_GT(found.count(), 0);
  EXPECT_EQ(boxes.test.prevented(found).count(), found.count());
  const std::string text = boxes.text(positions);
  for (const char* part : {"'right'", "'wall'"}) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  EXPECT_EQ(text.find("'pillar'"), std::string::npos) << text;
}

TEST(ElasticIntersectionsBadInput, PositionsThatAreNotFiniteAreRefusedWithTheVertex) {
  const IntersectionsOfBoxes boxes(1);
  Eigen::VectorXd positions = boxes.scene.model->start_positions();
  positions[3 * 4 + 1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message([&] { boxes.test.find(positions, 0); }),
            "Coordinate 1 of the vertex 4 of a surface is nan; finite numbers up to 2^300 are allowed.");
}

}  // namespace
}  // namespace holo::test
