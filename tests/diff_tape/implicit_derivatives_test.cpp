#include "holo/diff/implicit/implicit_derivatives.h"

#include <Eigen/Eigenvalues>

#include "algebra/symmetric.h"
#include "diff_tape/net.h"
#include "holo/diff/tape/solve_nodes.h"
#include "holo/diff/tensor/implicit_function.h"

namespace holo::test {
namespace {

TEST(ImplicitDerivatives, BothFormsAndProductsAgreeWithDifferencesInHundredDigits) {
  auto problem = solved(parameters());
  const Differences expected = reference_differences();
  ImplicitDerivatives derivatives(problem);
  EXPECT_GT(expected.hessian.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LE(error(derivatives.gradient().gradient, expected.gradient), 1e-14);
  const auto lagrangian = derivatives.hessian(), adjoint = derivatives.hessian(ImplicitForm::adjoint);
  EXPECT_LE(error(lagrangian.hessian, expected.hessian), 1e-12);
  EXPECT_LE(error(adjoint.hessian, expected.hessian), 1e-12);
  EXPECT_LE(lagrangian.asymmetry, 1e-14);
  EXPECT_LE(adjoint.asymmetry, 1e-13);
  const VectorXd v = (VectorXd(4) << 1.0, -2.0, 0.5, 0.3).finished();
  EXPECT_LE(error(derivatives.hessian_product(v).product, expected.hessian * v), 1e-12);
}

// J' differs from J here, so that nothing passes by symmetry.
TEST(ImplicitDerivatives, TheJacobianOfTheNetIsUnsymmetric) {
  auto problem = solved(parameters());
  ASSERT_TRUE(problem.factorize());
  MatrixXd inverse = MatrixXd::Identity(6, 6);
  problem.solve(inverse);
  const MatrixXd J = inverse.inverse();
  EXPECT_GT((J - J.transpose()).norm() / J.norm(), 0.1);
}

// phi in the algebra: every entry is one solve of the equilibrium with directions in a.
TEST(ImplicitDerivatives, AgreeWithTheEquilibriumSolvedInNilpotentNumbers) {
  using N = Nilpotent<2>;
  auto problem = solved(parameters());
  ImplicitDerivatives derivatives(problem);
  const MatrixXd H = derivatives.hessian().hessian;
  MatrixXd inverse = MatrixXd::Identity(6, 6);
  problem.solve(inverse);
  const auto factor = factorize_lu(inverse.inverse());
  const auto residual = [](std::span<const N> x, std::span<const N> a, std::span<N> r) { net(x, a, r); };
  const VectorXd x0 = problem.state();
  MatrixXd expected(4, 4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      std::vector<N> a;
      for (int k = 0; k < 4; ++k) a.push_back(N::seed(parameters()[k], {k == i ? 1.0 : 0.0, k == j ? 1.0 : 0.0}));
      const auto u = implicit_function<N>(residual, std::span<const double>(x0.data(), 6), a, *factor);
      expected(i, j) = reach(std::span<const N>(u.u), std::span<const N>(a)).coefficient(3);
    }
  EXPECT_LE(error(H, expected), 1e-12);
}

// Newton's method itself on the tape, its solves as matrix nodes.
const auto unrolled = [](const auto& a) {
  using V = std::remove_cvref_t<decltype(a[0])>;
  using D = Nilpotent<1, V>;
  const VectorXd x0 = solved(parameters()).state() + VectorXd::Constant(6, 0.02);
  std::vector<V> x(x0.begin(), x0.end());
  for (int iteration = 0; iteration < 8; ++iteration) {
    std::vector<V> J, r(6);
    const std::vector<D> da(a.begin(), a.end());
    net(std::span<const V>(x), a, std::span<V>(r));
    for (int j = 0; j < 6; ++j) {
      std::vector<D> dx(x.begin(), x.end()), dr(6);
      dx[std::size_t(j)].template set_coefficient<1>(V(1.0));
      net(std::span<const D>(dx), std::span<const D>(da), std::span<D>(dr));
      for (const D& e : dr) J.push_back(e.derivative());
    }
    const auto step = solve(gather(J, 6, 6), gather(r, 6));
    for (int i = 0; i < 6; ++i) x[std::size_t(i)] -= step(i);
  }
  return reach(std::span<const V>(x), a);
};

TEST(ImplicitDerivatives, AgreeWithTheUnrolledNewtonIteration) {
  auto problem = solved(parameters());
  ImplicitDerivatives derivatives(problem);
  const VectorXd a = parameters();
  const auto h = taped_hessian(unrolled, std::span<const double>(a.data(), 4));
  ASSERT_TRUE(h.status.ok());
  EXPECT_LE(error(Eigen::Map<const MatrixXd>(h.hessian.data(), 4, 4), derivatives.hessian().hessian), 1e-12);
}

// The same solved again in full complex arithmetic, with the step 2^-133 in one parameter after another, and swept back.
TEST(ImplicitDerivatives, AgreeWithTheUnrolledNewtonIterationInComplexNumbers) {
  using C = Complex<double>;
  auto problem = solved(parameters());
  ImplicitDerivatives derivatives(problem);
  VectorXd gradient(4);
  MatrixXd hessian(4, 4);
  for (int column = 0; column < 4; ++column) {
    Tape<C> tape;
    std::vector<Variable<C>> a;
    for (int k = 0; k < 4; ++k) a.push_back(tape.variable(C::seed(parameters()[k], k == column ? 1.0 : 0.0)));
    const Variable<C> phi = unrolled(std::span<const Variable<C>>(a));
    tape.reverse(phi);
    EXPECT_NEAR(phi.value().derivative(), derivatives.gradient().gradient[column], 1e-13);
    for (int k = 0; k < 4; ++k) {
      gradient[k] = tape.adjoint(a[std::size_t(k)]).value();
      hessian(k, column) = tape.adjoint(a[std::size_t(k)]).derivative();
    }
  }
  EXPECT_LE(error(gradient, derivatives.gradient().gradient), 1e-13);
  EXPECT_LE(error(hessian, derivatives.hessian().hessian), 1e-12);
}

// The mistake that the adjoint must not make: a Jacobian made positive semi-definite for the forward Newton steps.
template <class Residual, class Loss>
class ProjectedJacobian : public DenseImplicitProblem<Residual, Loss> {
 public:
  using DenseImplicitProblem<Residual, Loss>::DenseImplicitProblem;
  bool factorize() override {
    if (!DenseImplicitProblem<Residual, Loss>::factorize()) return false;
    const SymmetricEigen eigen = symmetric_eigen(0.5 * (this->jacobian_ + this->jacobian_.transpose()));
    this->lu_.compute(eigen.vectors * eigen.values.cwiseMax(1e-2).asDiagonal() * eigen.vectors.transpose());
    return true;
  }
};
template <class Residual, class Loss>
ProjectedJacobian(Residual, Loss, VectorXd, VectorXd) -> ProjectedJacobian<Residual, Loss>;

TEST(ImplicitDerivatives, AProjectedJacobianIsFoundByTheDifferences) {
  auto problem = solved(parameters());
  ProjectedJacobian wrong(net, reach, problem.state(), parameters());
  const Differences expected = reference_differences();
  ImplicitDerivatives derivatives(wrong);
  EXPECT_GT(error(derivatives.gradient().gradient, expected.gradient), 1e-6);
  EXPECT_GT(error(derivatives.hessian().hessian, expected.hessian), 1e-6);
}

}  // namespace
}  // namespace holo::test
