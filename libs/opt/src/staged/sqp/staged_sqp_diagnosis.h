#pragma once
// Diagnosis of an optimization that did not converge.

#include <string>

#include "holo/opt/staged/staged_sqp.h"

namespace holo {

// One sentence: why the optimization stopped, and a remedy. "" if it converged or is unfinished.
std::string what_happened(const StagedSqpResult& result, const StagedSqpOptions& options);

}  // namespace holo
