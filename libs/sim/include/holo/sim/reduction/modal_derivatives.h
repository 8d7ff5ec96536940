#pragma once
// Modal derivatives of first and second order, for every material: derivatives of the static displacements u(q) under the
// forces K Psi q of the modes Psi, at q = 0 (docs/model-reduction.md):
//
//   u(q) = sum q_i psi_i + 1/2 sum q_i q_j psi_ij + 1/6 sum q_i q_j q_k psi_ijk + ...
//   K psi_ij  = -E3[psi_i, psi_j]
//   K psi_ijk = -(E4[psi_i, psi_j, psi_k] + E3[psi_ij, psi_k] + E3[psi_ik, psi_j] + E3[psi_jk, psi_i])
//
// E3 and E4 are the third and fourth derivatives of the elastic energy, exact, summed over elements. No K is factorized here:
// all right-hand sides use the factor that the system has.

#include <Eigen/Core>

#include "holo/sim/reduction/modal_system.h"

namespace holo {

struct ModalDerivatives {
  Eigen::Index mode_count = 0;
  Eigen::MatrixXd first;   // psi_ij [3 * vertex][pair(i, j)], symmetric in i, j: pairs i <= j, by i, then j
  Eigen::MatrixXd second;  // psi_ijk [3 * vertex][triple(i, j, k)]: i <= j <= k, by i, then j, then k; no columns at order 1

  // The column of a pair or a triple in any order; indices from 0 below mode_count.
  Eigen::Index pair(Eigen::Index i, Eigen::Index j) const;
  Eigen::Index triple(Eigen::Index i, Eigen::Index j, Eigen::Index k) const;
  static Eigen::Index pair_count(Eigen::Index modes) { return modes * (modes + 1) / 2; }
  static Eigen::Index triple_count(Eigen::Index modes) { return modes * (modes + 1) * (modes + 2) / 6; }
};

// The derivatives of `modes` [3 * vertex][mode], which vanish at prescribed vertices, up to `order` 1 or 2. Second derivatives
// take 8 bytes for each coordinate and triple: 43 MB for 10 modes of 8000 vertices. Throws Error(input) for another order,
// modes of another size or none, a material that offers no derivatives of this order, and one that has none at these positions
// (a singular point).
ModalDerivatives modal_derivatives(const ModalSystem& system, const Eigen::Ref<const Eigen::MatrixXd>& modes, int order);

// u(q) for amplitudes q [mode], with the terms up to the derivatives' order, or up to `order` (0: the modes alone):
// displacements [3 * vertex].
Eigen::VectorXd modal_displacement(const Eigen::Ref<const Eigen::MatrixXd>& modes, const ModalDerivatives& derivatives,
                                   const Eigen::VectorXd& q, int order = 2);

}  // namespace holo
