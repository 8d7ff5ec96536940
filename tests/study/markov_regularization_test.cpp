// The study `markov_regularization`: its runs, its resumption, its refusals.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/bad_experiments.h"
#include "small_runs.h"

namespace holo_test {
namespace markov_regularization_study {

constexpr const char* hops = R"(name: small
study: markov_regularization
scene:
  time_step: 0.025
  duration: 1.0
  character: {type: hopper6}
  obstacles: [{name: floor, type: plane}]
losses:
  - {type: center_of_mass_velocity, body: hopper6, target: [0.5, 0, 0]}
regularization: {rounds: 2, trajectory_iterations: 60, network_iterations: 20}
runs:
  - {name: plain, network: none}
  - {name: single, hidden_units: 8, reference: plain}
  - {name: repeated, network: rollout, hidden_units: 8, reference: single}
)";

class MarkovRegularization : public SmallRuns {};

TEST_F(MarkovRegularization, RunsWithAndWithoutNetworks) {
  write(hops);
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  const auto value = [&](const char* name) { return metrics.at(name).get<double>(); };
  for (const char* name : {"plain", "single", "repeated"}) {
    EXPECT_LT(value((std::string(name) + "_objective").c_str()), 1);
    EXPECT_LE(value((std::string(name) + "_reduced_violation").c_str()), 1e-5);
    EXPECT_GT(value((std::string(name) + "_displacement_x").c_str()), 0.1);
  }
  EXPECT_EQ(value("single_increases"), 0);
  EXPECT_GT(value("single_transitions"), 0);
  EXPECT_GT(value("repeated_distance_3_ratio"), 0);
  EXPECT_GT(value("repeated_rollout_ratio"), 0);
  EXPECT_FALSE(metrics.contains("plain_transitions"));
}

TEST_F(MarkovRegularization, ContinuesFromEachPart) {
  for (const int steps : {1, 2, 3, 5, 8}) expect_resumes_to_the_same(hops, steps, false);  // times are among the metrics
}

TEST_F(MarkovRegularization, RefusesWhatDoesNotFit) {
  EXPECT_SAYS(refusal(replaced(hops, "name: single", "name: plain")), "a second run 'plain'");
  EXPECT_SAYS(refusal(replaced(hops, "reference: single", "reference: singel")), "no run 'singel' before this one");
  EXPECT_SAYS(refusal(replaced(hops, "network: rollout", "network: recurrent")), "transitions");
  EXPECT_SAYS(refusal(replaced(hops, "{name: single, hidden_units: 8", "{name: single, hidden_units: 0")), "hidden_units");
  EXPECT_SAYS(refusal(replaced(hops, "{name: single, hidden_units: 8", "{name: single, hidden_units: 65536")), "hidden_units");
  EXPECT_SAYS(refusal(replaced(hops, "runs:", "trajectory: {recentering: 2}\nruns:")), "keep the reference rotations");
  EXPECT_SAYS(refusal(replaced(hops, "runs:", "solver: {spline_iterations: 5}\nruns:")), "trajectory_iterations, rounds");
  EXPECT_SAYS(refusal(replaced(hops, "runs:", "trajectory: {segment_length: 1}\nruns:")), "at least 2");
  EXPECT_SAYS(refusal(replaced(hops, "duration: 1.0", "duration: 0.2")), "two points after the start");
  const std::string walk = replaced(hops, "{type: hopper6}", "{type: biped14}");
  EXPECT_SAYS(refusal(replaced(walk, "body: hopper6", "body: biped14")), "rotation: euler, order: zyx");
}

}  // namespace markov_regularization_study
}  // namespace holo_test
