// The activations of one time step: gradient and Hessian against differences of deeply solved steps, of a block with twelve
// muscle segments on the ground.
#include "holo/sim/control/inverse_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "inverse_step_derivatives.h"
#include "inverse_step_toy.h"

namespace holo::test {
namespace {

struct ContactCase {
  const char* name;
  GroundContact ground;
  Vector3d velocity;
  int steps;
  bool sticks, slips;
};
const ContactCase contact_cases[] = {
    {"Stick", {0.8, 0.05}, {0, 0, 0}, 30, true, false},
    {"Slip", {0.1, 0.002}, {0.5, 0.2, 0}, 4, false, true},
    {"Mixed", {0.3, 0.004}, {0, 0, 0}, 30, true, true},
};

class InverseStepDerivatives : public testing::TestWithParam<ContactCase> {
 protected:
  InverseStepDerivatives()
      : toy(GetParam().ground, GetParam().velocity, GetParam().steps, {0.2, -0.1, 0.15}),
        u(activations_at_random(toy.problem)) {
    toy.loss.quartic_weight = 1e6;
  }
  Toy toy;
  Eigen::VectorXd u;
};

TEST_P(InverseStepDerivatives, AreThoseOfStepsSolvedAnew) {
  deep_gradient(toy.problem, u);
  const Toy::Contacts contacts = toy.contacts(GetParam().ground.stick_speed);
  EXPECT_EQ(contacts.stick > 0, GetParam().sticks) << contacts.stick;
  EXPECT_EQ(contacts.slip > 0, GetParam().slips) << contacts.slip;
  EXPECT_GT(contacts.margin, 1e-6);
  expect_derivatives_of_steps_solved_anew(toy.problem, u, 2e-3);
}

// Where the quartic part is left out, the Gauss-Newton model still lacks what the step's potential bends: the exact Hessian is
// another matrix.
TEST_P(InverseStepDerivatives, DifferFromTheGaussNewtonModel) {
  toy.loss.quartic_weight = 0;
  deep_gradient(toy.problem, u);
  Eigen::MatrixXd hessian, model;
  ASSERT_TRUE(toy.problem.hessian(u, hessian));
  ASSERT_TRUE(toy.problem.gauss_newton_hessian(u, model));
  EXPECT_GT((hessian - model).norm(), 1e-4 * model.norm());
  EXPECT_GT(model.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0);
}

INSTANTIATE_TEST_SUITE_P(Contacts, InverseStepDerivatives, testing::ValuesIn(contact_cases),
                         [](const auto& of) { return std::string(of.param.name); });

// Steps of 4 mm end a forward solve here; derivatives are those of its minimum all the same.
TEST(InverseStep, DerivativesAreTakenAtMinimaWhereForwardSolvesAreCoarse) {
  Toy fine({0.5, 0.01}, {0, 0, 0}, 30, {0, 0, 0.3}), coarse({0.5, 0.01}, {0, 0, 0}, 30, {0, 0, 0.3}, 5e-3);
  const Eigen::VectorXd u = activations_at_random(fine.problem), expected = deep_gradient(fine.problem, u);
  coarse.problem.value(u);
  EXPECT_LT((deep_gradient(coarse.problem, u) - expected).norm(), 1e-10 * expected.norm());
}

// The factor that the forward solve left brings x to its last digits; only the exact Hessian there is factorized anew.
TEST(InverseStep, DerivativesTakeOneFactorizationAfterAForwardSolve) {
  Toy toy({0.5, 0.01}, {0, 0, 0}, 30, {0, 0, 0.3});
  const Eigen::VectorXd u = activations_at_random(toy.problem);
  ASSERT_TRUE(std::isfinite(toy.problem.value(u)));
  const int before = toy.problem.counts().factorizations;
  deep_gradient(toy.problem, u);
  EXPECT_EQ(toy.problem.counts().factorizations - before, 1);
}

// The energy itself as a loss: at a minimum nothing of its slope comes through x.
class EnergyLoss final : public StepLoss {
 public:
  explicit EnergyLoss(IncrementalPotential& potential) : potential_(potential) {}
  double value(const Eigen::VectorXd& x) override { return potential_.energy(x); }
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override {
    Eigen::VectorXd g;
    SparseMatrix H;
    potential_.derivatives(x, Curvature::exact, g, H);
    gradient += g;
  }
  void add_hessian_products(const Eigen::VectorXd&, const Eigen::MatrixXd&, bool, Eigen::MatrixXd&) override {}

 private:
  IncrementalPotential& potential_;
};

TEST(InverseStep, SlopeOfTheMinimalEnergyIsItsPartialDerivative) {
  const ElasticScene scene = controlled_block();
  ImplicitEuler integrator(scene);
  const ElasticState state = initial_state(*scene.model);
  EnergyLoss loss(integrator.potential());
  InverseStep problem(integrator, loss, {.unit = block_shear_modulus});
  ASSERT_TRUE(problem.begin(state, Eigen::VectorXd::Zero(problem.dimension())));
  const Eigen::VectorXd u = activations_at_random(problem);
  Eigen::VectorXd through_x;
  problem.gradient(u, through_x);
  const auto minimal_energy = [&](const Eigen::VectorXd& at) {
    if (!problem.finish(at)) throw std::runtime_error(problem.diagnosis());
    return loss.value(problem.x());
  };
  for (Eigen::Index k = 0; k < u.size(); ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(u.size(), k);
    const double total = difference([&](double t) { return minimal_energy(u + t * unit); }, 1e-2);
    // E is linear in the activations: its partial derivative is a difference at the same x.
    ASSERT_TRUE(problem.finish(u));
    const Eigen::VectorXd x = problem.x();
    ASSERT_TRUE(problem.finish(u + unit));
    const double with = loss.value(x);
    ASSERT_TRUE(problem.finish(u));
    const double partial = with - loss.value(x);
    EXPECT_NEAR(total, partial, 1e-8 * std::abs(partial));
    EXPECT_LT(std::abs(through_x[k]), 1e-10 * std::abs(partial));
  }
}

}  // namespace
}  // namespace holo::test
