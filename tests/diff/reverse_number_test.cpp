// The tape of one small function.
#include "holo/diff/scalars/reverse_number.h"

#include <gtest/gtest.h>

#include "holo/diff/scalars/nilpotent.h"

namespace holo {
namespace {

// Every operation and several functions, a branch and constants on both sides.
const auto function = [](const auto& x, const auto& y) {
  using S = std::remove_cvref_t<decltype(x)>;
  const S a = 2.0 * x * exp(y) / (1.0 + x * x) - log(x + 3.0) + pow(y, 3) - sqrt(x) * 0.5;
  return S(a + max(x, y) * sin(x - y) - (-x) / y + pow(x, y));
};

// The terms of the sum have derivatives up to some 10, which cancel: rounding of a few units of each.
constexpr double tolerance = 10 * 8 * 0x1p-53;

TEST(ReverseNumber, OneSweepGivesTheGradientOfNilpotentNumbers) {
  ReverseTape tape;
  const ReverseNumber x = tape.variable(1.3), y = tape.variable(0.7);
  const ReverseNumber f = function(x, y);
  tape.sweep(f);
  using N = Nilpotent<1>;
  const N along_x = function(N::seed(1.3, {1}), N(0.7)), along_y = function(N(1.3), N::seed(0.7, {1}));
  EXPECT_DOUBLE_EQ(f.value(), along_x.value());
  EXPECT_NEAR(tape.adjoint(x), along_x.derivative(), tolerance);
  EXPECT_NEAR(tape.adjoint(y), along_y.derivative(), tolerance);
}

TEST(ReverseNumber, SweepOfADirectionalDerivativeGivesAColumnOfTheHessian) {
  using S = Nilpotent<1, ReverseNumber>;
  using N = Nilpotent<2>;
  ReverseTape tape;
  const ReverseNumber x = tape.variable(1.3), y = tape.variable(0.7);
  tape.sweep(function(S::seed(x, {ReverseNumber(1.0)}), S(y)).derivative());
  const double xx = function(N::seed(1.3, {1, 1}), N(0.7)).derivative(),
               xy = function(N::seed(1.3, {1, 0}), N::seed(0.7, {0, 1})).derivative();
  EXPECT_NEAR(tape.adjoint(x), xx, tolerance);
  EXPECT_NEAR(tape.adjoint(y), xy, tolerance);
}

TEST(ReverseNumber, ConstantsAndOtherTapesHaveNoAdjoint) {
  ReverseTape tape, other;
  const ReverseNumber x = tape.variable(2.0), constant = 3.0, elsewhere = other.variable(5.0);
  tape.sweep(x * constant);
  EXPECT_EQ(tape.adjoint(x), 3);
  EXPECT_EQ(tape.adjoint(constant), 0);
  EXPECT_EQ(tape.adjoint(elsewhere), 0);
  tape.sweep(constant * constant);
  EXPECT_EQ(tape.adjoint(x), 0);
}

// An infinite slope of what the result does not depend on must not spoil it: inf * 0 is NaN.
TEST(ReverseNumber, InfiniteSlopesOfUnusedNumbersDoNotChangeTheResult) {
  ReverseTape tape;
  const ReverseNumber x = tape.variable(0.0);
  [[maybe_unused]] const ReverseNumber unused = sqrt(x);
  tape.sweep(x * 2.0);
  EXPECT_EQ(tape.adjoint(x), 2);
}

}  // namespace
}  // namespace holo
