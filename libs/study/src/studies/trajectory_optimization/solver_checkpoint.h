#pragma once
// The state of trust-region SQP between two iterations in a checkpoint.

#include "holo/core/runs/archive.h"
#include "holo/opt/trajectory/trust_region_sqp.h"

namespace holo {

void visit_solver(Archive& archive, TrustRegionSqpState& state);

}  // namespace holo
