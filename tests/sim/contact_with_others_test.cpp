// Contact of bodies with obstacles and with each other, apart from that with themselves.
#include "holo/sim/contact/contact_with_others.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/sim/dynamics/elastic_scene.h"
#include "scenes.h"

namespace holo::test {
namespace {

constexpr double activation = 0.01, far = 2.5 * activation;  // m

// A block above a plane, and one beside it, which are both 1 m away; both collide with themselves.
ElasticSceneDefinition block_and_neighbor() {
  ElasticSceneDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, box_source({0.4, 0.4, 0.4}, 48)),
                       hand_body(HandEnergy::stable, box_source({0.4, 0.4, 0.4}, 48))};
  definition.bodies[0].name = "block";
  definition.bodies[0].translation = {0, 0, 1};
  definition.bodies[1].name = "neighbor";
  definition.bodies[1].translation = {1.4, 0, 1};
  definition.bodies[0].self_contact = definition.bodies[1].self_contact = true;
  definition.contact.between_bodies = true;
  definition.contact.activation_distance = activation;
  definition.contact.planes = {{.name = "ground", .friction = 0.5, .location = {}}};
  return definition;
}

struct Scene {
  ElasticScene scene{block_and_neighbor()};
  Eigen::VectorXd x = scene.model->start_positions();

  ContactWithOthers others() const { return contact_with_others(scene.contact, x, 0, far); }
  ContactSummary all() const { return summarize_contact(scene.contact, x, 0); }
  void shift(std::size_t body, const Eigen::Vector3d& by) {
    const ElasticBody& moved = scene.model->bodies()[body];
    for (int v = moved.first_vertex; v < moved.first_vertex + moved.vertex_count; ++v) x.segment<3>(3 * v) += by;
  }
};

TEST(ContactWithOthers, ABodyThatTouchesItselfTouchesNothing) {
  Scene s;
  const ElasticBody& block = s.scene.model->bodies()[0];
  for (int v = block.first_vertex; v < block.first_vertex + block.vertex_count; ++v)
    s.x[3 * v + 2] = 1 + 0.01 * (s.x[3 * v + 2] - 1);  // 4 mm thick
  EXPECT_GT(s.all().touching_vertices, 0);
  EXPECT_LT(s.all().smallest_gap, activation);
  EXPECT_EQ(s.others().touching_vertices, 0);
  EXPECT_NEAR(s.others().smallest_gap, 1, 1e-12);  // to the ground
}

TEST(ContactWithOthers, IsThatWithPlanesAndOtherBodies) {
  Scene s;
  s.shift(0, {0, 0, -1 + 0.004});
  EXPECT_NEAR(s.others().smallest_gap, 0.004, 1e-12);
  EXPECT_EQ(s.others().touching_vertices, s.all().touching_vertices);
  EXPECT_GE(s.others().touching_vertices, 4);
  // Near each other, but farther than the activation distance, and then within it.
  s = Scene();
  s.shift(1, {-1 + 2 * activation, 0.013, 0.017});
  EXPECT_NEAR(s.others().smallest_gap, 2 * activation, 1e-12);
  EXPECT_EQ(s.others().touching_vertices, 0);
  s.shift(1, {-1.5 * activation, 0, 0});
  EXPECT_NEAR(s.others().smallest_gap, 0.5 * activation, 1e-12);
  EXPECT_EQ(s.others().touching_vertices, s.all().touching_vertices);
  EXPECT_GT(s.others().touching_vertices, 0);
  // Farther than asked for, only the ground counts.
  s.shift(1, {2.5 * activation, 0, 0});
  EXPECT_NEAR(s.others().smallest_gap, 1, 1e-12);
}

}  // namespace
}  // namespace holo::test
