#include "holo/core/error.h"

#include <gtest/gtest.h>

namespace holo {
namespace {

TEST(Error, LocationLeavesOutWhatIsUnknown) {
  EXPECT_EQ(to_string(Location{"a.yaml", 3, 7}), "a.yaml:3:7");
  EXPECT_EQ(to_string(Location{"a.yaml", 3, 0}), "a.yaml:3");
  EXPECT_EQ(to_string(Location{"a.yaml", 0, 7}), "a.yaml");
  EXPECT_EQ(to_string(Location{}), "");
}

TEST(Error, InputErrorStartsWithItsPlace) {
  try {
    throw_input_error({"a.yaml", 3, 7}, "bad");
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a.yaml:3:7: bad");
    EXPECT_EQ(error.failure(), Failure::input);
  }
}

TEST(Error, NearestNameAllowsSmallSlips) {
  const std::vector<std::string> names{"density", "youngs_modulus", "mesh"};
  EXPECT_EQ(nearest_name("desnity", names), "density");
  EXPECT_EQ(nearest_name("young_modulus", names), "youngs_modulus");
  EXPECT_EQ(suggestion("mehs", names), " Did you mean 'mesh'?");
}

TEST(Error, NearestNameIsNoneWhenNothingIsAlike) {
  EXPECT_EQ(nearest_name("solver", {"density", "mesh"}), "");
  EXPECT_EQ(nearest_name("z", {"d"}), "");  // a name replaced whole is no slip
  EXPECT_EQ(suggestion("anything", {}), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'x'), {"density"}), "");
}

}  // namespace
}  // namespace holo
