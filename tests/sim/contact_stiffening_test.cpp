// The stiffness of contact over frames: when it doubles and halves.
#include "holo/sim/control/contact_stiffening.h"

#include <gtest/gtest.h>

namespace holo::test {
namespace {

constexpr double activation_distance = 1e-3;

TEST(ContactStiffening, DoublesWhereSurfacesComeNear) {
  ContactStiffening stiffening;
  EXPECT_FALSE(stiffening.observe(0.021 * activation_distance, activation_distance));
  EXPECT_EQ(stiffening.factor(), 1);
  EXPECT_TRUE(stiffening.observe(0.019 * activation_distance, activation_distance));
  EXPECT_EQ(stiffening.factor(), 2);
}

TEST(ContactStiffening, DoublesAFewTimesOnly) {
  ContactStiffening stiffening;
  for (int i = 0; i < ContactStiffening::most_doublings; ++i) EXPECT_TRUE(stiffening.stiffen());
  EXPECT_FALSE(stiffening.stiffen());
  EXPECT_FALSE(stiffening.observe(0, activation_distance));
  EXPECT_EQ(stiffening.factor(), 64);
}

TEST(ContactStiffening, HalvesAfterTwentyFramesApartAndNotBelowTheScenes) {
  ContactStiffening stiffening;
  stiffening.stiffen();
  for (int frame = 1; frame < 20; ++frame) EXPECT_FALSE(stiffening.observe(0.6 * activation_distance, activation_distance));
  EXPECT_FALSE(stiffening.observe(0.4 * activation_distance, activation_distance)) << "begins to count anew";
  for (int frame = 1; frame < 20; ++frame) EXPECT_FALSE(stiffening.observe(0.6 * activation_distance, activation_distance));
  EXPECT_TRUE(stiffening.observe(0.6 * activation_distance, activation_distance));
  EXPECT_EQ(stiffening.factor(), 1);
  for (int frame = 1; frame < 50; ++frame) EXPECT_FALSE(stiffening.observe(0.6 * activation_distance, activation_distance));
}

}  // namespace
}  // namespace holo::test
