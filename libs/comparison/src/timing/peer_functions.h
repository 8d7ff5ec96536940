#pragma once
// The functions that other libraries differentiate, with a variable for each intermediate result: their temporaries may not be
// copied. F is row-major [9]; the constants are the plugins' coefficients, lambda and mu.

#include <cmath>
#include <string>
#include <vector>

namespace holo::comparison {

// e^x / (x^4 + x^2 + 1)
template <class S>
S peer_quartic(const S& x) {
  using std::exp;
  S square = x * x;
  S result = exp(x) / (square * square + square + 1.0);
  return result;
}

template <class S>
S peer_squared_norm(const S* F) {
  S sum = F[0] * F[0];
  for (int k = 1; k < 9; ++k) sum += F[k] * F[k];
  return sum;
}

// mu/4 (tr C^2 - 2 tr C + 3) + lambda/8 (tr C - 3)^2,  C = F^T F
template <class S>
S peer_stvk(const S* F, double lambda, double mu) {
  S I1 = peer_squared_norm(F), square = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      S C = F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
      square += (i == j ? 1.0 : 2.0) * C * C;
    }
  S excess = I1 - 3.0;
  S result = mu / 4 * (square - 2.0 * I1 + 3.0) + lambda / 8 * excess * excess;
  return result;
}

// lambda (J - 1)^2 + mu (J^(-2/3) tr C - 3)
template <class S>
S peer_neo_hookean(const S* F, double lambda, double mu) {
  using std::pow;
  S J = F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
  S I1 = peer_squared_norm(F), shrink = pow(J, -2.0 / 3), growth = J - 1.0;
  S result = lambda * growth * growth + mu * (shrink * I1 - 3.0);
  return result;
}

template <class S>
S peer_energy(const std::string& material, const S* F, const std::vector<double>& c) {
  return material == "stvk" ? peer_stvk(F, c.at(0), c.at(1)) : peer_neo_hookean(F, c.at(0), c.at(1));
}

}  // namespace holo::comparison
