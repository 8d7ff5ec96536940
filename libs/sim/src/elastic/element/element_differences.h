#pragma once
// Stress and Hessian as differences of a material's batched energy, over the entries of F.

#include "holo/sim/elastic/element_differentiation.h"

namespace holo {

// `mode` is forward_difference or central_difference. With e the rounding of the energy, about 1e-16 of the moduli, and the
// steps below, errors relative to the moduli are of the order of
//                        step     forward     step     central
//   stress               2^-26    1e-8        2^-17    1e-10
//   Hessian              2^-17    1e-5        2^-13    1e-7
ElementOperations difference_operations(ElementDifferentiation mode, holo_batch_function energy);

}  // namespace holo
