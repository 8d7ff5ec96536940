// The yardstick: what a careful programmer writes for this function, by the second-order adjoint with matrix products.

#include <Eigen/LU>
#include <cmath>

#include "graph.h"

namespace holo::benchmark {

void hand_written_hessian(const Network& network, std::span<const double> p, Derivatives& out) {
  using Eigen::MatrixXd;
  using Eigen::VectorXd;
  const auto n = Eigen::Index(nodes), m = Eigen::Index(inputs);
  VectorXd s(m), sine(m), cosine(m);
  for (Eigen::Index k = 0; k < m; ++k) s[k] = std::exp(p[k]), sine[k] = std::sin(p[k]), cosine[k] = std::cos(p[k]);
  MatrixXd A = network.coupling;
  for (Eigen::Index k = 0; k < m; ++k) {
    const int i = network.from[k], j = network.to[k];
    A(i, i) += s[k], A(j, j) += s[k], A(i, j) -= s[k], A(j, i) -= s[k];
  }
  const Eigen::PartialPivLU<MatrixXd> lu(A);
  const VectorXd y = lu.solve(network.constant_source + network.sources * sine);
  VectorXd slope(n), curvature(n);
  out.value = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double t = std::tanh(y[i]), d = 1 - t * t, w = network.weights[i];
    out.value += w * t * t;
    slope[i] = 2 * w * t * d;
    curvature[i] = 2 * w * d * (d - 2 * t * t);
  }
  const VectorXd lambda = lu.transpose().solve(slope);
  const VectorXd source_adjoint = network.sources.transpose() * lambda;

  // Y = dy/dp = A^-1 (db/dp - dA/dp y), and dlambda/dp = A^-T (curvature Y - dA'/dp lambda).
  MatrixXd Y = network.sources * cosine.asDiagonal();
  VectorXd dy(m), dlambda(m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const int i = network.from[k], j = network.to[k];
    dy[k] = y[i] - y[j], dlambda[k] = lambda[i] - lambda[j];
    Y(i, k) -= s[k] * dy[k], Y(j, k) += s[k] * dy[k];
  }
  Y = lu.solve(Y).eval();
  MatrixXd L = curvature.asDiagonal() * Y;
  for (Eigen::Index k = 0; k < m; ++k) {
    L(network.from[k], k) -= s[k] * dlambda[k];
    L(network.to[k], k) += s[k] * dlambda[k];
  }
  L = lu.transpose().solve(L).eval();

  // g_k = lambda' db/dp_k - s_k dlambda_k dy_k
  Eigen::Map<MatrixXd> H(out.hessian.data(), m, m);
  H.noalias() = cosine.asDiagonal() * (network.sources.transpose() * L);
  for (Eigen::Index k = 0; k < m; ++k) {
    const int i = network.from[k], j = network.to[k];
    out.gradient[k] = cosine[k] * source_adjoint[k] - s[k] * dlambda[k] * dy[k];
    H.row(k) -= s[k] * ((L.row(i) - L.row(j)) * dy[k] + dlambda[k] * (Y.row(i) - Y.row(j)));
    H(k, k) -= sine[k] * source_adjoint[k] + s[k] * dlambda[k] * dy[k];
  }
}

}  // namespace holo::benchmark
