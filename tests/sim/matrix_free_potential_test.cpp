// Products of the Hessian without a matrix, against the assembled one; and time steps with the minimizers that use them.
#include "holo/sim/dynamics/matrix_free_potential.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/dynamics/implicit_euler.h"
#include "potential_term_cases.h"

namespace holo::test {
namespace {

constexpr double rounding = 1e-13;  // of sums of some hundred numbers, relative to the product

std::shared_ptr<const MaterialPlugin> plugin_of(const std::string& name) {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  return host.get<MaterialPlugin>(name);
}

// A potential in a disturbed moving state.
struct DisturbedStep {
  explicit DisturbedStep(const ElasticSceneDefinition& definition)
      : elastic(definition), potential(elastic.model, implicit_euler_terms(elastic)), state(initial_state(*elastic.model)) {
    state.positions = disturbed(state.positions, 0.03, 1);
    state.velocities = disturbed(state.velocities, 1, 2);
    potential.begin_step(elastic.step_from(state), elastic.schedule);
    x = disturbed(state.positions, 0.03, 3);
    potential.apply_targets(x);
  }

  Eigen::MatrixXd assembled(Curvature curvature) {
    Eigen::VectorXd gradient;
    SparseMatrix hessian;
    potential.derivatives(x, curvature, gradient, hessian);
    return Eigen::MatrixXd(hessian).selfadjointView<Eigen::Lower>();
  }

  ElasticScene elastic;
  IncrementalPotential potential;
  ElasticState state;
  Eigen::VectorXd x;
};

// The largest relative difference of products from the assembled matrix, for some directions.
double product_error(DisturbedStep& step) {
  MatrixFreePotential products(step.potential, true);
  Eigen::VectorXd gradient, product;
  products.linearize(step.x, true, gradient);
  const Eigen::MatrixXd hessian = step.assembled(Curvature::exact);
  double error = 0;
  for (std::size_t seed = 20; seed < 24; ++seed) {
    Eigen::VectorXd direction = disturbed(Eigen::VectorXd::Zero(step.x.size()), 1, seed);
    for (int vertex = 0; vertex < step.elastic.model->vertex_count(); ++vertex)
      if (step.potential.prescribed(vertex)) direction.segment<3>(3 * vertex).setZero();
    products.multiply(direction, product);
    const Eigen::VectorXd expected = hessian * direction;
    error = std::max(error, (product - expected).norm() / expected.norm());
  }
  return error;
}

class MatrixFreeTerm : public testing::TestWithParam<TermCase> {};

TEST_P(MatrixFreeTerm, ProductsAreThoseOfTheAssembledHessian) {
  for (const auto mode : {ElementDifferentiation::csfd, ElementDifferentiation::compiled, ElementDifferentiation::analytic}) {
    ElasticSceneDefinition definition = scene_of_term(GetParam());
    definition.differentiation = mode;
    DisturbedStep step(definition);
    EXPECT_LT(product_error(step), rounding) << to_string(mode);
  }
}

TEST_P(MatrixFreeTerm, ThePreconditionerHasTheDiagonalBlocksOfTheProjectedHessian) {
  DisturbedStep step(scene_of_term(GetParam()));
  MatrixFreePotential products(step.potential, false);
  Eigen::VectorXd gradient, expected_gradient, applied;
  products.linearize(step.x, false, gradient);
  step.potential.gradient(step.x, expected_gradient);
  EXPECT_LE((gradient - expected_gradient).norm(), rounding * expected_gradient.norm());
  const Eigen::MatrixXd hessian = step.assembled(Curvature::projected);
  Eigen::VectorXd blocks(step.x.size());
  const Eigen::VectorXd residual = disturbed(Eigen::VectorXd::Zero(step.x.size()), 1, 30);
  products.precondition(residual, applied);
  for (int vertex = 0; vertex < step.elastic.model->vertex_count(); ++vertex)
    blocks.segment<3>(3 * vertex) = hessian.block<3, 3>(3 * vertex, 3 * vertex) * applied.segment<3>(3 * vertex);
  EXPECT_LE((blocks - residual).norm(), 1e-11 * residual.norm());
  EXPECT_GT(residual.dot(applied), 0);
}

INSTANTIATE_TEST_SUITE_P(, MatrixFreeTerm, testing::ValuesIn(term_cases),
                         [](const auto& info) { return std::string(info.param.name); });

// Energies of invariants, of principal stretches and of the entries of F have each their own way to the product.
TEST(MatrixFreePotential, ProductsOfEveryKindOfMaterialAreThoseOfTheAssembledHessian) {
  int tested = 0;
  for (const std::string name : {"neo_hookean_paper", "neo_hookean", "corotational", "stvk_invertible", "fung", "singular"}) {
    const auto plugin = plugin_of(name);
    ElasticSceneDefinition definition = scene_of_term(term_cases[0]);
    definition.bodies[0].material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
    try {
      definition.bodies[0].coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.4}});
    } catch (const Error&) {
      continue;  // it has other parameters
    }
    for (const auto mode : {ElementDifferentiation::csfd, ElementDifferentiation::compiled}) {
      definition.differentiation = mode;
      DisturbedStep step(definition);
      EXPECT_LT(product_error(step), rounding) << name << ", " << to_string(mode);
    }
    ++tested;
  }
  EXPECT_GE(tested, 4);
}

// The oracle is independent of all assembly: central differences of the gradient, extrapolated once.
TEST(MatrixFreePotential, ProductsAreTheDerivativeOfTheGradient) {
  DisturbedStep step(scene_of_term(term_cases[0]));
  MatrixFreePotential products(step.potential, true);
  Eigen::VectorXd gradient, product, ahead, behind;
  products.linearize(step.x, true, gradient);
  const Eigen::VectorXd direction = disturbed(Eigen::VectorXd::Zero(step.x.size()), 1, 40);
  products.multiply(direction, product);
  const auto central = [&](double h) {
    step.potential.gradient(step.x + h * direction, ahead);
    step.potential.gradient(step.x - h * direction, behind);
    return Eigen::VectorXd((ahead - behind) / (2 * h));
  };
  const Eigen::VectorXd slope = (4 * central(5e-4) - central(1e-3)) / 3;
  EXPECT_LT((product - slope).norm(), 1e-9 * slope.norm());
}

TEST(MatrixFreePotential, PrescribedVerticesHaveTheRowsOfTheIdentity) {
  ElasticSceneDefinition definition = scene_of_term(term_cases[0]);
  definition.bodies[0].handles = {box_handle({2.9, -9, -9}, {3 + 1e-9, 9, 9})};
  DisturbedStep step(definition);
  EXPECT_LT(product_error(step), rounding);
  MatrixFreePotential products(step.potential, true);
  Eigen::VectorXd gradient, product, applied;
  products.linearize(step.x, true, gradient);
  const Eigen::VectorXd direction = disturbed(Eigen::VectorXd::Zero(step.x.size()), 1, 50);
  products.multiply(direction, product);
  products.precondition(direction, applied);
  int prescribed = 0;
  for (int vertex = 0; vertex < step.elastic.model->vertex_count(); ++vertex) {
    if (!step.potential.prescribed(vertex)) continue;
    ++prescribed;
    EXPECT_EQ(gradient.segment<3>(3 * vertex), Eigen::Vector3d::Zero());
    EXPECT_EQ(product.segment<3>(3 * vertex), direction.segment<3>(3 * vertex));
    EXPECT_EQ(applied.segment<3>(3 * vertex), direction.segment<3>(3 * vertex));
  }
  EXPECT_GT(prescribed, 0);
}

TEST(MatrixFreePotential, ProductsHaveTheSameBitsOnAnyNumberOfThreads) {
  ElasticSceneDefinition definition = scene_of_term(term_cases[0]);
  definition.bodies[0].mesh = box_source({0.5, 0.4, 0.3}, 3000);
  DisturbedStep step(definition);
  Eigen::VectorXd gradient, one, many;
  for (const int threads : {1, 4}) {
    const ThreadLimit limit(threads);
    MatrixFreePotential products(step.potential, true);
    products.linearize(step.x, true, gradient);
    products.multiply(disturbed(Eigen::VectorXd::Zero(step.x.size()), 1, 60), threads == 1 ? one : many);
  }
  EXPECT_EQ(one, many);
}

TEST(MatrixFreePotentialBadInput, AModeWithoutProductsIsRefusedWithThoseThatHaveThem) {
  ElasticSceneDefinition definition = scene_of_term(term_cases[0]);
  definition.differentiation = ElementDifferentiation::forward_difference;
  ElasticScene elastic(definition);
  ImplicitEuler integrator(elastic);
  try {
    integrator.use({.method = StepMethod::newton_pcg});
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    const std::string message = error.what();
    for (const char* part : {"'body'", "forward_difference", "stable_neo_hookean", "compiled, csfd, analytic"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  integrator.use({.method = StepMethod::gradient_descent});  // needs none
}

// ---- time steps

ElasticSceneDefinition falling_block() {
  ElasticSceneDefinition definition = scene_of_term(term_cases[0]);
  definition.bodies[0].translation = {0, 0, 0.01};
  definition.bodies[0].velocity = {0, 0, -1};
  definition.contact.activation_distance = 0.005;
  definition.contact.planes.push_back({"ground", {0, 0, 0}, {0, 0, 1}, 0.3, {}});
  return definition;
}

Eigen::VectorXd positions_after(const ElasticScene& elastic, const StepSolver& solver, int steps) {
  ImplicitEuler integrator(elastic);
  integrator.use(solver);
  ElasticState state = initial_state(*elastic.model);
  for (int i = 0; i < steps; ++i) {
    const ElasticStepResult result = integrator.step(state);
    EXPECT_TRUE(result.advanced) << result.newton.diagnosis;
    EXPECT_EQ(solver.method == StepMethod::newton_pcg, result.newton.products > 0);
  }
  return state.positions;
}

TEST(StepSolver, ConjugateGradientsGiveTheMotionOfFactorizations) {
  const ElasticScene elastic(falling_block());
  const double tolerance = 1e-10;
  const Eigen::VectorXd expected = positions_after(elastic, {.newton = {.tolerance = tolerance}}, 8);
  const Eigen::VectorXd found =
      positions_after(elastic, {.method = StepMethod::newton_pcg, .newton = {.tolerance = tolerance}}, 8);
  EXPECT_LT((found - expected).lpNorm<Eigen::Infinity>(), 10 * tolerance * elastic.model->length());
  EXPECT_GT((expected - elastic.model->start_positions()).norm(), 0.02);
}

TEST(StepSolver, GradientDescentGivesTheMotionWhereItConverges) {
  ElasticSceneDefinition definition = falling_block();
  definition.contact = {};
  definition.bodies[0].handles = {box_handle({-9, -9, -9}, {1e-9, 9, 9})};
  const ElasticScene elastic(definition);
  const Eigen::VectorXd expected = positions_after(elastic, {}, 3);
  const Eigen::VectorXd found = positions_after(
      elastic, {.method = StepMethod::gradient_descent, .newton = {.tolerance = 1e-10, .max_iterations = 100'000}}, 3);
  EXPECT_LT((found - expected).lpNorm<Eigen::Infinity>(), 1e-6 * elastic.model->length());
}

TEST(StepSolver, ALimitOfIterationsFailsUnlessItIsAccepted) {
  const ElasticScene elastic(falling_block());
  ImplicitEuler integrator(elastic);
  const ElasticState start = initial_state(*elastic.model);
  StepSolver solver{.method = StepMethod::gradient_descent, .newton = {.tolerance = 1e-12, .max_iterations = 3}};
  integrator.use(solver);
  ElasticState state = start;
  const ElasticStepResult failed = integrator.step(state);
  EXPECT_FALSE(failed.advanced);
  EXPECT_EQ(failed.newton.status, NewtonStatus::iteration_limit);
  EXPECT_EQ(state.positions, start.positions);
  EXPECT_EQ(state.step, 0);
  solver.accepts_iteration_limit = true;
  integrator.use(solver);
  const ElasticStepResult taken = integrator.step(state);
  EXPECT_TRUE(taken.advanced);
  EXPECT_EQ(taken.newton.status, NewtonStatus::iteration_limit);
  EXPECT_EQ(state.step, 1);
  EXPECT_GT(taken.residual, 0);
}

TEST(StepSolver, StepsDependOnTheirStateAlone) {
  const ElasticScene elastic(falling_block());
  for (const StepMethod method : {StepMethod::newton_pcg, StepMethod::gradient_descent}) {
    StepSolver solver{.method = method, .accepts_iteration_limit = true};
    ImplicitEuler whole(elastic), resumed(elastic);
    whole.use(solver);
    resumed.use(solver);
    ElasticState state = initial_state(*elastic.model);
    for (int i = 0; i < 2; ++i) whole.step(state);
    ElasticState again = deserialize(*elastic.model, serialize(state));
    for (int i = 0; i < 2; ++i) {
      whole.step(state);
      resumed.step(again);
    }
    EXPECT_EQ(state.positions, again.positions);
    EXPECT_EQ(state.velocities, again.velocities);
  }
}

}  // namespace
}  // namespace holo::test
