#pragma once
// Tasks on points of the line: every contestant maps all points to derivatives.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "holo/comparison/timing_task.h"

namespace holo::comparison {

inline constexpr std::size_t point_count = 1024;  // results and inputs stay in the first cache

class Points {
 public:
  using ExactDerivative = long double (*)(double x);

  // Spread over [low, high], in an order without a pattern that a branch predictor could learn.
  Points(double low, double high, ExactDerivative exact_derivative) : x(point_count), exact_derivative_(exact_derivative) {
    for (std::size_t i = 0; i < point_count; ++i)
      x[i] = low + (high - low) * std::fmod(0.6180339887498949 * double(i + 1), 1.0);
  }
  // At all points; computed when it is first asked for, by one thread.
  const std::vector<long double>& exact() const {
    if (exact_.empty())
      for (double each : x) exact_.push_back(exact_derivative_(each));
    return exact_;
  }

  std::vector<double> x;

 private:
  ExactDerivative exact_derivative_;
  mutable std::vector<long double> exact_;
};

// The largest of some numbers; NaN where one of them is.
template <class T>
struct Largest {
  T value = 0;
  void add(T x) {
    if (!(x <= value)) value = x;
  }
};

// derivative(x) for one point; inlined into the loop.
template <class Derivative>
Contestant at_points(const char* name, const char* summary, bool is_yardstick, const std::shared_ptr<const Points>& points,
                     std::size_t evaluations, Derivative derivative) {
  const auto results = std::make_shared<std::vector<double>>(points->x.size());
  Contestant contestant{name, summary, is_yardstick, {}, {}};
  contestant.run = [=] {
    const double* x = points->x.data();
    double* y = results->data();
    for (std::size_t left = evaluations; left > 0;) {
      const std::size_t n = left < points->x.size() ? left : points->x.size();
      for (std::size_t i = 0; i < n; ++i) y[i] = derivative(x[i]);
      left -= n;
    }
  };
  // Over the largest derivative: near its zeros a relative error says nothing of the method.
  contestant.difference = [=] {
    Largest<long double> error, size;
    for (std::size_t i = 0; i < std::min(evaluations, points->x.size()); ++i) {
      error.add(std::abs((*results)[i] - points->exact()[i]));
      size.add(std::abs(points->exact()[i]));
    }
    return double(error.value / size.value);
  };
  return contestant;
}

}  // namespace holo::comparison
