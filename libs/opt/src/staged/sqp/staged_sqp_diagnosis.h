#pragma once
// What is said of an optimization that has not converged.

#include <string>

#include "holo/opt/staged/staged_sqp.h"

namespace holo {

// One sentence: what stopped it, and what to do. "" where it has converged, or is unfinished.
std::string what_happened(const StagedSqpResult& result, const StagedSqpOptions& options);

}  // namespace holo
