#pragma once
// The first part: derivatives of f(x) = exp(x) / (x^4 + x^2 + 1) near x = 4, the function of [Luo2019] Table 2.

#include <cstddef>
#include <functional>

#include "holo/diff/scalars/elementary.h"
#include "modes.h"

namespace holo::benchmark {

template <class S>
HOLO_INLINE constexpr auto scalar_function(const S& x) {
  const auto square = x * x;
  return exp(x) / (square * square + square + 1.0);
}

// A mode from derivative(x), which gives f^(order)(x) at one point.
template <class Derivative>
Mode point_by_point(std::string name, Family family, const std::vector<double>& points, Derivative derivative) {
  return {std::move(name), family,
          [&points, derivative](std::size_t items, double* output) {
            const double* x = points.data();
            for (std::size_t i = 0; i < items; ++i) output[i] = derivative(x[i]);
          },
          ""};
}

// `order` is 1, 2 or 3; the points outlive the modes, their number is a multiple of 8. Each appends what it has for this order.
void add_hand_written(std::vector<Mode>& modes, int order, const std::vector<double>& points);
void add_differences(std::vector<Mode>& modes, int order, const std::vector<double>& points);
void add_complex_steps(std::vector<Mode>& modes, int order, const std::vector<double>& points);
void add_tapes(std::vector<Mode>& modes, int order, const std::vector<double>& points);
void add_graphs(std::vector<Mode>& modes, int order, const std::vector<double>& points);
void add_adolc(std::vector<Mode>& modes, int order, const std::vector<double>& points);
void add_boost(std::vector<Mode>& modes, int order, const std::vector<double>& points);

Results compare_scalar_function(std::size_t points, int repeats);

}  // namespace holo::benchmark
