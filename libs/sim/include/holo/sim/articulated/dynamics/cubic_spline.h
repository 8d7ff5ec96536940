#pragma once
// Uniform cubic B-splines over any scalar, whose first and last coefficients repeat beyond their ends.

#include <cmath>

#include "holo/core/host_device.h"

namespace holo::articulated::detail {

// The four cubic B-splines that do not vanish on a cell, and their first two derivatives, at t in [0, 1) of the cell.
template <class S>
struct CubicWeights {
  S value[4], first[4], second[4];
};

template <class S>
HOLO_FN constexpr CubicWeights<S> cubic_weights(const S& t) {
  const S r = S(1.0) - t;
  return {{r * r * r / S(6.0), (S(4.0) + t * t * (S(3.0) * t - S(6.0))) / S(6.0),
           (S(4.0) + r * r * (S(3.0) * r - S(6.0))) / S(6.0), t * t * t / S(6.0)},
          {S(-0.5) * r * r, t * (S(1.5) * t - S(2.0)), r * (S(2.0) - S(1.5) * r), S(0.5) * t * t},
          {r, S(3.0) * t - S(2.0), S(3.0) * r - S(2.0), t}};
}

// The number of the cell of a coordinate counted in cells: only the numbers -4 ... count + 3 differ from each other, since the
// coefficients repeat beyond the ends.
HOLO_FN constexpr int cell_number(double floor_of_coordinate, int count) {
  if (!(floor_of_coordinate > -4)) return -4;
  return floor_of_coordinate < count + 3 ? int(floor_of_coordinate) : count + 3;
}

HOLO_FN constexpr int nearest_index(int index, int count) { return index < 0 ? 0 : index < count ? index : count - 1; }

}  // namespace holo::articulated::detail
