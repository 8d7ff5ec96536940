#include "holo/diff/implicit_derivatives.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "holo/diff/dense_implicit_problem.h"
#include "holo/diff/tape/solve_nodes.h"
#include "holo/diff/tensor/implicit_function.h"

namespace holo {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Reference = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

// Three masses in the plane on a net of stiffening springs, a logarithmic barrier above the ground y = -1, and muscles whose
// force depends on the pose and is quadratic in the activations: not the gradient of any energy.
constexpr auto net = [](const auto& x, const auto& a, auto r) {
  using S = std::remove_cvref_t<decltype(r[0])>;
  using std::log;
  using std::sqrt;
  const double anchors[3][2] = {{-1.2, 0.3}, {0.1, 1.4}, {1.1, 0.2}};
  const int springs[3][2] = {{0, 1}, {1, 2}, {0, 2}};
  for (int i = 0; i < 6; ++i) r[i] = S(i % 2 == 1 ? 0.3 : 0.0);
  for (int i = 0; i < 3; ++i) {
    const S dx = x[2 * i] - anchors[i][0], dy = x[2 * i + 1] - anchors[i][1], q = dx * dx + dy * dy;
    r[2 * i] += (1.0 + 0.7 * q) * dx;
    r[2 * i + 1] += (1.0 + 0.7 * q) * dy - 0.05 / (x[2 * i + 1] + 1.0);
  }
  for (const auto& s : springs) {
    const int i = 2 * s[0], j = 2 * s[1];
    const S dx = x[j] - x[i], dy = x[j + 1] - x[i + 1], length = sqrt(dx * dx + dy * dy), f = 0.8 * (1.0 - 0.9 / length);
    r[i] -= f * dx, r[i + 1] -= f * dy;
    r[j] += f * dx, r[j + 1] += f * dy;
  }
  for (int k = 0; k < 3; ++k) {  // turned by the pose of the next mass
    const int i = 2 * k, j = 2 * ((k + 1) % 3);
    r[i] += (0.4 * a[k] + 0.3 * a[k] * a[3]) * (x[j + 1] - x[i + 1]);
    r[i + 1] += (0.25 * a[k] * a[k] - 0.2 * a[3]) * (x[j] * x[i + 1]);
  }
};
constexpr auto reach = [](const auto& x, const auto& a) {
  using S = std::remove_cvref_t<decltype(x[0] + a[0])>;
  S loss = 0.5 * (x[0] - 0.4) * (x[0] - 0.4) + x[3] * x[4] * x[4] + 0.3 * x[1] * x[5];
  for (std::size_t k = 0; k < 4; ++k) loss += 0.05 * a[k] * a[k] + 0.1 * a[k] * x[k];
  return loss;
};

VectorXd parameters() { return (VectorXd(4) << 0.5, -0.3, 0.7, 0.4).finished(); }
VectorXd start() { return (VectorXd(6) << -1.0, 0.2, 0.1, 1.2, 1.0, 0.2).finished(); }
auto solved(const VectorXd& a) {
  DenseImplicitProblem problem(net, reach, start(), a);
  EXPECT_TRUE(problem.solve_state());
  return problem;
}

double error(const MatrixXd& a, const MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff(); }

// phi(a) in 100 digits, by Newton with the Jacobian of the double problem (linear convergence, by many digits a step).
Reference phi(const VectorXd& x0, const Eigen::PartialPivLU<MatrixXd>& lu, const std::vector<Reference>& a) {
  std::vector<Reference> x(x0.begin(), x0.end()), r(6);
  for (int k = 0; k < 400; ++k) {
    net(std::span<const Reference>(x), std::span<const Reference>(a), std::span<Reference>(r));
    Reference size = 0;
    for (const Reference& e : r) size = max(size, Reference(abs(e)));
    if (size < Reference("1e-85")) break;
    VectorXd scaled(6);
    for (int i = 0; i < 6; ++i) scaled[i] = static_cast<double>(Reference(r[i] / size));
    const VectorXd step = lu.solve(scaled);
    for (int i = 0; i < 6; ++i) x[i] -= size * Reference(step[i]);
  }
  return reach(std::span<const Reference>(x), std::span<const Reference>(a));
}
struct Differences {
  VectorXd gradient;
  MatrixXd hessian;
};
Differences reference_differences() {
  auto problem = solved(parameters());
  MatrixXd J(6, 6);
  problem.factorize();
  J.setIdentity();
  problem.solve(J);
  const Eigen::PartialPivLU<MatrixXd> lu(MatrixXd(J.inverse()));
  const Reference h("1e-20");
  const auto at = [&](int i, int si, int j, int sj) {
    std::vector<Reference> a;
    for (double e : parameters()) a.emplace_back(e);
    a[std::size_t(i)] += si * h;
    a[std::size_t(j)] += sj * h;
    return phi(problem.state(), lu, a);
  };
  Differences d{VectorXd(4), MatrixXd(4, 4)};
  for (int i = 0; i < 4; ++i) {
    d.gradient[i] = static_cast<double>(Reference((at(i, 1, i, 0) - at(i, -1, i, 0)) / (2 * h)));
    for (int j = 0; j <= i; ++j)
      d.hessian(i, j) = d.hessian(j, i) =
          static_cast<double>(Reference((at(i, 1, j, 1) - at(i, 1, j, -1) - at(i, -1, j, 1) + at(i, -1, j, -1)) / (4 * h * h)));
  }
  return d;
}

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
TEST(ImplicitDerivatives, AgreeWithTheUnrolledNewtonIteration) {
  auto problem = solved(parameters());
  ImplicitDerivatives derivatives(problem);
  const VectorXd x0 = problem.state() + VectorXd::Constant(6, 0.02);
  const auto unrolled = [&](const auto& a) {
    using V = std::remove_cvref_t<decltype(a[0])>;
    using D = Nilpotent<1, V>;
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
  const VectorXd a = parameters();
  const auto h = taped_hessian(unrolled, std::span<const double>(a.data(), 4));
  ASSERT_TRUE(h.status.ok());
  EXPECT_LE(error(Eigen::Map<const MatrixXd>(h.hessian.data(), 4, 4), derivatives.hessian().hessian), 1e-12);
}

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

// The mistake that the adjoint must not make: a Jacobian made positive semi-definite for the forward Newton steps.
template <class Residual, class Loss>
class ProjectedJacobian : public DenseImplicitProblem<Residual, Loss> {
 public:
  using DenseImplicitProblem<Residual, Loss>::DenseImplicitProblem;
  bool factorize() override {
    if (!DenseImplicitProblem<Residual, Loss>::factorize()) return false;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(MatrixXd(0.5 * (this->jacobian_ + this->jacobian_.transpose())));
    this->lu_.compute(eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(1e-2).asDiagonal() *
                      eigen.eigenvectors().transpose());
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
}  // namespace holo
