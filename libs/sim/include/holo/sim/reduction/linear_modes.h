#pragma once
// Linear vibration modes of elastic bodies: the lowest eigenpairs of K psi = w^2 M psi.

#include <Eigen/Core>

#include "holo/sim/reduction/modal_system.h"

namespace holo {

struct LinearModes {
  Eigen::VectorXd frequencies;  // w [mode], ascending, angular [rad/s]
  // [3 * vertex][mode], psi^T M psi = 1 [1/sqrt(kg)]. The first entry that is at least half as large as the largest is
  // positive.
  Eigen::MatrixXd shapes;
  // |K psi - w^2 M psi| / w^2 in the norm of M^-1 [mode]: an eigenvalue of the exact problem lies within this relative distance
  // of w^2 (theorem of Bauer and Fike for symmetric matrices).
  Eigen::VectorXd residuals;
  int solves = 0;  // with the factor of K
};

// The `count` lowest modes. Lanczos iterations of Spectra on M^1/2 K^-1 M^1/2, which need solves with the system's factor
// alone; where modes are a large part of all, or few are there, a dense eigensolver. After Lanczos iterations, others look for
// an eigenvalue among vectors orthogonal to those found, so that no copy of a repeated frequency is missed. Throws Error(input)
// for a count below 1 or above the degrees of freedom, and Error(internal) for iterations that do not converge.
LinearModes linear_modes(const ModalSystem& system, int count);

}  // namespace holo
