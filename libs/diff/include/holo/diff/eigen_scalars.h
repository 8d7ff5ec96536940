#pragma once
// Eigen's matrices of numbers that carry derivatives: Eigen::Matrix<Nilpotent<1>, 3, 3>, ... To be included with Eigen before
// the first such matrix. All of them are real numbers to Eigen, complex and multicomplex ones too: as complex numbers its dot,
// norm, adjoint, cross, LLT and LDLT would conjugate and destroy the derivative without a word. Products with plain matrices of
// the coefficients' type work.

#include <Eigen/Core>

#include "holo/diff/derivative_number.h"

namespace Eigen {

template <holo::DerivativeNumber N>
struct NumTraits<N> : NumTraits<typename N::Real> {
  using Real = N;
  using NonInteger = N;
  using Nested = N;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = sizeof(N) / sizeof(typename N::Real),
    AddCost = ReadCost,
    MulCost = 4 * ReadCost
  };
  EIGEN_DEVICE_FUNC static Real epsilon() { return N(NumTraits<typename N::Real>::epsilon()); }
  EIGEN_DEVICE_FUNC static Real dummy_precision() { return N(NumTraits<typename N::Real>::dummy_precision()); }
  EIGEN_DEVICE_FUNC static Real highest() { return N(NumTraits<typename N::Real>::highest()); }
  EIGEN_DEVICE_FUNC static Real lowest() { return N(NumTraits<typename N::Real>::lowest()); }
};

template <holo::DerivativeNumber N, typename Operation>
struct ScalarBinaryOpTraits<N, typename N::Real, Operation> {
  using ReturnType = N;
};
template <holo::DerivativeNumber N, typename Operation>
struct ScalarBinaryOpTraits<typename N::Real, N, Operation> {
  using ReturnType = N;
};

}  // namespace Eigen
