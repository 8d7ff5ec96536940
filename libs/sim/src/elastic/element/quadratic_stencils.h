#pragma once
// Contributions of quadratic elements to gradient and Hessian.

#include <cstddef>

#include "holo/sim/elastic/elastic_model.h"

namespace holo {

// The stencils of the elements whose four points the blocks from `first_block` on have, [lane][stencil_stride_of(10)], from the
// stresses [point][9][lane] and upper halves of the Hessians [point][45][lane] with respect to F.
void quadratic_stencils(const ElasticModel& model, std::size_t first_block, const double* stress, const double* hessian,
                        double* stencils);

}  // namespace holo
