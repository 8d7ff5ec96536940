// Losses of activations in a control step: their derivatives come through x and directly.
#include <gtest/gtest.h>

#include "holo/sim/control/inverse_step.h"
#include "observed_bodies.h"
#include "term_checks.h"

namespace holo {
namespace inverse_step_activations_tests {

constexpr double dt = 0.025, shear_modulus = 1e5 / 2.8;

ElasticSceneDefinition floating_box(IntegrationScheme scheme) {
  ElasticSceneDefinition scene;
  scene.scheme = scheme;
  scene.time_step = dt;
  const auto plugin = test::loss_host().get<MaterialPlugin>("stable_neo_hookean");
  ElasticBodyDefinition body;
  body.name = "body";
  body.mesh = test::box_source({0.2, 0.3, 0.4}, 24);
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.4}});
  NamedSubset tip{"tip", {}};
  tip.subset.kind = SubsetDefinition::Kind::box;
  tip.subset.minimum = {-9, -9, 0.39};
  tip.subset.maximum = {9, 9, 9};
  body.subsets = {tip};
  scene.bodies = {body};
  scene.bodies[0].muscles =
      test::line_muscles(MuscleLaw::fiber, 0.2,
                         {{{0.1, 0.1, 0.02}, {0.1, 0.1, 0.2}, {0.1, 0.1, 0.38}}, {{0.1, 0.2, 0.1}, {0.1, 0.2, 0.3}}}, {0, 0});
  return scene;
}

// The box's third step with losses given as (type, parameters).
struct FloatingStep {
  using Entries = std::vector<std::pair<std::string, std::string>>;
  ElasticScene scene;
  ImplicitEuler integrator{scene};
  ElasticState state = initial_state(*scene.model), earlier;
  LossSum<ElasticObservables> sum{ElasticObservables(scene.model)};
  SignalStore signals{2};
  std::unique_ptr<ObservedStepLoss> loss;
  std::unique_ptr<InverseStep> problem;
  const Eigen::VectorXd before = 2e3 * test::random_columns(3, 1, 5);

  explicit FloatingStep(const Entries& entries, IntegrationScheme scheme = IntegrationScheme::implicit_euler)
      : scene(floating_box(scheme)) {
    state.velocities = 0.1 * test::random_columns(state.velocities.size(), 1, 3);
    for (int step = 0; step < 2; ++step) {
      earlier = state;
      integrator.step(state);
    }
    const ElasticNames names(sum.observables().subjects(), sum.observables().segments());
    for (const auto& [type, yaml] : entries) {
      ConfigurationFile file = ConfigurationFile::parse(yaml, type + ".yaml");
      Configuration root = file.root();
      for (LossInstance& made : create_losses(test::loss_host().get<LossPlugin>(type), root, names, signals))
        sum.add({type, std::make_shared<const LossInstance>(std::move(made))});
      file.finish();
    }
    LossData data;
    data.signals = signals.values();
    data.time_step = dt;
    loss = std::make_unique<ObservedStepLoss>(std::make_shared<const LossSum<ElasticObservables>>(sum), data, scheme);
    problem = std::make_unique<InverseStep>(integrator, *loss, InverseStepOptions{.unit = shear_modulus});
    loss->begin(state, &earlier, before);
    if (!problem->begin(state, before)) throw std::runtime_error(problem->diagnosis());
  }
};

const std::pair<std::string, std::string> stored_energy = {"elastic_energy", "{body: body, weight: 1}"};

// The losses add k/2 |u|^2 + c/2 |u - u_before|^2 to another one: to its value, its gradient and both Hessians.
TEST(InverseStepActivations, LossesOfEnergyAndChangeAreQuadratic) {
  FloatingStep without({stored_energy});
  FloatingStep with({stored_energy,
                     {"activation_energy", "{muscle: all, weight: 0.3}"},
                     {"activation_change", "{muscle: all, weight: 0.7}"}});
  const Eigen::VectorXd u = 0.3 * test::random_columns(3, 1, 17), change = u - with.before / shear_modulus;
  const double added = 0.3 / 2 * u.squaredNorm() + 0.7 / 2 * change.squaredNorm();
  EXPECT_NEAR(with.problem->value(u) - without.problem->value(u), added, 1e-10 * with.problem->value(u));
  Eigen::VectorXd expected, found;
  without.problem->gradient(u, expected);
  expected += 0.3 * u + 0.7 * change;
  with.problem->gradient(u, found);
  EXPECT_LT((found - expected).norm(), 1e-10 * expected.norm());
  for (const bool gauss_newton : {false, true}) {
    Eigen::MatrixXd expected_hessian, found_hessian;
    const auto hessian = gauss_newton ? &InverseStep::gauss_newton_hessian : &InverseStep::hessian;
    ASSERT_TRUE((*without.problem.*hessian)(u, expected_hessian));
    expected_hessian.diagonal().array() += 0.3 + 0.7;
    ASSERT_TRUE((*with.problem.*hessian)(u, found_hessian));
    EXPECT_LT((found_hessian - expected_hessian).norm(), 1e-10 * expected_hessian.norm());
  }
}

// Gradient and Hessian against differences of steps that are solved deeply, for losses that are not quadratic in a.
class InverseStepOf : public testing::TestWithParam<IntegrationScheme> {};

TEST_P(InverseStepOf, DerivativesAreThoseOfStepsSolvedAnew) {
  FloatingStep step({stored_energy,
                     {"track_linear_momentum_rate", "{body: body.tip, target: [0.1, 0, -0.2], scale: 30}"},
                     {"activation_rate", "{muscle: all, limit: 2}"},
                     {"activation_bounds", "{muscle: all, limit: 0.25}"}},
                    GetParam());
  const Eigen::VectorXd u = 0.3 * test::random_columns(3, 1, 17);
  const auto gradient = [&](const Eigen::VectorXd& at) {
    Eigen::VectorXd result;
    step.problem->gradient(at, result);
    return result;
  };
  const auto value = [&](const Eigen::VectorXd& at) {
    if (!step.problem->finish(at)) throw std::runtime_error(step.problem->diagnosis());
    step.loss->set_activations(shear_modulus * at);
    return step.loss->value(step.problem->x());
  };
  const Eigen::VectorXd at_u = gradient(u), d = test::random_columns(3, 1, 101).normalized();
  Eigen::MatrixXd hessian;
  ASSERT_TRUE(step.problem->hessian(u, hessian));
  const double slope = test::difference([&](double t) { return value(u + t * d); }, 1e-4);
  EXPECT_NEAR(at_u.dot(d), slope, 1e-7 * at_u.norm());
  const Eigen::VectorXd change = test::difference([&](double t) { return gradient(u + t * d); }, 1e-4);
  EXPECT_LT((hessian * d - change).norm(), 1e-7 * hessian.norm());
}

INSTANTIATE_TEST_SUITE_P(Schemes, InverseStepOf, testing::Values(IntegrationScheme::implicit_euler, IntegrationScheme::bdf2),
                         [](const auto& tested) {
                           return tested.param == IntegrationScheme::bdf2 ? "bdf2" : "implicit_euler";
                         });

}  // namespace inverse_step_activations_tests
}  // namespace holo
