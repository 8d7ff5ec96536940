#pragma once
// Diagnosis of a minimization without constraints that did not converge.

#include <string>

#include "holo/opt/trajectory/unconstrained_result.h"

namespace holo {

// One sentence or two with the figures and a remedy; empty when converged or unfinished. `description`: a clause about the
// function's value, or empty.
std::string what_happened(const UnconstrainedResult& result, int max_iterations, double tolerance,
                          const std::string& description);

}  // namespace holo
