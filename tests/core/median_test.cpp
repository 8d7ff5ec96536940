#include "holo/core/numerics/median.h"

#include <gtest/gtest.h>

namespace {

using holo::median, holo::median_ratio;

TEST(Median, OfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(Median, OfRatiosDoesNotSeeThatTheMachineSlowsDownBetweenTurns) {
  // The second code takes half of the first one's time. From the third turn on the machine takes twice as long; in that turn it
  // slows down between the two.
  const std::vector<double> first = {2, 2, 4, 4, 4}, second = {1, 1, 1, 2, 2};
  EXPECT_EQ(median_ratio(first, second), 2);
  EXPECT_EQ(median(first) / median(second), 4);
}

}  // namespace
