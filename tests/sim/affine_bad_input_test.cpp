// Affine bodies in a scene's file: what is read, and what is refused with its place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "holo/core/error.h"
#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/sim/elastic/elastic_contents.h"
#include "scenes.h"

namespace holo::test {
namespace {

std::string scene_with_body(const std::string& keys, const std::string& modulus = "1.0e8") {
  return "scene:\n  time_step: 0.01\n  duration: 0.1\n  bodies:\n    - name: book\n      mesh: {shape: box, size: [0.3, 0.2, "
         "0.04], elements: 48}\n      density: 500\n      material: {type: stvk, youngs_modulus: " +
         modulus + ", poissons_ratio: 0.3}\n" + keys;
}

ElasticSceneDefinition affine_scene(const std::string& text) {
  ConfigurationFile file = ConfigurationFile::parse(text, "scene.yaml");
  Configuration root = file.root(), section = root.section("scene");
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  ElasticSceneDefinition definition = read_elastic_scene(section, host, ElementDifferentiation::compiled);
  file.finish();
  return definition;
}

std::string refusal_of_affine(const std::string& keys, const std::string& modulus = "1.0e8") {
  try {
    affine_scene(scene_with_body(keys, modulus));
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "";
}

TEST(AffineDefinition, ABodyIsAffineIfItsDeformationIs) {
  EXPECT_EQ(affine_scene(scene_with_body("")).bodies[0].deformation, Deformation::full);
  EXPECT_EQ(affine_scene(scene_with_body("      deformation: full\n")).bodies[0].deformation, Deformation::full);
  const ElasticScene scene(affine_scene(scene_with_body("      deformation: affine\n")));
  EXPECT_EQ(scene.model->vertex_count(), 4);
  EXPECT_TRUE(scene.model->notes().empty());
  const std::vector<std::string> contents = elastic_contents(*scene.model, scene.schedule);
  ASSERT_EQ(contents.size(), 1u);
  EXPECT_NE(contents[0].find("body 'book': affine, with"), std::string::npos) << contents[0];
  EXPECT_NE(contents[0].find("0.0024 m^3, 1.2 kg"), std::string::npos) << contents[0];
}

struct ExcludedCase {
  const char* keys;
  const char* place;
  const char* text;
};

TEST(AffineBadInput, KeysThatNeedADeformingBodyAreRefusedWithTheirPlace) {
  for (const ExcludedCase& excluded :
       {ExcludedCase{"      handles:\n        - {subset: {all: true}}\n", "scene.yaml:11",
                     "no vertices that a handle could hold"},
        ExcludedCase{"      loads:\n        - {type: force, force: [0, 0, 1], on: {all: true}}\n", "scene.yaml:11", "no loads"},
        ExcludedCase{"      subsets: {tip: {box: {min: [0.2, -9, -9]}}}\n", "scene.yaml:10", "no subsets"},
        ExcludedCase{"      self_contact: true\n", "scene.yaml:10", "no contact with itself"},
        ExcludedCase{
            "      muscles:\n        width: 0.1\n        list:\n          - {name: m, type: line, points: [{at: [0, 0.1, "
            "0.02]}, {at: [0.3, 0.1, 0.02]}]}\n",
            "scene.yaml:11", "no muscles"}}) {
    const std::string found = refusal_of_affine("      deformation: affine\n" + std::string(excluded.keys));
    EXPECT_NE(found.find(excluded.place), std::string::npos) << found;
    EXPECT_NE(found.find(fmt::format("body 'book' is affine and has {}", excluded.text)), std::string::npos) << found;
  }
  const std::string found = refusal_of_affine("      deformation: affine\n", "1.0e8*(1 + x)");
  EXPECT_NE(found.find("scene.yaml:8"), std::string::npos) << found;
  EXPECT_NE(found.find("one uniform material"), std::string::npos) << found;
}

TEST(AffineBadInput, AnUnknownDeformationIsRefusedWithThoseThatExist) {
  const std::string found = refusal_of_affine("      deformation: rigid\n");
  EXPECT_NE(found.find("scene.yaml:9"), std::string::npos) << found;
  EXPECT_NE(found.find("affine"), std::string::npos) << found;
}

// A definition without a file is checked by the model.
TEST(AffineBadInput, ADefinitionWithASubsetIsRefused) {
  ElasticModelDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, box_source({1, 1, 1}, 6))};
  definition.bodies[0].deformation = Deformation::affine;
  EXPECT_NO_THROW(build(definition));
  definition.bodies[0].subsets = {{"tip", {}}};
  EXPECT_THROW(build(definition), Error);
}

}  // namespace
}  // namespace holo::test
