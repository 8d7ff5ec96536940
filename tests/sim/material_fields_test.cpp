// Material parameters that differ from element to element: by formula, by a field of the mesh, by its groups.
#include "holo/sim/elastic/material_fields.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/sim/elastic/element_fields.h"
#include "scenes.h"
#include "two_part_bar.h"

namespace holo::test {
namespace {

struct Reading {
  ElasticSceneDefinition scene;
  std::string problems;
};

Reading read_with(const std::string& youngs_modulus, const std::string& poissons_ratio = "0.0") {
  const std::string yaml =
      "time_step: 1.0e+4\nduration: 2.0e+4\ngravity: [0, 0, 0]\nbodies:\n  - name: bar\n"
      "    mesh: {shape: box, size: [1, 1, 1], elements: 6}\n    density: 1\n    material:\n"
      "      type: stable_neo_hookean\n      youngs_modulus: " +
      youngs_modulus + "\n      poissons_ratio: " + poissons_ratio +
      "\n    handles:\n      - {subset: {box: {max: [0, 9, 9]}}}\n      - subset: {box: {min: [1, -9, -9]}}\n"
      "        motion: {type: linear, displacement: [1.0e-4, 0, 0], duration: 1}\n";
  ConfigurationFile file = ConfigurationFile::parse(yaml, "bar.yaml");
  Configuration root = file.root();
  Reading reading{read_elastic_scene(root, PluginHost({HOLO_BINARY_DIR "/plugins"}), ElementDifferentiation::compiled), ""};
  for (ElasticBodyDefinition& body : reading.scene.bodies) body.mesh = two_part_bar;
  try {
    file.finish();
  } catch (const Error& error) {
    reading.problems = error.what();
  }
  return reading;
}

ElasticScene fields_scene(const std::string& youngs_modulus) {
  const Reading reading = read_with(youngs_modulus, "0.0");
  EXPECT_EQ(reading.problems, "");
  return ElasticScene(reading.scene);
}

std::shared_ptr<const ElasticModel> model_with(const std::string& youngs_modulus, const std::string& poissons_ratio = "0.0") {
  const Reading reading = read_with(youngs_modulus, poissons_ratio);
  EXPECT_EQ(reading.problems, "");
  return build(reading.scene);
}

std::shared_ptr<const ElasticModel> model_with(const std::string& youngs_modulus, ElementDifferentiation mode) {
  Reading reading = read_with(youngs_modulus);
  EXPECT_EQ(reading.problems, "");
  reading.scene.differentiation = mode;
  return build(reading.scene);
}

std::vector<double> coefficients_of(const ElasticModel& model) {
  const AlignedArray& array = model.bodies()[0].coefficients;
  return {array.data(), array.data() + array.size()};
}

// Springs of stiffness E A / L in series share the displacement in inverse proportion to their stiffness. Poisson's ratio is 0,
// so that the clamped ends do not matter and linear elements are exact; what remains is of the order of the strain, 1e-4.
TEST(MaterialFields, BarOfTwoGroupsIsTwoSpringsInSeries) {
  const ElasticScene elastic = fields_scene("{groups: {left: 1.0e+5, right: 4.0e+5}}");
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  ImplicitEuler integrator(elastic, {.tolerance = 1e-12});
  ASSERT_EQ(integrator.step(state).newton.status, NewtonStatus::converged);
  const double pulled = 1e-4, at_interface = pulled * (1 / soft) / (1 / soft + 1 / hard);
  int seen = 0;
  for (int v = 0; v < model->vertex_count(); ++v) {
    if (std::abs(model->start_positions()[3 * v] - 0.5) > 1e-9) continue;
    ++seen;
    EXPECT_NEAR(state.positions[3 * v] - 0.5, at_interface, 1e-3 * at_interface);
  }
  EXPECT_GT(seen, 3);
  const double area = 0.25 * 0.25, half = 0.5, stiffness = area / half / (1 / soft + 1 / hard);
  const double energy = stiffness * pulled * pulled / 2;
  EXPECT_NEAR(energies(*model, elastic.gravity, state).elastic, energy, 1e-3 * energy);
}

TEST(MaterialFields, EveryWayToGiveThemGivesTheSameBits) {
  const std::vector<double> expected = coefficients_of(*model_with("{groups: {left: 1.0e+5, right: 4.0e+5}}"));
  for (const char* way : {"{groups: {right: 4.0e+5}, otherwise: 1.0e+5}", "{field: E}", "1.0e5 + 3.0e5*step(x - 0.5)"})
    EXPECT_EQ(coefficients_of(*model_with(way)), expected) << way;
  EXPECT_GT(expected.size(), model_with("1.0e+5")->bodies()[0].coefficients.size());
}

TEST(MaterialFields, FieldThatIsEqualEverywhereIsTheNumber) {
  const ElasticScene scene_of_number = fields_scene("1.0e+5"), scene_of_field = fields_scene("{field: same}");
  const auto &number = scene_of_number.model, &field = scene_of_field.model;
  EXPECT_EQ(field->bodies()[0].coefficient_stride, 0u);
  EXPECT_EQ(coefficients_of(*field), coefficients_of(*number));
  EXPECT_EQ(field->stiffness_energy(), number->stiffness_energy());
  ElasticState of_number = initial_state(*number), of_field = initial_state(*field);
  ImplicitEuler(scene_of_number).step(of_number);
  ImplicitEuler(scene_of_field).step(of_field);
  EXPECT_TRUE((of_number.positions.array() == of_field.positions.array()).all());
}

// The same operations on the same numbers, whether a block's coefficients are its own or every block's.
TEST(MaterialFields, ElementsAreThoseOfUniformBodiesBitForBit) {
  for (const ElementDifferentiation mode : {ElementDifferentiation::compiled, ElementDifferentiation::central_difference}) {
    const auto mixed = model_with("{field: E}", mode), all_soft = model_with("1.0e+5", mode),
               all_hard = model_with("4.0e+5", mode);
    EXPECT_GT(mixed->bodies()[0].coefficient_stride, 0u);
    const Eigen::VectorXd positions = disturbed(mixed->start_positions(), 0.02);
    ElementFields of_mixed, of_soft, of_hard;
    evaluate_element_fields(*mixed, positions, of_mixed);
    evaluate_element_fields(*all_soft, positions, of_soft);
    evaluate_element_fields(*all_hard, positions, of_hard);
    const TetrahedralMesh bar = two_part_bar();
    for (std::size_t e = 0; e < bar.tetrahedra.size(); ++e) {
      const ElementFields& expected = bar.fields[0].values[e] == soft ? of_soft : of_hard;
      EXPECT_EQ(of_mixed.energy_density[e], expected.energy_density[e]);
      EXPECT_EQ(of_mixed.von_mises_stress[e], expected.von_mises_stress[e]);
    }
  }
}

// Half of the volume is soft, half is hard.
TEST(MaterialFields, StiffnessOfTheSceneIsTheMeanOverItsVolume) {
  const auto mixed = model_with("{field: E}"), all_soft = model_with("1.0e+5");
  const double sum = mixed->stiffness_energy(), bound = all_soft->stiffness_energy();
  EXPECT_NEAR(sum, bound * (1 + hard / soft) / 2, 1e-9 * sum);
}

TEST(MaterialFields, ElementsThatLockAreCounted) {
  EXPECT_TRUE(model_with("1.0e+5", "{groups: {left: 0.1, right: 0.45}}")->notes().empty());
  const std::vector<std::string> notes = model_with("1.0e+5", "{groups: {left: 0.1, right: 0.48}}")->notes();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("body 'bar': Poisson's ratio is up to 0.48 at rest and above 0.45 in 48 of 96 elements; above 0.45"),
            std::string::npos)
      << notes[0];
}

// ---- bad input
void expect_refused(const std::string& youngs_modulus, const std::string& place, const std::string& part,
                    const std::string& poissons_ratio = "0.3") {
  Reading reading = read_with(youngs_modulus, poissons_ratio);
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

TEST(MaterialFieldsBadInput, FieldsThatDoNotFitAreRefused) {
  expect_refused("{field: e}", "10:31", "bar.msh has no field 'e'; its fields are 'E' (elements, 1 component), 'same'");
  expect_refused("{field: short}", "10:31", "the field 'short' of bar.msh has 3 values; 96 elements of 1 component need 96");
  expect_refused("{field: T}", "10:31", "values, on its vertices; one for each of its 96 elements is needed");
  expect_refused("{field: two}", "10:31", "has 2 components; `component` must tell one of 0 to 1");
  expect_refused("{field: two, component: 2}", "10:31", "`component` must tell one of 0 to 1");
}

TEST(MaterialFieldsBadInput, GroupsThatDoNotFitAreRefused) {
  expect_refused("{groups: {lefd: 1}, otherwise: 1}", "10:32",
                 "bar.msh has no group 'lefd' of tetrahedra; its groups are 'left'");
  expect_refused("{groups: {faces: 1}, otherwise: 1}", "10:32", "has no group 'faces' of tetrahedra");
  expect_refused("{groups: {nothing: 1}, otherwise: 1}", "10:32", "the group 'nothing' of bar.msh has no elements");
  expect_refused("{groups: {left: 1}}", "10:32", "is in none of the groups that are named here");
  expect_refused("{groups: {left: 1, copy of left: 1}, otherwise: 1}", "10:32", "is in the groups 'left' and 'copy of left'");
  expect_refused("{groups: {left: high}, otherwise: 1}", "10:39",
                 "the value of 'youngs_modulus' in the group 'left' must be a number");
}

TEST(MaterialFieldsBadInput, ValuesThatTheMaterialRefusesNameTheElement) {
  expect_refused("{groups: {right: -4}, otherwise: 1}", "10:32", "of bar.msh has youngs_modulus = -4 (its group): ");
  expect_refused("{groups: {right: -4}, otherwise: 1}", "10:32", "its parameter 'youngs_modulus' is -4; allowed: > 0");
  expect_refused("{field: E}", "11:23", "poissons_ratio = 0.7 (a formula): ", "0.7 + 0*x");
  expect_refused("0.5 - x", "10:23", "its parameter 'youngs_modulus' is -");
}

TEST(MaterialFieldsBadInput, SourcesThatCannotBeReadAreRefused) {
  expect_refused("1e5*(x", "10:23", "a formula of x, y and z");
  expect_refused("1e5*y*t", "10:23", "as a formula: ");
  expect_refused("high", "10:23", "must be a number > 0 Pa, but the text 'high' was found");
  expect_refused("{feild: E}", "10:23", "needs one of the keys: field, groups");
  expect_refused("{field: E, scale: 2}", "10:34", "unknown key");
}

}  // namespace
}  // namespace holo::test
