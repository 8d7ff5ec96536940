#pragma once
// Plain dual numbers, as forward-mode libraries have them: one derivative, and all n of them at once.

#include <array>
#include <cmath>

namespace holo::benchmark {

template <int n>
struct Dual {
  double value = 0;
  double slope[n] = {};

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT: constants mix with numbers

  template <class F>
  static Dual make(double value, const F& f) {
    Dual result(value);
    for (int k = 0; k < n; ++k) result.slope[k] = f(k);
    return result;
  }
  friend Dual operator+(const Dual& a, const Dual& b) {
    return make(a.value + b.value, [&](int k) { return a.slope[k] + b.slope[k]; });
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return make(a.value - b.value, [&](int k) { return a.slope[k] - b.slope[k]; });
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return make(a.value * b.value, [&](int k) { return a.value * b.slope[k] + a.slope[k] * b.value; });
  }
  friend Dual pow(const Dual& a, double exponent) {
    const double power = std::pow(a.value, exponent), factor = exponent * power / a.value;
    return make(power, [&](int k) { return factor * a.slope[k]; });
  }
};

// One evaluation for each variable.
template <class F, std::size_t n>
std::array<double, n> gradient_by_variables(const F& f, const std::array<double, n>& x) {
  std::array<double, n> gradient;
  for (std::size_t k = 0; k < n; ++k) {
    std::array<Dual<1>, n> seeded;
    for (std::size_t i = 0; i < n; ++i) {
      seeded[i] = x[i];
      seeded[i].slope[0] = i == k ? 1.0 : 0.0;
    }
    gradient[k] = f(seeded).slope[0];
  }
  return gradient;
}

// One evaluation for all.
template <class F, std::size_t n>
std::array<double, n> gradient_at_once(const F& f, const std::array<double, n>& x) {
  std::array<Dual<int(n)>, n> seeded;
  for (std::size_t i = 0; i < n; ++i) {
    seeded[i] = x[i];
    seeded[i].slope[i] = 1.0;
  }
  const auto result = f(seeded);
  std::array<double, n> gradient;
  for (std::size_t i = 0; i < n; ++i) gradient[i] = result.slope[i];
  return gradient;
}

}  // namespace holo::benchmark
