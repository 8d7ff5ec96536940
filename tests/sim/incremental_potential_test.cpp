#include "holo/sim/dynamics/incremental_potential.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "algebra/symmetric.h"
#include "holo/core/numerics/parallel.h"
#include "scenes.h"

namespace holo::test {
namespace {

// Two bodies of different materials, damping of both kinds, a moving handle, in a disturbed moving state.
struct Scene {
  ElasticSceneDefinition definition;
  std::unique_ptr<const ElasticScene> elastic;
  std::shared_ptr<const ElasticModel> model;
  ElasticState state;
  std::unique_ptr<IncrementalPotential> potential;
  Eigen::VectorXd x;

  explicit Scene(HandEnergy energy = HandEnergy::stable, double disturbance = 0.02) {
    definition.time_step = 0.02;
    ElasticBodyDefinition first = hand_body(energy, box_source({0.5, 0.4, 0.3}, 200));
    first.mass_damping = 0.7;
    first.stiffness_damping = 0.01;
    MotionDefinition motion;
    motion.kind = MotionDefinition::Kind::linear;
    motion.displacement = {0.1, 0.05, 0};
    first.handles = {box_handle({-1, -1, -1}, {1e-9, 1, 1}, motion)};
    ElasticBodyDefinition second = hand_body(energy, box_source({0.3, 0.3, 0.3}, 7), 2e4, 0.3);
    second.name = "second";
    second.translation = {1, 0, 0};
    second.rotation_angle = 0.5;
    definition.bodies = {first, second};
    elastic = std::make_unique<const ElasticScene>(definition);
    model = elastic->model;
    state = initial_state(*model);
    state.positions = disturbed(state.positions, disturbance, 1);
    state.velocities = disturbed(state.velocities, 1, 2);
    potential = std::make_unique<IncrementalPotential>(model, implicit_euler_terms(*elastic));
    potential->begin_step(elastic->step_from(state), elastic->schedule);
    x = disturbed(state.positions, disturbance, 3);
    potential->apply_targets(x);
  }

  // A direction that leaves prescribed vertices alone.
  Eigen::VectorXd direction(std::size_t seed) const {
    Eigen::VectorXd d = disturbed(Eigen::VectorXd::Zero(x.size()), 1, seed);
    for (int v = 0; v < model->vertex_count(); ++v)
      if (potential->prescribed(v)) d.segment<3>(3 * v).setZero();
    return d;
  }
};

// Central differences, extrapolated once (Richardson): error O(h^4).
template <class Function>
auto derivative(const Function& f, double h) {
  auto central = [&](double step) { return ((f(step) - f(-step)) / (2 * step)); };
  return (4 * central(h / 2) - central(h)) / 3;
}

class IncrementalPotentialOf : public testing::TestWithParam<HandEnergy> {};

TEST_P(IncrementalPotentialOf, GradientIsTheDerivativeOfTheEnergy) {
  Scene scene(GetParam());
  Eigen::VectorXd gradient;
  SparseMatrix hessian;
  scene.potential->derivatives(scene.x, Curvature::projected, gradient, hessian);
  for (std::size_t seed = 10; seed < 14; ++seed) {
    const Eigen::VectorXd d = scene.direction(seed);
    const double difference = derivative([&](double t) { return scene.potential->energy(scene.x + t * d); }, 1e-4);
    ASSERT_GT(std::abs(difference), 1);
    EXPECT_NEAR(gradient.dot(d) / difference, 1, 1e-8);
  }
}

TEST_P(IncrementalPotentialOf, HessianIsTheDerivativeOfTheGradient) {
  Scene scene(GetParam());
  Eigen::VectorXd gradient, shifted;
  SparseMatrix hessian, ignored;
  scene.potential->derivatives(scene.x, Curvature::exact, gradient, hessian);
  const Eigen::VectorXd d = scene.direction(20);
  auto gradient_at = [&](double t) {
    scene.potential->derivatives(scene.x + t * d, Curvature::exact, shifted, ignored);
    return Eigen::VectorXd(shifted);
  };
  auto central = [&](double h) { return Eigen::VectorXd((gradient_at(h) - gradient_at(-h)) / (2 * h)); };
  const Eigen::VectorXd difference = (4 * central(5e-5) - central(1e-4)) / 3;
  Eigen::VectorXd product = hessian.selfadjointView<Eigen::Lower>() * d;
  for (int v = 0; v < scene.model->vertex_count(); ++v)
    if (scene.potential->prescribed(v)) product.segment<3>(3 * v).setZero();
  EXPECT_LT((product - difference).norm() / difference.norm(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Materials, IncrementalPotentialOf, testing::Values(HandEnergy::stable, HandEnergy::log));

// Without inertia's and damping's share, a translation changes nothing.
TEST(IncrementalPotential, TranslationsAreInTheNullSpaceOfTheElasticHessian) {
  ElasticSceneDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, box_source({1, 1, 1}, 100))};
  definition.bodies[0].stiffness_damping = 0.1;
  const ElasticScene elastic(definition);
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  state.positions = disturbed(state.positions, 0.05);
  IncrementalPotential potential(model, implicit_euler_terms(elastic));
  potential.begin_step(elastic.step_from(state), elastic.schedule);
  Eigen::VectorXd gradient;
  SparseMatrix hessian;
  potential.derivatives(disturbed(state.positions, 0.02, 9), Curvature::projected, gradient, hessian);
  Eigen::VectorXd shift(gradient.size());
  for (Eigen::Index i = 0; i < shift.size(); ++i) shift[i] = std::array{1.0, -2.0, 0.5}[static_cast<std::size_t>(i % 3)];
  Eigen::VectorXd product = hessian.selfadjointView<Eigen::Lower>() * shift, inertia = shift;
  for (int v = 0; v < model->vertex_count(); ++v) inertia.segment<3>(3 * v) *= model->masses()[v] / 1e-4;
  ASSERT_GT(inertia.norm(), 1);
  EXPECT_LT((product - inertia).norm(), 1e-9 * product.norm());
  EXPECT_LT((product - inertia).cwiseAbs().maxCoeff(), 1e-8 * hessian.coeffs().cwiseAbs().maxCoeff());
}

TEST(IncrementalPotential, PrescribedRowsAreThoseOfADiagonalMatrix) {
  Scene scene;
  Eigen::VectorXd gradient, free_gradient;
  SparseMatrix hessian, free_hessian;
  scene.potential->derivatives(scene.x, Curvature::projected, gradient, hessian);
  scene.potential->free_derivatives(scene.x, Curvature::projected, free_gradient, free_hessian);
  int prescribed = 0;
  for (int column = 0; column < hessian.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(hessian, column); entry; ++entry) {
      const bool held =
          scene.potential->prescribed(column / 3) || scene.potential->prescribed(static_cast<int>(entry.row()) / 3);
      prescribed += held;
      if (held) {
        EXPECT_EQ(entry.value() != 0, entry.row() == column);
      } else {
        EXPECT_EQ(entry.value(), free_hessian.coeff(entry.row(), column));
      }
    }
  ASSERT_GT(prescribed, 0);
  scene.potential->eliminate_prescribed(free_gradient, free_hessian);
  EXPECT_LT((gradient - free_gradient).norm(), 1e-15 * gradient.norm());
  EXPECT_LT((Eigen::MatrixXd(hessian) - Eigen::MatrixXd(free_hessian)).norm(), 1e-15 * hessian.norm());
}

TEST(IncrementalPotential, ProjectionMakesTheHessianOfACompressedBodyPositive) {
  ElasticSceneDefinition definition;
  definition.time_step = 10;  // hardly any inertia
  definition.bodies = {hand_body(HandEnergy::stable, box_source({1, 1, 1}, 20))};
  const ElasticScene elastic(definition);
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  IncrementalPotential potential(model, implicit_euler_terms(elastic));
  potential.begin_step(elastic.step_from(state), elastic.schedule);
  const Eigen::VectorXd compressed = 0.4 * state.positions;
  Eigen::VectorXd gradient;
  SparseMatrix hessian;
  auto smallest = [&](bool projection) {
    potential.derivatives(compressed, projection ? Curvature::projected : Curvature::exact, gradient, hessian);
    const Eigen::MatrixXd dense = Eigen::MatrixXd(hessian).selfadjointView<Eigen::Lower>();
    return symmetric_eigenvalues(dense)[0];
  };
  EXPECT_LT(smallest(false), -1);
  EXPECT_GT(smallest(true), 0);
  EXPECT_EQ(potential.elasticity().projected_elements(), model->element_count()) << "padding is not counted";
  smallest(false);
  EXPECT_EQ(potential.elasticity().projected_elements(), model->element_count())
      << "the step's worst assembly counts, not its last";
  potential.begin_step(elastic.step_from(state), elastic.schedule);
  EXPECT_EQ(potential.elasticity().projected_elements(), 0);
}

TEST(IncrementalPotential, SameBitsOnAnyNumberOfThreads) {
  ElasticSceneDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, box_source({1, 0.5, 0.5}, 4000))};
  definition.bodies[0].stiffness_damping = 0.01;
  const ElasticScene elastic(definition);
  const auto& model = elastic.model;
  ElasticState state = initial_state(*model);
  state.positions = disturbed(state.positions, 0.01);
  const Eigen::VectorXd x = disturbed(state.positions, 0.01, 5);
  auto run = [&](int threads, Eigen::VectorXd& gradient, SparseMatrix& hessian) {
    ThreadLimit limit(threads);
    IncrementalPotential potential(model, implicit_euler_terms(elastic));
    potential.begin_step(elastic.step_from(state), elastic.schedule);
    potential.derivatives(x, Curvature::projected, gradient, hessian);
    EXPECT_GT(potential.elasticity().projected_elements(), 100);
    return potential.energy(x);
  };
  Eigen::VectorXd gradient, other_gradient;
  SparseMatrix hessian, other_hessian;
  const double energy = run(1, gradient, hessian);
  for (int threads : {2, 5}) {
    EXPECT_EQ(energy, run(threads, other_gradient, other_hessian));
    EXPECT_EQ(gradient, other_gradient);
    EXPECT_EQ(hessian.coeffs().matrix(), other_hessian.coeffs().matrix());
  }
}

TEST(IncrementalPotential, EnergyOutsideTheDomainIsInfinite) {
  Scene scene(HandEnergy::log);
  EXPECT_TRUE(std::isfinite(scene.potential->energy(scene.x)));
  Eigen::VectorXd turned = scene.x;
  for (Eigen::Index i = 0; i < turned.size(); i += 3) turned[i] = -turned[i];
  EXPECT_EQ(scene.potential->energy(turned), std::numeric_limits<double>::infinity());
}

TEST(IncrementalPotential, TermsAddUpToEnergyAndNameTheBodies) {
  Scene scene;
  double sum = 0;
  std::string names;
  for (const auto& term : scene.potential->terms(scene.x)) sum += term.energy, names += term.name + "; ";
  EXPECT_NEAR(sum / scene.potential->energy(scene.x), 1, 1e-12);
  EXPECT_NE(names.find("elastic energy of 'second'"), std::string::npos) << names;
  EXPECT_NE(names.find("stiffness of 'body'"), std::string::npos) << names;
}

}  // namespace
}  // namespace holo::test
