// The activations of one time step: gradient and Hessian against differences of deeply solved steps and against the
// differentiated adjoint equation, of a block with twelve muscle segments on the ground.
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
// Neither along the block's axes nor in the plane of its foot.
BristlesDefinition foot_bristles() {
  BristlesDefinition bristles;
  bristles.direction = {0.64, 0.48, 0.6};
  bristles.forward = 0.5;
  bristles.backward = 1.5;
  bristles.lateral = 1.2;
  return bristles;
}

const ContactCase contact_cases[] = {
    {"Stick", {0.8, 0.05}, {0, 0, 0}, 30, true, false},
    {"Slip", {0.1, 0.002}, {0.5, 0.2, 0}, 4, false, true},
    {"Mixed", {0.3, 0.004}, {0, 0, 0}, 30, true, true},
    {"StickingBristles", {0.8, 0.05, foot_bristles()}, {0, 0, 0}, 30, true, false},
    {"BristlesForward", {0.1, 0.002, foot_bristles()}, {0.5, -0.1, 0}, 4, false, true},
    {"BristlesBackward", {0.1, 0.002, foot_bristles()}, {-0.5, 0.1, 0}, 4, false, true},
    {"MixedBristles", {0.3, 0.01, foot_bristles()}, {0, 0, 0}, 30, true, true},
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

// The Hessian of L(x(u), u) by other equations than InverseStep's, and with dense matrices: the equations of the adjoint y and
// of the gradient are differentiated in each unknown k. With X_k = dx/du_k and d_k along (X_k, e_k),
//
//   H y = -L_x,  H d_k y = -(L_xx X_k + (d_k H) y),  column k = L_uu e_k + A^T d_k y + (d_k A)^T y
//
// Nothing makes the result symmetric. E is linear in u, so that A and the change of H with u are differences of two values.
class DifferentiatedAdjoint {
 public:
  // At the point of the problem's last gradient.
  DifferentiatedAdjoint(InverseStep& problem, const Eigen::VectorXd& u)
      : problem_(problem),
        potential_(problem.integrator().potential()),
        x_(problem.x()),
        u_(u),
        factor_(hessian_of_energy(x_, u)) {
    Eigen::VectorXd loss_gradient = Eigen::VectorXd::Zero(x_.size());
    problem_.loss().set_activations(unit() * u_);
    problem_.loss().add_gradient(x_, loss_gradient);
    y_ = -factor_.solve(loss_gradient);
    A_ = H_u_y_ = Eigen::MatrixXd(x_.size(), u_.size());
    for (Eigen::Index k = 0; k < u_.size(); ++k) {
      const Eigen::VectorXd more = u_ + Eigen::VectorXd::Unit(u_.size(), k);
      A_.col(k) = residual(more) - residual(u_);
      H_u_y_.col(k) = (hessian_of_energy(x_, more) - hessian_of_energy(x_, u_)) * y_;
    }
    X_ = -factor_.solve(A_);
    set_activations(u_);
  }
  // (dH/dx X_k) y by differences of H, or of the third derivatives of the terms [3 * vertex][unknown].
  Eigen::MatrixXd changes_by_differences(double length) {
    Eigen::MatrixXd changes(x_.size(), u_.size());
    for (Eigen::Index k = 0; k < u_.size(); ++k)
      changes.col(k) =
          difference([&](double t) { return Eigen::VectorXd(hessian_of_energy(x_ + t * X_.col(k), u_) * y_); }, length);
    return changes;
  }
  Eigen::MatrixXd changes_by_terms() {
    Eigen::MatrixXd directions(x_.size(), x_.size() + u_.size());
    directions << Eigen::MatrixXd::Identity(x_.size(), x_.size()), X_;
    const Eigen::MatrixXd parameters = Eigen::MatrixXd::Zero(potential_.parameter_count(), directions.cols());
    return potential_.adjoint_hessian(x_, y_, {directions, parameters}).topRightCorner(x_.size(), u_.size());
  }
  Eigen::MatrixXd hessian(const Eigen::MatrixXd& changes) {
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(u_.size(), u_.size());
    StepColumns products{0 * X_, 0 * identity};
    problem_.loss().add_joint_hessian_products(x_, {X_, unit() * identity}, false, products);
    const Eigen::MatrixXd adjoint_changes = -factor_.solve(products.positions + changes + H_u_y_);
    return unit() * products.activations + A_.transpose() * adjoint_changes + H_u_y_.transpose() * X_;
  }

 private:
  double unit() const { return problem_.options().unit; }
  void set_activations(const Eigen::VectorXd& u) {
    Eigen::VectorXd parameters = potential_.parameters();
    parameters.segment(potential_.activations().first, u.size()) = unit() * u;
    potential_.set_parameters(parameters);
  }
  Eigen::VectorXd residual(const Eigen::VectorXd& u) {
    Eigen::VectorXd gradient;
    set_activations(u);
    potential_.gradient(x_, gradient);
    return gradient;
  }
  Eigen::MatrixXd hessian_of_energy(const Eigen::VectorXd& x, const Eigen::VectorXd& u) {
    Eigen::VectorXd gradient;
    SparseMatrix lower;
    set_activations(u);
    potential_.derivatives(x, Curvature::exact, gradient, lower);
    return Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
  }

  InverseStep& problem_;
  IncrementalPotential& potential_;
  Eigen::VectorXd x_, u_, y_;
  Eigen::LDLT<Eigen::MatrixXd> factor_;
  Eigen::MatrixXd A_, X_, H_u_y_;
};

// Differences of H of sixth order, a thousandth of a shear modulus long, leave rounding of 1e-15/1e-3; the third derivatives of
// the terms leave that of the solutions alone.
TEST_P(InverseStepDerivatives, AreThoseOfTheDifferentiatedAdjointEquation) {
  deep_gradient(toy.problem, u);
  Eigen::MatrixXd expected;
  ASSERT_TRUE(toy.problem.hessian(u, expected));
  DifferentiatedAdjoint other(toy.problem, u);
  const Eigen::MatrixXd by_differences = other.hessian(other.changes_by_differences(1e-3)),
                        by_terms = other.hessian(other.changes_by_terms());
  EXPECT_LT((by_differences - expected).norm(), 1e-11 * expected.norm());
  EXPECT_LT((by_terms - expected).norm(), 1e-11 * expected.norm());
  EXPECT_LT((by_terms - by_terms.transpose()).norm(), 1e-12 * expected.norm());
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

// Forward solves that use factorizations again end at the same minima; derivatives have a factor of their own there.
TEST(InverseStep, DerivativesAreTheSameWhereForwardSolvesUseFactorizationsAgain) {
  Toy factorize({0.5, 0.01}, {0, 0, 0}, 30, {0, 0, 0.3});
  Toy reuse({0.5, 0.01}, {0, 0, 0}, 30, {0, 0, 0.3}, 1e-8, NewtonLinearSolver::reuse);
  const Eigen::VectorXd u = activations_at_random(reuse.problem);
  int forward_solves = 0;
  for (double share : {0.5, 0.8, 1.0}) {
    const double expected = factorize.problem.value(share * u);
    EXPECT_LT(std::abs(reuse.problem.value(share * u) - expected), 1e-9 * expected);
    ++forward_solves;
  }
  EXPECT_LE(reuse.problem.counts().factorizations, factorize.problem.counts().factorizations - forward_solves);
  const Eigen::VectorXd expected = deep_gradient(factorize.problem, u);
  EXPECT_LT((deep_gradient(reuse.problem, u) - expected).norm(), 1e-10 * expected.norm());
  Eigen::MatrixXd expected_hessian, hessian;
  ASSERT_TRUE(factorize.problem.hessian(u, expected_hessian) && reuse.problem.hessian(u, hessian));
  EXPECT_LT((hessian - expected_hessian).norm(), 1e-9 * expected_hessian.norm());
}

// A trial in between leaves neither its activations nor its positions behind.
TEST(InverseStep, DerivativesAtTheAcceptedPointDoNotDependOnTrialsSince) {
  Toy toy({0.5, 0.01}, {0, 0, 0}, 30, {0, 0, 0.3});
  const Eigen::VectorXd u = activations_at_random(toy.problem);
  const auto hessian_at_u = [&] {
    deep_gradient(toy.problem, u);
    Eigen::MatrixXd hessian;
    toy.problem.hessian(u, hessian);
    return hessian;
  };
  const Eigen::MatrixXd before = hessian_at_u();
  ASSERT_TRUE(std::isfinite(toy.problem.value(u + 0.1 * random_columns(u.size(), 1, 3))));
  EXPECT_EQ(hessian_at_u(), before);
}

// The gradient of a trial is that of its point, and the next trial starts where this one did: at the last accepted point.
TEST(InverseStep, GradientsOfTrialsLeaveTheAcceptedPointWhereItIs) {
  Toy toy({0.5, 0.01}, {0, 0, 0}, 30, {0, 0, 0.3});
  const Eigen::VectorXd u = activations_at_random(toy.problem), trial = u + 0.1 * random_columns(u.size(), 1, 3),
                        next = u + 0.2 * random_columns(u.size(), 1, 4);
  const auto value_of_next = [&](bool with_trial, Eigen::VectorXd& of_trial) {
    Eigen::VectorXd ignored;
    Eigen::MatrixXd hessian;
    toy.problem.gradient(u, ignored);
    toy.problem.hessian(u, hessian);  // which gives the sensitivity that predicts trials
    if (with_trial && std::isfinite(toy.problem.value(trial))) toy.problem.trial_gradient(trial, of_trial);
    return toy.problem.value(next);
  };
  Eigen::VectorXd of_trial;
  const double without = value_of_next(false, of_trial);
  EXPECT_EQ(value_of_next(true, of_trial), without);
  const Eigen::VectorXd expected = deep_gradient(toy.problem, trial);
  EXPECT_LT((of_trial - expected).norm(), 1e-10 * expected.norm());
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
