// Derivatives of a motion over several steps in the parameters of its terms, against differences of motions.
#include <gtest/gtest.h>

#include "dynamics/loads/dead_load.h"
#include "dynamics/loads/pressure.h"
#include "holo/core/plugins/plugin_host.h"
#include "rollout.h"

namespace holo::test {
namespace {

// A bar that is held at one end, loaded by pressure on a part of its surface and by traction, damped in both ways; starts
// deformed and moving.
ElasticScene loaded_bar() {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  const auto plugin = host.get<MaterialPlugin>("stable_neo_hookean");
  ElasticBodyDefinition body;
  body.name = "bar";
  body.mesh = box_source({0.6, 0.3, 0.3}, 24);
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.4}});
  body.mass_damping = 0.7;
  body.stiffness_damping = 0.004;
  body.handles = {box_handle({-1, -1, -1}, {1e-9, 1, 1})};
  LoadDefinition pressure, traction;
  pressure.make = pressure_load(3000);
  traction.make = traction_load({500, 1000, -800});
  pressure.subset.kind = traction.subset.kind = SubsetDefinition::Kind::box;
  pressure.subset.minimum = traction.subset.minimum = {0.6 - 1e-9, -9, -9};
  pressure.subset.maximum = traction.subset.maximum = {9, 9, 9};
  body.loads = {pressure, traction};
  ElasticSceneDefinition definition;
  definition.time_step = 0.02;
  definition.bodies = {body};
  return ElasticScene(definition);
}

TEST(RolloutDerivatives, GradientInEveryParameterIsThatOfMotionsSolvedAnew) {
  Rollout rollout(loaded_bar(), 0.01, 1);
  const Eigen::VectorXd a = rollout.parameters();
  ASSERT_EQ(a.size(), 2 + 1 + 1 + 3 + 1 + 3);  // coefficients, beta, alpha, gravity, pressure, traction
  // Parameters that differ by a few units of rounding change the loss, which is -3, by up to 1.3e-14.
  expect_gradient_of_motions_solved_anew(rollout, 3e-4, 2e-14);
}

TEST(RolloutDerivatives, SecondDerivativeIsTheDerivativeOfTheGradient) {
  Rollout rollout(loaded_bar(), 0.01, 1);
  expect_second_derivative_of_the_gradient(rollout, 3, 1e-4, 1e-11);
}

}  // namespace
}  // namespace holo::test
