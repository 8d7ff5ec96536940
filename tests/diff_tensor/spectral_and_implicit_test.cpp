// Spectral functions of matrices, and functions given by equations.
#include <Eigen/QR>

#include "holo/diff/tensor/implicit_function.h"
#include "holo/diff/tensor/linear_solve.h"
#include "holo/diff/tensor/spectral_function.h"
#include "reference_algebra.h"
#include "refused.h"

namespace holo {
namespace {

using Eigen::MatrixXd;
using reference::expect_equal;
using reference::random_series;

const auto logarithm = [](const auto& x) { return log(x); };
const auto exponential = [](const auto& x) { return exp(x); };
const auto reciprocal_of = [](const auto& x) { return 1.0 / x; };
const auto root = [](const auto& x) { return sqrt(x); };

class SpectralFunction : public ::testing::TestWithParam<int> {
 protected:
  DerivativeSet set = DerivativeSet::subsets(GetParam());
  // Values with distinct, equal and nearly equal eigenvalues, turned.
  std::vector<MatrixSeries> arguments() const {
    std::vector<MatrixSeries> result;
    const MatrixXd Q = MatrixXd::Random(4, 4).householderQr().householderQ();
    for (const Eigen::Vector4d& values :
         {Eigen::Vector4d(1, 2, 3, 4), Eigen::Vector4d(2, 2, 2, 2), Eigen::Vector4d(2, 2, 3, 3 + 1e-9),
          Eigen::Vector4d(2, 2.04, 2.1, 2.2), Eigen::Vector4d(1, 1 + 1e-12, 1.03, 2)}) {
      MatrixSeries A = random_series(set, 4, 4, 1, 0, true);
      const MatrixXd value = Q * values.asDiagonal() * Q.transpose();
      A.set_coefficient(0, 0.5 * (value + value.transpose()));
      result.push_back(A);
    }
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(Orders, SpectralFunction, ::testing::Values(1, 2, 3));

TEST_P(SpectralFunction, ReciprocalIsTheInverse) {
  for (const MatrixSeries& A : arguments()) expect_equal(spectral_function(A, reciprocal_of), Factorized(A).inverse(), 1e-13);
}

TEST_P(SpectralFunction, RootTimesItselfIsTheArgument) {
  for (const MatrixSeries& A : arguments()) {
    const long before = factorization_count();
    const MatrixSeries B = spectral_function(A, root);
    EXPECT_EQ(before + 1, factorization_count());
    expect_equal(B * B, A, 1e-13);
  }
}

TEST_P(SpectralFunction, TraceOfTheLogarithmIsTheLogarithmOfTheDeterminant) {
  for (const MatrixSeries& A : arguments()) {
    const MatrixSeries L = spectral_function(A, logarithm);
    const ScalarSeries expected = Factorized(A).log_determinant();
    for (int index = 0; index < set.size(); ++index)
      EXPECT_NEAR(expected[index], L[index].trace(), 1e-13 * std::fmax(1, std::abs(expected[index])));
  }
}

TEST_P(SpectralFunction, ExponentialOfTheLogarithmIsTheArgument) {
  for (const MatrixSeries& A : arguments())
    expect_equal(spectral_function(spectral_function(A, logarithm), exponential), A, 1e-13);
}

// 1/x: f[a, b, c, d] = -1/(a b c d), the others in the same way, with sign (-1)^k.
TEST(DividedDifference, IsExactForAllGaps) {
  const ScalarDerivative f = scalar_derivative(reciprocal_of);
  for (double gap : {0.0, 1e-15, 1e-12, 1e-8, 1e-4, 0.01, 0.04, 0.06, 0.1, 0.5}) {
    const double a = 1.3, b = a * (1 + gap), c = a * (1 + 0.5 * gap), d = a * (1 - 0.3 * gap);
    EXPECT_NEAR(-1 / (a * b), divided_difference(f, {a, b}), 1e-14);
    EXPECT_NEAR(1 / (a * b * c), divided_difference(f, {b, a, c}), 1e-13);
    // Quotients of quotients divide rounding by the square of the spread.
    EXPECT_NEAR(-1 / (a * b * c * d), divided_difference(f, {b, d, a, c}), 1e-12);
  }
}

// Functions with a kink or a jump of slope, against their divided differences by hand.
TEST(DividedDifference, OfAPiecewiseSmoothFunctionIsRightAcrossItsKinks) {
  const ScalarDerivative positive = scalar_derivative([](const auto& x) { return max(x, 0.0); });
  const ScalarDerivative absolute = scalar_derivative([](const auto& x) { return abs(x); });
  for (const double b : {-1.0, -0.3, -0.05, -0.01, -1e-3, -1e-6, -1e-13, -1e-17}) {
    EXPECT_NEAR(1 / (1 - b), divided_difference(positive, {1, b}), 4e-15) << b;
    EXPECT_NEAR((1 + b) / (1 - b), divided_difference(absolute, {1, b}), 4e-15) << b;
  }
  EXPECT_EQ(0, divided_difference(absolute, {0.7, -0.7}));
  // f[a, b, c] = (f[b, c] - f[a, b]) / (c - a)
  const double low = (0.9 - 0.04) / 0.94, second = (1 - low) / 1.04;
  EXPECT_NEAR(second, divided_difference(absolute, {1, -0.04, 0.9}), 1e-14);
}

// The kink lies between near points on top of a value that is large beside their distance, at any part of it.
TEST(DividedDifference, OfAPiecewiseSmoothFunctionIsRightForNearPoints) {
  for (const double at : {1.0, 1 + 0x1p-20})
    for (const double spread : {0x1p-10, 0x1p-20, 0x1p-30})
      for (const double part : {1.0 / 64, 1.0 / 16, 0.5, 15.0 / 16, 63.0 / 64}) {
        const double kink = at + spread * part;
        const ScalarDerivative f = scalar_derivative([kink](const auto& x) { return 5.0 + max(x - kink, 0.0); });
        EXPECT_NEAR(1 - part, divided_difference(f, {at, at + spread}), 1e-13) << at << ' ' << spread << ' ' << part;
      }
}

// Rounding errors of f' look like kinks everywhere: the quotient is right to the rounding errors of f, at a bounded price.
TEST(DividedDifference, OfASmoothFunctionWithRoundingErrorsIsRightAndCheap) {
  struct Case {
    double (*f)(double), (*slope)(double);
    double low, high, expected, rounding;  // the quotient's rounding errors
  };
  const Case cases[] = {
      {[](double x) { return std::sin(1000 * x); }, [](double x) { return 1000 * std::cos(1000 * x); }, 1, 1.00001,
       2e5 * std::cos(1000.005) * std::sin(0.005), 1000 * 0x1p-52 * 1e5},
      {[](double x) { return (1 - std::cos(x)) / (x * x); },
       [](double x) { return std::sin(x) / (x * x) - 2 * (1 - std::cos(x)) / (x * x * x); }, 0.01, 0.0101, -0.01005 / 12,
       4 * 0x1p-52 / 1e-4 / 1e-4},
      {[](double x) { return 1 + (std::exp(x) - 1 - x) * (std::exp(x) - 1 - x); },
       [](double x) { return 2 * (std::exp(x) - 1 - x) * (std::exp(x) - 1); }, 1e-4, 1.01e-4, 1.01505e-12, 4 * 0x1p-52 / 1e-6}};
  for (const Case& c : cases) {
    int calls = 0;
    const ScalarDerivative counted = [&](double x, int order) {
      ++calls;
      return order == 0 ? c.f(x) : c.slope(x);
    };
    EXPECT_NEAR(c.expected, divided_difference(counted, {c.low, c.high}), c.rounding) << c.low;
    EXPECT_LT(calls, 50000) << c.low;
  }
}

TEST(DividedDifference, OfASharpFunctionIsRight) {
  const ScalarDerivative f = scalar_derivative([](const auto& x) { return tanh(200.0 * x); });
  for (const auto& [a, b] : {std::pair(1.0, -0.01), std::pair(0.5, -0.02), std::pair(1.0, -1.0)}) {
    const double expected = (std::tanh(200 * a) - std::tanh(200 * b)) / (a - b);
    EXPECT_NEAR(expected, divided_difference(f, {a, b}), 1e-14 * std::abs(expected));
  }
}

// The positive part of a symmetric matrix, as in a split of tension and compression: d L_01 / d A_01 = f[a, b].
TEST(SpectralFunctionOfPieces, HasTheDerivativesOfItsQuotients) {
  const DerivativeSet set = DerivativeSet::subsets(1);
  for (const double b : {-1.0, -0.3, -0.05, -0.01, -0.001, 0.01}) {
    MatrixSeries A(set, Eigen::Vector2d(1, b).asDiagonal().toDenseMatrix());
    MatrixXd direction = MatrixXd::Zero(2, 2);
    direction(0, 1) = direction(1, 0) = 1;
    A.set_coefficient(1, direction);
    const MatrixSeries L = spectral_function(A, [](const auto& x) { return max(x, 0.0); });
    EXPECT_NEAR((1 - std::max(b, 0.0)) / (1 - b), L[1](0, 1), 1e-14) << b;
  }
}

TEST(SpectralFunctionBadInput, IsRefusedByKind) {
  using Kind = TensorError::Kind;
  auto kind = [](const auto& f) { return reference::refused(f).kind(); };
  const DerivativeSet set = DerivativeSet::subsets(1);
  const MatrixXd indefinite = Eigen::Vector3d(1, -1, 2).asDiagonal();
  EXPECT_EQ(Kind::not_finite, kind([&] { spectral_function(MatrixSeries(set, indefinite), logarithm); }));
  MatrixXd a = MatrixXd::Identity(3, 3);
  a(0, 1) = 1;
  EXPECT_EQ(Kind::not_symmetric, kind([&] { spectral_function(MatrixSeries(set, a), logarithm); }));
  const MatrixSeries high(DerivativeSet::subsets(4), MatrixXd::Identity(3, 3));
  EXPECT_EQ(Kind::dimension_mismatch, kind([&] { spectral_function(high, logarithm); }));
  EXPECT_EQ(Kind::dimension_mismatch, kind([] { divided_difference(scalar_derivative(logarithm), {}); }));
}

// r = (u0 u0 + u1 - p0, u0 u1 - p1); the derivatives of the same Newton iteration in 120 digits.
const auto residual = [](const auto& u, const auto& p, auto&& r) {
  r[0] = u[0] * u[0] + u[1] - p[0];
  r[1] = u[0] * u[1] - p[1];
};

reference::Dense root_of_120_digits(const reference::Dense& p) {
  reference::Dense u(2, 1), r(2, 1), J(2, 2);
  u(0, 0) = 1.5;
  u(1, 0) = 0.7;
  for (int step = 0; step < 10; ++step) {
    residual(u.entries, p.entries, r.entries);
    J(0, 0) = 2 * u(0, 0);
    J(0, 1) = 1;
    J(1, 0) = u(1, 0);
    J(1, 1) = u(0, 0);
    u = reference::combine(1, u, -1, reference::solve(J, r));
  }
  return u;
}

template <class N>
class ImplicitFunctions : public ::testing::Test {};
using Scalars = ::testing::Types<Nilpotent<1>, Nilpotent<2>, Nilpotent<3>>;
TYPED_TEST_SUITE(ImplicitFunctions, Scalars);

TYPED_TEST(ImplicitFunctions, AreThoseOf120DigitsWithOneFactorization) {
  using N = TypeParam;
  const DerivativeSet set = SeriesScalar<N>::set();
  MatrixSeries parameters = random_series(set, 2, 1, 3);
  parameters.set_coefficient(0, Eigen::Vector2d(3, 1.1));
  const std::vector<N> p = [&] {
    const auto matrix = from_series<N>(parameters);
    return std::vector<N>{matrix(0, 0), matrix(1, 0)};
  }();
  const auto expected =
      reference::mixed_differences(set, {&parameters}, [](const auto& x) { return root_of_120_digits(x[0]); });
  const std::vector<double> u0{expected[0](0, 0), expected[0](1, 0)};
  const long before = factorization_count();
  const MatrixXd J = (MatrixXd(2, 2) << 2 * u0[0], 1, u0[1], u0[0]).finished();
  const auto call = [](std::span<const N> u, std::span<const N> q, std::span<N> r) { residual(u, q, r); };
  const ImplicitFunction<N> found = implicit_function<N>(call, u0, std::span<const N>(p), *factorize_lu(J));
  EXPECT_EQ(before + 1, factorization_count());
  EXPECT_LE(found.newton_step, 1e-15);
  Eigen::Matrix<N, Eigen::Dynamic, Eigen::Dynamic> u(2, 1);
  u << found.u[0], found.u[1];
  reference::expect_near(expected, to_series(u), 1e-13);
}

TEST(ImplicitFunctionsBadInput, IsRefusedByKind) {
  using N = Nilpotent<1>;
  using Kind = TensorError::Kind;
  const auto jacobian = factorize_lu(MatrixXd::Identity(2, 2));
  const std::vector<N> p{N::seed(3, {1}), N(1.1)};
  auto kind = [&](const std::vector<double>& u0, const auto& f) {
    return reference::refused([&] { implicit_function<N>(f, u0, std::span<const N>(p), *jacobian); }).kind();
  };
  const auto call = [](std::span<const N> u, std::span<const N> q, std::span<N> r) { residual(u, q, r); };
  const auto bad = [](std::span<const N>, std::span<const N>, std::span<N> r) { r[0] = r[1] = log(N(-1.0)); };
  EXPECT_EQ(Kind::dimension_mismatch, kind({1, 2, 3}, call));
  EXPECT_EQ(Kind::empty, kind({}, call));
  EXPECT_EQ(Kind::not_finite, kind({1, 2}, bad));
}

}  // namespace
}  // namespace holo
