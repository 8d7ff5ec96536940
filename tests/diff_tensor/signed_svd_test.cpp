#include "holo/diff/tensor/signed_svd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace holo {
namespace {

constexpr double epsilon = 2.220446049250313e-16;

double largest(const Matrix3<double>& a) {
  double result = 0;
  for (int k = 0; k < 9; ++k) result = std::fmax(result, std::abs(a[k]));
  return result;
}

void expect_decomposition(const Matrix3<double>& F, const SignedSvd<double>& svd) {
  const Vector3<double>& s = svd.stretches;
  const Matrix3<double> I = identity3<double>();
  EXPECT_LE(largest(transpose(svd.U) * svd.U - I), 8 * epsilon);
  EXPECT_LE(largest(transpose(svd.V) * svd.V - I), 8 * epsilon);
  EXPECT_NEAR(1, determinant(svd.U), 8 * epsilon);
  EXPECT_NEAR(1, determinant(svd.V), 8 * epsilon);
  EXPECT_LE(largest(svd.U * diagonal(s) * transpose(svd.V) - F), 16 * epsilon * largest(F));
  EXPECT_GE(s[0], s[1] - 4 * epsilon * s[0]);
  EXPECT_GE(s[1], std::abs(s[2]) - 4 * epsilon * s[0]);
  EXPECT_GE(s[1], -4 * epsilon * s[0]);
}

std::vector<Matrix3<double>> matrices() {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  auto any = [&] {
    Matrix3<double> F{};
    for (int k = 0; k < 9; ++k) F[k] = normal(random);
    return F;
  };
  const Matrix3<double> I = identity3<double>();
  std::vector<Matrix3<double>> result{I, -1.0 * I, Matrix3<double>{}, 1e100 * I, 1e-100 * I};
  for (int i = 0; i < 300; ++i) result.push_back(any());
  for (double size : {1e-16, 1e-12, 1e-8, 1e-4, 1e-2}) {
    result.push_back(I + size * any());
    result.push_back(size * any());
    Matrix3<double> two_equal = any();
    const SignedSvd<double> svd = signed_svd(two_equal);
    for (const Vector3<double>& s :
         {Vector3<double>{1, 1, size}, Vector3<double>{1, size, size}, Vector3<double>{1, 1 - size, -1},
          Vector3<double>{1, size, -size}, Vector3<double>{1, size, size * size}})
      result.push_back(svd.U * diagonal(s) * transpose(svd.V));
  }
  const Vector3<double> a{1, 2, -3}, b{0.5, 0, 1};
  result.push_back(outer(a, b));
  result.push_back(Matrix3<double>{0, 1, 0, 0, 0, 1, 1, 0, 0});
  result.push_back(Matrix3<double>{0, 0, 0, 0, 0, 0, 0, 0, -2});
  return result;
}

TEST(SignedSvd, IsOneOfRotationsWithTheSignOfTheDeterminantOnTheLeastStretch) {
  for (const Matrix3<double>& F : matrices()) {
    const SignedSvd<double> svd = signed_svd(F);
    expect_decomposition(F, svd);
    if (std::abs(determinant(F)) > 1e-12 * std::pow(largest(F), 3)) {
      EXPECT_EQ(std::signbit(determinant(F)), std::signbit(svd.stretches[2]));
    }
  }
}

TEST(SignedSvd, OfTheIdentityIsTheIdentityToTheBit) {
  const SignedSvd<double> svd = signed_svd(identity3<double>());
  for (int k = 0; k < 9; ++k) {
    EXPECT_EQ(identity3<double>()[k], svd.U[k]);
    EXPECT_EQ(identity3<double>()[k], svd.V[k]);
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(1, svd.stretches[i]);
}

TEST(SignedSvd, EachLaneIsDecomposedWhateverStandsInTheOthers) {
  const std::vector<Matrix3<double>> all = matrices();
  constexpr int W = LaneBlock::width;
  for (std::size_t first = 0; first + W <= all.size(); first += W) {
    Matrix3<LaneBlock> F{};
    for (int lane = 0; lane < W; ++lane)
      for (int k = 0; k < 9; ++k) F[k].set(lane, all[first + lane][k]);
    const SignedSvd<LaneBlock> svd = signed_svd(F);
    for (int lane = 0; lane < W; ++lane) {
      SignedSvd<double> one{};
      for (int k = 0; k < 9; ++k) {
        one.U[k] = svd.U[k][lane];
        one.V[k] = svd.V[k][lane];
      }
      for (int i = 0; i < 3; ++i) one.stretches[i] = svd.stretches[i][lane];
      expect_decomposition(all[first + lane], one);
    }
  }
}

TEST(SignedSvdBadInput, WhatIsNotFiniteGivesStretchesThatAreNotFiniteInItsLaneAlone) {
  Matrix3<LaneBlock> F = matrix_cast<LaneBlock>(identity3<double>());
  F(1, 0).set(1, std::nan(""));
  const SignedSvd<LaneBlock> svd = signed_svd(F);
  EXPECT_FALSE(std::isfinite(svd.stretches[0][1] + svd.stretches[1][1] + svd.stretches[2][1]));
  EXPECT_EQ(1, svd.stretches[0][0]);
}

}  // namespace
}  // namespace holo
