#pragma once
// Diagnosis of a trust-region optimization that did not converge.

#include <string>

#include "holo/opt/trajectory/trust_region_sqp.h"

namespace holo {

// One sentence or two with the figures and a remedy; empty when converged or unfinished. `norm`, `slope`: |R C| and
// |A^T R C| in the norm of W^-1, at the last linearization.
std::string what_happened(const TrustRegionSqpResult& result, const TrustRegionSqpOptions& options,
                          const EqualityConstrainedProblem& problem, double norm, double slope);

// Throws Error(internal), with what is allowed, for options out of range and as `require_equal_sizes` does.
void require_valid(const TrustRegionSqpOptions& options, EqualityConstrainedProblem& problem);

// Throws Error(internal) where the system of the problem has other sizes.
void require_equal_sizes(EqualityConstrainedProblem& problem);

}  // namespace holo
