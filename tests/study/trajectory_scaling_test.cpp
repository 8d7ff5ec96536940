// The study `trajectory_scaling`: its runs and what they cost, windows against the whole duration, its refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/bad_experiments.h"
#include "small_runs.h"
#include "studies/fitted_exponent.h"

namespace holo_test {
namespace trajectory_scaling_study {

constexpr const char* crawl = R"(name: small
study: trajectory_scaling
scene:
  time_step: 0.05
  duration: 1
  character: {type: chain, link_count: 4}
  obstacles: [{name: floor, type: plane}]
losses:
  - {type: track_center_of_mass, body: chain, target: [0.3, 0, 0.3], scale: 0.1}
trajectory: {segment_length: 5}
scaling: {iterations: 3, steps: [10, 40], links: [3, 5]}
receding_horizon: {window: 0.5, iterations: 4, whole_iterations: 6}
)";

class TrajectoryScaling : public SmallRuns {};

TEST_F(TrajectoryScaling, RunsEachSizeAndTheHorizons) {
  std::unique_ptr<holo::Study> study = built(crawl);
  KeptOutput output;
  while (study->steps_done() < study->total_steps()) study->step(output);
  ASSERT_EQ(output.rows.size(), 7u);
  // N and n; a point of the spline has 2 n unknowns and 2 * 6 constraints.
  const int expected[7][2] = {{20, 12}, {10, 12}, {40, 12}, {20, 10}, {20, 14}, {20, 12}, {20, 12}};
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(output.rows[i][0], double(i));
    EXPECT_EQ(output.rows[i][1], expected[i][0]) << i;
    EXPECT_EQ(output.rows[i][2], expected[i][1]) << i;
    if (i < 5) {
      EXPECT_EQ(output.rows[i][3], 2 * expected[i][1] + 12) << i;
    }
  }
  for (int i = 0; i < 5; ++i) EXPECT_EQ(output.rows[std::size_t(i)][4], 3) << i;  // iterations
}

TEST_F(TrajectoryScaling, TellsWhereTheTimeGoesAndWhatWindowsCost) {
  write(crawl);
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  const auto value = [&](const char* name) { return metrics.at(name).get<double>(); };
  double sum = 0;
  for (const char* part : {"dynamics_share", "collision_share", "products_share", "factorization_share"}) {
    EXPECT_GT(value(part), 0) << part;
    sum += value(part);
  }
  EXPECT_DOUBLE_EQ(value("named_share"), sum);
  EXPECT_LE(sum, 1);
  EXPECT_GT(value("iteration_time"), 0);
  for (const char* exponent : {"steps_exponent", "links_exponent", "rows_exponent", "links_iteration_exponent"})
    EXPECT_TRUE(std::isfinite(value(exponent))) << exponent;
  // Windows start at 0, 5, and 10, which reaches the end at 20.
  EXPECT_EQ(value("receding_windows"), 3);
  EXPECT_EQ(value("whole_iterations"), 6);
  EXPECT_EQ(value("receding_iterations"), 12);
  EXPECT_EQ(value("work_ratio"), 12.0 * 10 / (6.0 * 20));
  EXPECT_LT(value("whole_objective"), 1e3);
  EXPECT_EQ(value("receding_converged"), 0);
}

TEST_F(TrajectoryScaling, JudgesNoTimesWhereItIsToldSo) {
  const std::string brief =
      replaced(replaced(crawl, "iterations: 3, steps: [10, 40], links: [3, 5]", "iterations: 1, steps: [2, 4]"),
               "receding_horizon: {window: 0.5, iterations: 4, whole_iterations: 6}\n", "");
  const auto has_metric = [](const std::string& yaml, const char* name) {
    std::unique_ptr<holo::Study> study = built(yaml);
    KeptOutput output;
    while (study->steps_done() < study->total_steps()) study->step(output);
    const std::vector<holo::Metric> metrics = study->finish();
    return std::any_of(metrics.begin(), metrics.end(), [&](const holo::Metric& metric) { return metric.name == name; });
  };
  const std::string unjudged = replaced(brief, "iterations: 1,", "iterations: 1, judge_times: false,");
  EXPECT_TRUE(has_metric(unjudged, "named_share"));
  for (const char* name : {"iteration_time", "steps_exponent"}) {
    EXPECT_FALSE(has_metric(unjudged, name)) << name;
    EXPECT_TRUE(has_metric(brief, name)) << name;
  }
  EXPECT_FALSE(has_metric(brief, "links_exponent"));  // it has no such runs
}

TEST_F(TrajectoryScaling, ContinuesWithTheNextRun) {
  expect_resumes_to_the_same(crawl, 3, false);  // times are among the metrics
}

class TrajectoryScalingBadInput : public SmallRuns {};

TEST_F(TrajectoryScalingBadInput, NamesSizesThatCannotBe) {
  const auto with = [](const char* from, const char* to) { return replaced(crawl, from, to); };
  EXPECT_SAYS(refusal(with("steps: [10, 40]", "steps: [40, 10]")), "'steps' needs whole numbers that grow; found 10 after 40");
  EXPECT_SAYS(refusal(with("steps: [10, 40]", "steps: [10, 20.5]")), "found 20.5 after 10");
  EXPECT_SAYS(refusal(with("steps: [10, 40]", "steps: [10]")), "steps");
  EXPECT_SAYS(refusal(with("links: [3, 5]", "links: [0, 5]")), "links");
  EXPECT_SAYS(refusal(with("type: chain, link_count: 4", "type: chain, link_count: 4, pose: {pitch_3: 0.1}")),
              "with 3: the character 'chain' has no degree of freedom 'pitch_3'");
  EXPECT_SAYS(refusal(replaced(with("type: chain, link_count: 4", "type: chain5"), "body: chain", "body: chain5")),
              "the character is 'chain5'; links are varied of 'chain' alone");
  EXPECT_SAYS(refusal(with("iterations: 3", "iterations: 0")), "iterations");
  EXPECT_SAYS(refusal(with("steps: [10, 40]", "step: [10, 40]")), "step");
  EXPECT_SAYS(refusal(with("scaling:", "solver: {iterations_per_step: 5}\nscaling:")), "`scaling` has the `iterations`");
}

TEST_F(TrajectoryScalingBadInput, NamesHorizonsThatCannotBe) {
  const auto with = [](const char* from, const char* to) { return replaced(crawl, from, to); };
  EXPECT_SAYS(refusal(with("window: 0.5", "window: 0.01")), "a window of 0.01 s has no time step of 0.05 s");
  EXPECT_SAYS(refusal(with("window: 0.5", "window: -1")), "window");
  EXPECT_SAYS(refusal(with("window: 0.5", "window: 0.5, advance: window")), "control_point");
  EXPECT_SAYS(refusal(with("window: 0.5", "window: 0.5, unknowns: points")), "states");
  EXPECT_SAYS(refusal(with("window: 0.5", "window: 0.5, stop: never")), "small_step");
  EXPECT_SAYS(refusal(with("whole_iterations: 6", "whole_iterations: 0")), "whole_iterations");
}

TEST(FittedExponent, IsThatOfAPowerLaw) {
  const std::vector<double> x{1, 2, 5, 11};
  std::vector<double> y;
  for (const double each : x) y.push_back(3 * std::pow(each, 2.5));
  EXPECT_NEAR(holo::fitted_exponent(x, y), 2.5, 1e-13);
  // Around the line: log y = 1, -1, 1 at log x = 0, 1, 2 has the slope 0.
  EXPECT_NEAR(holo::fitted_exponent({1, M_E, M_E * M_E}, {M_E, 1 / M_E, M_E}), 0, 1e-14);
  EXPECT_TRUE(std::isnan(holo::fitted_exponent({2}, {3})));
  EXPECT_TRUE(std::isnan(holo::fitted_exponent({2, 2}, {3, 4})));
  EXPECT_TRUE(std::isnan(holo::fitted_exponent({1, 2}, {0, 4})));
}

}  // namespace trajectory_scaling_study
}  // namespace holo_test
