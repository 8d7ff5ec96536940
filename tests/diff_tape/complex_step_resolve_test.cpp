// Derivatives through an equilibrium against the equilibrium solved again in multicomplex numbers: every entry of the Hessian
// is one solve at perturbed parameters, with full powers of the step.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "holo/diff/implicit/dense_implicit_problem.h"
#include "holo/diff/implicit/implicit_derivatives.h"
#include "holo/diff/scalars/multicomplex.h"

namespace holo {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Unsymmetric, nonlinear in the state and quadratic in the parameters.
constexpr auto residual = [](const auto& x, const auto& a, auto r) {
  r[0] = 3.0 * x[0] + x[0] * x[0] * x[0] - a[0] * x[1] + sin(x[2]) - a[1];
  r[1] = 2.0 * x[1] + 0.5 * x[0] * x[2] + a[0] * a[0] * x[2] - 0.3;
  r[2] = 4.0 * x[2] - x[1] * x[1] + exp(a[2] * x[0]) - a[2] * a[1];
};
constexpr auto loss = [](const auto& x, const auto& a) {
  return x[0] * x[1] + x[2] * x[2] * a[2] + 0.1 * a[0] * a[1] + cos(x[1]);
};
constexpr int n = 3, m = 3;

// phi(a) by Newton's method with the real Jacobian of the solution: each step sets one more power of the units right.
Multicomplex<2> phi(const VectorXd& x0, const Eigen::PartialPivLU<MatrixXd>& lu, std::span<const Multicomplex<2>> a) {
  using M = Multicomplex<2>;
  std::vector<M> x(x0.begin(), x0.end()), r(n);
  for (int iteration = 0; iteration < 12; ++iteration) {
    residual(std::span<const M>(x), a, std::span<M>(r));
    for (int s = 0; s < M::coefficient_count; ++s) {
      VectorXd part(n);
      for (int i = 0; i < n; ++i) part[i] = r[std::size_t(i)].coefficient(s);
      const double size = std::max(part.cwiseAbs().maxCoeff(), 1e-300);
      const VectorXd step = lu.solve(part / size) * size;  // parts of size 1e-80 keep their digits
      for (int i = 0; i < n; ++i) x[std::size_t(i)].set_coefficient(s, x[std::size_t(i)].coefficient(s) - step[i]);
    }
  }
  return loss(std::span<const M>(x), a);
}

TEST(ImplicitDerivatives, AgreeWithTheEquilibriumSolvedAgainInMulticomplexNumbers) {
  const VectorXd a = (VectorXd(m) << 0.4, -0.7, 0.6).finished();
  DenseImplicitProblem problem(residual, loss, VectorXd::Zero(n), a);
  ASSERT_TRUE(problem.solve_state());
  ImplicitDerivatives derivatives(problem);
  const auto lagrangian = derivatives.hessian(), adjoint = derivatives.hessian(ImplicitForm::adjoint);
  MatrixXd inverse = MatrixXd::Identity(n, n);
  problem.solve(inverse);
  const MatrixXd J = inverse.inverse();
  EXPECT_GT((J - J.transpose()).norm() / J.norm(), 0.1);
  const Eigen::PartialPivLU<MatrixXd> lu(J);
  VectorXd gradient(m);
  MatrixXd expected(m, m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      std::vector<Multicomplex<2>> seeds;
      for (int k = 0; k < m; ++k) seeds.push_back(Multicomplex<2>::seed(a[k], {k == i ? 1.0 : 0.0, k == j ? 1.0 : 0.0}));
      const Multicomplex<2> y = phi(problem.state(), lu, seeds);
      gradient[i] = y.derivative(1);
      expected(i, j) = y.derivative(3);
    }
  EXPECT_GT(expected.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LE((lagrangian.gradient - gradient).cwiseAbs().maxCoeff(), 1e-14 * gradient.cwiseAbs().maxCoeff());
  EXPECT_LE((lagrangian.hessian - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff());
  EXPECT_LE((adjoint.hessian - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace holo
