// Vectors of a material that differ from element to element: a fiber's direction by formulas, a field of the mesh, its groups.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/sim/elastic/element_fields.h"
#include "holo/sim/elastic/material_fields.h"
#include "scenes.h"
#include "two_part_bar.h"

namespace holo::test {
namespace {

// The bar of two parts; the field 'fibers' points along x on the left and along y on the right, 'gap' is 0 on the right.
TetrahedralMesh bar_with_fibers() {
  TetrahedralMesh mesh = two_part_bar();
  MeshField fibers{"fibers", MeshField::Support::elements, 3, {}}, gap{"gap", MeshField::Support::elements, 3, {}};
  for (const double modulus : mesh.fields[0].values) {
    const bool is_left = modulus == soft;
    for (const double entry : {is_left ? 4.0 : 0.0, is_left ? 0.0 : 4.0, 0.0}) fibers.values.push_back(entry);
    for (const double entry : {is_left ? 4.0 : 0.0, 0.0, 0.0}) gap.values.push_back(entry);
  }
  mesh.fields = {fibers, gap, {"angle", MeshField::Support::elements, 1, std::vector<double>(mesh.tetrahedra.size(), 1)}};
  return mesh;
}

struct FiberReading {
  ElasticSceneDefinition scene;
  std::string problems;
};

FiberReading read_fibers(const std::string& fiber) {
  const std::string yaml =
      "time_step: 1\nduration: 1\nbodies:\n  - name: bar\n    mesh: {shape: box, size: [1, 1, 1], elements: 6}\n"
      "    density: 1\n    material:\n      type: gasser_ogden_holzapfel\n      shear_modulus: 1.0e+4\n"
      "      bulk_modulus: 2.0e+4\n      fiber_stiffness: 3.0e+4\n      fiber_stiffening: 0.5\n      dispersion: 0.1\n"
      "      fiber: " +
      fiber + "\n";
  ConfigurationFile file = ConfigurationFile::parse(yaml, "bar.yaml");
  Configuration root = file.root();
  const PluginHost host({HOLO_BINARY_DIR "/tests/plugin/own_materials"});
  FiberReading reading{read_elastic_scene(root, host, ElementDifferentiation::compiled), ""};
  for (ElasticBodyDefinition& body : reading.scene.bodies) body.mesh = bar_with_fibers;
  try {
    file.finish();
  } catch (const Error& error) {
    reading.problems = error.what();
  }
  return reading;
}

std::shared_ptr<const ElasticModel> model_of_fibers(const std::string& fiber) {
  const FiberReading reading = read_fibers(fiber);
  EXPECT_EQ(reading.problems, "") << fiber;
  return build(reading.scene);
}

std::vector<double> coefficients_with(const std::string& fiber) {
  const auto model = model_of_fibers(fiber);
  const AlignedArray& array = model->bodies()[0].coefficients;
  return {array.data(), array.data() + array.size()};
}

TEST(VectorFields, EveryWayToGiveThemGivesTheSameBits) {
  const std::vector<double> expected = coefficients_with("{field: fibers}");
  for (const char* way : {"{groups: {left: [1, 0, 0], right: [0, 1, 0]}}", "{groups: {right: [0, 3, 0]}, otherwise: [2, 0, 0]}",
                          "[step(0.5 - x), step(x - 0.5), 0]", "[\"1 - step(x - 0.5)\", \"5*step(x - 0.5)\", 0]"})
    EXPECT_EQ(coefficients_with(way), expected) << way;
  EXPECT_GT(expected.size(), coefficients_with("[1, 0, 0]").size());
}

TEST(VectorFields, OneThatIsEqualEverywhereIsTheVector) {
  EXPECT_EQ(coefficients_with("{groups: {left: [1, 2, 2]}, otherwise: [2, 4, 4]}"), coefficients_with("[1, 2, 2]"));
}

// The same operations on the same numbers, whether a block's coefficients are its own or every block's.
TEST(VectorFields, ElementsAreThoseOfUniformBodiesBitForBit) {
  const auto mixed = model_of_fibers("{field: fibers}"), all_along = model_of_fibers("[1, 0, 0]"),
             all_across = model_of_fibers("[0, 1, 0]");
  const Eigen::VectorXd positions = disturbed(mixed->start_positions(), 0.02);
  ElementFields of_mixed, along, across;
  evaluate_element_fields(*mixed, positions, of_mixed);
  evaluate_element_fields(*all_along, positions, along);
  evaluate_element_fields(*all_across, positions, across);
  const TetrahedralMesh bar = bar_with_fibers();
  int differing = 0;
  for (std::size_t e = 0; e < bar.tetrahedra.size(); ++e) {
    const ElementFields& expected = bar.fields[0].values[3 * e] > 0 ? along : across;
    EXPECT_EQ(of_mixed.energy_density[e], expected.energy_density[e]);
    EXPECT_EQ(of_mixed.von_mises_stress[e], expected.von_mises_stress[e]);
    differing += along.energy_density[e] != across.energy_density[e] ? 1 : 0;
  }
  EXPECT_GT(differing, 48);
}

// ---- bad input
void expect_fibers_refused(const std::string& fiber, const std::string& place, const std::string& part) {
  const FiberReading reading = read_fibers(fiber);
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

TEST(VectorFieldsBadInput, DirectionsOfLengthZeroNameTheElement) {
  const std::string zero = "its parameter 'fiber' is [0, 0, 0]; a direction needs an entry that is not 0";
  expect_fibers_refused("{field: gap}", "14:22", "of bar.msh has fiber = [0, 0, 0] (the field 'gap'): ");
  expect_fibers_refused("{field: gap}", "14:22", zero);
  expect_fibers_refused("{groups: {left: [0, 0, 0]}, otherwise: [1, 0, 0]}", "14:23", "element 100 of bar.msh has fiber = ");
  expect_fibers_refused("[step(0.5 - x), 0, 0]", "14:14", "has fiber = [0, 0, 0] (formulas): ");
  expect_fibers_refused("[0, 0, 0]", "14:14", "'fiber' is [0, 0, 0]; a direction needs an entry that is not 0");
}

TEST(VectorFieldsBadInput, FieldsMustHaveThreeComponents) {
  expect_fibers_refused("{field: angle}", "14:22", "the field 'angle' of bar.msh has 1 component; a vector needs 3");
  expect_fibers_refused("{field: fiberss}", "14:22",
                        "bar.msh has no field 'fiberss'; its fields are 'fibers' (elements, 3 components)");
  expect_fibers_refused("{field: fiberss}", "14:22", "Did you mean 'fibers'?");
  expect_fibers_refused("{field: fibers, component: 1}", "14:30", "unknown key");
}

TEST(VectorFieldsBadInput, GroupsNeedVectors) {
  expect_fibers_refused("{groups: {left: 3}, otherwise: [1, 0, 0]}", "14:30",
                        "'bodies.0.material.fiber.groups.left' must be a list of 3 entries, each a number, but 3 was found.");
  expect_fibers_refused("{groups: {left: [1, 0, up]}, otherwise: [1, 0, 0]}", "14:37",
                        "'bodies.0.material.fiber.groups.left.2' must be a number, but the text 'up' was found.");
  expect_fibers_refused("{groups: {left: [1, 0, 0]}, otherwise: 1}", "14:53",
                        "'bodies.0.material.fiber.otherwise' must be a list of 3 entries");
  expect_fibers_refused("{groups: {lefd: [1, 0, 0]}, otherwise: [1, 0, 0]}", "14:23",
                        "bar.msh has no group 'lefd' of tetrahedra; its groups are 'left' (tetrahedra), 'right' (tetrahedra)");
  expect_fibers_refused("{groups: {left: [1, 0, 0]}}", "14:23", "is in none of the groups that are named here");
}

TEST(VectorFieldsBadInput, FormulasMustBeThree) {
  expect_fibers_refused("[x, y]", "14:14",
                        "'bodies.0.material.fiber' must be a list of 3 entries, each text, but a list of 2 entries was found.");
  expect_fibers_refused(
      "[x, 2*, 0]", "14:14",
      "'bodies.0.material.fiber.1' must be three numbers or formulas of x, y and z, {field: NAME} or {groups: "
      "{NAME: [x, y, z], ...}, otherwise: [x, y, z]}; as a formula: ");
  expect_fibers_refused("[x, t, 0]", "14:14", "as a formula: ");
  expect_fibers_refused("x", "14:14", "'bodies.0.material.fiber' must be a list of 3 entries, each a number, but the text 'x'");
  expect_fibers_refused("[1, up, 0]", "14:18", "'bodies.0.material.fiber.1' must be a number, but the text 'up' was found.");
  expect_fibers_refused("[log(x - 9), 0, 1]", "14:14", "log(x - 9)");
}

}  // namespace
}  // namespace holo::test
