// Bristles in a scene's file: what is read, and what is refused with its place.
#include <gtest/gtest.h>

#include "holo/core/error.h"
#include "holo/sim/elastic/elastic_scene_definition.h"
#include "holo/sim/mesh/shapes.h"

namespace holo::test {
namespace {

// Line 9 is that of the bristles of body `a`, line 14 that of the keys of body `b`.
std::string scene_with_bristles(const std::string& keys, const std::string& other = "friction: 0.1",
                                const std::string& contact = "{}") {
  const std::string body =
      "      mesh: {shape: box, size: [0.3, 0.2, 0.1], elements: 48}\n      density: 500\n"
      "      material: {type: stvk, youngs_modulus: 1.0e6, poissons_ratio: 0.3}\n      ";
  return "scene:\n  time_step: 0.01\n  duration: 0.1\n  bodies:\n    - name: a\n" + body + keys + "\n    - name: b\n" + body +
         other + "\n  contact: " + contact + "\n";
}

ElasticSceneDefinition read_bristled(const std::string& text) {
  ConfigurationFile file = ConfigurationFile::parse(text, "scene.yaml");
  Configuration root = file.root(), section = root.section("scene");
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  ElasticSceneDefinition definition = read_elastic_scene(section, host, ElementDifferentiation::compiled);
  file.finish();
  return definition;
}

std::string refusal_of_bristles(const std::string& text) {
  try {
    read_bristled(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "";
}

TEST(BristlesDefinition, IsReadWithAUnitDirectionAndTheLateralFactorOne) {
  const std::vector<ElasticBodyDefinition> bodies =
      read_bristled(scene_with_bristles("bristles: {direction: [0, 3, -4], forward: 0.5, backward: 1.5}")).bodies;
  ASSERT_TRUE(bodies[0].bristles);
  EXPECT_EQ(bodies[0].bristles->direction, (Vector3d{0, 3 * (1.0 / 5), -4 * (1.0 / 5)}));
  EXPECT_EQ(bodies[0].bristles->forward, 0.5);
  EXPECT_EQ(bodies[0].bristles->backward, 1.5);
  EXPECT_EQ(bodies[0].bristles->lateral, 1);
  EXPECT_FALSE(bodies[1].bristles);
}

struct RefusedBristles {
  const char* keys;
  const char* other;
  const char* contact;
  const char* place;
  const char* text;
};

const char* const good_bristles = "bristles: {direction: [1, 0, 0], forward: 0.5, backward: 1.5}";

const RefusedBristles refused_bristles[] = {
    {"bristles: {forward: 0.5, backward: 1}", "friction: 0.1", "{}", "scene.yaml:9:", "direction"},
    {"bristles: {direction: [0, 0, 0], forward: 0.5, backward: 1}", "friction: 0.1", "{}",
     "scene.yaml:9:29:", "direction is [0, 0, 0]; a direction is needed."},
    {"bristles: {direction: [1, 0, 0], forward: -0.5, backward: 1}", "friction: 0.1", "{}", "scene.yaml:9:49:", "forward"},
    {"bristles: {direction: [1, 0, 0], forward: 0.5, backward: 0}", "friction: 0.1", "{}", "scene.yaml:9:64:", "backward"},
    {"bristles: {direction: [1, 0, 0], backward: 1}", "friction: 0.1", "{}", "scene.yaml:9:", "forward"},
    {"bristles: {direction: [1, 0, 0], forward: 1, backward: 1, lateral: -1}", "friction: 0.1", "{}",
     "scene.yaml:9:74:", "lateral"},
    {"bristles: {direction: [1, 0, 0], forwards: 1, backward: 1}", "friction: 0.1", "{}",
     "scene.yaml:9:", "Did you mean 'forward'"},
    {"bristles: {direction: [1, 0, 0], forward: 0.4, backward: 1.3}", "friction: 0.1", "{}",
     "scene.yaml:9:17:", "with the ratio 3.25; up to 3 is allowed of the friction law 'quintic'"},
    {"bristles: {direction: [1, 0, 0], forward: 3.9, backward: 1}", "friction: 0.1", "{friction: {law: quadratic}}",
     "scene.yaml:9:17:", "up to 3.84 is allowed of the friction law 'quadratic'"},
    {"bristles: {direction: [1, 0, 0], forward: 1, backward: 1.5}\n      self_contact: true", "friction: 0.1", "{}",
     "scene.yaml:9:17:", "body 'a' has bristles and self_contact"},
    {good_bristles, good_bristles, "{}", "scene.yaml:14:17:", "bodies 'a' and 'b' have bristles and can collide"},
};

TEST(BristlesBadInput, IsRefusedWithItsPlace) {
  for (const RefusedBristles& refused : refused_bristles) {
    const std::string found = refusal_of_bristles(scene_with_bristles(refused.keys, refused.other, refused.contact));
    EXPECT_NE(found.find(refused.place), std::string::npos) << refused.keys << "\n" << found;
    EXPECT_NE(found.find(refused.text), std::string::npos) << refused.keys << "\n" << found;
  }
}

TEST(BristlesBadInput, WhatIsJustAllowedIsRead) {
  const auto problems = [](const std::string& keys, const std::string& other, const std::string& contact) {
    return refusal_of_bristles(scene_with_bristles(keys, other, contact));
  };
  EXPECT_EQ(problems("bristles: {direction: [1, 0, 0], forward: 0.3, backward: 0.1}", "friction: 0.1", "{}"), "");
  EXPECT_EQ(
      problems("bristles: {direction: [1, 0, 0], forward: 1, backward: 3.8}", "friction: 0.1", "{friction: {law: quadratic}}"),
      "");
  EXPECT_EQ(problems(good_bristles, good_bristles, "{between_bodies: false}"), "");
}

}  // namespace
}  // namespace holo::test
