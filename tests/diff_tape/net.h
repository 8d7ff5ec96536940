#pragma once
// An equilibrium with everything that makes its derivatives hard, and what they are in 100 digits.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "holo/diff/implicit/dense_implicit_problem.h"
#include "holo/diff/implicit/implicit_derivatives.h"

namespace holo::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Reference = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

// Three masses in the plane on a net of stiffening springs, a logarithmic barrier above the ground y = -1, and muscles whose
// force depends on the pose and is quadratic in the activations: not the gradient of any energy.
inline constexpr auto net = [](const auto& x, const auto& a, auto r) {
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
inline constexpr auto reach = [](const auto& x, const auto& a) {
  using S = std::remove_cvref_t<decltype(x[0] + a[0])>;
  S loss = 0.5 * (x[0] - 0.4) * (x[0] - 0.4) + x[3] * x[4] * x[4] + 0.3 * x[1] * x[5];
  for (std::size_t k = 0; k < 4; ++k) loss += 0.05 * a[k] * a[k] + 0.1 * a[k] * x[k];
  return loss;
};

inline VectorXd parameters() { return (VectorXd(4) << 0.5, -0.3, 0.7, 0.4).finished(); }
inline VectorXd start() { return (VectorXd(6) << -1.0, 0.2, 0.1, 1.2, 1.0, 0.2).finished(); }
inline auto solved(const VectorXd& a) {
  DenseImplicitProblem problem(net, reach, start(), a);
  EXPECT_TRUE(problem.solve_state());
  return problem;
}

inline double error(const MatrixXd& a, const MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff(); }

// phi(a) in 100 digits, by Newton with the Jacobian of the double problem (linear convergence, by many digits a step).
inline Reference phi(const VectorXd& x0, const Eigen::PartialPivLU<MatrixXd>& lu, const std::vector<Reference>& a) {
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
inline Differences reference_differences() {
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

}  // namespace holo::test
