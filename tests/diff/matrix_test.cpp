#include "holo/diff/matrix.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "holo/diff/lanes/lanes.h"

namespace holo {
namespace {

using Reference = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<34>, boost::multiprecision::et_off>;

constexpr Matrix3<double> A{2, -1, 0.5, 0.25, 3, 1, -0.75, 0.5, 1.5};

static_assert(trace(A) == 6.5);
static_assert(determinant(Matrix3<double>{2, 0, 0, 0, 3, 0, 0, 0, 4}) == 24);
static_assert(determinant(Matrix<double, 2, 2>{1, 2, 3, 4}) == -2);
static_assert(cross(Vector3<double>{1, 0, 0}, Vector3<double>{0, 1, 0})[2] == 1);

TEST(Matrix, DeterminantIsLeibnizSum) {
  const Matrix3<Reference> a = matrix_cast<Reference>(A);
  Reference sum = 0;
  const int permutations[6][4] = {{0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 1}, {0, 2, 1, -1}, {2, 1, 0, -1}, {1, 0, 2, -1}};
  for (const auto& p : permutations) sum += p[3] * a(0, p[0]) * a(1, p[1]) * a(2, p[2]);
  EXPECT_EQ(sum, determinant(a));
  EXPECT_NEAR(double(sum), determinant(A), 1e-15);
}

TEST(Matrix, InverseTimesMatrixIsIdentity) {
  const Matrix3<double> product = inverse(A) * A;
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(identity3<double>()[k], product[k], 1e-15);
  const Matrix<double, 2, 2> b{1, 2, 3, 4};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR((identity<double, 2>())[k], (b * inverse(b))[k], 1e-15);
}

TEST(Matrix, CofactorIsDerivativeOfDeterminant) {
  const Reference step = 1e-10;
  for (int k = 0; k < 9; ++k) {
    Matrix3<Reference> up = matrix_cast<Reference>(A), down = up;
    up[k] += step;
    down[k] -= step;
    EXPECT_NEAR(double((determinant(up) - determinant(down)) / (2 * step)), cofactor(A)[k], 1e-15);
  }
}

TEST(Matrix, ProductsAreBilinear) {
  const Vector3<double> a{1, 2, 3}, b{-1, 0.5, 4};
  EXPECT_EQ(dot(a, b), (transpose(a) * b)[0]);
  EXPECT_EQ(dot(a, b), trace(outer(a, b)));
  EXPECT_EQ(squared_norm(A), trace(transpose(A) * A));
  EXPECT_EQ(0, dot(cross(a, b), a));
  const Matrix<double, 2, 3> wide{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(32, (wide * transpose(wide))(0, 1));
  EXPECT_EQ(14, (2 * wide - wide / 1.0 + wide * 0.0)(0, 1) + 12);
}

TEST(Matrix, LanesGiveWhatEachLaneGives) {
  Matrix3<LaneBlock> a = matrix_cast<LaneBlock>(A);
  for (int k = 0; k < 9; ++k) a[k].set(1, A[k] * (1 + 0.1 * k));
  const Matrix3<LaneBlock> b = inverse(a);
  Matrix3<double> second;
  for (int k = 0; k < 9; ++k) second[k] = a[k][1];
  for (int k = 0; k < 9; ++k) {
    EXPECT_NEAR(inverse(A)[k], b[k][0], 1e-15);
    EXPECT_NEAR(inverse(second)[k], b[k][1], 1e-15);
  }
}

}  // namespace
}  // namespace holo
