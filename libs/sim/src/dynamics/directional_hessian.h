#pragma once
// First derivatives of elements' Hessians in F.

#include <Eigen/Core>

#include "holo/sim/dynamics/element_energy.h"

namespace holo {

// d/dt of the material's Hessian at F + t dF, [block][45][lane]. Throws Error(input) for a material that does not offer it.
void run_directional_hessian(const ElementBlocks& blocks, const double* dF, double* output);

// The derivative of the positive part of a symmetric matrix along a symmetric one (Daleckii and Krein): in the eigenvectors of
// H the entries of dH times (max(a, 0) - max(b, 0)) / (a - b) of the eigenvalues a and b. Of two zeros as if they were
// positive.
Eigen::Matrix<double, 9, 9> positive_part_derivative(const Eigen::Matrix<double, 9, 9>& H,
                                                     const Eigen::Matrix<double, 9, 9>& dH);

// The second derivative of the positive part along two symmetric matrices, by second divided differences of max(a, 0) over the
// eigenvalues.
Eigen::Matrix<double, 9, 9> positive_part_second_derivative(const Eigen::Matrix<double, 9, 9>& H,
                                                            const Eigen::Matrix<double, 9, 9>& dH,
                                                            const Eigen::Matrix<double, 9, 9>& eH);

}  // namespace holo
