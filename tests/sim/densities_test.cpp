// Densities that differ from element to element: the masses follow.
#include <gtest/gtest.h>

#include "scenes.h"
#include "two_part_bar.h"

namespace holo::test {
namespace {

// The bar of two parts with the density `rho` of its field: 500 kg/m^3 on the left, 2000 kg/m^3 on the right.
TetrahedralMesh bar_of_two_densities() {
  TetrahedralMesh mesh = two_part_bar();
  MeshField rho{"rho", MeshField::Support::elements, 1, {}};
  for (const double modulus : mesh.fields[0].values) rho.values.push_back(modulus == soft ? 500 : 2000);
  MeshField with_hole = rho;
  with_hole.name = "with hole";
  with_hole.values[5] = 0;
  mesh.fields = {rho, with_hole};
  return mesh;
}

struct DensityReading {
  ElasticSceneDefinition scene;
  std::string problems;
};

DensityReading read_density_text(const std::string& density) {
  const std::string yaml =
      "time_step: 1\nduration: 1\nbodies:\n  - name: bar\n    mesh: {shape: box, size: [1, 1, 1], elements: 6}\n    density: " +
      density + "\n    material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}\n";
  ConfigurationFile file = ConfigurationFile::parse(yaml, "bar.yaml");
  Configuration root = file.root();
  DensityReading reading{read_elastic_scene(root, PluginHost({HOLO_BINARY_DIR "/plugins"}), ElementDifferentiation::compiled),
                         ""};
  for (ElasticBodyDefinition& body : reading.scene.bodies) body.mesh = bar_of_two_densities;
  try {
    file.finish();
  } catch (const Error& error) {
    reading.problems = error.what();
  }
  return reading;
}

std::shared_ptr<const ElasticModel> model_of_density(const std::string& density) {
  const DensityReading reading = read_density_text(density);
  EXPECT_EQ(reading.problems, "") << density;
  return build(reading.scene);
}

// Of two blocks of 1/32 m^3 with their centers at x = 1/4 m and 3/4 m.
TEST(Densities, MassAndCenterOfMassAreThoseOfTheParts) {
  const auto model = model_of_density("{field: rho}");
  double mass = 0, moment = 0;
  for (int v = 0; v < model->vertex_count(); ++v) {
    mass += model->masses()[static_cast<std::size_t>(v)];
    moment += model->masses()[static_cast<std::size_t>(v)] * model->start_positions()[3 * v];
  }
  EXPECT_NEAR(mass, 2500.0 / 32, 1e-12 * mass);
  EXPECT_NEAR(moment / mass, (500 * 0.25 + 2000 * 0.75) / 2500, 1e-12);
}

TEST(Densities, EveryWayToGiveThemGivesTheSameBits) {
  const std::vector<double> expected = model_of_density("{field: rho}")->masses();
  for (const char* way :
       {"{groups: {left: 500, right: 2000}}", "{groups: {right: 2000}, otherwise: 500}", "500 + 1500*step(x - 0.5)"})
    EXPECT_EQ(model_of_density(way)->masses(), expected) << way;
  EXPECT_EQ(model_of_density("{groups: {left: 700}, otherwise: 700}")->masses(), model_of_density("700")->masses());
}

// ---- bad input
void expect_density_refused(const std::string& density, const std::string& place, const std::string& part) {
  const DensityReading reading = read_density_text(density);
  std::string text = reading.problems;
  if (text.empty()) {
    try {
      build(reading.scene);
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::input);
      text = error.what();
    }
  }
  EXPECT_EQ(text.find("bar.yaml:" + place + ": "), 0u) << text;
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(DensitiesBadInput, MustBePositiveInEachElement) {
  expect_density_refused("{field: with hole}", "6:22",
                         "element 105 of bar.msh has density = 0 (the field 'with hole'); allowed: > 0 kg/m^3");
  expect_density_refused("{groups: {left: -4}, otherwise: 1}", "6:23", "of bar.msh has density = -4 (its group); allowed: > 0");
  expect_density_refused("1 - 2*x", "6:14", "(a formula); allowed: > 0 kg/m^3");
  expect_density_refused("-3", "6:14", "'bodies.0.density' must be a number > 0 kg/m^3, but -3 was found.");
}

TEST(DensitiesBadInput, SourcesMustFit) {
  expect_density_refused("{field: rhoo}", "6:22", "bar.msh has no field 'rhoo'; its fields are 'rho' (elements, 1 component)");
  expect_density_refused("{groups: {left: 1}}", "6:23", "is in none of the groups that are named here");
  expect_density_refused("{file: rho}", "6:14", "needs one of the keys: field, groups");
  expect_density_refused("500*(x", "6:14", "'bodies.0.density' must be a number, a formula of x, y and z, {field: NAME} or ");
}

}  // namespace
}  // namespace holo::test
