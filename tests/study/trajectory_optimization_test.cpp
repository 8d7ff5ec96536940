// The study `trajectory_optimization`: its motion, its resumption, its refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

// The motion ends 0.1 m ahead, in the pose of the start.
TEST_F(TrajectoryOptimization, EndsAtRestWhereItIsTold) {
  write(replaced(hop, "solver:", "trajectory: {segment_length: 5, end: {state: at_rest, pose: {base_x: 0.1}}}\nsolver:"));
  run("out");
  const nlohmann::json metrics = nlohmann::json::parse(file("out", "result.json"))["metrics"];
  EXPECT_LT(metrics.at("full_violation").get<double>(), 1e-5);
  std::istringstream motion(file("out", "tables/motion.csv"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(motion, line);) lines.push_back(line);
  const auto coordinate = [&](std::size_t line, const std::string& name) {
    std::istringstream names(lines.front()), values(lines.at(line));
    for (std::string title, value; std::getline(names, title, ',') && std::getline(values, value, ',');)
      if (title == name) return std::stod(value);
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_EQ(coordinate(20, "base_x"), 0.1);
  EXPECT_NE(coordinate(19, "base_x"), 0.1);
  const double way = std::hypot(coordinate(20, "center_x [m]") - coordinate(19, "center_x [m]"),
                                coordinate(20, "center_z [m]") - coordinate(19, "center_z [m]"));
  EXPECT_NEAR(metrics.at("final_speed").get<double>(), way / 0.025, 1e-12);
}

TEST_F(TrajectoryOptimization, RefusesEndsThatCannotBe) {
  const auto ending = [&](const std::string& end, const std::string& more = "") {
    return refusal(replaced(hop, "solver:", "trajectory: {" + more + "end: {" + end + "}}\nsolver:"));
  };
  EXPECT_SAYS(ending("pose: {base_x: 1}"), "the end has a pose, and its state is free");
  EXPECT_SAYS(ending("state: at_rest, pose: {base_w: 1}"), "has no degree of freedom 'base_w'");
  EXPECT_SAYS(ending("state: as_given, pose: {knee: 3}"), "the joint 'knee' ends at 3, outside of its limits -2.4 and 2.4");
  EXPECT_SAYS(ending("state: as_given, pose: {knee: 3}"), "small.yaml:10:");
  const std::string falling =
      replaced(replaced(hop, "  obstacles: [{name: floor, type: plane}]\n", ""),
               "solver:", "trajectory: {start: as_given, segment_length: 5, end: {state: at_rest}}\nsolver:");
  EXPECT_SAYS(refusal(falling), "at the end no pose at rest was found");
  EXPECT_SAYS(ending("state: at_rest", "segment_length: 30, "), "nothing is left to optimize");
  EXPECT_SAYS(ending("state: there"), "free, at_rest, as_given, passing");
}

// The knee is a joint of a plugin, which the run records; with the motion of the hinge it has the motion's metrics.
TEST_F(TrajectoryOptimization, TakesJointsOfPlugins) {
  const std::string few =
      replaced(hop, "spline_iterations: 60, polish_iterations: 40", "spline_iterations: 8, polish_iterations: 2");
  write(few);
  run("hinge");
  write(replaced(few, "{type: hopper6}", "{type: hopper6, plugin_joints: [{joint: knee, type: revolute}]}"));
  run("plugin");
  EXPECT_NE(file("plugin", "provenance.json").find("\"name\": \"revolute\""), std::string::npos);
  const auto objective = [&](const char* folder) {
    const nlohmann::json result = nlohmann::json::parse(file(folder, "result.json"));
    return result.at("metrics").at("spline_objective").get<double>();
  };
  EXPECT_NEAR(objective("plugin"), objective("hinge"), 1e-6 * objective("hinge"));
}

// The same entry of `losses` drives a soft body and a mammal, and both runs record the same plugin.
TEST_F(TrajectoryOptimization, SharesTheLossOfTheCenterOfMassWithSoftBodies) {
  const std::string loss = "  - {type: center_of_mass_velocity, body: mammal18, target: [0.3, 0, 0]}\n";
  const std::string mammal =
      "name: small\nstudy: trajectory_optimization\nscene:\n  time_step: 0.025\n  duration: 0.2\n"
      "  character: {type: mammal18}\n  obstacles: [{name: floor, type: plane}]\nlosses:\n" +
      loss + "solver: {spline_iterations: 30, polish_iterations: 5}\n";
  const std::string soft =
      "name: small\nstudy: elastic_control\nscene:\n  time_step: 0.025\n  duration: 0.05\n  bodies:\n    - name: mammal18\n"
      "      mesh: {shape: box, size: [0.4, 0.1, 0.1], elements: 24}\n      density: 1000\n"
      "      placement: {translate: [0, 0, 0.0009]}\n"
      "      material: {type: stable_neo_hookean, youngs_modulus: 1.0e5, poissons_ratio: 0.3}\n      muscles:\n"
      "        width: 0.05\n        list: [{name: lower, type: line, points: [{at: [0, 0.05, 0.02]}, {at: [0.4, 0.05, 0.02]}],"
      " segments: 2}]\n"
      "  contact: {activation_distance: 0.001, friction: {stick_speed: 0.01}}\n"
      "  obstacles: [{name: ground, type: plane, friction: 0.5}]\nlosses:\n" +
      loss + "control: {certificate: false}\n";
  const auto hash_of = [&](const std::string& yaml, const char* folder) {
    write(yaml);
    run(folder);
    const nlohmann::json provenance = nlohmann::json::parse(file(folder, "provenance.json"));
    for (const nlohmann::json& plugin : provenance.at("plugins"))
      if (plugin.at("name") == "center_of_mass_velocity") return plugin.at("hash").get<std::string>();
    return std::string("not used");
  };
  const std::string hash = hash_of(mammal, "mammal");
  EXPECT_NE(hash, "not used");
  EXPECT_EQ(hash_of(soft, "soft"), hash);
}

}  // namespace trajectory_optimization_study
}  // namespace holo_test
