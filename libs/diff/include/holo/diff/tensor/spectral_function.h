#pragma once
// f(A) = Q f(Lambda) Q^T of a symmetric matrix of derivative scalars, for a smooth or piecewise smooth f of one number: exact
// also at repeated eigenvalues, as it is built from divided differences of f and never from derivatives of Q.
//
//   MatrixSeries L = spectral_function(A, [](const auto& x) { return log(x); });
//
// The coefficient of S sums, over ordered partitions (T_1 ... T_k) of S, the divided differences f[l_0 ... l_k] times the
// entries of the A_T in the eigenvectors [Daleckii1965]. Divided differences of near points are integrals of f's derivatives
// over the simplex that they span (Hermite, Genocchi), by a Gauss-Legendre rule; of others, and across a kink of f (a positive
// part, say), quotients, or where these would cancel the integral of f', halved at the kink. An eigenvalue on the kink itself
// takes the derivatives of the side that f chooses there.

#include <functional>

#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/tensor/matrix_series.h"

namespace holo {

// derivative(x, k): the k-th derivative of f at x, 0 <= k <= 3.
using ScalarDerivative = std::function<double(double x, int k)>;

// f[points]: the divided difference of one to four points in any order. Points are near where rules of five and six nodes agree
// to 1e-14 with each other and with the lower divided differences, so no scale of f is assumed.
double divided_difference(const ScalarDerivative& derivative, std::vector<double> points);

// One eigendecomposition and the divided differences of f, for all matrices with one value.
class SpectralFactorization {
 public:
  // value: symmetric; order: up to which derivatives are wanted, at most 3. Throws TensorError as spectral_function().
  SpectralFactorization(const Eigen::MatrixXd& value, const ScalarDerivative& derivative, int order);
  // f(A), for a symmetric A that has this value, of the order.
  MatrixSeries operator()(const MatrixSeries& A) const;

 private:
  using Tuple = std::vector<Eigen::Index>;

  std::size_t position(const Tuple& tuple) const;
  double difference(Tuple tuple) const;
  void fill(const ScalarDerivative& derivative, const Eigen::VectorXd& values, Tuple& tuple, std::size_t slot,
            Eigen::Index from);
  void add_chain(const std::vector<const Eigen::MatrixXd*>& chain, Eigen::MatrixXd& sum) const;

  Eigen::MatrixXd vectors_;
  std::vector<std::vector<double>> differences_;  // [points - 1][tuples of eigenvalues, in increasing order]
};

// f(A) for series of order at most three. Throws TensorError: not_symmetric, not_finite (the argument, or f at an eigenvalue),
// empty, dimension_mismatch (a higher order).
MatrixSeries spectral_function(const MatrixSeries& A, const ScalarDerivative& derivative);

// The derivatives of a function template.
template <class F>
ScalarDerivative scalar_derivative(const F& f) {
  return [f](double x, int k) -> double {
    if (k == 0) return f(Nilpotent<1>(x)).value();
    if (k == 1) return f(Nilpotent<1>::seed(x, {1})).derivative();
    if (k == 2) return f(Nilpotent<2>::seed(x, {1, 1})).derivative();
    return f(Nilpotent<3>::seed(x, {1, 1, 1})).derivative();
  };
}

template <class F>
requires(!std::is_convertible_v<F, ScalarDerivative>) MatrixSeries spectral_function(const MatrixSeries& A, const F& f) {
  return spectral_function(A, scalar_derivative(f));
}

}  // namespace holo
