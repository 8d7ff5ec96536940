#pragma once
// Eigenpairs of the flexibility A = M^1/2 K^-1 M^1/2 of a modal system, whose largest eigenvalues are 1/w^2 of the lowest
// modes.

#include <Eigen/Core>

#include "holo/sim/reduction/modal_system.h"

namespace holo {

// Largest eigenvalue first.
struct FlexibilityPairs {
  Eigen::MatrixXd vectors;  // [3 * vertex][pair], orthonormal
  Eigen::VectorXd values;
  int solves = 0;  // with the factor of K
};

// By a dense eigensolver of A, from its columns.
FlexibilityPairs dense_pairs(const ModalSystem& system, Eigen::Index count);
// By Lanczos iterations on A less the pairs that are known already.
FlexibilityPairs largest_pairs(const ModalSystem& system, const FlexibilityPairs& known, Eigen::Index count);
// Adds pairs that iterations from one vector missed, in the place of the last ones: of a repeated eigenvalue they see one
// vector until rounding errors bring in the others.
void add_missed_pairs(const ModalSystem& system, FlexibilityPairs& pairs);

}  // namespace holo
