// The state at which an equilibrium is differentiated: one that a solver left at its tolerance is improved first, with its
// Jacobian, as the derivatives would carry its error.
#include <gtest/gtest.h>

#include "holo/diff/implicit/dense_implicit_problem.h"
#include "holo/diff/implicit/implicit_derivatives.h"

namespace holo {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr auto residual = [](const auto& x, const auto& a, auto r) {
  r[0] = x[0] * x[0] * x[0] + x[0] + a[0] * x[1] - 1.0;
  r[1] = 2.0 * x[1] + sin(x[0]) * a[1] - a[0];
};
constexpr auto loss = [](const auto& x, const auto& a) { return x[0] * x[0] * x[1] + exp(x[1]) * a[1]; };
const VectorXd a = (VectorXd(2) << 0.8, 1.3).finished();

double difference(const MatrixXd& x, const MatrixXd& y) { return (x - y).cwiseAbs().maxCoeff() / y.cwiseAbs().maxCoeff(); }

TEST(ImplicitState, IsImprovedToRoundingBeforeItIsDifferentiated) {
  DenseImplicitProblem converged(residual, loss, VectorXd::Zero(2), a);
  ASSERT_TRUE(converged.solve_state());
  const VectorXd x = converged.state();
  DenseImplicitProblem nearly(residual, loss, x + VectorXd::Constant(2, 2e-11), a);
  ASSERT_GT(nearly.residual().cwiseAbs().maxCoeff(), 1e-11);
  ImplicitDerivatives exact(converged), improved(nearly);
  EXPECT_LE((nearly.state() - x).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LE(difference(improved.gradient().gradient, exact.gradient().gradient), 1e-14);
  for (ImplicitForm form : {ImplicitForm::lagrangian, ImplicitForm::adjoint})
    EXPECT_LE(difference(improved.hessian(form).hessian, exact.hessian(form).hessian), 1e-14);
  // One factorization for the step, one for the derivatives, as the step was large.
  EXPECT_EQ(improved.counts().newton_steps, 1);
  EXPECT_EQ(improved.counts().factorizations, 2);
}

// Without the step of improvement and without its Jacobian the error of the state would be that of the derivatives.
TEST(ImplicitState, WouldCarryItsErrorIntoTheDerivatives) {
  DenseImplicitProblem converged(residual, loss, VectorXd::Zero(2), a);
  ASSERT_TRUE(converged.solve_state());
  DenseImplicitProblem elsewhere(residual, loss, converged.state() + VectorXd::Constant(2, 2e-11), a);
  ImplicitOptions lax;
  lax.step_tolerance = 1;  // keeps the Jacobian of the state before the step
  ImplicitDerivatives exact(converged), stale(elsewhere, lax);
  EXPECT_EQ(stale.counts().factorizations, 1);
  const double error = difference(stale.hessian().hessian, exact.hessian().hessian);
  EXPECT_GT(error, 1e-13);
  EXPECT_LT(error, 1e-9);
}

}  // namespace
}  // namespace holo
