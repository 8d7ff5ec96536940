// Each term of the potential by itself: its derivatives against differences of its energy.
#include "holo/sim/dynamics/potential_term.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "holo/core/error.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "scenes.h"

namespace holo::test {
namespace {

// A box of a material with directional Hessians, damped in both ways, in a disturbed moving state.
struct TermScene {
  std::unique_ptr<const ElasticScene> elastic;
  std::shared_ptr<const ElasticModel> model;
  ElasticState state;
  std::unique_ptr<IncrementalPotential> potential;
  Eigen::VectorXd x;

  TermScene() {
    static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
    const auto plugin = host.get<MaterialPlugin>("stable_neo_hookean");
    ElasticBodyDefinition body;
    body.name = "body";
    body.mesh = box_source({0.5, 0.4, 0.3}, 24);
    body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
    body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.4}});
    body.mass_damping = 0.7;
    body.stiffness_damping = 0.01;
    body.translation = {3, 0, -1};
    LoadDefinition force, traction, pressure, closed;
    force.kind = LoadDefinition::Kind::force;
    force.vector = {10, -20, 30};
    traction.kind = LoadDefinition::Kind::traction;
    traction.vector = {-100, 50, 200};
    pressure.kind = closed.kind = LoadDefinition::Kind::pressure;
    pressure.pressure = closed.pressure = 700;
    force.subset.kind = traction.subset.kind = pressure.subset.kind = SubsetDefinition::Kind::box;
    force.subset.minimum = traction.subset.minimum = pressure.subset.minimum = {-9, -9, -9};
    force.subset.maximum = traction.subset.maximum = pressure.subset.maximum = {3 + 1e-9, 9, 9};
    closed.ramp = 0.04;
    body.loads = {force, traction, pressure, closed};
    ElasticSceneDefinition definition;
    definition.time_step = 0.02;
    definition.bodies = {body};
    elastic = std::make_unique<const ElasticScene>(definition);
    model = elastic->model;
    state = initial_state(*model);
    state.positions = disturbed(state.positions, 0.03, 1);
    state.velocities = disturbed(state.velocities, 1, 2);
    potential = std::make_unique<IncrementalPotential>(model, implicit_euler_terms(*elastic));
    potential->begin_step(elastic->step_from(state), elastic->schedule);
    x = disturbed(state.positions, 0.03, 3);
  }

  Eigen::VectorXd direction(std::size_t seed) const { return disturbed(Eigen::VectorXd::Zero(x.size()), 1, seed); }
};

// Central differences, extrapolated once: error O(h^4).
template <class Function>
auto richardson(const Function& f, double h) {
  using Value = decltype(f(h));
  const auto central = [&](double step) { return Value((f(step) - f(-step)) / (2 * step)); };
  return Value((4 * central(h / 2) - central(h)) / 3);
}

Eigen::VectorXd gradient_of(PotentialTerm& term, const Eigen::VectorXd& x) {
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(x.size());
  term.add_gradient(x, gradient);
  return gradient;
}

Eigen::MatrixXd hessian_of(PotentialTerm& term, const ElasticModel& model, const Eigen::VectorXd& x, Curvature curvature) {
  BlockAssembler assembler(model.pattern().matrix);
  SparseMatrix hessian;
  assembler.begin(hessian, nullptr);
  term.add_hessian(x, curvature, assembler);
  assembler.finish();
  return Eigen::MatrixXd(hessian).selfadjointView<Eigen::Lower>();
}

Eigen::MatrixXd parameter_gradient_of(PotentialTerm& term, const Eigen::VectorXd& x) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(x.size(), term.parameter_count());
  if (term.parameter_count() > 0) term.add_parameter_gradient(x, columns);
  return columns;
}

TEST(PotentialTerm, GradientIsTheDerivativeOfTheEnergy) {
  TermScene scene;
  for (const auto& term : scene.potential->potential_terms()) {
    const Eigen::VectorXd gradient = gradient_of(*term, scene.x), d = scene.direction(10);
    const double slope = richardson([&](double t) { return term->energy(scene.x + t * d); }, 1e-3);
    ASSERT_GT(gradient.norm(), 0) << term->name();
    EXPECT_NEAR(gradient.dot(d), slope, 1e-9 * gradient.norm() * d.norm()) << term->name();
  }
}

TEST(PotentialTerm, HessianIsTheDerivativeOfTheGradient) {
  TermScene scene;
  for (const auto& term : scene.potential->potential_terms()) {
    const Eigen::VectorXd d = scene.direction(11);
    const Eigen::VectorXd slope = richardson([&](double t) { return gradient_of(*term, scene.x + t * d); }, 1e-3);
    const Eigen::VectorXd product = hessian_of(*term, *scene.model, scene.x, Curvature::exact) * d;
    EXPECT_LT((product - slope).norm(), 1e-9 * product.norm() + 1e-9) << term->name();
  }
}

TEST(PotentialTerm, TheProjectedHessianHasNoNegativeEigenvalueAndItsExactPartIsKept) {
  TermScene scene;
  for (const auto& term : scene.potential->potential_terms()) {
    const Eigen::MatrixXd projected = hessian_of(*term, *scene.model, scene.x, Curvature::projected);
    const Eigen::MatrixXd exact = hessian_of(*term, *scene.model, scene.x, Curvature::exact);
    const double scale = projected.norm() + 1e-300;
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(projected).eigenvalues()[0], -1e-10 * scale) << term->name();
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(projected - exact).eigenvalues()[0], -1e-10 * scale)
        << term->name() << ": the projection only adds";
  }
}

TEST(PotentialTerm, BothDerivativesAtOnceAreThoseOneByOne) {
  TermScene scene;
  for (const auto& term : scene.potential->potential_terms())
    for (const Curvature curvature : {Curvature::exact, Curvature::projected}) {
      BlockAssembler assembler(scene.model->pattern().matrix);
      SparseMatrix hessian;
      Eigen::VectorXd gradient = Eigen::VectorXd::Zero(scene.x.size());
      assembler.begin(hessian, nullptr);
      term->add_derivatives(scene.x, curvature, gradient, assembler);
      assembler.finish();
      const Eigen::VectorXd alone = gradient_of(*term, scene.x);
      EXPECT_LE((gradient - alone).norm(), 1e-14 * alone.norm()) << term->name();
      EXPECT_EQ(Eigen::MatrixXd(Eigen::MatrixXd(hessian).selfadjointView<Eigen::Lower>()),
                hessian_of(*term, *scene.model, scene.x, curvature))
          << term->name();
    }
}

TEST(PotentialTerm, ParameterGradientIsTheDerivativeOfTheGradient) {
  TermScene scene;
  int with_parameters = 0;
  for (const auto& term : scene.potential->potential_terms()) {
    const Eigen::MatrixXd columns = parameter_gradient_of(*term, scene.x);
    const Eigen::VectorXd a = term->parameters();
    ASSERT_EQ(a.size(), term->parameter_count());
    for (Eigen::Index k = 0; k < a.size(); ++k, ++with_parameters) {
      const Eigen::VectorXd slope = richardson(
          [&](double t) {
            term->set_parameters(a + t * Eigen::VectorXd::Unit(a.size(), k));
            return gradient_of(*term, scene.x);
          },
          10);
      EXPECT_LT((columns.col(k) - slope).norm(), 1e-11 * slope.norm()) << term->name();
    }
    term->set_parameters(a);
  }
  EXPECT_EQ(with_parameters, 3 + 3 + 1 + 1);
  EXPECT_EQ(scene.potential->parameter_count(), with_parameters);
}

// y . (H(x, a) d_j + P(x, a) a_j) along direction i is y . d2r[i, j].
TEST(PotentialTerm, AdjointHessianIsTheSecondDerivativeOfTheResidual) {
  TermScene scene;
  const Eigen::Index n = scene.x.size();
  const Eigen::VectorXd y = scene.direction(30);
  for (const auto& term : scene.potential->potential_terms()) {
    const Eigen::VectorXd a = term->parameters();
    Eigen::MatrixXd positions(n, 3), parameters = Eigen::MatrixXd::Random(a.size(), 3);
    for (int i = 0; i < 3; ++i) positions.col(i) = scene.direction(40 + static_cast<std::size_t>(i));
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(3, 3);
    term->add_adjoint_hessian(scene.x, y, {positions, parameters}, result);
    for (int i = 0; i < 3; ++i) {
      const Eigen::VectorXd slope = richardson(
          [&](double t) {
            if (a.size() > 0) term->set_parameters(a + t * parameters.col(i));
            const Eigen::VectorXd moved = scene.x + t * positions.col(i);
            Eigen::MatrixXd along = hessian_of(*term, *scene.model, moved, Curvature::exact) * positions;
            if (a.size() > 0) along += parameter_gradient_of(*term, moved) * parameters;
            return Eigen::VectorXd(along.transpose() * y);
          },
          1e-3);
      const double scale = slope.norm() + 1e-3 * hessian_of(*term, *scene.model, scene.x, Curvature::exact).norm();
      EXPECT_LE((result.row(i).transpose() - slope).norm(), 1e-8 * scale) << term->name();
    }
    term->set_parameters(a);
    EXPECT_LE((result - result.transpose()).norm(), 1e-12 * result.norm()) << term->name();
  }
}

// The gradient along a direction of the positions that the lag is taken from.
TEST(PotentialTerm, LagDerivativesAreThoseOfTheGradientInWhatIsLagged) {
  TermScene scene;
  int lagging = 0;
  for (const auto& term : scene.potential->potential_terms()) {
    if (term->lag_count() == 0) continue;
    ++lagging;
    const Eigen::VectorXd d = scene.direction(50);
    Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(scene.x.size(), 1);
    term->add_lag_gradient(scene.x, term->lag_derivative(d), columns);
    const Eigen::VectorXd slope = richardson(
        [&](double t) {
          term->update_lag(scene.state.positions + t * d);
          return gradient_of(*term, scene.x);
        },
        1e-5);
    ASSERT_GT(slope.norm(), 1) << term->name();
    EXPECT_LT((columns.col(0) - slope).norm(), 1e-6 * slope.norm()) << term->name();
  }
  EXPECT_EQ(lagging, 2) << "damping proportional to the stiffness, pressure with a border";
}

// A force of springs whose stiffness is a parameter that its author forgot.
struct Forgetful : PotentialTerm {
  Eigen::Index parameters_ = 0, lag_ = 0;
  std::string name() const override { return "forgetful"; }
  double energy(const Eigen::VectorXd&) override { return 0; }
  void add_gradient(const Eigen::VectorXd&, Eigen::VectorXd&) override {}
  void add_hessian(const Eigen::VectorXd&, Curvature, BlockAssembler&) override {}
  void add_adjoint_hessian(const Eigen::VectorXd&, const Eigen::VectorXd&, const TermDirections&, Eigen::MatrixXd&) override {}
  Eigen::Index parameter_count() const override { return parameters_; }
  Eigen::Index lag_count() const override { return lag_; }
};

TEST(PotentialTerm, DefaultsServeTermsWithoutParametersAndLagAlone) {
  Forgetful term;
  const Eigen::VectorXd x = Eigen::VectorXd::Zero(3);
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(3, 1);
  EXPECT_EQ(term.parameters().size(), 0);
  EXPECT_NO_THROW(term.add_parameter_gradient(x, columns));
  EXPECT_EQ(term.lag_derivative(Eigen::MatrixXd::Zero(3, 2)).cols(), 2);
  term.parameters_ = 1;
  EXPECT_THROW(term.parameters(), Error);
  EXPECT_THROW(term.set_parameters(x), Error);
  EXPECT_THROW(term.add_parameter_gradient(x, columns), Error);
  term.lag_ = 2;
  EXPECT_THROW(term.add_lag_gradient(x, Eigen::MatrixXd::Zero(2, 1), columns), Error);
  EXPECT_THROW(term.lag_derivative(columns), Error);
}

}  // namespace
}  // namespace holo::test
