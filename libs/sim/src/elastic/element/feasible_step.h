#pragma once
// The longest step of all elements before inversion, or before another bound of their energy's domain.

#include "holo/sim/elastic/elastic_model.h"

namespace holo {

// The smallest root in (0, 1] of c(t) = c[0] + c[1] t + c[2] t^2 + c[3] t^3, where c[0] > 0; 1 where there is none. Not above
// the root by more than rounding.
double smallest_root(const double (&c)[4]);

// The largest t in (0, 1] for which det F(x + t direction) keeps a tenth of its distance from the bounds that the energy of its
// body sets (0 where it needs a positive determinant), in every element: the determinant is a cubic in t [Smith2015]. 1 where
// no element limits it. `of_all_bodies`: energies that are defined for every F limit it, too, as if they needed a positive
// determinant; all determinants at x must be positive then.
double feasible_step(const ElasticModel& model, const double* x, const double* direction, bool of_all_bodies = false);

}  // namespace holo
