#include "holo/sim/dynamics/elastic_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <regex>

#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/elastic/elastic_observations.h"
#include "holo/sim/elastic/elastic_scene_definition.h"
#include "holo/sim/elastic/elastic_state.h"
#include "holo/sim/elastic/element_fields.h"
#include "scenes.h"

namespace holo::test {
namespace {

PluginHost host() { return PluginHost({HOLO_BINARY_DIR "/plugins"}); }

const std::string good = R"(scene:
  time_step: 0.01
  duration: 0.5
  gravity: [0, 0, -5]
  bodies:
    - name: bar
      mesh: {shape: box, size: [1, 0.5, 0.5], elements: 100}
      density: 500
      material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      placement: {translate: [0, 0, 1], rotate: {axis: [0, 0, 2], angle: 1.5707963267948966}}
      initial: {velocity: [1, 0, 0], angular_velocity: [0, 0, 3]}
      damping: {mass_proportional: 0.1, stiffness_proportional: 0.002}
      handles:
        - {subset: {box: {max: [9, 0.01, 9]}}, motion: {type: sinusoid, amplitude: [0, 0, 0.2], period: 2}, release_time: 0.25}
        - {subset: {sphere: {center: [0, 1, 1], radius: 0.1}}}
)";

struct Result {
  ElasticSceneDefinition scene;
  std::string problems;  // "" for none
};

Result read(const std::string& yaml, ElementDifferentiation mode = ElementDifferentiation::compiled) {
  ConfigurationFile file = ConfigurationFile::parse(yaml, "scene.yaml");
  Result result;
  Configuration root = file.root(), section = root.section("scene");
  result.scene = read_elastic_scene(section, host(), mode);
  try {
    file.finish();
  } catch (const Error& error) {
    result.problems = error.what();
  }
  return result;
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = good;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// Reads and builds; the text of what was refused, which must begin with the place.
std::string refusal(const std::string& yaml, int line) {
  std::string text;
  const Result result = read(yaml);
  text = result.problems;
  if (text.empty()) {
    try {
      const ElasticScene scene(result.scene);
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      text = error.what();
    }
  }
  EXPECT_NE(text.find("scene.yaml:" + std::to_string(line) + ":"), std::string::npos) << text;
  return text;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ElasticScene, EveryKeyArrives) {
  const Result result = read(good);
  ASSERT_EQ(result.problems, "");
  const ElasticSceneDefinition& scene = result.scene;
  EXPECT_EQ(scene.time_step, 0.01);
  EXPECT_EQ(scene.step_count(), 50);
  EXPECT_EQ(scene.gravity, (Vector3d{0, 0, -5}));
  ASSERT_EQ(scene.bodies.size(), 1u);
  const ElasticBodyDefinition& body = scene.bodies[0];
  EXPECT_EQ(body.name, "bar");
  EXPECT_EQ(body.density, 500);
  EXPECT_EQ(std::string(body.material->name), "stable_neo_hookean");
  EXPECT_EQ(body.coefficients.size(), body.material->coefficient_count);
  EXPECT_EQ(body.rotation_axis, (Vector3d{0, 0, 1}));
  EXPECT_EQ(body.translation, (Vector3d{0, 0, 1}));
  EXPECT_EQ(body.velocity, (Vector3d{1, 0, 0}));
  EXPECT_EQ(body.angular_velocity, (Vector3d{0, 0, 3}));
  EXPECT_EQ(body.mass_damping, 0.1);
  EXPECT_EQ(body.stiffness_damping, 0.002);
  ASSERT_EQ(body.handles.size(), 2u);
  EXPECT_EQ(body.handles[0].release_time, 0.25);
  EXPECT_EQ(body.handles[0].motion.kind, MotionDefinition::Kind::sinusoid);
  EXPECT_EQ(body.handles[1].subset.kind, SubsetDefinition::Kind::sphere);
  EXPECT_EQ(body.handles[1].motion.kind, MotionDefinition::Kind::fixed);
  EXPECT_TRUE(std::isinf(body.handles[1].release_time));
}

TEST(ElasticScene, TheModelIsPlacedAndMovesAsWritten) {
  const ElasticModel model(read(good).scene);
  const ElasticState state = initial_state(model);
  double mass = 0;
  for (double m : model.masses()) mass += m;
  EXPECT_NEAR(mass, 500 * 0.25, 1e-9);
  const Vector3d center = center_of_mass(model, state), momentum = linear_momentum(model, state);
  EXPECT_NEAR(center[0], -0.25, 0.02);  // the long side points along y, the box from -0.5 to 0 along x
  EXPECT_NEAR(center[1], 0.5, 0.02);
  EXPECT_NEAR(center[2], 1.25, 0.02);
  EXPECT_NEAR(momentum[0], mass, 1e-9);
  EXPECT_NEAR(energies(model, {}, state).elastic, 0, 1e-9 * model.stiffness_energy());
  EXPECT_EQ(determinants(model, state.positions).inverted_elements, 0);
  ElementFields fields;
  evaluate_element_fields(model, state.positions, fields);
  EXPECT_LT(*std::max_element(fields.von_mises_stress.begin(), fields.von_mises_stress.end()), 1e-6);
}

TEST(ElasticScene, VonMisesStressAndEnergyDensityOfAUniaxialStretch) {
  ElasticSceneDefinition scene;
  scene.bodies = {hand_body(HandEnergy::log, box_source({1, 1, 1}, 50), 1e6, 0.0)};
  const ElasticModel model(scene);
  Eigen::VectorXd x = model.start_positions();
  for (Eigen::Index i = 0; i < x.size(); i += 3) x[i] *= 1.2;
  ElementFields fields;
  evaluate_element_fields(model, x, fields);
  const double mu = 5e5, stress = mu * (1.2 * 1.2 - 1) / 1.2;  // lambda is 0: P = mu (F - F^-T)
  for (int e = 0; e < model.element_count(); ++e) {
    EXPECT_NEAR(fields.von_mises_stress[e] / stress, 1, 1e-12);
    EXPECT_NEAR(fields.energy_density[e] / (mu / 2 * (1.44 - 1) - mu * std::log(1.2)), 1, 1e-12);
  }
}

TEST(ElasticScene, MotionsAreWhereTheyShouldBe) {
  MotionDefinition motion;
  motion.kind = MotionDefinition::Kind::rotation;
  motion.axis = {0, 0, 1};
  motion.center = {1, 0, 0};
  motion.angle = std::numbers::pi;
  motion.start = 1;
  motion.duration = 2;
  const Vector3d X = {2, 0, 5};
  EXPECT_EQ(motion.position(X, 0.5), X);
  EXPECT_NEAR(motion.position(X, 2)[1], 1, 1e-15);
  EXPECT_NEAR(motion.position(X, 9)[0], 0, 1e-15);
  motion.kind = MotionDefinition::Kind::keyframes;
  motion.keyframes = {{1, {0, 0, 0}, 0}, {2, {0, 0, 4}, 0}, {4, {0, 0, 0}, std::numbers::pi}};
  EXPECT_EQ(motion.position(X, 0), X);
  EXPECT_NEAR(motion.position(X, 1.25)[2], 6, 1e-14);
  motion.interpolation = MotionDefinition::Interpolation::smooth;
  EXPECT_NEAR(motion.position(X, 1.25)[2], 5 + 4 * 0.15625, 1e-14);
  EXPECT_NEAR(motion.position(X, 7)[0], 0, 1e-14);
  motion.kind = MotionDefinition::Kind::sinusoid;
  motion.displacement = {0, 3, 0};
  motion.period = 4;
  motion.phase = std::numbers::pi / 2;
  EXPECT_EQ(motion.position(X, 0), X);
  EXPECT_NEAR(motion.position(X, 1)[1], -3, 1e-14);
}

TEST(ElasticScene, TheSchemaNamesEveryMaterialsParameters) {
  const ParameterRecording recording([](Configuration& root) {
    Configuration scene = root.section("scene");
    read_elastic_scene(scene, host(), ElementDifferentiation::compiled);
  });
  std::string paths;
  for (const auto& description : recording.descriptions()) paths += description.path + "\n";
  for (const char* path : {"time_step", "density", "youngs_modulus", "keyframes", "release_time", "stiffness_proportional"})
    EXPECT_TRUE(holds(paths, path)) << path << " not in\n" << paths;
}

TEST(ElasticSceneBadInput, UnknownMaterialNamesTheNearestAndTheSearchPath) {
  const std::string text = refusal(replaced("type: stable_neo_hookean", "type: stable_neo_hokean"), 9);
  EXPECT_TRUE(holds(text, "stable_neo_hokean") && holds(text, "'stable_neo_hookean'") && holds(text, "/plugins")) << text;
  EXPECT_FALSE(holds(text, "youngs_modulus")) << "its keys cannot be judged: " << text;
}

TEST(ElasticSceneBadInput, EmptySubsetNamesTheBodyAndItsPlace) {
  const std::string text = refusal(replaced("max: [9, 0.01, 9]", "max: [9, -7, 9]"), 14);
  EXPECT_TRUE(holds(text, "none of the") && holds(text, "'bar'")) << text;
}

TEST(ElasticSceneBadInput, OverlappingHandlesNameBoth) {
  const std::string text = refusal(replaced("center: [0, 1, 1], radius: 0.1", "center: [0, 0, 1], radius: 0.1"), 15);
  EXPECT_TRUE(holds(text, "is in two handles") && holds(text, "scene.yaml:14:")) << text;
}

TEST(ElasticSceneBadInput, ValuesOutOfRange) {
  EXPECT_TRUE(holds(refusal(replaced("time_step: 0.01", "time_step: 0"), 2), "time_step"));
  EXPECT_TRUE(holds(refusal(replaced("duration: 0.5", "duration: -1"), 3), "duration"));
  EXPECT_TRUE(holds(refusal(replaced("duration: 0.5", "duration: 1e-4"), 3), "time steps"));
  EXPECT_TRUE(holds(refusal(replaced("density: 500", "density: 0"), 8), "density"));
  EXPECT_TRUE(holds(refusal(replaced("poissons_ratio: 0.4", "poissons_ratio: 0.5"), 9), "poissons_ratio"));
  EXPECT_TRUE(holds(refusal(replaced("axis: [0, 0, 2]", "axis: [0, 0, 0]"), 10), "direction"));
  EXPECT_TRUE(holds(refusal(replaced("mass_proportional: 0.1", "mass_proportional: -0.1"), 12), "mass_proportional"));
  EXPECT_TRUE(holds(refusal(replaced("period: 2", "period: 0"), 14), "period"));
  EXPECT_TRUE(holds(refusal(replaced("release_time: 0.25", "release_time: 0"), 14), "release_time"));
  EXPECT_TRUE(holds(refusal(replaced("radius: 0.1", "radius: 0"), 15), "radius"));
}

TEST(ElasticSceneBadInput, WhatCannotBeMeant) {
  EXPECT_TRUE(holds(refusal(replaced("max: [9, 0.01, 9]", "max: [0, 0, 0], min: [1, 1, 1]"), 14), "nothing is inside"));
  EXPECT_TRUE(holds(refusal(replaced("type: sinusoid", "type: sinusoidal"), 14), "sinusoid"));
  EXPECT_TRUE(holds(refusal(replaced("{sphere: {center: [0, 1, 1], radius: 0.1}}", "{all: false}"), 15), "selects nothing"));
  EXPECT_TRUE(holds(refusal(replaced("{type: sinusoid, amplitude: [0, 0, 0.2], period: 2}",
                                     "{type: keyframes, keyframes: [{time: 1}, {time: 1}]}"),
                            14),
                    "does not come after"));
  const std::string second = good.substr(good.find("    - name"));
  EXPECT_TRUE(holds(refusal(good + second, 16), "two bodies are named 'bar'"));
}

TEST(ElasticSceneBadInput, AnalyticModeNeedsAnAuthorsDerivatives) {
  const PluginHost plugins = host();
  int without = 0;
  for (const std::string& name : plugins.names<MaterialPlugin>()) {
    const bool offered = plugins.get<MaterialPlugin>(name)->abi().operations[HOLO_MATERIAL_ANALYTIC_HESSIAN];
    const Result result = read(replaced("type: stable_neo_hookean", "type: " + name), ElementDifferentiation::analytic);
    EXPECT_EQ(holds(result.problems, "lacks it; it has: compiled, csfd, "), !offered) << name << ": " << result.problems;
    if (!offered) {
      EXPECT_TRUE(holds(result.problems, "scene.yaml:9:")) << result.problems;
    }
    without += !offered;
  }
  RecordProperty("materials_without_analytic_derivatives", without);
}

// With a section `contact` and a list `obstacles`.
std::string with_contact(const std::string& contact, const std::string& obstacles) {
  return good + "  contact: {" + contact + "}\n  obstacles: [" + obstacles + "]\n";
}

TEST(ElasticScene, ContactAndObstaclesAreReadAndHaveDefaultsOfTheScene) {
  const Result result = read(with_contact("stiffness: 2e7, barrier: smooth, friction: {law: quadratic, lag_updates: 2}",
                                          "{name: floor, type: plane, normal: [0, 0, 2], friction: 0.3},"
                                          "{name: wall, type: plane, point: [3, 0, 0], normal: [-1, 0, 0]}"));
  ASSERT_EQ(result.problems, "");
  const ContactDefinition& contact = result.scene.contact;
  ASSERT_EQ(contact.planes.size(), 2u);
  EXPECT_EQ(contact.planes[0].normal, (Vector3d{0, 0, 1}));
  EXPECT_EQ(contact.planes[0].friction, 0.3);
  EXPECT_EQ(contact.planes[1].point, (Vector3d{3, 0, 0}));
  EXPECT_EQ(contact.stiffness, 2e7);
  EXPECT_EQ(contact.shape, BarrierShape::smooth);
  EXPECT_EQ(contact.friction_law, FrictionLaw::quadratic);
  EXPECT_EQ(contact.lag_updates, 2);
  const ElasticScene scene(result.scene);
  EXPECT_DOUBLE_EQ(scene.contact.barrier.distance, 1e-3 * scene.model->length());
  EXPECT_DOUBLE_EQ(scene.contact.stick_speed, 1e-3 * scene.model->length());
}

TEST(ElasticSceneBadInput, ContactAndObstaclesThatCannotBeMeant) {
  const std::string floor = "{name: floor, type: plane}";
  EXPECT_EQ(read(with_contact("", floor)).problems, "");
  const auto problems = [](const std::string& contact, const std::string& obstacles) {
    return read(with_contact(contact, obstacles)).problems;
  };
  EXPECT_TRUE(holds(problems("", "{name: floor, type: plane, normal: [0, 0, 0]}"), "scene.yaml:17:"));
  EXPECT_TRUE(holds(problems("", "{name: floor, type: plane, normal: [0, 0, 0]}"), "a direction is needed"));
  EXPECT_TRUE(holds(problems("", floor + ", " + floor), "two obstacles are named 'floor'"));
  EXPECT_TRUE(holds(problems("", "{name: floor, type: plain}"), "Did you mean 'plane'?"));
  EXPECT_TRUE(holds(problems("", "{name: floor, type: plane, friction: -0.1}"), "friction"));
  EXPECT_TRUE(holds(problems("activation_distance: 0", floor), "activation_distance"));
  EXPECT_TRUE(holds(problems("stiffness: -1", floor), "stiffness"));
  EXPECT_TRUE(holds(problems("barrier: smoothly", floor), "Did you mean 'smooth'?"));
  EXPECT_TRUE(holds(problems("friction: {law: quintic, stick_speed: 0}", floor), "stick_speed"));
  EXPECT_TRUE(holds(problems("friction: {lag_updates: 1.5}", floor), "lag_updates"));
  EXPECT_TRUE(holds(problems("frction: {}", floor), "Did you mean 'friction'?"));
}

}  // namespace
}  // namespace holo::test
