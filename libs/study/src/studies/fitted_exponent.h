#pragma once
// The exponent of a power law that fits measured values: the slope of log(y) over log(x) by least squares.

#include <vector>

namespace holo {

// Of as many values of both, all above 0. NaN for fewer than two, for equal x, and for values that are not above 0.
double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace holo
