#pragma once
// psi(F) of a material for any scalar, from the plugin's source, for each of the forms that an author may declare.

#include "holo/plugin/material.h"

namespace holo::benchmark {

template <class M>
inline constexpr int coefficient_entries = plugin::coefficient_count<M>() > 0 ? plugin::coefficient_count<M>() : 1;

template <class M>
concept IsOfF = requires(const Matrix3<double>& F, const typename M::template Coefficients<double>& c) {
  M::energy_density(F, c);
};
template <class M>
concept IsOfInvariants = requires(double I, const typename M::template Coefficients<double>& c) {
  M::energy_of_invariants(I, I, I, c);
};

// The principal stretches, squared: the eigenvalues of C = F^T F in closed form [Smith1961]. Good for any scalar; where two are
// nearly equal it loses digits, and at equal ones its derivatives do not exist.
template <class S>
constexpr void squared_stretches(const Matrix3<S>& F, S (&squares)[3]) {
  const Matrix3<S> C = transpose(F) * F;
  const S mean = trace(C) / 3, deviation = trace(C * C) / 6 - mean * mean / 2;
  const S radius = sqrt(deviation);
  const S angle = acos(determinant(Matrix3<S>(C - mean * identity3<S>())) / (2 * deviation * radius)) / 3;
  squares[0] = mean + 2 * radius * cos(angle);
  squares[2] = mean + 2 * radius * cos(angle + 2.0943951023931954923);
  squares[1] = 3 * mean - squares[0] - squares[2];
}

// F row-major [9], coefficients [coefficient_count], all of the scalar S.
template <class M, class S>
constexpr S energy_of_entries(const S* F, const S* coefficients) {
  const Matrix3<S> matrix{F[0], F[1], F[2], F[3], F[4], F[5], F[6], F[7], F[8]};
  const typename M::template Coefficients<S> c = plugin::coefficients_of<M, S>(coefficients);
  if constexpr (IsOfF<M>) {
    return M::energy_density(matrix, c);
  } else if constexpr (IsOfInvariants<M>) {
    const S I1 = squared_norm(matrix), I2 = squared_norm(cofactor(matrix)), J = determinant(matrix);
    return M::energy_of_invariants(I1, I2, J, c);
  } else {
    S squares[3]{};
    squared_stretches(matrix, squares);
    const S s1 = sqrt(squares[0]), s2 = sqrt(squares[1]), s3 = sqrt(squares[2]);
    return M::energy_of_stretches(s1, s2, s3, c);
  }
}

// Relative error of derivatives that go through energy_of_entries, at elements of which no two stretches are closer than some
// 1e-3: there the closed form of the stretches loses as many digits again for each order.
template <class M>
constexpr double energy_tolerance() {
  return IsOfF<M> || IsOfInvariants<M> ? 1e-12 : 1e-7;
}

// The coefficients as constants of the scalar S.
template <class M, class S>
struct ConstantCoefficients {
  S values[coefficient_entries<M>]{};
  explicit ConstantCoefficients(const std::vector<double>& coefficients) {
    for (std::size_t k = 0; k < coefficients.size(); ++k) values[k] = coefficients[k];
  }
};

}  // namespace holo::benchmark
