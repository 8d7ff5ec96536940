#pragma once
// The functions, written once for every scalar, and their derivatives in closed form.

#include "holo/diff/matrix.h"

namespace holo::comparison {

// e^x / (x^4 + x^2 + 1), the example of [Luo2019] Figs 2 and 5.
struct ExponentialOverQuartic {
  template <class S>
  auto operator()(const S& x) const {
    const auto square = x * x;
    return exp(x) / (square * square + square + 1.0);
  }
  // e^x N(x) / (x^4 + x^2 + 1)^(order + 1); the numerator for order 3 is not in the paper.
  template <class T>
  T derivative(int order, const T& x) const {
    static constexpr double first[] = {1, -4, 1, -2, 1};
    static constexpr double second[] = {1, -8, 22, -12, 21, -12, -4, -4, -1};
    static constexpr double third[] = {1, -12, 63, -150, 120, -192, 103, 102, 36, 96, -21, -6, -5};
    const T square = x * x, quartic = square * square + square + 1;
    switch (order) {
      case 1:
        return exp(x) * horner(first, x) / (quartic * quartic);
      case 2:
        return exp(x) * horner(second, x) / (quartic * quartic * quartic);
      default:
        return exp(x) * horner(third, x) / (quartic * quartic * quartic * quartic);
    }
  }

 private:
  template <class T, std::size_t n>
  static T horner(const double (&coefficients)[n], const T& x) {
    T sum = 0;
    for (double c : coefficients) sum = sum * x + c;
    return sum;
  }
};

// x^(1/3), the example of [Luo2019] Fig 3 and Table 1 with m = 3, as a power with a real exponent.
struct CubeRoot {
  static constexpr double exponent = 1.0 / 3;
  template <class S>
  auto operator()(const S& x) const {
    return pow(x, exponent);
  }
  template <class T>
  T derivative(int order, const T& x) const {
    T p = T(1) / 3, result = pow(x, p);
    for (int k = 0; k < order; ++k) result = result * (p - k) / x;
    return result;
  }
};

}  // namespace holo::comparison
