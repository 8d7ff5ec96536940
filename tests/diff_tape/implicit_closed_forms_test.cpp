// Derivatives of equilibria that are known in closed form, what they cost, and what is refused.
#include "diff_tape/net.h"

namespace holo::test {
namespace {

// r = A x + B a + x_i a_i terms: X = -(A + diag a)^-1 (B + diag x), all in closed form.
TEST(ImplicitDerivatives, QuadraticEnergyWithBilinearCouplingHasItsClosedForm) {
  const auto residual = [](const auto& x, const auto& a, auto r) {
    r[0] = 4.0 * x[0] + x[1] + a[0] * x[0] - 1.0;
    r[1] = x[0] + 3.0 * x[1] + a[1] * x[1] + 0.5 * a[0];
  };
  const auto loss = [](const auto& x, const auto&) { return 0.5 * (x[0] * x[0] + x[1] * x[1]); };
  const VectorXd a = (VectorXd(2) << 0.3, -0.2).finished();
  DenseImplicitProblem problem(residual, loss, VectorXd::Zero(2), a);
  ASSERT_TRUE(problem.solve_state());
  const VectorXd x = problem.state();
  MatrixXd K(2, 2), R(2, 2);
  K << 4 + a[0], 1, 1, 3 + a[1];
  R << x[0], 0, 0.5, x[1];
  const MatrixXd X = -K.inverse() * R;
  const VectorXd lambda = -K.inverse() * x;
  MatrixXd coupling(2, 2);  // ell_xa = diag(lambda)
  coupling << lambda[0], 0, 0, lambda[1];
  const MatrixXd H = X.transpose() * X + X.transpose() * coupling + coupling * X;
  ImplicitDerivatives derivatives(problem);
  EXPECT_LE(error(derivatives.gradient().gradient, R.transpose() * lambda), 1e-14);
  EXPECT_LE(error(derivatives.hessian().hessian, H), 1e-14);
}

// Where the loss is the energy whose gradient vanishes: lambda = 0, phi_a = E_a and H = E_aa - E_ax E_xx^-1 E_xa.
TEST(ImplicitDerivatives, EnergyAsLossObeysTheEnvelopeTheorem) {
  const auto residual = [](const auto& x, const auto& a, auto r) {
    r[0] = 2.0 * x[0] + x[0] * x[0] * x[0] + a[0] * x[1];
    r[1] = 3.0 * x[1] + a[0] * x[0] - a[1] * a[1];
  };
  const auto energy = [](const auto& x, const auto& a) {
    return x[0] * x[0] + 0.25 * x[0] * x[0] * x[0] * x[0] + 1.5 * x[1] * x[1] + a[0] * x[0] * x[1] - a[1] * a[1] * x[1];
  };
  const VectorXd a = (VectorXd(2) << 0.6, 1.2).finished();
  DenseImplicitProblem problem(residual, energy, VectorXd::Zero(2), a);
  ASSERT_TRUE(problem.solve_state());
  const VectorXd x = problem.state();
  ImplicitDerivatives derivatives(problem);
  EXPECT_LE(derivatives.multipliers().cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE(error(derivatives.gradient().gradient, (VectorXd(2) << x[0] * x[1], -2 * a[1] * x[1]).finished()), 1e-14);
  MatrixXd xx(2, 2), xa(2, 2), aa(2, 2);
  xx << 2 + 3 * x[0] * x[0], a[0], a[0], 3;
  xa << x[1], 0, x[0], -2 * a[1];
  aa << 0, 0, 0, -2 * x[1];
  EXPECT_LE(error(derivatives.hessian().hessian, aa - xa.transpose() * xx.inverse() * xa), 1e-13);
}

TEST(ImplicitDerivatives, CountsOfFactorizationsAndSolves) {
  auto problem = solved(parameters());
  {
    ImplicitDerivatives derivatives(problem);
    derivatives.hessian();
    EXPECT_EQ(derivatives.counts().factorizations, 1);
    EXPECT_EQ(derivatives.counts().solves, 4 + 1);
  }
  {
    ImplicitDerivatives derivatives(problem);
    derivatives.hessian(ImplicitForm::adjoint);
    EXPECT_EQ(derivatives.counts().factorizations, 1);
    EXPECT_EQ(derivatives.counts().solves, 2 * 4 + 1);
  }
  ImplicitDerivatives derivatives(problem);
  derivatives.hessian_product(parameters());
  EXPECT_EQ(derivatives.counts().solves, 1 + 2);
}

TEST(ImplicitDerivatives, ManyColumnsGiveTheSameBitsOnAnyNumberOfThreads) {
  const auto residual = [](const auto& x, const auto& a, auto r) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      r[i] = 3.0 * x[i] + x[i] * x[i] * x[i] - x[(i + 1) % x.size()];
      for (std::size_t k = i; k < a.size(); k += x.size()) r[i] += a[k] * x[(i + 2) % x.size()] - sin(a[k]);
    }
  };
  const auto loss = [](const auto& x, const auto& a) { return x[0] * x[1] + x[2] * x[2] + a[0] * x[3]; };
  DenseImplicitProblem problem(residual, loss, VectorXd::Zero(5), VectorXd::LinSpaced(70, -0.4, 0.5));
  ASSERT_TRUE(problem.solve_state());
  std::vector<MatrixXd> results;
  const VectorXd state = problem.state();
  for (int threads : {1, 2, 7}) {
    const ThreadLimit limit(threads);
    problem.set_state(state);
    ImplicitDerivatives derivatives(problem);
    results.push_back(derivatives.hessian().hessian);
  }
  EXPECT_GT(results[0].norm(), 0.1);
  EXPECT_TRUE(results[0] == results[1]);
  EXPECT_TRUE(results[0] == results[2]);
}

ImplicitError::Kind refusal(ImplicitProblem& problem) {
  try {
    ImplicitDerivatives derivatives(problem);
  } catch (const ImplicitError& e) {
    return e.kind();
  }
  ADD_FAILURE() << "not refused";
  return ImplicitError::Kind::dimension_mismatch;
}

TEST(ImplicitDerivativesBadInput, IsRefusedByKind) {
  using Kind = ImplicitError::Kind;
  DenseImplicitProblem unconverged(net, reach, start(), parameters());
  EXPECT_EQ(refusal(unconverged), Kind::not_converged);
  DenseImplicitProblem not_finite(net, reach, VectorXd::Constant(6, NAN), parameters());
  EXPECT_EQ(refusal(not_finite), Kind::not_finite);
  const auto fold = [](const auto& x, const auto& a, auto r) { r[0] = x[0] * x[0] + 0.0 * a[0]; };
  const auto loss = [](const auto& x, const auto& a) { return x[0] + a[0]; };
  DenseImplicitProblem singular(fold, loss, VectorXd::Zero(1), VectorXd::Zero(1));
  EXPECT_EQ(refusal(singular), Kind::singular);
  DenseImplicitProblem empty(fold, loss, VectorXd::Zero(1), VectorXd());
  EXPECT_EQ(refusal(empty), Kind::dimension_mismatch);
  auto problem = solved(parameters());
  ImplicitDerivatives derivatives(problem);
  EXPECT_THROW(derivatives.hessian_product(VectorXd::Zero(3)), ImplicitError);
  EXPECT_THROW(derivatives.hessian_product(VectorXd::Constant(4, NAN)), ImplicitError);
}

}  // namespace
}  // namespace holo::test
