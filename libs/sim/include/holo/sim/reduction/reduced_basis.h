#pragma once
// A basis of few displacements that spans linear modes and their derivatives as well as it can: a principal component analysis
// in the mass matrix [Barbic2005].

#include <Eigen/Core>

#include "holo/sim/reduction/linear_modes.h"
#include "holo/sim/reduction/modal_derivatives.h"

namespace holo {

struct ReducedBasis {
  Eigen::MatrixXd columns;          // [3 * vertex][column], orthonormal in M [1/sqrt(kg)]; signs as those of modes
  Eigen::VectorXd singular_values;  // of all scaled displacements in the norm of M, falling [candidate]
  // The part of the candidates' squared size that the basis leaves out: 0 where it spans all of them.
  double relative_remainder = 0;
};

// The `count` principal directions of the columns w_1/w_i psi_i, w_1^2/(w_i w_j) psi_ij and w_1^3/(w_i w_j w_k) psi_ijk of the
// derivatives that there are. Derivatives of different orders have different units: they are weighed as for amplitudes q of 1
// times `amplitude` [m sqrt(kg)], > 0, with psi_i, amplitude psi_ij and amplitude^2 psi_ijk. Throws Error(input) for a count
// below 1 or above the number of independent candidates, which the message states, and for matrices that do not fit.
ReducedBasis reduced_basis(const ModalSystem& system, const LinearModes& modes, const ModalDerivatives& derivatives, int count,
                           double amplitude = 1);

}  // namespace holo
