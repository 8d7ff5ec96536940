// The study `trajectory_optimization`: its motion, its resumption, its refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/bad_experiments.h"
#include "small_runs.h"

namespace holo_test {
namespace trajectory_optimization_study {

constexpr const char* hop = R"(name: small
study: trajectory_optimization
scene:
  time_step: 0.025
  duration: 0.5
  character: {type: hopper6}
  obstacles: [{name: floor, type: plane}]
losses:
  - {type: center_of_mass_velocity, body: hopper6, target: [0.5, 0, 0]}
solver: {spline_iterations: 60, polish_iterations: 40, iterations_per_step: 7}
)";

class TrajectoryOptimization : public SmallRuns {};

TEST_F(TrajectoryOptimization, EndsInAMotionThatSatisfiesTheEquationsOfMotion) {
  write(hop);
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  EXPECT_LT(metrics.at("full_violation").get<double>(), 1e-7);
  EXPECT_LT(metrics.at("spline_restoration_reduced_violation").get<double>(), 1e-7);
  EXPECT_LT(metrics.at("polish_objective_ratio").get<double>(), 1);
  EXPECT_GT(metrics.at("displacement_x").get<double>(), 0.1);
  EXPECT_NEAR(metrics.at("displacement_y").get<double>(), 0, 1e-9);  // a planar character
  // A line of names and one for each state.
  const std::string motion = file("out", "tables/motion.csv");
  EXPECT_EQ(std::count(motion.begin(), motion.end(), '\n'), 21);
}

TEST_F(TrajectoryOptimization, ContinuesFromACheckpointToTheSameMotion) {
  for (const int steps : {1, 4, 10, 14}) expect_resumes_to_the_same(hop, steps);
}

TEST_F(TrajectoryOptimization, StartsAsGiven) {
  const std::string falling =
      replaced(replaced(hop, "type: hopper6}", "type: hopper6, pose: {base_z: 2}, velocity: {base_z: 1}}"),
               "solver:", "trajectory: {start: as_given, segment_length: 1}\nsolver:");
  std::unique_ptr<holo::Study> study = built(falling);
  KeptOutput output;
  while (study->steps_done() < study->total_steps()) study->step(output);
  for (const holo::Metric& metric : study->finish()) {
    if (metric.name == "airborne_steps") {
      EXPECT_EQ(metric.value, 20);
    }
    // Free fall from a speed of 1 m/s over 19 steps, which start with the speed of the first one.
    if (metric.name == "displacement_z") {
      EXPECT_NEAR(metric.value, 0.475 - 9.81 * 0.025 * 0.025 * 19 * 22 / 2, 1e-6);
    }
  }
}

TEST_F(TrajectoryOptimization, RefusesWhatHasNoSolution) {
  const std::string no_floor = replaced(hop, "  obstacles: [{name: floor, type: plane}]\n", "");
  EXPECT_SAYS(refusal(no_floor), "no pose at rest was found near the given one");
  EXPECT_SAYS(refusal(no_floor), "as_given");
  const std::string idle =
      replaced(replaced(hop, "  - {type: center_of_mass_velocity, body: hopper6, target: [0.5, 0, 0]}",
                        "  - {type: center_of_mass_velocity, body: hopper6, target: [0.5, 0, 0], weight: 0}"),
               "solver:", "effort: {weight: 0}\nsolver:");
  EXPECT_SAYS(refusal(idle), "the objective does not depend on the trajectory");
  EXPECT_SAYS(refusal(replaced(hop, "body: hopper6", "body: hoper6")), "hopper6");
  EXPECT_SAYS(refusal(replaced(hop, "type: center_of_mass_velocity, body: hopper6, target: [0.5, 0, 0]",
                               "type: elastic_energy, body: hopper6")),
              "elastic energy");
  EXPECT_SAYS(refusal(replaced(hop, "spline_iterations: 60", "spline_iterations: -1")), "spline_iterations");
  EXPECT_SAYS(refusal(replaced(hop, "solver:", "trajectory: {segment_length: 0}\nsolver:")), "segment_length");
}

}  // namespace trajectory_optimization_study
}  // namespace holo_test
