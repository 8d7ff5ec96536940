// Parameters of a material from an equilibrium: exact derivatives against differences, recovery from noise-free data.
#include "holo/sim/control/equilibrium_design.h"

#include <gtest/gtest.h>

#include "../refusal_message.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/control/recorded_positions.h"
#include "scenes.h"

namespace holo::test {
namespace equilibrium_design_tests {

// A bar that hangs from one end and is pulled sideways, with large strains.
ElasticScene pulled_bar(const std::shared_ptr<const MaterialPlugin>& plugin, const std::vector<double>& coefficients) {
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source({1, 0.4, 0.4}, 96));
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = coefficients;
  MotionDefinition motion;
  motion.kind = MotionDefinition::Kind::linear;
  motion.displacement = {0, 0.1, 0};
  body.handles = {box_handle({-9, -9, -9}, {1e-9, 9, 9}), box_handle({1 - 1e-9, -9, 0.3}, {9, 9, 9}, motion)};
  ElasticSceneDefinition scene;
  scene.time_step = 0.25;
  scene.duration = 1;
  scene.gravity = {0, 0, -30};
  scene.bodies = {body};
  return ElasticScene(scene);
}

struct Identification {
  std::shared_ptr<const MaterialPlugin> plugin;
  MaterialParameters material;
  ElasticScene scene;
  RecordedPositions loss;

  static Eigen::VectorXd recorded(const ElasticScene& scene) {
    QuasiStatics statics(scene, {.newton = {.tolerance = 1e-13}, .smallest_increment = 1e-4});
    ElasticState state = initial_state(*scene.model);
    NewtonWorkspace workspace;
    while (state.step < scene.integration.step_count)
      EXPECT_EQ(statics.step(state, workspace).newton.status, NewtonStatus::converged);
    return state.positions;
  }
  Identification(const char* name, std::vector<std::pair<std::string, double>> truth,
                 std::vector<std::pair<std::string, double>> start, const std::vector<std::string>& designed)
      : plugin(PluginHost({HOLO_BINARY_DIR "/plugins"}).get<MaterialPlugin>(name)),
        material(plugin, start, designed),
        scene(pulled_bar(plugin, plugin->coefficients(start))),
        loss(recorded(pulled_bar(plugin, plugin->coefficients(truth))), 1) {}
};

// Two moduli from positions: gravity and a handle make them independent. The positions are known to 1e-13 and move by a
// hundredth for a change of the moduli by one tenth.
TEST(EquilibriumDesign, RecoversTwoParametersFromARecordedDeformation) {
  for (const char* name : {"neo_hookean", "stvk", "ogden"}) {
    Identification given(name, {{"youngs_modulus", 2.3e4}, {"poissons_ratio", 0.37}},
                         {{"youngs_modulus", 1.8e4}, {"poissons_ratio", 0.25}}, {"youngs_modulus", "poissons_ratio"});
    EquilibriumDesign design(given.scene, given.loss, given.material, given.material.start());
    Eigen::VectorXd u = Eigen::Vector2d::Ones();
    ASSERT_TRUE(design.begin(u)) << design.diagnosis();
    DenseWorkspace workspace;
    const DenseBounds bounds{Eigen::Vector2d(0.2, 0.1), Eigen::Vector2d(5, 1.9)};
    const DenseResult result = minimize(design, bounds, u, {.tolerance = 1e-13}, workspace);
    EXPECT_TRUE(result.converged()) << result.diagnosis;
    EXPECT_NEAR(u[0] * 1.8e4, 2.3e4, 1e-7 * 2.3e4) << name;
    EXPECT_NEAR(u[1] * 0.25, 0.37, 1e-7) << name;
    EXPECT_LE(result.iterations.size(), 15u) << name;
  }
}

// Differences of fourth order of the gradient with steps of 1e-3: their truncation and the rounding of equilibria over the step
// stay below 1e-8 of the largest entry.
TEST(EquilibriumDesign, DerivativesAreThoseOfDifferences) {
  for (const char* name : {"neo_hookean", "yeoh", "corotational"}) {
    Identification given(name, {{"youngs_modulus", 2.3e4}, {"poissons_ratio", 0.37}},
                         {{"youngs_modulus", 1.8e4}, {"poissons_ratio", 0.25}}, {"youngs_modulus", "poissons_ratio"});
    EquilibriumDesign design(given.scene, given.loss, given.material, given.material.start());
    const Eigen::Vector2d at(1.05, 1.1);
    ASSERT_TRUE(design.begin(Eigen::Vector2d::Ones()));
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
    const auto gradient_at = [&](const Eigen::Vector2d& u) {
      design.gradient(u, gradient);
      return Eigen::VectorXd(gradient);
    };
    const Eigen::VectorXd exact = gradient_at(at);
    ASSERT_TRUE(design.hessian(at, hessian));
    const double h = 1e-3;
    for (int k = 0; k < 2; ++k) {
      const Eigen::Vector2d way = h * Eigen::Vector2d::Unit(k);
      const double slope =
          (design.value(at - 2 * way) - 8 * design.value(at - way) + 8 * design.value(at + way) - design.value(at + 2 * way)) /
          (12 * h);
      EXPECT_NEAR(exact[k], slope, 1e-8 * exact.cwiseAbs().maxCoeff()) << name << k;
      const Eigen::VectorXd column =
          (gradient_at(at - 2 * way) - 8 * gradient_at(at - way) + 8 * gradient_at(at + way) - gradient_at(at + 2 * way)) /
          (12 * h);
      EXPECT_LT((hessian.col(k) - column).cwiseAbs().maxCoeff(), 1e-8 * hessian.cwiseAbs().maxCoeff()) << name << k;
    }
  }
}

// d2c/dp2 of Lame's parameters in closed form.
TEST(MaterialParametersOfADesign, HaveTheCurvatureOfTheModuli) {
  const auto plugin = PluginHost({HOLO_BINARY_DIR "/plugins"}).get<MaterialPlugin>("stvk");
  const double E = 2e4, nu = 0.3;
  const MaterialParameters material(plugin, {{"youngs_modulus", E}, {"poissons_ratio", nu}},
                                    {"youngs_modulus", "poissons_ratio"});
  const std::vector<double> c = material.coefficients(material.start());
  const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), mu = E / (2 * (1 + nu));
  const bool lambda_first = std::abs(c[0] - lambda) < 1e-9 * lambda;
  EXPECT_NEAR(lambda_first ? c[1] : c[0], mu, 1e-9 * mu);
  const Eigen::Vector2d weights = lambda_first ? Eigen::Vector2d(0, 1) : Eigen::Vector2d(1, 0);  // of mu
  const Eigen::MatrixXd found = material.curvature(material.start(), weights);
  EXPECT_NEAR(found(0, 0), 0, 1e-9);
  EXPECT_NEAR(found(0, 1), -1 / (2 * (1 + nu) * (1 + nu)), 1e-9);
  EXPECT_NEAR(found(1, 1), E / std::pow(1 + nu, 3), 1e-9 * E);
}

TEST(EquilibriumDesignBadInput, NamesAParameterWithoutAValue) {
  const auto plugin = PluginHost({HOLO_BINARY_DIR "/plugins"}).get<MaterialPlugin>("stvk");
  EXPECT_NE(message([&] {
              MaterialParameters(plugin, {{"youngs_modulus", 1e4}}, {"stiffness"});
            }).find("'stiffness'"),
            std::string::npos);
}

}  // namespace equilibrium_design_tests
}  // namespace holo::test
