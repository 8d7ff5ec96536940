#pragma once
// The rounding of a value: smaller changes say nothing.

#include <cmath>
#include <limits>

namespace holo {

// Of a function's value, in its unit: its sum of terms has some dozen roundings.
inline double value_resolution(double value) { return 64 * std::numeric_limits<double>::epsilon() * std::abs(value); }

}  // namespace holo
