#pragma once
// An energy in two forms, of the principal stretches and of F, and deformations with distinct, equal and nearly equal
// stretches.

#include <random>
#include <vector>

#include "digits/digits.h"
#include "holo/diff/tensor/signed_svd.h"

namespace holo::stretch_test {

namespace mp = digits;
using Reference = digits::Digits120;

// One energy in two forms: powers 2, 4 and -2 of the stretches, and a logarithm of their product.
struct Energy {
  template <class S>
  constexpr S operator()(const S& a, const S& b, const S& c) const {
    const S J = a * b * c, aa = a * a, bb = b * b, cc = c * c, log_J = log(J);
    return 0.3 * (aa * aa + bb * bb + cc * cc) + 0.7 * (aa + bb + cc) * J + 0.4 * (1.0 / aa + 1.0 / bb + 1.0 / cc) +
           log_J * log_J;
  }
  static Reference of(const Matrix3<Reference>& F) {
    const Matrix3<Reference> C = transpose(F) * F;
    const Reference J = determinant(F), log_J = mp::log(J);
    return Reference(0.3) * squared_norm(C) + Reference(0.7) * trace(C) * J +
           Reference(0.4) * squared_norm(cofactor(F)) / (J * J) + log_J * log_J;
  }
};

inline Matrix3<double> rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Matrix3<double> any{};
  for (int k = 0; k < 9; ++k) any[k] = normal(random);
  return signed_svd(any).U;
}

inline std::vector<Matrix3<double>> deformations() {
  std::mt19937 random(3);
  std::vector<Matrix3<double>> result{identity3<double>()};
  for (const Vector3<double>& s :
       {Vector3<double>{1.3, 1.0, 0.8}, Vector3<double>{1.1, 1.1, 0.7}, Vector3<double>{0.9, 0.9, 0.9},
        Vector3<double>{1.5, 1.5 - 1e-12, 0.6}, Vector3<double>{1.2, 1.2 - 1e-7, 1.2 - 2e-7}, Vector3<double>{1.2, 0.81, 0.8},
        Vector3<double>{1.02, 1.0, 0.97}, Vector3<double>{2, 1, 0.4}})
    result.push_back(rotation(random) * diagonal(s) * transpose(rotation(random)));
  return result;
}

}  // namespace holo::stretch_test
