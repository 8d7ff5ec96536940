#pragma once
// The quadratic energy 1/2 (F - F_n) : K : (F - F_n) of damping proportional to the stiffness, on blocks of elements.

#include <cstddef>

namespace holo {

// stress += K : (F - F_n) of `count` blocks; K [block][45][lane].
void add_damping_stress(std::size_t count, const double* F, const double* F_start, const double* K, double* stress);

// The energy of one block: density times volume, summed over its elements [J].
double damping_energy(const double* F, const double* F_start, const double* K, const double* volume);

}  // namespace holo
