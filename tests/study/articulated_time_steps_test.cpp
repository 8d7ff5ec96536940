// The study `articulated_time_steps`: the limit of stability of a sliding block, errors of first order, its refusals.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/bad_experiments.h"
#include "small_runs.h"

namespace holo_test {
namespace articulated_time_steps_study {

// Friction slows the block by w_t d^2 / m = 10 g = 98.1/s: forces at the start of a step are stable up to 2/98.1 s = 20.4 ms.
constexpr const char* sliding = R"(name: small
study: articulated_time_steps
scene:
  time_step: 0.0005
  duration: 0.5
  character: {type: block2, pose: {base_z: 0.1}, velocity: {base_x: 1}}
  obstacles: [{name: floor, type: plane}]
  contact: {penetration: 0.02, slip_ratio: 10}
time_steps: [0.001, 0.0025, 0.005, 0.01, 0.02, 0.025, 0.05]
)";

class ArticulatedTimeSteps : public SmallRuns {};

TEST_F(ArticulatedTimeSteps, FindTheLimitOfStabilityOfForcesAtTheStart) {
  write(sliding);
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  const auto value = [&](const char* name) { return metrics.at(name).get<double>(); };
  EXPECT_EQ(value("explicit_stable_step"), 0.02);
  EXPECT_EQ(value("implicit_stable_step"), 0.05);
  EXPECT_EQ(value("implicit_largest_gain"), 0);
  EXPECT_GT(value("implicit_iterations"), 0);
}

// With 25 ms the speed grows by the factor 1.45, in four steps the energy by 9.3 J, 9.5 of its unit 9.81 N * 0.1 m; with 50 ms
// in two steps by the factor 3.9, 117 of that.
TEST_F(ArticulatedTimeSteps, AreUnstableWhereTheEnergyGrowsMoreThanAllowed) {
  const std::string brief = replaced(sliding, "duration: 0.5", "duration: 0.1");
  const auto stable_step = [&](const std::string& yaml) {
    std::unique_ptr<holo::Study> study = built(yaml);
    KeptOutput output;
    while (study->steps_done() < study->total_steps()) study->step(output);
    for (const holo::Metric& metric : study->finish())
      if (metric.name == "explicit_stable_step") return metric.value;
    return -1.0;
  };
  EXPECT_EQ(stable_step(brief), 0.02);
  EXPECT_EQ(stable_step(brief + "energy_tolerance: 8\n"), 0.02);
  EXPECT_EQ(stable_step(brief + "energy_tolerance: 11\n"), 0.025);
  EXPECT_EQ(stable_step(brief + "energy_tolerance: 150\n"), 0.05);
}

// The block comes to rest after v / 98.1/s. From the position at the start on, implicit steps end at x0 + v / rate (1 + O(dt)),
// with x0 of the pose before the first step: all is of first order in the time step.
TEST_F(ArticulatedTimeSteps, HaveErrorsOfFirstOrder) {
  write(replaced(sliding, "[0.001, 0.0025, 0.005, 0.01, 0.02, 0.025, 0.05]", "[0.001, 0.002]"));
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  for (const char* name : {"implicit_error_exponent", "explicit_error_exponent"}) {
    EXPECT_GT(metrics.at(name).get<double>(), 0.8) << name;
    EXPECT_LT(metrics.at(name).get<double>(), 1.8)
        << name;  // the reference has an error, too, which the smaller step sees more
  }
}

TEST_F(ArticulatedTimeSteps, ContinueWithTheNextRun) {
  for (const int steps : {1, 5}) expect_resumes_to_the_same(sliding, steps);
}

class ArticulatedTimeStepsBadInput : public SmallRuns {};

TEST_F(ArticulatedTimeStepsBadInput, NamesTimeStepsThatCannotBeCompared) {
  const auto with = [](const char* steps) {
    return replaced(sliding, "[0.001, 0.0025, 0.005, 0.01, 0.02, 0.025, 0.05]", steps);
  };
  EXPECT_SAYS(refusal(with("[0.0012]")),
              "0.0012 s is no multiple of the scene's time step of 0.0005 s, with which motions are compared");
  EXPECT_SAYS(refusal(with("[0.6]")), "0.6 s is longer than the motion of 0.5 s");
  EXPECT_SAYS(refusal(with("[-0.1]")), "time_steps");
  EXPECT_SAYS(refusal(with("[]")), "time_steps");
  EXPECT_SAYS(refusal(with("[0.001]\nenergy_tolerance: -1")), "energy_tolerance");
  EXPECT_SAYS(refusal(replaced(replaced(sliding, "  duration:", "  gravity: [0, 0, 0]\n  duration:"),
                               "contact: {penetration: 0.02, slip_ratio: 10}",
                               "contact: {normal_weight: 1.0e+5, tangential_weight: 1.0e+6}")),
              "0 without gravity");
}

}  // namespace articulated_time_steps_study
}  // namespace holo_test
