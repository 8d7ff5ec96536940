// Obstacles that are spheres, capsules, cylinders and boxes: bodies collide with them by faces, edges and vertices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "colliding_bodies.h"
#include "holo/sim/elastic/elastic_intersections.h"
#include "refusal_message.h"
#include "term_checks.h"

namespace holo::test {
namespace {

MeshObstacleDefinition shaped(const char* name, const ObstacleShape& shape) {
  MeshObstacleDefinition obstacle;
  obstacle.name = name;
  obstacle.shape = [shape] { return shape; };
  obstacle.friction = 0.4;
  return obstacle;
}

// A block of 0.1 m of which only corners are vertices, that falls, and obstacles below it.
ElasticSceneDefinition falling_block(const std::vector<MeshObstacleDefinition>& obstacles, double speed) {
  ElasticSceneDefinition scene;
  scene.time_step = 0.01;
  scene.bodies = {block_at("block", {0, 0, 0}, {0.1, 0.1, 0.1}, 6, 1e5)};
  scene.bodies[0].velocity = {0, 0, -speed};
  scene.contact.activation_distance = 2e-3;
  scene.contact.meshes = obstacles;
  return scene;
}

std::int64_t in_obstacles(const CollidingBodies& bodies) {
  const ElasticIntersections test(bodies.scene.model, bodies.scene.contact);
  return test.prevented(test.find(bodies.state.positions, bodies.state.time)).count();
}

// Each obstacle is thinner than the block, below the inside of a face, and taller than the way of a step.
TEST(ShapedObstacle, NoRodEntersAFaceWhoseVerticesAreFar) {
  const std::vector<ObstacleShape> shapes = {
      capsule_obstacle({0.03, 0.05, -0.5}, {0.03, 0.05, -0.02}, 0.01),  // upright, below a triangle
      capsule_obstacle({-0.3, 0.03, -0.02}, {0.3, 0.04, -0.02}, 0.01),  // lying across
      sphere_obstacle({0.04, 0.06, -0.04}, 0.03), cylinder_obstacle({0.03, 0.05, -0.5}, {0.03, 0.05, -0.01}, 0.01, 16)};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    CollidingBodies bodies(falling_block({shaped("rod", shapes[i])}, 1), 1e-7);
    double force = 0;
    for (int n = 0; n < 8; ++n) {
      ASSERT_EQ(bodies.integrator.step(bodies.state).newton.status, NewtonStatus::converged) << i;
      EXPECT_EQ(in_obstacles(bodies), 0) << i << " " << n;
      const ContactSummary summary = summarize_contact(bodies.scene.contact, bodies.state.positions, bodies.state.time);
      EXPECT_GT(summary.smallest_gap, 0) << i << " " << n;
      force = std::max(force, summary.normal_force);
    }
    EXPECT_GT(force, 5) << i;  // half of its weight
  }
}

// The top of a ball that turns about y moves along x, and the ball stays in its place: v = mu g t.
TEST(ShapedObstacle, ABallThatTurnsDragsABodyByFriction) {
  ElasticSceneDefinition definition = falling_block({shaped("ball", sphere_obstacle({0.05, 0.05, -0.501}, 0.5))}, 0);
  definition.bodies[0].mesh = box_source({0.1, 0.1, 0.1}, 48);
  definition.bodies[0].stiffness_damping = 0.01;
  definition.contact.lag_updates = 2;
  definition.contact.stick_speed = 1e-3;
  MotionDefinition& motion = definition.contact.meshes[0].motion;
  motion.kind = MotionDefinition::Kind::rotation;
  motion.axis = {0, 1, 0};
  motion.center = {0.05, 0.05, -0.501};
  motion.angle = 2;
  CollidingBodies bodies(definition, 1e-8);
  double impulse = 0;  // of the normal forces [N s]
  for (int n = 0; n < 6; ++n) {
    ASSERT_EQ(bodies.integrator.step(bodies.state).newton.status, NewtonStatus::converged) << n;
    impulse += 0.01 * summarize_contact(bodies.scene.contact, bodies.state.positions, bodies.state.time).normal_force;
  }
  EXPECT_GT(impulse, 0.2);
  EXPECT_NEAR(bodies.velocity(0)[0], 0.4 * impulse / bodies.mass(0), 0.1 * impulse / bodies.mass(0));
  EXPECT_NEAR(bodies.velocity(0)[1], 0, 0.02);
}

// The sum over triangles, of which each counts with its closest point, is nearly the integral of B over both faces of a plate
// above the sphere. Triangles of 0.02 m make the sum 1.20 times the integral, those of 0.01 m 1.10 times.
TEST(ShapedObstacle, EnergyOfASphereIsThatOfTheSurfaceNearIt) {
  ElasticSceneDefinition definition;
  definition.bodies = {block_at("plate", {-0.4, -0.4, 0}, {0.8, 0.8, 0.02}, 9600, 1e5)};
  definition.contact.activation_distance = 0.1;
  definition.contact.stiffness = 1e5;
  const double radius = 0.3, gap = 0.02;
  definition.contact.meshes = {shaped("ball", sphere_obstacle({0.003, 0.001, -radius - gap}, radius))};
  const ElasticScene scene(definition);
  MeshBarrier barrier(scene.contact.mesh, scene.contact.barrier);
  double expected = 0;
  const double ring = 1e-4;
  for (const double height : {gap, gap + 0.02})
    for (double rho = ring / 2; rho < 0.4; rho += ring)
      expected += 2 * std::numbers::pi * rho * ring *
                  barrier_energy(scene.contact.barrier, std::hypot(rho, radius + height) - radius).value;
  const double energy = barrier.energy(scene.model->start_positions());
  EXPECT_GT(energy, 1.1 * expected);
  EXPECT_LT(energy, 1.25 * expected);
}

// A disturbed block above a sphere and a capsule that moves.
struct RoundTerms {
  RoundTerms() : elastic(definition()) {
    PotentialTerms terms = implicit_euler_terms(elastic);
    friction = std::move(terms.back());
    barrier = std::move(terms[terms.size() - 2]);
    const ElasticState state = initial_state(*elastic.model);
    at.lagged_at = at.start_positions = disturbed(state.positions, 0.002, 1);
    at.start_velocities = disturbed(state.velocities, 1, 2);
    at.x = disturbed(at.start_positions, 0.002, 3);
  }
  static ElasticSceneDefinition definition() {
    MeshObstacleDefinition ball = shaped("ball", sphere_obstacle({0.02, 0.07, -0.06}, 0.04)),
                           bar = shaped("bar", capsule_obstacle({-0.3, 0.013, -0.035}, {0.06, 0.024, -0.041}, 0.02));
    bar.motion.kind = MotionDefinition::Kind::keyframes;
    bar.motion.axis = {0.6, 0.8, 0};
    bar.motion.center = {0, 0.02, -0.04};
    bar.motion.keyframes = {{0, {}, 0}, {0.01, {0.002, 0.001, 0.002}, 0.03}};
    ElasticSceneDefinition scene = falling_block({ball, bar}, 0);
    scene.bodies[0].mesh = box_source({0.1, 0.1, 0.1}, 48);
    scene.contact.activation_distance = 0.04;
    scene.contact.stiffness = 1e6;
    scene.contact.shape = BarrierShape::smooth;
    scene.contact.stick_speed = 10;
    return scene;
  }
  ElasticScene elastic;
  std::unique_ptr<PotentialTerm> barrier, friction;
  TermPoint at;
};

TEST(ShapedObstacle, TermsOfRoundObstaclesHaveTheDerivativesOfTheirEnergies) {
  RoundTerms terms;
  const ElasticModel& model = *terms.elastic.model;
  const double h = 1e-6, time_step = terms.elastic.integration.time_step;
  for (PotentialTerm* term : {terms.barrier.get(), terms.friction.get()}) {
    terms.at.parameters = term->parameters();
    terms.at.apply(*term, time_step);
    const Eigen::VectorXd gradient = gradient_of(*term, terms.at.x), d = random_columns(terms.at.x.size(), 1, 12);
    ASSERT_GT(gradient.norm(), 0.01) << term->name();
    const double slope = difference([&](double t) { return term->energy(terms.at.x + t * d); }, h);
    EXPECT_NEAR(gradient.dot(d), slope, 1e-8 * gradient.norm() * d.norm()) << term->name();
    const Eigen::VectorXd bend = difference([&](double t) { return gradient_of(*term, terms.at.x + t * d); }, h);
    const Eigen::VectorXd product = hessian_of(*term, model, terms.at.x, Curvature::exact) * d;
    EXPECT_LT((product - bend).norm(), 1e-8 * product.norm()) << term->name();
    EXPECT_LT(adjoint_hessian_error(*term, model, terms.at, time_step, h), 1e-8) << term->name();
    const DerivativeCheck lag = check_lag_derivative(*term, terms.at, time_step, h),
                          start = check_start_gradient(*term, terms.at, time_step, h);
    EXPECT_LE(lag.error, 1e-8 * lag.size) << term->name();
    EXPECT_LE(start.error, 1e-8 * start.size) << term->name();
  }
  const auto& force = dynamic_cast<MeshFriction&>(*terms.friction);
  ActivePairs pairs(terms.elastic.contact.mesh, terms.elastic.contact.barrier.distance);
  pairs.begin_step(0, time_step);
  double expected = 0;
  for (const ActivePair& pair : pairs.at(terms.at.lagged_at)) expected += normal_force(pair, terms.elastic.contact.barrier);
  EXPECT_NEAR(force.normal_force(), expected, 1e-12 * expected);
}

// Points of the triangle and of the obstacle, at random, are never closer than the distance that the test finds.
TEST(ShapedObstacle, TrianglesInRoundObstaclesAreThoseWithAPointThere) {
  int found = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    std::vector<double> x(9);
    for (std::size_t k = 0; k < 9; ++k) x[k] = wiggle(100 * i + k);
    RoundObstacle obstacle{};
    for (std::size_t k = 0; k < 3; ++k) {
      obstacle.start[k] = wiggle(100 * i + 20 + k);
      obstacle.end[k] = i % 3 == 0 ? obstacle.start[k] : wiggle(100 * i + 30 + k);
    }
    double nearest = 9;
    for (int a = 0; a <= 40; ++a)
      for (int b = 0; a + b <= 40; ++b)
        for (int c = 0; c <= 40; ++c) {
          double square = 0;
          for (std::size_t k = 0; k < 3; ++k) {
            const double of_triangle = (a * x[k] + b * x[3 + k] + (40 - a - b) * x[6 + k]) / 40,
                         of_segment = ((40 - c) * obstacle.start[k] + c * obstacle.end[k]) / 40;
            square += (of_triangle - of_segment) * (of_triangle - of_segment);
          }
          nearest = std::min(nearest, std::sqrt(square));
        }
    const std::vector<std::array<int, 3>> triangles = {{0, 1, 2}};
    const auto count = [&](double radius) {
      obstacle.radius = radius;
      return find_triangles_in({x, triangles, {}}, std::span(&obstacle, 1)).size();
    };
    EXPECT_EQ(count(nearest * (1 + 1e-9)), 1u) << i;
    if (nearest > 0.15) {  // samples are up to 0.1 from each other
      EXPECT_EQ(count(nearest - 0.1), 0u) << i;
      ++found;
    }
  }
  EXPECT_GT(found, 100);
}

double volume_of(const ObstacleShape& shape) {
  double sum = 0;
  for (const auto& [a, b, c] : shape.triangles) {
    const auto at = [&](int v) { return Eigen::Vector3d(shape.vertices[static_cast<std::size_t>(v)].data()); };
    sum += at(a).dot(at(b).cross(at(c))) / 6;
  }
  return sum;
}

// Volumes are signed: the triangles look outwards.
TEST(ShapedObstacle, CylindersAndBoxesAreClosedSurfacesOfTheirVolumes) {
  const double radius = 0.3, length = std::sqrt(0.04 + 0.09 + 0.36);
  const ObstacleShape cylinder = cylinder_obstacle({1, 2, 3}, {1.2, 2.3, 3.6}, radius, 12);
  EXPECT_NEAR(volume_of(cylinder), 12 * radius * radius * std::tan(std::numbers::pi / 12) * length, 1e-12);
  EXPECT_EQ(edges_of(cylinder.triangles).size() * 2, cylinder.triangles.size() * 3);
  const ObstacleShape box = box_obstacle({0.2, 0.3, 0.4});
  EXPECT_NEAR(volume_of(box), 0.024, 1e-15);
  EXPECT_EQ(box.triangles.size(), 12u);
}

ElasticScene scene_with(const std::string& obstacle) {
  ConfigurationFile file = ConfigurationFile::parse(
      "scene:\n  time_step: 0.01\n  duration: 0.1\n  bodies:\n    - {name: block, mesh: {shape: box, size: [0.1, 0.1, 0.1], "
      "elements: 6}, material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.4}, density: 1000}\n"
      "  obstacles:\n    - {name: thing, friction: 0.2, " +
          obstacle + "}\n",
      "scene.yaml");
  Configuration root = file.root(), section = root.section("scene");
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  const ElasticSceneDefinition definition = read_elastic_scene(section, host, ElementDifferentiation::compiled);
  file.finish();
  return ElasticScene(definition);
}

TEST(ShapedObstacle, AreReadFromAScene) {
  const ElasticScene sphere = scene_with("type: sphere, center: [0, 0, -1], radius: 0.5, placement: {translate: [0, 0, -1]}");
  EXPECT_EQ(sphere.contact.mesh->mesh->radius_of(1), 0.5);
  EXPECT_EQ(sphere.contact.mesh->obstacle_positions, Eigen::Vector3d(0, 0, -2));
  EXPECT_EQ(sphere.contact.mesh->friction_between(0, 1), 0.2);
  const ElasticScene capsule = scene_with("type: capsule, start: [-1, 0, -1], end: [1, 0, -1], radius: 0.1");
  EXPECT_EQ(capsule.contact.mesh->mesh->edges.size(), 19u);  // 18 of the block
  const ElasticScene cylinder = scene_with("type: cylinder, start: [0, 0, -1], end: [1, 0, -1], radius: 0.1, sides: 8");
  EXPECT_EQ(cylinder.contact.mesh->mesh->triangles.size(), 12u + 32u);
  const ElasticScene box = scene_with("type: box, size: [1, 1, 1], placement: {translate: [0, 0, -1.1]}");
  EXPECT_EQ(box.contact.mesh->mesh->triangles.size(), 24u);
}

TEST(ShapedObstacleBadInput, ValuesThatMakeNoShapeAreRefusedWithTheirPlace) {
  const std::array<std::array<const char*, 2>, 7> cases = {
      {{"type: sphere, center: [0, 0, -1], radius: 0", "'scene.obstacles.0.radius' must be a number > 0 m"},
       {"type: capsule, start: [0, 0, -1], end: [0, 0, -1], radius: 0.1", "start and end are the same point"},
       {"type: capsule, start: [0, 0, -1], end: [0, 1, -1], radius: -1", "'scene.obstacles.0.radius' must be a number > 0 m"},
       {"type: cylinder, start: [0, 0, -1], end: [0, 1, -1], radius: 0.1, sides: 2", "'scene.obstacles.0.sides'"},
       {"type: cylinder, start: [0, 0, -1], end: [0, 0, -1], radius: 0.1", "start and end are the same point"},
       {"type: box, size: [1, 0, 1]", "a box needs three lengths above 0 m"},
       {"type: cone", "cone"}}};
  for (const auto& [obstacle, expected] : cases) {
    const std::string text = message([&, wrong = obstacle] { scene_with(wrong); });
    EXPECT_EQ(text.rfind("scene.yaml:", 0), 0u) << text;
    EXPECT_NE(text.find(expected), std::string::npos) << text;
  }
}

TEST(ShapedObstacleBadInput, ABodyThatBeginsInARoundObstacleIsRefused) {
  const std::string text = message([&] { scene_with("type: sphere, center: [0.05, 0.05, -0.4], radius: 0.43"); });
  EXPECT_NE(text.find("'thing' and 'block' begin intersecting"), std::string::npos) << text;
  EXPECT_NE(text.find(" m into the round obstacle"), std::string::npos) << text;
}

}  // namespace
}  // namespace holo::test
