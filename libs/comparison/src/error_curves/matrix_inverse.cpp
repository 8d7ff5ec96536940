#include <cmath>
#include <random>

#include "error_curves/curve_entries.h"
#include "error_curves/exact_derivatives.h"
#include "error_curves/methods.h"
#include "holo/diff/tensor/cauchy_riemann.h"
#include "holo/diff/tensor/linear_solve.h"

namespace holo::comparison {

namespace {

constexpr double condition_limit = 50;  // of the Frobenius norms: else rounding in the inverse hides the methods' errors

Matrix3<double> random_matrix(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (;;) {
    Matrix3<double> X{};
    for (double& entry : X.entries) entry = double(random() >> 11) * 0x1p-52 - 1;  // in [-1, 1), the same everywhere
    if (norm(X) * norm(inverse(X)) < condition_limit) return X;
  }
}

// The inverse with X_22 moved by `step`.
template <class S>
Matrix3<S> inverse_after(const Matrix3<double>& X, const S& step) {
  Matrix3<S> moved = matrix_cast<S>(X);
  moved(1, 1) = moved(1, 1) + step;
  return inverse(moved);
}

using Approximation = std::function<Matrix3<long double>(const Matrix3<double>& X, double h)>;

ErrorCurve curve(int order, const Approximation& approximation, std::uint64_t seed) {
  const Matrix3<double> X = random_matrix(seed);
  return [X, approximation, exact = exact_derivative_of_inverse(order, X)](double h) {
    return double(norm(approximation(X, h) - exact) / norm(exact));
  };
}

// A method for functions of one number, on each entry.
template <class Method>
Approximation entry_by_entry(Method method) {
  return [method](const Matrix3<double>& X, double h) {
    Matrix3<long double> result{};
    for (int k = 0; k < 9; ++k) result[k] = method([&](const auto& step) { return inverse_after(X, step)[k]; }, h);
    return result;
  };
}

// X + h E (eps_1 + ... + eps_order), E = e_2 e_2'.
MatrixSeries moved_in_all_directions(const Matrix3<double>& X, int order, double h) {
  Eigen::MatrixXd value(3, 3), E = Eigen::MatrixXd::Zero(3, 3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) value(i, j) = X(i, j);
  E(1, 1) = h;
  MatrixSeries series(DerivativeSet::subsets(order), value);
  for (int k = 0; k < order; ++k) series.set_coefficient(1 << k, E);
  return series;
}

// The mixed derivative in all directions, `scale` times too large.
Matrix3<long double> top_coefficient(const MatrixSeries& series, int order, double scale) {
  const Eigen::MatrixXd coefficient = series[(1 << order) - 1];
  Matrix3<long double> result{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result(i, j) = coefficient(i, j) / scale;
  return result;
}

}  // namespace

std::vector<CurveEntry> matrix_inverse_curves() {
  std::vector<CurveEntry> entries;
  const auto add = [&](const char* method, int order, const Approximation& approximation) {
    entries.push_back(
        {{"matrix_inverse", method, order}, [=](double, std::uint64_t seed) { return curve(order, approximation, seed); }});
  };
  for (int order : {1, 2}) {
    add("forward_difference", order,
        entry_by_entry([order](auto f, double h) { return forward_difference(f, order, 0.0, h); }));
    add("central_difference", order,
        entry_by_entry([order](auto f, double h) { return central_difference(f, order, 0.0, h); }));
    add("csfd", order, [order](const Matrix3<double>& X, double h) {
      return top_coefficient(Factorized(moved_in_all_directions(X, order, h)).inverse(), order, std::pow(h, order));
    });
    // The step of the form is h; the coefficients that it returns have it divided out.
    add("cr_form", order, [order](const Matrix3<double>& X, double h) {
      return top_coefficient(cauchy_riemann_inverse(moved_in_all_directions(X, order, 1), h), order, 1);
    });
  }
  return entries;
}

}  // namespace holo::comparison
