#pragma once
// An energy of F with a direction, smooth at rest, as a plugin would offer it: as a compiled and as an interpreted graph.

#include "holo/core/abi.h"

namespace holo::test {

// psi = mu/2 (tr C - 3) - mu ln J + lambda/2 (ln J)^2 + k/4 (|F a|^2 - 1)^2; coefficients mu, lambda, k [Pa] and the unit
// vector a.
const holo_material& anisotropic_material();
const holo_material& interpreted_anisotropic_material();

}  // namespace holo::test
