// The points of a sweep: which values its runs have.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "holo/study/sweep.h"
#include "refusal_message.h"

namespace holo {
namespace {

const char* const curve_experiment = R"(name: curve
study: error_curves
seed: 5
function: cube_root
point: 2
steps: {first_exponent: -2, last_exponent: -20}
curves: [{method: csfd}]
metrics: [{name: error, kind: largest_error, curve: csfd}]
sweep:
)";

SweepDefinition sweep_of(const std::string& section) {
  const PluginHost plugins;
  ConfigurationFile file = ConfigurationFile::parse(curve_experiment + section, "curve.yaml");
  return load_experiment(file, built_in_studies(), plugins).sweep.value();
}

std::vector<SweepPoint> points_of(const std::string& section) { return sweep_points(sweep_of(section), 5); }

std::vector<double> numbers_of_points(const std::vector<SweepPoint>& points, std::size_t parameter) {
  std::vector<double> result;
  for (const SweepPoint& point : points) result.push_back(std::stod(point.at(parameter)));
  return result;
}

TEST(SweepPoints, GridHasEachValueWithEachOther) {
  const std::vector<SweepPoint> points = points_of(R"(
  grid:
    - {path: point, values: [2, 3, 4]}
    - {path: steps.last_exponent, values: [-20, -30]}
)");
  const std::vector<SweepPoint> expected{{"2", "-20"}, {"2", "-30"}, {"3", "-20"}, {"3", "-30"}, {"4", "-20"}, {"4", "-30"}};
  EXPECT_EQ(points, expected);
}

TEST(SweepPoints, ListPairsItsValues) {
  const std::vector<SweepPoint> points = points_of(R"(
  list:
    - {path: point, values: [2, 3, 4]}
    - {path: curves.0.method, values: [csfd, complex_step, accelerated_paper]}
)");
  const std::vector<SweepPoint> expected{{"2", "csfd"}, {"3", "complex_step"}, {"4", "accelerated_paper"}};
  EXPECT_EQ(points, expected);
}

TEST(SweepPoints, BlocksAndRepetitionsMultiply) {
  const SweepDefinition sweep = sweep_of(R"(
  repeat: 3
  grid: [{path: steps.last_exponent, values: [-20, -30]}]
  random: {count: 5, parameters: [{path: point, from: 2, to: 3}]}
)");
  const std::vector<SweepPoint> points = sweep_points(sweep, 5);
  ASSERT_EQ(points.size(), 2u * 5 * 3);
  ASSERT_EQ(sweep_parameters(sweep).size(), 3u);
  EXPECT_EQ(sweep_parameters(sweep).back().path, "seed");
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i].back(), std::to_string(5 + i % 3));
  EXPECT_EQ(std::set<SweepPoint>(points.begin(), points.end()).size(), points.size());
}

TEST(SweepPoints, LogarithmicRangeHasEqualRatios) {
  const std::vector<double> values =
      numbers_of_points(points_of("  grid: [{path: point, from: 0.001, to: 1000, count: 7, scale: logarithmic}]\n"), 0);
  const std::vector<double> expected{0.001, 0.01, 0.1, 1, 10, 100, 1000};
  EXPECT_EQ(values, expected);
}

TEST(SweepPoints, LinearRangeHasItsEndsAndShortNumbers) {
  const std::vector<SweepPoint> points = points_of("  grid: [{path: point, from: 0.1, to: 0.5, count: 5}]\n");
  const std::vector<SweepPoint> expected{{"0.1"}, {"0.2"}, {"0.3"}, {"0.4"}, {"0.5"}};
  EXPECT_EQ(points, expected);
}

TEST(SweepPoints, WholeNumbersAreWhole) {
  const std::vector<SweepPoint> points =
      points_of("  grid: [{path: steps.last_exponent, from: -127, to: -20, count: 11, whole_numbers: true}]\n");
  EXPECT_EQ(points.front(), SweepPoint{"-127"});
  EXPECT_EQ(points.back(), SweepPoint{"-20"});
  for (const double value : numbers_of_points(points, 0)) EXPECT_EQ(value, std::round(value));
}

// Each of `count` equal parts of the range, and of its logarithm, has one sample.
TEST(SweepPoints, LatinHypercubeHasOneSampleInEachStratum) {
  constexpr std::size_t count = 37;
  const std::vector<SweepPoint> points = points_of(R"(
  latin_hypercube:
    count: 37
    parameters:
      - {path: point, from: 2, to: 5}
      - {path: steps.last_exponent, from: 1, to: 1000, scale: logarithmic}
)");
  ASSERT_EQ(points.size(), count);
  std::vector<std::set<int>> strata(2);
  for (const double value : numbers_of_points(points, 0)) strata[0].insert(int(double(count) * (value - 2) / 3));
  for (const double value : numbers_of_points(points, 1)) strata[1].insert(int(double(count) * std::log10(value) / 3));
  for (const std::set<int>& found : strata) {
    EXPECT_EQ(found.size(), count);
    EXPECT_EQ(*found.begin(), 0);
    EXPECT_EQ(*found.rbegin(), int(count) - 1);
  }
  // The strata of two parameters are not in the same order.
  EXPECT_GT(std::abs(numbers_of_points(points, 0)[0] - numbers_of_points(points, 0)[1]) +
                std::abs(numbers_of_points(points, 1)[0] - numbers_of_points(points, 1)[1]),
            0);
}

TEST(SweepPoints, RandomSamplesFillTheRangeEvenly) {
  const std::vector<double> values =
      numbers_of_points(points_of("  random: {count: 4000, parameters: [{path: point, from: 2, to: 4}]}\n"), 0);
  double sum = 0;
  for (const double value : values) {
    EXPECT_GE(value, 2);
    EXPECT_LE(value, 4);
    sum += value;
  }
  // The mean of n uniform numbers of width 2 has the deviation 2 / sqrt(12 n) = 0.0091; six of them.
  EXPECT_NEAR(sum / double(values.size()), 3, 0.055);
}

TEST(SweepPoints, SamplesRepeatWithTheirSeedAndDifferWithAnother) {
  const auto of_seed = [](int seed) {
    return points_of("  seed: " + std::to_string(seed) +
                     "\n  random: {count: 8, parameters: [{path: point, from: 2, to: 4}]}\n");
  };
  EXPECT_EQ(of_seed(3), of_seed(3));
  EXPECT_NE(of_seed(3), of_seed(4));
}

TEST(SweepPoints, SamplesOfAParameterDoNotDependOnTheOthers) {
  const std::string point = "{path: point, from: 2, to: 4}", exponent = "{path: steps.last_exponent, from: -40, to: -20}";
  const auto of = [](const std::string& parameters) {
    return points_of("  random: {count: 6, parameters: [" + parameters + "]}\n");
  };
  EXPECT_EQ(numbers_of_points(of(point), 0), numbers_of_points(of(exponent + ", " + point), 1));
}

TEST(SweepPoints, ValuesKeepTheirType) {
  const std::vector<SweepPoint> points = points_of("  grid: [{path: curves.0.method, values: [csfd, \"1\", [1, 2], true]}]\n");
  const std::vector<SweepPoint> expected{{"csfd"}, {"\"1\""}, {"[1, 2]"}, {"true"}};
  EXPECT_EQ(points, expected);
}

std::string sweep_refusal(const std::string& section) {
  return test::message([&] { sweep_of(section); });
}

TEST(SweepBadInput, RangesThatAreEmpty) {
  EXPECT_NE(sweep_refusal("  grid: [{path: point, from: 3, to: 3, count: 2}]\n")
                .find("curve.yaml:10:30: the range from 3 to 3 is empty"),
            std::string::npos)
      << sweep_refusal("  grid: [{path: point, from: 3, to: 3, count: 2}]\n");
  EXPECT_NE(sweep_refusal("  random: {count: 3, parameters: [{path: point, from: 3, to: 2}]}\n")
                .find("the range from 3 to 2 is empty"),
            std::string::npos);
  EXPECT_NE(sweep_refusal("  grid: [{path: point, values: []}]\n")
                .find("must be a list of one or more values, but a list of 0 entries was found"),
            std::string::npos);
  EXPECT_NE(sweep_refusal("  grid: []\n").find("sweep.grid"), std::string::npos);
}

TEST(SweepBadInput, LogarithmOfWhatIsNotPositive) {
  EXPECT_NE(sweep_refusal("  grid: [{path: point, from: 0, to: 2, count: 3, scale: logarithmic}]\n").find("must begin above 0"),
            std::string::npos);
}

TEST(SweepBadInput, CountsOfNothing) {
  EXPECT_NE(sweep_refusal("  random: {count: 0, parameters: [{path: point, from: 2, to: 3}]}\n").find("count"),
            std::string::npos);
  EXPECT_NE(sweep_refusal("  grid: [{path: point, from: 2, to: 3, count: 1}]\n").find("count"), std::string::npos);
  EXPECT_NE(sweep_refusal("  repeat: 0\n").find("repeat"), std::string::npos);
  EXPECT_NE(sweep_refusal("  seed: 1\n").find("the sweep has no parameters"), std::string::npos);
}

TEST(SweepBadInput, TwoParametersOfOneValue) {
  const std::string twice =
      sweep_refusal("  grid: [{path: point, values: [2]}]\n  list: [{path: point, name: p, values: [2]}]\n");
  EXPECT_NE(twice.find("curve.yaml:11:17: 'point' is swept twice, first at curve.yaml:10:17"), std::string::npos) << twice;
  EXPECT_NE(sweep_refusal("  grid: [{path: steps, values: [{}]}, {path: steps.last_exponent, values: [-20]}]\n")
                .find("a value and a part of it"),
            std::string::npos);
  EXPECT_NE(sweep_refusal("  repeat: 2\n  grid: [{path: seed, values: [1, 2]}]\n").find("leave out one of them"),
            std::string::npos);
  EXPECT_NE(sweep_refusal("  grid: [{path: curves.0.step, values: [1]}, {path: metrics.0.step, values: [2]}]\n")
                .find("have the same name 'step'"),
            std::string::npos);
}

TEST(SweepBadInput, ListsOfUnequalLengths) {
  EXPECT_NE(sweep_refusal("  list: [{path: point, values: [2, 3]}, {path: steps.last_exponent, values: [-20]}]\n")
                .find("parameters of a list must have equally many"),
            std::string::npos);
}

TEST(SweepBadInput, TooManyRuns) {
  EXPECT_NE(sweep_refusal("  repeat: 90000\n  grid: [{path: point, values: [2, 3]}]\n").find("the sweep has 180000 runs"),
            std::string::npos);
}

TEST(SweepBadInput, UnknownMetricsAndKeys) {
  EXPECT_NE(sweep_refusal("  metrics: [errors]\n  repeat: 2\n").find("no metric 'errors'. Did you mean 'error'?"),
            std::string::npos);
  EXPECT_NE(sweep_refusal("  repeat: 2\n  grids: []\n").find("grids"), std::string::npos);
  EXPECT_NE(sweep_refusal("  grid: [{path: point, values: [2], form: 1}]\n").find("form"), std::string::npos);
}

}  // namespace
}  // namespace holo
