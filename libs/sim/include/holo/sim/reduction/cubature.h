#pragma once
// Cubature: a few elements with weights whose reduced forces are those of all, nearly [An2008]. Of quadratic elements it
// chooses among their quadrature points, each of which counts as an element here.

#include <Eigen/Core>
#include <cstdint>

#include "holo/sim/reduction/reduced_elasticity.h"

namespace holo {

struct CubatureOptions {
  int max_elements = 300;   // >= 1
  double tolerance = 0.05;  // of the training error, >= 0: below it no more elements are added
  int candidates = 200;     // elements that each step chooses from, about; >= 1
  std::uint64_t seed = 1;   // of the sequence that draws them
};

// Chooses elements and weights, >= 0, so that the reduced forces at the samples [column][sample] of amplitudes are matched. The
// training error is |A w - b| / |b|: b has the forces of all elements at each sample, divided by their size at this sample, A
// those of each chosen element. A greedy choice: each step draws candidates, adds the one whose forces are most parallel to
// what is missing, and solves for all weights anew by non-negative least squares; elements whose weights become 0 are left out.
// Results do not depend on threads. Throws Error(input) for options out of range, no samples, samples of another size, samples
// without forces or at which the energy has no finite derivatives; names the sample.
Cubature train_cubature(const std::shared_ptr<const ElasticModel>& model, const Eigen::VectorXd& positions,
                        const Eigen::MatrixXd& basis, const Eigen::MatrixXd& samples, const CubatureOptions& options = {});

}  // namespace holo
