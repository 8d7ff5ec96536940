#pragma once
// The coefficients of the height field that passes through given heights.

#include <vector>

namespace holo::articulated {

// Coefficients [m] of an Obstacle of the kind height_field for the heights [m] at its grid points, row after row along x:
// `heights` has columns times rows entries. The surface passes through all heights. Throws Error(input) for another number of
// heights, and for a grid without points.
std::vector<double> height_coefficients(std::vector<double> heights, int columns, int rows);

}  // namespace holo::articulated
