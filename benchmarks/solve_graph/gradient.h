#pragma once
// The graph's gradient by the adjoint, in real or in complex numbers: for differences and complex steps of it.

#include <Eigen/LU>
#include <cmath>
#include <complex>

#include "graph.h"

namespace holo::benchmark {

// p, g: [inputs] of the scalar S. One factorization and two solves; all transposes, no conjugates.
template <class S>
S network_gradient(const Network& network, const S* p, S* g) {
  using std::exp, std::sin, std::cos, std::tanh;
  using Column = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  using Square = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  Column s(inputs), sine(inputs);
  for (int k = 0; k < inputs; ++k) s[k] = exp(p[k]), sine[k] = sin(p[k]);
  Square A = network.coupling.cast<S>();
  for (int k = 0; k < inputs; ++k) {
    const int i = network.from[std::size_t(k)], j = network.to[std::size_t(k)];
    A(i, i) += s[k], A(j, j) += s[k], A(i, j) -= s[k], A(j, i) -= s[k];
  }
  const Eigen::PartialPivLU<Square> lu(A);
  const Column y = lu.solve(network.constant_source.cast<S>() + network.sources.cast<S>() * sine);
  Column slope(nodes);
  S value(0.0);
  for (int i = 0; i < nodes; ++i) {
    const S t = tanh(y[i]);
    value += network.weights[i] * t * t;
    slope[i] = 2 * network.weights[i] * t * (1.0 - t * t);
  }
  const Column lambda = lu.transpose().solve(slope), source_adjoint = network.sources.transpose().cast<S>() * lambda;
  for (int k = 0; k < inputs; ++k) {
    const int i = network.from[std::size_t(k)], j = network.to[std::size_t(k)];
    g[k] = cos(p[k]) * source_adjoint[k] - s[k] * (lambda[i] - lambda[j]) * (y[i] - y[j]);
  }
  return value;
}

}  // namespace holo::benchmark
