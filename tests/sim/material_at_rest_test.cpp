// A material that is wrong where nothing is deformed is refused before a run; one that becomes wrong later is named by the run.
#include "elastic/element/material_at_rest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "holo/sim/dynamics/implicit_euler.h"
#include "scenes.h"

namespace holo::test {
namespace {

using Hand = HandMaterial<HandEnergy::stable>;

template <int entries>
void fill(const holo_batch* batch, double value) {
  std::fill_n(batch->output, batch->block_count * entries * HOLO_LANE_WIDTH, value);
}

holo_material with(holo_material_operation operation, holo_batch_function function) {
  holo_material material = Hand::material();
  material.operations[operation] = function;
  return material;
}

const std::vector<double> coefficients = {3e4, 1.5e5};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(MaterialAtRest, AMaterialWithoutEnergyAndStressAtRestIsGood) {
  EXPECT_EQ(defect_at_rest(Hand::material(), coefficients, {}), "");
  EXPECT_EQ(defect_at_rest(HandMaterial<HandEnergy::log>::material(), coefficients, {}), "");
}

TEST(MaterialAtRest, RoundingOfAStiffMaterialIsNoDefect) {
  const holo_material material = with(HOLO_MATERIAL_STRESS, [](const holo_batch* batch) { fill<9>(batch, 1e-4); });
  EXPECT_EQ(defect_at_rest(material, coefficients, {}), "");  // 1e-4 Pa of 2e5 Pa
}

TEST(MaterialAtRest, StressAtRestIsToldWithValuesAndCoefficients) {
  const holo_material material = with(HOLO_MATERIAL_STRESS, [](const holo_batch* batch) { fill<9>(batch, 12.5); });
  const std::string text = defect_at_rest(material, coefficients, {});
  EXPECT_TRUE(holds(text, "where nothing is deformed (F = I) the material 'hand_stable' has the energy 0 J/m^3")) << text;
  EXPECT_TRUE(holds(text, "the stress [12.5, 12.5,")) << text;
  EXPECT_TRUE(holds(text, "coefficient 0 = 30000, coefficient 1 = 150000")) << text;
}

TEST(MaterialAtRest, EnergyAtRestIsADefect) {
  const holo_material material = with(HOLO_MATERIAL_ENERGY, [](const holo_batch* batch) { fill<1>(batch, -7.25); });
  EXPECT_TRUE(holds(defect_at_rest(material, coefficients, {}), "has the energy -7.25 J/m^3"));
}

TEST(MaterialAtRest, WhatIsNotFiniteAtRestIsADefect) {
  constexpr double nan = -std::numeric_limits<double>::quiet_NaN();  // as 0/0 is on this processor
  for (const holo_material& material : {with(HOLO_MATERIAL_ENERGY, [](const holo_batch* batch) { fill<1>(batch, nan); }),
                                        with(HOLO_MATERIAL_STRESS, [](const holo_batch* batch) { fill<9>(batch, nan); })}) {
    const std::string text = defect_at_rest(material, coefficients, {});
    EXPECT_TRUE(holds(text, "must be finite and 0") && !holds(text, "-nan")) << text;
    EXPECT_TRUE(holds(text, "It was not evaluated in one-sided series")) << text;
  }
}

// ---- in a run
// The stable energy, NaN where F00 > 1.05.
void energy_up_to_a_stretch(const holo_batch* batch) {
  Hand::energy(batch);
  for (std::uint64_t block = 0; block < batch->block_count; ++block)
    for (std::size_t lane = 0; lane < HOLO_LANE_WIDTH; ++lane)
      if (batch->deformation_gradient[block * 9 * HOLO_LANE_WIDTH + lane] > 1.05)
        batch->output[block * HOLO_LANE_WIDTH + lane] = std::numeric_limits<double>::quiet_NaN();
}

TEST(ElementFault, AnEnergyThatIsNoNumberIsBlamedOnItsMaterialWithElementAndDeformation) {
  static const holo_material material = with(HOLO_MATERIAL_ENERGY, energy_up_to_a_stretch);
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source({1, 1, 1}, 6));  // one cell: every vertex is held
  body.material = std::shared_ptr<const holo_material>(std::shared_ptr<void>(), &material);
  MotionDefinition motion;
  motion.kind = MotionDefinition::Kind::linear;
  motion.displacement = {0.5, 0, 0};
  motion.duration = 0.01;
  body.handles = {box_handle({-1, -1, -1}, {1e-9, 1, 1}), box_handle({1 - 1e-9, -1, -1}, {1, 1, 1}, motion)};
  ElasticSceneDefinition scene;
  scene.bodies = {body};
  const ElasticScene elastic(scene);
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  const ElasticStepResult result = ImplicitEuler(elastic).step(state);
  EXPECT_EQ(result.newton.status, NewtonStatus::infeasible_start);
  const std::string text = result.newton.diagnosis;
  EXPECT_TRUE(holds(text, "other parameters of the material 'hand_stable'")) << text;
  EXPECT_TRUE(holds(text, "element 0 of body 'body' has the energy nan J/m^3")) << text;
  EXPECT_TRUE(holds(text, "F = [1.5, 0, 0, 0, 1, 0, 0, 0, 1] (row by row), det F = 1.5")) << text;
  EXPECT_FALSE(holds(text, "handles that move more slowly")) << text;
}

// ---- what a user should know
TEST(ElasticModelNotes, PoissonsRatioAboveWhichElementsLockIsTold) {
  ElasticSceneDefinition scene;
  scene.bodies = {hand_body(HandEnergy::log, box_source({1, 1, 1}, 6), 1e5, 0.45)};
  EXPECT_TRUE(build(scene)->notes().empty());
  scene.bodies = {hand_body(HandEnergy::log, box_source({1, 1, 1}, 6), 1e5, 0.49)};
  const std::vector<std::string> notes = build(scene)->notes();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(holds(notes[0], "body 'body': Poisson's ratio is 0.49 at rest; above 0.45")) << notes[0];
}

TEST(ElasticModelNotes, VerticesThatAreLeftOutAreCounted) {
  const auto source = [] {
    TetrahedralMesh mesh = box_mesh({1, 1, 1}, 6);
    mesh.vertices.insert(mesh.vertices.end(), 3, {5, 5, 5});
    mesh.source = "box.msh";
    return mesh;
  };
  ElasticSceneDefinition scene;
  scene.bodies = {hand_body(HandEnergy::log, source)};
  EXPECT_EQ(build(scene)->notes(),
            std::vector<std::string>{"body 'body': 3 vertices of box.msh belong to no tetrahedron and are left out"});
}

}  // namespace
}  // namespace holo::test
