#pragma once
// Copies blocks of a scaled system to the panels of a factor.

#include "block_tridiagonal/panel_layout.h"
#include "block_tridiagonal/scaled_system.h"

namespace holo {

// Writes the diagonal block of `block` to its panel, and those rows of neighbors that couple to it in the matrix itself; other
// rows of neighbors arise by eliminations.
void load_panel(const ScaledSystem& system, const PanelLayout& layout, int block, double* panel);

}  // namespace holo
