#pragma once
// The Cauchy-Riemann form of a multicomplex matrix, a real matrix 2^n times larger [Luo2019, 4]: the reference that the
// recursions of holo/diff/tensor/linear_solve.h are compared with, at a step h.
//
//   CR(z1 + i_n z2) = [CR(z1), -CR(z2); CR(z2), CR(z1)]
//
// Its limits: the form of a symmetric matrix is not symmetric, so LLT and LDLT of it do not exist and LU is all there is;
// eigenvalues through it lose their imaginary part at small h; it costs 8^n of a dense factorization, and has an error of h^2.

#include "holo/diff/tensor/matrix_series.h"

namespace holo {

// 2^-133, the power of two near 1e-40: dividing by its powers is exact up to order seven.
inline constexpr double cauchy_riemann_step = 9.183549615799121e-41;

// The real matrix [2^n rows][2^n columns] of sum_S A_S h^|S| i_S. Of series over DerivativeSet::subsets(n). Throws
// TensorError(dimension_mismatch) for another set, or a step h whose power h^n is not a normal number.
Eigen::MatrixXd cauchy_riemann_form(const MatrixSeries& A, double h = cauchy_riemann_step);
// Its first block column [2^n rows][columns]: the form of a right-hand side, and what a solution is read from.
Eigen::MatrixXd cauchy_riemann_column(const MatrixSeries& A, double h = cauchy_riemann_step);
// The series whose first block column this is.
MatrixSeries from_cauchy_riemann_column(const DerivativeSet& set, const Eigen::MatrixXd& column,
                                        double h = cauchy_riemann_step);

// By LU of the whole form. Throws TensorError(singular).
MatrixSeries cauchy_riemann_solve(const MatrixSeries& A, const MatrixSeries& b, double h = cauchy_riemann_step);
MatrixSeries cauchy_riemann_inverse(const MatrixSeries& A, double h = cauchy_riemann_step);

}  // namespace holo
