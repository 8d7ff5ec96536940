// Each term of the potential by itself: its derivatives against differences of its energy.
#include "holo/sim/dynamics/potential_term.h"

#include <gtest/gtest.h>

#include "algebra/symmetric.h"
#include "holo/core/error.h"
#include "potential_term_cases.h"
#include "term_checks.h"

namespace holo::test {
namespace {

// One term in a disturbed moving state.
class PotentialTermOf : public testing::TestWithParam<TermCase> {
 protected:
  PotentialTermOf() : elastic(scene_of_term(GetParam())), term(std::move(implicit_euler_terms(elastic)[GetParam().number])) {
    const ElasticState state = initial_state(model);
    at.lagged_at = at.start_positions = disturbed(state.positions, 0.03, 1);
    at.start_velocities = disturbed(state.velocities, 1, 2);
    at.x = disturbed(at.start_positions, 0.03, 3);
    at.parameters = term->parameters();
    at.apply(*term, term_time_step);
  }
  Eigen::VectorXd direction(std::size_t seed) const { return random_columns(at.x.size(), 1, seed); }
  // Where an eigenvalue of the damping's stiffness changes its sign within the step, the difference has an error of the order
  // of the step times a change of the slope, which no bound below allows: the step is small enough that none does here, and
  // large enough that roundings, 2^-53/1e-6 = 1e-10 of the values, stay below the bounds of 1e-8.
  double step() const { return GetParam().has_lag ? 1e-6 : 1e-3; }

  ElasticScene elastic;
  const ElasticModel& model = *elastic.model;
  std::unique_ptr<PotentialTerm> term;
  TermPoint at;
};

TEST_P(PotentialTermOf, GradientIsTheDerivativeOfTheEnergy) {
  const Eigen::VectorXd gradient = gradient_of(*term, at.x);
  ASSERT_GT(gradient.norm(), 0);
  for (std::size_t seed = 10; seed < 13; ++seed) {
    const Eigen::VectorXd d = direction(seed);
    const double slope = difference([&](double t) { return term->energy(at.x + t * d); }, GetParam().step);
    EXPECT_NEAR(gradient.dot(d), slope, 1e-9 * gradient.norm() * d.norm());
  }
}

TEST_P(PotentialTermOf, HessianIsTheDerivativeOfTheGradient) {
  for (std::size_t seed = 13; seed < 16; ++seed) {
    const Eigen::VectorXd d = direction(seed);
    const Eigen::VectorXd slope = difference([&](double t) { return gradient_of(*term, at.x + t * d); }, GetParam().step);
    const Eigen::VectorXd product = hessian_of(*term, model, at.x, Curvature::exact) * d;
    EXPECT_LT((product - slope).norm(), 1e-10 * product.norm() + 1e-9);
  }
}

TEST_P(PotentialTermOf, ProjectedHessianHasNoNegativeEigenvalueAndOnlyAdds) {
  const Eigen::MatrixXd projected = hessian_of(*term, model, at.x, Curvature::projected);
  const Eigen::MatrixXd exact = hessian_of(*term, model, at.x, Curvature::exact);
  const double scale = projected.norm() + 1e-300;
  EXPECT_GT(symmetric_eigenvalues(projected)[0], -1e-10 * scale);
  EXPECT_GT(symmetric_eigenvalues(projected - exact)[0], -1e-10 * scale);
}

TEST_P(PotentialTermOf, BothDerivativesAtOnceAreThoseOneByOne) {
  for (const Curvature curvature : {Curvature::exact, Curvature::projected}) {
    BlockAssembler assembler(model.pattern().matrix);
    SparseMatrix hessian;
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(at.x.size());
    assembler.begin(hessian, nullptr);
    term->add_derivatives(at.x, curvature, gradient, assembler);
    assembler.finish();
    const Eigen::VectorXd alone = gradient_of(*term, at.x);
    EXPECT_LE((gradient - alone).norm(), 1e-14 * alone.norm());
    EXPECT_EQ(Eigen::MatrixXd(Eigen::MatrixXd(hessian).selfadjointView<Eigen::Lower>()),
              hessian_of(*term, model, at.x, curvature));
  }
}

TEST_P(PotentialTermOf, ParameterGradientIsTheDerivativeOfTheGradient) {
  ASSERT_EQ(term->parameter_count(), GetParam().parameters);
  const Eigen::MatrixXd columns = parameter_gradient_of(*term, at.x);
  for (Eigen::Index k = 0; k < at.parameters.size(); ++k) {
    const double size = at.parameters[k] != 0 ? std::abs(at.parameters[k]) : 1;
    const Eigen::VectorXd slope = difference(
        [&](double t) {
          term->set_parameters(at.parameters + t * Eigen::VectorXd::Unit(at.parameters.size(), k));
          return gradient_of(*term, at.x);
        },
        0.01 * size);
    EXPECT_LT((columns.col(k) - slope).norm(), 1e-11 * (slope.norm() + gradient_of(*term, at.x).norm() / size)) << k;
  }
}

TEST_P(PotentialTermOf, SetParametersGivesTheParameters) {
  const Eigen::VectorXd values = 1.25 * at.parameters;
  if (values.size() > 0) term->set_parameters(values);
  EXPECT_EQ(term->parameters(), values);
}

TEST_P(PotentialTermOf, LagDerivativeIsThatOfTheGradientInPositionsAndParameters) {
  ASSERT_EQ(term->lag_count() > 0, GetParam().has_lag);
  const DerivativeCheck check = check_lag_derivative(*term, at, term_time_step, step());
  EXPECT_EQ(check.size > 0.1, GetParam().has_lag);
  EXPECT_LE(check.error, 1e-8 * check.size);
}

TEST_P(PotentialTermOf, StartGradientIsTheDerivativeOfTheGradient) {
  const DerivativeCheck check = check_start_gradient(*term, at, term_time_step, GetParam().step);
  EXPECT_EQ(check.size > 0, GetParam().depends_on_start);
  EXPECT_LE(check.error, 1e-10 * check.size);
}

TEST_P(PotentialTermOf, AdjointHessianIsTheSecondDerivativeOfTheResidual) {
  EXPECT_LT(adjoint_hessian_error(*term, model, at, term_time_step, step()), GetParam().has_lag ? 1e-8 : 1e-9);
}

TEST_P(PotentialTermOf, LagCurvatureIsTheSecondDerivativeOfTheLag) {
  for (const DerivativeCheck& check : check_lag_curvature(*term, at, term_time_step, step())) {
    EXPECT_LE(check.error, 1e-7 * check.size);
    EXPECT_EQ(check.size > 0, GetParam().has_lag);
  }
}

INSTANTIATE_TEST_SUITE_P(Terms, PotentialTermOf, testing::ValuesIn(term_cases),
                         [](const auto& term_case) { return std::string(term_case.param.name); });

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
  const Eigen::MatrixXd none(0, 2);
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(3, 1), square = Eigen::MatrixXd::Zero(2, 2);
  EXPECT_EQ(term.parameters().size(), 0);
  EXPECT_NO_THROW(term.add_parameter_gradient(x, columns));
  EXPECT_NO_THROW(term.add_lag_curvature(x, x, none, none, square));
  EXPECT_EQ(term.lag_derivative(Eigen::MatrixXd::Zero(3, 2), none).cols(), 2);
  term.parameters_ = 1;
  EXPECT_THROW(term.parameters(), Error);
  EXPECT_THROW(term.set_parameters(x), Error);
  EXPECT_THROW(term.add_parameter_gradient(x, columns), Error);
  term.lag_ = 2;
  EXPECT_THROW(term.add_lag_gradient(x, Eigen::MatrixXd::Zero(2, 1), columns), Error);
  EXPECT_THROW(term.lag_derivative(columns, none), Error);
  EXPECT_THROW(term.add_lag_curvature(x, x, none, none, square), Error);
}

}  // namespace
}  // namespace holo::test
