// Nearly rigid bodies in contact: they rest, stick, slide and are stacked as mechanics says, and never intersect.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "colliding_bodies.h"
#include "holo/sim/elastic/elastic_intersections.h"

namespace holo::test {
namespace {

constexpr double earth = 9.81, affine_reach = 1e-3;  // m/s^2, activation distance [m]

ElasticBodyDefinition affine_block(const char* name, const Vector3d& corner, const Vector3d& size = {0.1, 0.1, 0.1}) {
  ElasticBodyDefinition body = block_at(name, corner, size, 48, 1e8);
  body.deformation = Deformation::affine;
  return body;
}

// On the plane z = 0, with gravity that is tilted by the angle about y: down the slope is x.
ElasticSceneDefinition on_slope(double angle, double friction) {
  ElasticSceneDefinition definition;
  definition.time_step = 0.01;
  definition.gravity = {earth * std::sin(angle), 0, -earth * std::cos(angle)};
  definition.bodies = {affine_block("block", {0, 0, 0.9 * affine_reach})};
  definition.contact.activation_distance = affine_reach;
  definition.contact.planes.push_back({"ground", {0, 0, 0}, {0, 0, 1}, friction, {}});
  return definition;
}

ContactSummary contact_of(const CollidingBodies& bodies) {
  return summarize_contact(bodies.scene.contact, bodies.state.positions, bodies.state.time);
}

// The smallest gap of a rigid body of weight W over its center c: of the heights h = a + b x + c y of its lowest vertices, for
// which the forces A_v p(h_v) have the sum W and the moments of the weight, by Newton's method [m].
double smallest_gap_at_rest(const SceneContact& contact, const Eigen::VectorXd& points, double weight, const Vector3d& center) {
  Eigen::Vector3d height(0.7 * contact.barrier.distance, 0, 0);
  double smallest = 0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    Eigen::Vector3d residual = -weight * Eigen::Vector3d(1, center[0], center[1]);
    Eigen::Matrix3d slope = Eigen::Matrix3d::Zero();
    smallest = contact.barrier.distance;
    for (std::size_t i = 0; i < contact.surface->vertices.size(); ++i) {
      const Eigen::Vector3d x = points.segment<3>(3 * contact.surface->vertices[i]), shape(1, x[0], x[1]);
      if (x[2] > 0.01) continue;
      const double gap = height.dot(shape);
      const ScalarDerivatives B = barrier_energy(contact.barrier, gap);
      residual -= contact.surface->areas[i] * B.first * shape;
      slope -= contact.surface->areas[i] * B.second * shape * shape.transpose();
      smallest = std::min(smallest, gap);
    }
    height -= slope.inverse() * residual;
  }
  return smallest;
}

// The rule of the stiffness is that of the weight: the material's modulus does not count.
TEST(AffineContact, ARestingBlockIsCarriedByItsWeightAtTheGapOfARigidBody) {
  CollidingBodies bodies(on_slope(0, 0), 1e-12);
  EXPECT_NEAR(bodies.scene.contact.barrier.stiffness, 3 * 100 * earth / (1.2 * affine_reach), 1e-6);
  bodies.run(300);
  const double weight = bodies.mass(0) * earth;
  EXPECT_NEAR(contact_of(bodies).normal_force, weight, 1e-6 * weight);
  const Eigen::VectorXd points = bodies.scene.contact.surface->points(bodies.state.positions);
  const double expected = smallest_gap_at_rest(bodies.scene.contact, points, weight, bodies.center(0));
  EXPECT_NEAR(contact_of(bodies).smallest_gap, expected, 1e-5 * affine_reach);
  EXPECT_GT(contact_of(bodies).touching_vertices, 4);
}

// a = g (sin - mu cos) after the block has settled.
TEST(AffineContact, ABlockSlidesDownASlopeThatIsSteeperThanItsFriction) {
  const double angle = 20 * M_PI / 180;
  for (const double ratio : {0.8, 0.95}) {
    const double friction = ratio * std::tan(angle);
    CollidingBodies bodies(on_slope(angle, friction));
    bodies.run(60);
    const double before = bodies.velocity(0)[0];
    bodies.run(100);
    EXPECT_NEAR(bodies.velocity(0)[0] - before, earth * (std::sin(angle) - friction * std::cos(angle)),
                2e-3 * earth * std::sin(angle))
        << ratio;
  }
}

// The force that holds the block is mu N (2 y - y^2) at the creeping speed y stick_speed.
TEST(AffineContact, ABlockCreepsDownASlopeThatIsFlatterThanItsFriction) {
  const double angle = 20 * M_PI / 180, stick_speed = 0.01;
  for (const double ratio : {1.05, 1.5}) {
    ElasticSceneDefinition definition = on_slope(angle, ratio * std::tan(angle));
    definition.contact.stick_speed = stick_speed;
    definition.contact.friction_law = FrictionLaw::quadratic;
    CollidingBodies bodies(definition);
    bodies.run(200);
    EXPECT_NEAR(bodies.velocity(0)[0], stick_speed * (1 - std::sqrt(1 - 1 / ratio)), 2e-5) << ratio;
  }
}

// A smaller block on a larger one, with meshes that do not match: both stay, and the contacts carry both weights.
TEST(AffineContact, TwoBlocksStayOnEachOther) {
  ElasticSceneDefinition definition = on_slope(0, 0.5);
  definition.bodies.push_back(affine_block("upper", {0.012, 0.017, 0.1 + 1.8 * affine_reach}, {0.07, 0.06, 0.05}));
  definition.bodies[0].friction = definition.bodies[1].friction = 0.5;
  definition.contact.between_bodies = true;
  CollidingBodies bodies(definition);
  const Vector3d lower = bodies.center(0), upper = bodies.center(1);
  bodies.run(100);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(bodies.center(0)[i], lower[i], i == 2 ? affine_reach : 5e-5);
    EXPECT_NEAR(bodies.center(1)[i], upper[i], i == 2 ? 2 * affine_reach : 5e-5);
    EXPECT_LT(std::abs(bodies.velocity(1)[i]), 1e-5);
  }
  const double expected = (bodies.mass(0) + 2 * bodies.mass(1)) * earth;
  EXPECT_NEAR(contact_of(bodies).normal_force, expected, 1e-3 * expected);
}

// On its corner, onto another affine block and an obstacle; also the test of each step of a study finds nothing.
TEST(AffineContact, ATurnedBlockThatDropsNeverIntersects) {
  ElasticSceneDefinition definition;
  definition.time_step = 0.005;
  definition.bodies = {affine_block("lower", {0, 0, 2 * affine_reach}), affine_block("dropped", {0.03, 0.02, 0.25})};
  definition.bodies[1].rotation_axis = {0.6, 0.8, 0};
  definition.bodies[1].rotation_angle = 0.7;
  definition.bodies[1].velocity = {0.2, 0.1, -3};
  definition.bodies[1].angular_velocity = {2, -1, 4};
  for (ElasticBodyDefinition& body : definition.bodies) body.friction = 0.4;
  definition.contact.between_bodies = true;
  definition.contact.activation_distance = affine_reach;
  MeshObstacleDefinition floor;
  floor.name = "floor";
  floor.mesh = box_source({1, 1, 0.1}, 24);
  floor.translation = {-0.45, -0.47, -0.1};
  floor.friction = 0.4;
  definition.contact.meshes = {floor};
  CollidingBodies bodies(definition);
  const ElasticIntersections exact(bodies.scene.model, bodies.scene.contact);
  double force = 0;
  for (int n = 0; n < 120; ++n) {
    bodies.run(1);
    ASSERT_EQ(exact.find(bodies.state.positions, bodies.state.time).count(), 0) << n;
    ASSERT_GT(contact_of(bodies).smallest_gap, 0) << n;
    force = std::max(force, contact_of(bodies).normal_force);
  }
  EXPECT_GT(force, 10 * bodies.mass(1) * earth);
}

TEST(AffineContact, IntersectionsAreThoseOfTheSurfaceAndNotOfTheOneTetrahedron) {
  ElasticSceneDefinition definition = on_slope(0, 0);
  definition.bodies.push_back(affine_block("upper", {0, 0, 0.11}));
  definition.contact.between_bodies = true;
  const ElasticScene scene(definition);
  const ElasticIntersections exact(scene.model, scene.contact);
  Eigen::VectorXd x = scene.model->start_positions();
  EXPECT_EQ(exact.find(x, 0).count(), 0);
  for (int v = 4; v < 8; ++v) x[3 * v + 2] -= 0.0105;  // the tetrahedra are still apart, the boxes are not
  const FoundIntersections found = exact.find(x, 0);
  EXPECT_GT(found.of_surfaces.size(), 0u);
  EXPECT_TRUE(found.below_planes.empty());
  EXPECT_NE(exact.describe(found, x, 0).find("'upper'"), std::string::npos) << exact.describe(found, x, 0);
  for (int v = 0; v < 4; ++v) x[3 * v + 2] -= 0.01;
  const FoundIntersections below = exact.find(x, 0);
  EXPECT_EQ(below.below_planes.size(), 9u);  // the bottom of 2 x 2 cells
  EXPECT_NE(exact.describe({{}, below.below_planes}, x, 0).find("a vertex of 'block'"), std::string::npos);
}

}  // namespace
}  // namespace holo::test
