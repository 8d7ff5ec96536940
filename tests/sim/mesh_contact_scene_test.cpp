// Contact between surfaces in a scene's file: what is read, what follows from it, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/sim/dynamics/potential_terms.h"

namespace holo::test {
namespace {

// Two blocks above each other; the parts of the file in question follow.
struct SceneText {
  std::string first, second, contact = "{activation_distance: 0.001}", obstacles = "[]";
  double height = 0.102;  // of the second block [m]

  std::string text() const {
    const std::string body =
        "mesh: {shape: box, size: [0.1, 0.1, 0.1], elements: 48}, material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, "
        "poissons_ratio: 0.4}, density: 1000";
    return "scene:\n  time_step: 0.01\n  duration: 0.1\n  bodies:\n    - {name: lower, " + body + first +
           "}\n    - {name: upper, " + body + ", placement: {translate: [0.01, 0.01, " + fmt::format("{}", height) + "]}" +
           second + "}\n" + (contact.empty() ? "" : "  contact: " + contact + "\n") + "  obstacles: " + obstacles + "\n";
  }
};

ElasticSceneDefinition definition_of(const SceneText& scene) {
  ConfigurationFile file = ConfigurationFile::parse(scene.text(), "scene.yaml");
  Configuration root = file.root(), section = root.section("scene");
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  ElasticSceneDefinition definition = read_elastic_scene(section, host, ElementDifferentiation::compiled);
  file.finish();
  return definition;
}

std::vector<std::string> names_of_terms(const SceneText& text) {
  std::vector<std::string> names;
  for (const auto& term : implicit_euler_terms(ElasticScene(definition_of(text)))) names.push_back(term->name());
  return names;
}

bool has_term(const SceneText& text, const std::string& name) {
  const std::vector<std::string> names = names_of_terms(text);
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The text with which a scene is refused; "" if it is not.
std::string refusal_of_scene(const SceneText& text) {
  try {
    const ElasticScene scene(definition_of(text));
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "";
}

void expect_refusal(const SceneText& text, const std::vector<std::string>& parts) {
  const std::string found = refusal_of_scene(text);
  EXPECT_EQ(found.rfind("scene.yaml:", 0), 0u) << found;
  for (const std::string& part : parts) EXPECT_NE(found.find(part), std::string::npos) << found;
}

TEST(MeshContactScene, BodiesCollideOnceThereIsASectionOrOneCollidesWithItself) {
  SceneText text;
  EXPECT_TRUE(has_term(text, "contact of surfaces"));
  EXPECT_FALSE(has_term(text, "friction of surfaces"));
  text.contact = "{between_bodies: false}";
  EXPECT_FALSE(has_term(text, "contact of surfaces"));
  text.contact = "";
  EXPECT_FALSE(has_term(text, "contact of surfaces"));
  text.first = ", self_contact: true";
  EXPECT_TRUE(has_term(text, "contact of surfaces"));
  const ElasticScene alone(definition_of(text));
  EXPECT_TRUE(alone.contact.mesh->mesh->may_collide(0, 0));
  EXPECT_FALSE(alone.contact.mesh->mesh->may_collide(0, 1) || alone.contact.mesh->mesh->may_collide(1, 1));
}

// The upper block falls on the lower one; a step that detection allows and that goes on after the contact would throw.
TEST(MeshContactScene, EachStepBetweenSurfacesIsCheckedWhereTheSceneAsksForIt) {
  SceneText text;
  text.height = 0.1015;
  text.contact = "{activation_distance: 0.001, check_paths: true}";
  const ElasticScene scene(definition_of(text));
  ASSERT_TRUE(scene.contact.mesh->check_paths);
  ElasticState state = initial_state(*scene.model);
  const Eigen::Index upper = state.velocities.size() / 2;
  for (Eigen::Index i = upper + 2; i < state.velocities.size(); i += 3) state.velocities[i] = -1;
  ImplicitEuler integrator(scene);
  double smallest_gap = 1;
  for (int step = 0; step < 5; ++step) {
    EXPECT_EQ(integrator.step(state).newton.status, NewtonStatus::converged) << step;
    smallest_gap = std::min(smallest_gap, summarize_contact(scene.contact, state.positions, state.time).smallest_gap);
  }
  EXPECT_LT(smallest_gap, 9e-4);
  text.contact = "{}";
  EXPECT_FALSE(ElasticScene(definition_of(text)).contact.mesh->check_paths);
}

TEST(MeshContactScene, FrictionIsTheGeometricMeanOfBodiesTheObstaclesOwnAndThatOfAListedPair) {
  SceneText text;
  text.first = ", friction: 0.9, self_contact: true";
  text.second = ", friction: 0.4";
  text.obstacles =
      "[{name: floor, type: mesh, mesh: {shape: box, size: [1, 1, 0.1], elements: 6}, friction: 0.3, "
      "placement: {translate: [-0.5, -0.5, -0.2]}}, {name: ground, type: plane, point: [0, 0, -3], friction: 0.8}]";
  text.contact = "{friction: {pairs: [{between: [floor, upper], coefficient: 0.05}]}}";
  const ElasticScene scene(definition_of(text));
  const MeshContact& contact = *scene.contact.mesh;
  EXPECT_EQ(contact.names, (std::vector<std::string>{"lower", "upper", "floor"}));
  EXPECT_NEAR(contact.friction_between(0, 1), 0.6, 1e-15);
  EXPECT_NEAR(contact.friction_between(0, 0), 0.9, 1e-15);
  EXPECT_EQ(contact.friction_between(0, 2), 0.3);
  EXPECT_EQ(contact.friction_between(1, 2), 0.05);
  EXPECT_EQ(contact.friction_between(2, 1), 0.05);
  EXPECT_TRUE(has_term(text, "friction of surfaces"));
  EXPECT_FALSE(contact.mesh->may_collide(2, 2));
}

// Its surface has the areas of its faces: a third of the triangles around each vertex and at each edge.
TEST(MeshContactScene, AnObstacleStandsWhereItIsPlacedWithItsAreas) {
  SceneText text;
  text.obstacles =
      "[{name: floor, type: mesh, mesh: {shape: box, size: [2, 1, 0.1], elements: 6}, placement: {translate: "
      "[0, 0, -0.5], rotate: {axis: [0, 0, 1], angle: 1.5707963267948966}}}]";
  const ElasticScene scene(definition_of(text));
  const MeshContact& contact = *scene.contact.mesh;
  const Eigen::Map<const Eigen::Matrix3Xd> x(contact.obstacle_positions.data(), 3, contact.obstacle_positions.size() / 3);
  EXPECT_LT((x.rowwise().minCoeff() - Eigen::Vector3d(-1, 0, -0.5)).norm(), 1e-12);
  EXPECT_LT((x.rowwise().maxCoeff() - Eigen::Vector3d(0, 2, -0.4)).norm(), 1e-12);
  const auto sum_from = [&](const std::vector<double>& values, const std::vector<int>& bodies) {
    double sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies[i] == 2) sum += values[i];
    return sum;
  };
  const double surface = 2 * (2 * 1 + 2 * 0.1 + 1 * 0.1);
  EXPECT_NEAR(sum_from(contact.vertex_areas, contact.mesh->vertex_bodies), surface, 1e-12);
  EXPECT_NEAR(sum_from(contact.edge_areas, contact.mesh->edge_bodies), surface, 1e-12);
  EXPECT_EQ(contact.edge_lengths.size(), contact.mesh->edges.size());
}

TEST(MeshContactSceneBadInput, BodiesThatBeginIntersectingOrTouchingAreNamed) {
  SceneText text;
  text.height = 0.09;
  expect_refusal(text, {"'lower' and 'upper' begin intersecting", "move them"});
  text.height = 0.1;
  expect_refusal(text, {"'lower' and 'upper' begin intersecting"});  // touching is intersecting
  text.height = 0.1 + 1e-15;
  expect_refusal(text, {"'lower' and 'upper' begin in contact", "rounding errors"});
  text.height = 0.1004;
  EXPECT_EQ(refusal_of_scene(text), "");  // within the activation distance
  text.obstacles = "[{name: wedge, type: mesh, mesh: {shape: sphere, radius: 0.03, elements: 50}}]";
  expect_refusal(text, {"'lower' and 'wedge' begin intersecting"});
}

TEST(MeshContactSceneBadInput, ABodyThatIsCloserToItselfThanTheActivationDistanceIsRefused) {
  SceneText text;
  text.first = ", self_contact: true";
  text.contact = "{activation_distance: 0.06}";
  text.height = 0.3;
  expect_refusal(text, {"'lower' and itself", "less than the activation distance 0.06 m"});
}

TEST(MeshContactSceneBadInput, NamesOfSurfacesThatDoNotExistOrDoNotCollide) {
  SceneText text;
  text.contact = "{friction: {pairs: [{between: [lower, uper], coefficient: 0.1}]}}";
  expect_refusal(text, {"'uper', which is neither a body nor an obstacle of type mesh", "Did you mean 'upper'?"});
  text.contact = "{friction: {pairs: [{between: [lower, lower], coefficient: 0.1}]}}";
  expect_refusal(text, {"between 'lower' and 'lower', which do not collide"});
  text.contact = "{between_bodies: false, friction: {pairs: [{between: [lower, upper], coefficient: 0.1}]}}";
  expect_refusal(text, {"but none collide"});
  text = {};
  text.obstacles = "[{name: upper, type: mesh, mesh: {shape: box, size: [1, 1, 1], elements: 6}}]";
  expect_refusal(text, {"'upper' has the name of a body"});
}

TEST(MeshContactSceneBadInput, ValuesThatCannotBeMeant) {
  const auto refused_with = [](const std::string& contact, const std::string& obstacles, const std::string& second) {
    SceneText text;
    text.contact = contact;
    text.obstacles = obstacles;
    text.second = second;
    return refusal_of_scene(text);
  };
  const auto holds = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(holds(refused_with("{}", "[]", ", friction: -1"), "friction"));
  EXPECT_TRUE(holds(refused_with("{}", "[]", ", self_contact: 3"), "self_contact"));
  EXPECT_TRUE(holds(refused_with("{between_bodies: maybe}", "[]", ""), "between_bodies"));
  EXPECT_TRUE(holds(refused_with("{check_paths: 2}", "[]", ""), "check_paths"));
  EXPECT_TRUE(holds(refused_with("{friction: {pairs: [{between: [lower]}]}}", "[]", ""), "between"));
  EXPECT_TRUE(
      holds(refused_with("{friction: {pairs: [{between: [lower, upper], coefficient: -1}]}}", "[]", ""), "coefficient"));
  EXPECT_TRUE(holds(refused_with("{}", "[{name: floor, type: mesh}]", ""), "mesh"));
  EXPECT_TRUE(holds(
      refused_with("{}", "[{name: floor, type: mesh, mesh: {shape: box, size: [1, 1, 1], elements: 6}, friction: -2}]", ""),
      "friction"));
  EXPECT_TRUE(holds(refused_with("{}",
                                 "[{name: a, type: plane, point: [0, 0, -1]}, {name: a, type: mesh, mesh: {shape: box, "
                                 "size: [1, 1, 1], elements: 6}}]",
                                 ""),
                    "two obstacles are named 'a'"));
}

}  // namespace
}  // namespace holo::test
