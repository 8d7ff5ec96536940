#pragma once
// Elements that handles alone deform, beyond what their material allows: no solver can help there.

#include <string>

#include "holo/sim/dynamics/incremental_potential.h"

namespace holo {

// Names the worst element all of whose vertices are prescribed and whose determinant at x is outside the range of its material,
// with the handles that it hangs on; "" when there is none.
std::string forced_element(const ElasticScene& scene, const IncrementalPotential& potential, const Eigen::VectorXd& x);

}  // namespace holo
