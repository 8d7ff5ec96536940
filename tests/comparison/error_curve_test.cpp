#include "holo/comparison/error_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "error_curves/exact_derivatives.h"
#include "holo/core/error.h"

namespace holo::comparison {
namespace {

// Decimals from computer algebra.
TEST(ExactDerivatives, AreThoseOfIndependentDigits) {
  EXPECT_EQ(double(exact_derivative_of_exponential_over_quartic(1, 4)), 0.00659318319443838172661638222471);
  EXPECT_EQ(double(exact_derivative_of_exponential_over_quartic(2, 4)), 0.0451218459155398407541939223071);
  EXPECT_EQ(double(exact_derivative_of_exponential_over_quartic(3, 4)), -0.0152927985836301119121207500276);
  // 8^(1/3) = 2: 1/3 2/8, -2/9 2/64.
  EXPECT_EQ(double(exact_derivative_of_cube_root(1, 8)), 1.0 / 12);
  EXPECT_EQ(double(exact_derivative_of_cube_root(2, 8)), -1.0 / 144);
}

// X^-1 X = I differentiated twice: X'' vanishes, so (X^-1)'' X + 2 (X^-1)' E = 0 and (X^-1)' X + X^-1 E = 0.
TEST(ExactDerivatives, OfTheInverseSatisfyTheProductRule) {
  const Matrix3<double> X{2, 0.5, -0.25, 0.125, -1, 0.75, 0.5, 0.25, 1.5};
  Matrix3<double> E{};
  E(1, 1) = 1;
  const auto first = matrix_cast<double>(exact_derivative_of_inverse(1, X));
  const auto second = matrix_cast<double>(exact_derivative_of_inverse(2, X));
  EXPECT_GT(norm(first), 0.1);
  EXPECT_LT(norm(first * X + inverse(X) * E), 1e-15);
  EXPECT_LT(norm(second * X + 2.0 * (first * E)), 1e-15);
}

TEST(ErrorCurve, DifferencesConvergeWithTheirOrder) {
  const auto slope = [](const CurveChoice& choice, double step) {
    const ErrorCurve curve = error_curve(choice, 4, 1);
    return std::log2(curve(step) / curve(step / 2));
  };
  for (int order : {1, 2, 3}) {
    EXPECT_NEAR(slope({"exponential_over_quartic", "forward_difference", order}, 0x1p-9), 1, 0.1) << order;
    EXPECT_NEAR(slope({"exponential_over_quartic", "central_difference", order}, 0x1p-6), 2, 0.1) << order;
    EXPECT_NEAR(slope({"exponential_over_quartic", "mcsfd_full", order}, 0x1p-8), 2, 0.1) << order;
  }
  EXPECT_NEAR(slope({"exponential_over_quartic", "real_part_difference", 2}, 0x1p-6), 2, 0.1);
  EXPECT_NEAR(slope({"exponential_over_quartic", "fourier_differentiation", 2}, 0x1p-4), 4, 0.2);  // the order of Eq 21 is four
  EXPECT_NEAR(slope({"matrix_inverse", "cr_form", 2}, 0x1p-8), 2, 0.1);
}

TEST(ErrorCurve, StepsOfTheNilpotentNumbersCancel) {
  for (const char* function : {"exponential_over_quartic", "cube_root", "matrix_inverse"}) {
    const ErrorCurve curve = error_curve({function, "csfd", 2}, 4, 1);
    // docs/differentiation-claims.md#second-and-third-derivative-by-steps: some ten roundings, which a compiler may
    // fuse or not.
    for (double step : {1.0, 0x1p-20, 0x1p-127}) EXPECT_LT(curve(step), 1e-15) << function << " " << step;
    EXPECT_EQ(curve(1.0), curve(0x1p-100)) << function;
  }
}

TEST(ErrorCurve, SeedsDrawOtherMatrices) {
  const CurveChoice choice{"matrix_inverse", "forward_difference", 1};
  EXPECT_EQ(error_curve(choice, 0, 1)(0x1p-10), error_curve(choice, 7, 1)(0x1p-10));
  EXPECT_NE(error_curve(choice, 0, 1)(0x1p-10), error_curve(choice, 0, 2)(0x1p-10));
}

TEST(ErrorCurveBadInput, CurvesThatDoNotExistAreNamedWithThoseThatDo) {
  EXPECT_EQ(curve_problem({"cube_root", "csfd", 2}), "");
  EXPECT_THROW(error_curve({"cube_root", "cr_form", 1}, 2, 1), Error);
  const std::string problem = curve_problem({"cube_root", "cr_form", 1});
  EXPECT_NE(problem.find("accelerated_paper of order 1"), std::string::npos) << problem;
}

}  // namespace
}  // namespace holo::comparison
