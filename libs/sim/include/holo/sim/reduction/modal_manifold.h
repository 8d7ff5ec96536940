#pragma once
// Uses of the manifold of static displacements u(q) of modal derivatives: a certificate of the derivatives, and samples of
// deformations.

#include <array>
#include <cstdint>

#include "holo/sim/reduction/linear_modes.h"
#include "holo/sim/reduction/modal_derivatives.h"

namespace holo {

// For the orders p = 1 (modes alone), 2 and 3 (with first, and with second derivatives): the relative residual
// |r(u(q)) - K Psi q| / |K Psi q| at an amplitude over that at half of it. It is 2^p where the derivatives are right, but for a
// part of the order of q. Of a free body rigid parts of forces, which no displacement balances, are taken off.
struct ManifoldQuotients {
  std::array<double, 3> of_order = {};  // [p - 1]
  double largest_deviation() const;     // of the quotients over 2^p from 1
};

// At q along all modes (w_1/w_i each, of alternating signs), so large that the largest displacement of a vertex is
// `displacement` times the model's length, > 0. The derivatives are those of second order, of these modes. Throws Error(input)
// where they are not, and where the energy is not finite at the amplitude.
ManifoldQuotients manifold_quotients(const ModalSystem& system, const LinearModes& modes, const ModalDerivatives& derivatives,
                                     double displacement);

// The amplitude [m sqrt(kg)] at which the largest displacement of a vertex in the first mode is `displacement` times the
// model's length.
double amplitude_of(const ModalSystem& system, const LinearModes& modes, double displacement);

// Amplitudes [column][sample] of a basis that is orthonormal in M, at which a cubature may be trained. One half are projections
// Psi^T M u(q) of the manifold, with q_i uniform between +-amplitude w_1/w_i. The others are normal with equal elastic energies
// of all directions, K^-1 among the basis, and the mean energy of the first half where it is linear: forces of stiff directions
// are among them, which the manifold avoids. Samples whose energy is not finite are drawn again, smaller. Results depend on
// `seed` alone. Throws Error(input) for fewer than two samples.
Eigen::MatrixXd deformation_samples(const ModalSystem& system, const LinearModes& modes, const ModalDerivatives& derivatives,
                                    const Eigen::MatrixXd& basis, double amplitude, int count, std::uint64_t seed);

}  // namespace holo
