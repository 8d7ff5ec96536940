#pragma once
// Eigen's matrices of numbers that carry derivatives: Eigen::Matrix<Nilpotent<1>, 3, 3>, ... To be included with Eigen before
// the first such matrix (holo/diff/tensor/nilpotent_matrix.h does). All of them are real numbers to Eigen, complex and
// multicomplex ones too: as complex numbers its dot, norm, adjoint, cross, LLT and LDLT would conjugate and destroy the
// derivative without a word. Products with matrices of double work.

#include <Eigen/Core>

#include "holo/diff/scalars/derivative_number.h"

namespace Eigen {

template <holo::DerivativeNumber N>
struct NumTraits<N> : NumTraits<double> {
  using Real = N;
  using NonInteger = N;
  using Nested = N;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = sizeof(N) / sizeof(double),
    AddCost = ReadCost,
    MulCost = 4 * ReadCost
  };
};

template <holo::DerivativeNumber N, typename Operation>
struct ScalarBinaryOpTraits<N, double, Operation> {
  using ReturnType = N;
};
template <holo::DerivativeNumber N, typename Operation>
struct ScalarBinaryOpTraits<double, N, Operation> {
  using ReturnType = N;
};

}  // namespace Eigen
