// Eigen's algorithms on numbers that carry derivatives, and what becomes of them with std::complex.
#include "holo/diff/scalars/eigen_scalars.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <complex>
#include <type_traits>

#include "holo/diff/scalars/complex.h"
#include "holo/diff/scalars/jet.h"
#include "holo/diff/scalars/multicomplex.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/scalars/taylor.h"

namespace holo {
namespace {

// x along a direction, and the derivative along it.
template <class S>
struct Step;
template <>
struct Step<Nilpotent<1>> {
  static Nilpotent<1> at(double x, double v) { return Nilpotent<1>::seed(x, {v}); }
  static double derivative(const Nilpotent<1>& y) { return y.derivative(); }
};
template <>
struct Step<Taylor<2>> {
  static Taylor<2> at(double x, double v) { return Taylor<2>::seed(x, v); }
  static double derivative(const Taylor<2>& y) { return y.derivative(1); }
};
template <>
struct Step<Jet<2, 1>> {
  static Jet<2, 1> at(double x, double v) { return x + v * Jet<2, 1>::variable(0, 0.0); }
  static double derivative(const Jet<2, 1>& y) { return y.gradient(0); }
};
template <>
struct Step<Complex<double>> {
  static Complex<double> at(double x, double v) { return Complex<double>::seed(x, v); }
  static double derivative(const Complex<double>& y) { return y.derivative(); }
};
template <>
struct Step<Multicomplex<2>> {
  static Multicomplex<2> at(double x, double v) { return Multicomplex<2>::seed(x, {v, 0}); }
  static double derivative(const Multicomplex<2>& y) { return y.derivative(1); }
};
template <>
struct Step<std::complex<double>> {
  static std::complex<double> at(double x, double v) { return {x, v * complex_step}; }
  static double derivative(const std::complex<double>& y) { return y.imag() / complex_step; }
};

template <class S>
struct Inputs {
  using Matrix = Eigen::Matrix<S, 3, 3>;
  using Vector = Eigen::Matrix<S, 3, 1>;
  Matrix A;
  Vector b;
  Inputs() {
    const double a[3][3] = {{4, 1, 0.5}, {1, 3, -0.2}, {0.5, -0.2, 2}},
                 da[3][3] = {{0.3, -1, 0.7}, {-1, 0.2, 0.4}, {0.7, 0.4, 1}};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) A(i, j) = Step<S>::at(a[i][j], da[i][j]);
      b(i) = Step<S>::at(1.0 + i, 0.5 - i);
    }
  }
};

// Derivatives of dot, squared norm, determinant, the factor of LLT, and of b' A^-1 b by LLT, LDLT and LU.
template <class S>
std::array<double, 7> derivatives() {
  const Inputs<S> in;
  const typename Inputs<S>::Matrix L = in.A.llt().matrixL();
  const typename Inputs<S>::Vector by_llt = in.A.llt().solve(in.b), by_ldlt = in.A.ldlt().solve(in.b),
                                   by_lu = in.A.partialPivLu().solve(in.b);
  const auto d = [](const S& y) { return Step<S>::derivative(y); };
  return {d(in.b.dot(in.A * in.b)), d(in.b.squaredNorm()), d(in.A.determinant()), d(L(2, 1)),
          d(in.b.dot(by_llt)),      d(in.b.dot(by_ldlt)),  d(in.b.dot(by_lu))};
}

// Central differences of the same in double: 1e-8 is their error.
std::array<double, 7> differences() {
  const double h = 1e-5;
  const auto at = [&](double t) {
    const Inputs<Taylor<2>> in;
    Eigen::Matrix3d A;
    Eigen::Vector3d b;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) A(i, j) = in.A(i, j).value() + t * in.A(i, j).derivative(1);
      b(i) = in.b(i).value() + t * in.b(i).derivative(1);
    }
    const Eigen::Matrix3d L = A.llt().matrixL();
    const double quadratic = b.dot(A.inverse() * b);
    return std::array<double, 7>{b.dot(A * b), b.squaredNorm(), A.determinant(), L(2, 1), quadratic, quadratic, quadratic};
  };
  std::array<double, 7> result = at(h);
  const std::array<double, 7> low = at(-h);
  for (int k = 0; k < 7; ++k) result[k] = (result[k] - low[k]) / (2 * h);
  return result;
}

template <class S>
class EigenScalars : public ::testing::Test {};
using Scalars = ::testing::Types<Nilpotent<1>, Taylor<2>, Jet<2, 1>, Complex<double>, Multicomplex<2>>;
TYPED_TEST_SUITE(EigenScalars, Scalars);

TYPED_TEST(EigenScalars, KeepDerivativesThroughProductsAndFactorizations) {
  static_assert(!Eigen::NumTraits<TypeParam>::IsComplex);
  const auto found = derivatives<TypeParam>(), expected = differences();
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(found[k], expected[k], 1e-8 * (1 + std::abs(expected[k]))) << "quantity " << k;
}

TYPED_TEST(EigenScalars, MultiplyPlainMatrices) {
  const Inputs<TypeParam> in;
  const Eigen::Matrix3d plain = Eigen::Matrix3d::Identity() * 2;
  const Eigen::Matrix<TypeParam, 3, 1> product = plain * in.b;
  EXPECT_EQ(Step<TypeParam>::derivative(product(1)), -1);
}

// Injected failure: the guard of the traits above.
TEST(StandardComplexNumbersInEigen, LoseTheirDerivatives) {
  const auto found = derivatives<std::complex<double>>(), expected = differences();
  for (int k : {1, 3, 4}) EXPECT_GT(std::abs(found[k] / expected[k] - 1), 0.1) << "quantity " << k;
}

}  // namespace
}  // namespace holo
