#pragma once
// Exact derivatives, rounded from 50 digits to 64 bits of mantissa.

#include "holo/diff/matrix.h"

namespace holo::comparison {

long double exact_derivative_of_exponential_over_quartic(int order, double x);
long double exact_derivative_of_cube_root(int order, double x);
// d^n X^-1 / dX_22^n = (-1)^n n! X^-1 E X^-1 ... E X^-1 with E = e_2 e_2'. The paper prints -2 for n = 2.
Matrix3<long double> exact_derivative_of_inverse(int order, const Matrix3<double>& X);

}  // namespace holo::comparison
