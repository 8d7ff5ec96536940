#include "error_curves/exact_derivatives.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "error_curves/functions.h"

namespace holo::comparison {

namespace {

using Digits = boost::multiprecision::cpp_bin_float_50;

}  // namespace

long double exact_derivative_of_exponential_over_quartic(int order, double x) {
  return static_cast<long double>(ExponentialOverQuartic{}.derivative(order, Digits(x)));
}

long double exact_derivative_of_cube_root(int order, double x) {
  return static_cast<long double>(CubeRoot{}.derivative(order, Digits(x)));
}

Matrix3<long double> exact_derivative_of_inverse(int order, const Matrix3<double>& X) {
  Digits inverse[3][3], minors[3][3], determinant = 0;
  auto x = [&](int i, int j) { return Digits(X((i + 3) % 3, (j + 3) % 3)); };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) minors[i][j] = x(i + 1, j + 1) * x(i + 2, j + 2) - x(i + 1, j + 2) * x(i + 2, j + 1);
  for (int j = 0; j < 3; ++j) determinant += x(0, j) * minors[0][j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inverse[i][j] = minors[j][i] / determinant;
  // E picks column 2 of the first inverse, entry 22 of those between, row 2 of the last.
  Digits factor = 1;
  for (int k = 1; k <= order; ++k) factor *= -k;
  for (int k = 1; k < order; ++k) factor *= inverse[1][1];
  Matrix3<long double> result{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result(i, j) = static_cast<long double>(Digits(factor * inverse[i][1] * inverse[1][j]));
  return result;
}

}  // namespace holo::comparison
