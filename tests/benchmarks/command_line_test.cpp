#include "command_line.h"

#include <gtest/gtest.h>

#include <cmath>

#include "measuring.h"

namespace holo::benchmark {
namespace {

struct Options {
  std::size_t elements = 2000;
  int repeats = 3;
  std::vector<std::string> materials;
};

bool read(std::vector<const char*> arguments, Options& options) {
  arguments.insert(arguments.begin(), "benchmark");
  boost::program_options::options_description description("Options");
  description.add_options()("elements", whole_number("elements", options.elements, 16, 8), "")(
      "repeats", whole_number("repeats", options.repeats, 1), "")(
      "materials", boost::program_options::value(&options.materials)->multitoken(), "");
  return read_options(int(arguments.size()), arguments.data(), description);
}

std::string refusal(const std::vector<const char*>& arguments) {
  Options options;
  try {
    read(arguments, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "";
}

TEST(CommandLine, ValuesThatAreGivenReplaceTheDefaults) {
  Options options;
  EXPECT_TRUE(read({"--elements", "64", "--materials", "stvk", "fung"}, options));
  EXPECT_EQ(options.elements, 64u);
  EXPECT_EQ(options.repeats, 3);
  EXPECT_EQ(options.materials, (std::vector<std::string>{"stvk", "fung"}));
}

TEST(CommandLine, HelpIsPrintedAndNothingRuns) {
  Options options;
  testing::internal::CaptureStdout();
  EXPECT_FALSE(read({"--help"}, options));
  EXPECT_NE(testing::internal::GetCapturedStdout().find("--elements"), std::string::npos);
}

TEST(CommandLineBadInput, WhatBelongsToNoOptionIsNamed) {
  EXPECT_NE(refusal({"--repetitions", "3"}).find("--repetitions"), std::string::npos);
  EXPECT_NE(refusal({"--repeat", "3"}).find("--repeat"), std::string::npos);  // no abbreviations
  EXPECT_NE(refusal({"stray", "--repeats", "3"}).find("'stray'"), std::string::npos);
  EXPECT_NE(refusal({"--repeats", "3", "stray"}).find("'stray'"), std::string::npos);
}

TEST(CommandLineBadInput, ValuesOutsideTheirRangeAreNamed) {
  EXPECT_NE(refusal({"--repeats", "0"}).find("--repeats is 0"), std::string::npos);
  EXPECT_NE(refusal({"--elements=-8"}).find("--elements is -8"), std::string::npos);
  EXPECT_NE(refusal({"--elements", "20"}).find("multiples of 8 from 16"), std::string::npos);
  for (const char* value : {"three", "3.5", "", "99999999999999999999"}) EXPECT_NE(refusal({"--repeats", value}), "") << value;
  EXPECT_NE(refusal({"--repeats"}), "");
}

TEST(CommandLineBadInput, ErrorsAreOneLineAndExitCodeTwo) {
  testing::internal::CaptureStderr();
  const auto run = [](int, char**) -> int { throw Error(Failure::input, "first\nsecond"); };
  EXPECT_EQ(run_program("name", 0, nullptr, run), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "name: first second\n");
}

TEST(LargestDifference, IsRelativeToEachItemsLargestEntry) {
  const std::vector<double> reference = {1, -4, 0, 0}, near = {1.5, -4, 0, 0};
  EXPECT_EQ(largest_difference(near.data(), reference, 2), 0.125);
  EXPECT_EQ(largest_difference(near.data(), reference, 4), 0.125);
}

TEST(LargestDifferenceBadInput, WhatIsNotANumberOrFromZeroIsInfinite) {
  const std::vector<double> reference = {1, 2, 0, 0, 3, 4};
  for (const auto& values : {std::vector<double>{NAN, 2, 0, 0, 3, 4}, std::vector<double>{1, 2, 1e-30, 0, 3, 4}})
    EXPECT_EQ(largest_difference(values.data(), reference, 2), HUGE_VAL);
}

}  // namespace
}  // namespace holo::benchmark
