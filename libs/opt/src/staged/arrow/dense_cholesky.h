#pragma once
// Cholesky factorization of small dense matrices, in place and without memory of its own.

#include <Eigen/Core>
#include <cmath>

namespace holo {

// to += sign * from * coefficients^T, tall times small.
template <class To, class From, class Coefficients>
void add_product(To&& to, const From& from, const Coefficients& coefficients, double sign) {
  const Eigen::Index inner = from.cols();
  for (Eigen::Index j = 0; j < to.cols(); ++j) {
    Eigen::Index i = 0;
    for (; i + 4 <= inner; i += 4)
      to.col(j) += from.col(i) * (sign * coefficients(j, i)) + from.col(i + 1) * (sign * coefficients(j, i + 1)) +
                   from.col(i + 2) * (sign * coefficients(j, i + 2)) + from.col(i + 3) * (sign * coefficients(j, i + 3));
    for (; i < inner; ++i) to.col(j) += from.col(i) * (sign * coefficients(j, i));
  }
}

// The lower triangle of a becomes L of a = L L^T. False where a is not positive definite.
template <class Matrix>
bool factor_cholesky(Matrix&& a) {
  const Eigen::Index n = a.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!(a(j, j) > 0) || !std::isfinite(a(j, j))) return false;
    a.col(j).tail(n - j) /= std::sqrt(a(j, j));
    for (Eigen::Index i = j + 1; i < n; ++i) a.col(i).tail(n - i) -= a.col(j).tail(n - i) * a(i, j);
  }
  return true;
}

// x L^T = b for rows of x, in place.
template <class Lower, class Matrix>
void solve_rows(const Lower& lower, Matrix&& x) {
  for (Eigen::Index j = 0; j < lower.cols(); ++j) {
    for (Eigen::Index i = 0; i < j; ++i) x.col(j) -= x.col(i) * lower(j, i);
    x.col(j) /= lower(j, j);
  }
}

template <class Lower, class Vector>
void solve_lower(const Lower& lower, Vector&& x) {
  for (Eigen::Index j = 0; j < lower.cols(); ++j) {
    x[j] /= lower(j, j);
    x.tail(x.size() - j - 1) -= lower.col(j).tail(x.size() - j - 1) * x[j];
  }
}

template <class Lower, class Vector>
void solve_lower_transposed(const Lower& lower, Vector&& x) {
  for (Eigen::Index j = lower.cols(); j-- > 0;) {
    const Eigen::Index below = x.size() - j - 1;
    x[j] = (x[j] - lower.col(j).tail(below).dot(x.tail(below))) / lower(j, j);
  }
}

}  // namespace holo
