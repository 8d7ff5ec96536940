#include "holo/comparison/robot_table.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

namespace holo::comparison {

namespace {

// The available memory of the system [byte]; infinite if the system does not state it.
double available_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("MemAvailable:", 0) == 0) return 1024 * std::strtod(line.c_str() + 13, nullptr);
  return HUGE_VAL;
}

}  // namespace

// The times of SparseLU are the paper's ratios times those of an iteration.
const std::vector<PaperRobot>& paper_robots() {
  static const std::vector<PaperRobot> robots{{"kickbot", "kickbot", 466, 171940, 165354, 2.21, 2.21 * 9.6},
                                              {"kickbot_merged", "kickbot_merged", 523, 69545, 62223, 0.385, 0.385 * 4.7},
                                              {"legs", "legs", 120, 23992, 23030, 0.162, 0.162 * 4.8},
                                              {"bear", "bear", 101, 53215, 51904, 1.20, 1.20 * 10.4},
                                              {"biker", "biker", 120, 45118, 44809, 0.742, 0.742 * 6.8},
                                              {"biker_720", "biker", 720, 270718, 269209, 3.71, 3.71 * 12.8},
                                              {"biker_1200", "biker", 1200, 451198, 448729, 6.26, {}}};
  return robots;
}

std::map<std::string, double> time_robot(const std::filesystem::path& robot, int knots, const MeasuringLimits& limits,
                                         const std::vector<std::filesystem::path>& plugin_path, const RobotLength& over) {
  std::vector<std::string> solvers{"arrow", "arrow_klu"};
  if (knots < long_motion) solvers.push_back("dense_riccati");
  const RobotStepOutcome outcome = measure_apart({.robot = robot,
                                                  .knots = knots,
                                                  .repetitions = limits.repetitions,
                                                  .iterations = limits.iterations,
                                                  .over = over,
                                                  .solvers = solvers},
                                                 plugin_path);
  if (outcome.status != RobotStepOutcome::Status::done)
    throw Error(Failure::internal, fmt::format("{} at {} knots: {}", robot.stem().string(), knots, outcome.diagnosis));
  return outcome.values;
}

BaselineTime time_baseline(const std::filesystem::path& robot, const std::string& solver, const std::vector<int>& knots,
                           const MeasuringLimits& limits, const std::vector<std::filesystem::path>& plugin_path) {
  constexpr double left_to_others = 0x1p30;  // bytes of memory for other programs
  BaselineTime result;
  result.seconds = result.arrow = result.difference = std::nan("");
  for (const int count : knots) {
    const double bytes = std::min(limits.bytes, std::max(available_bytes() - left_to_others, left_to_others));
    const RobotStepOutcome outcome = measure_apart({.robot = robot,
                                                    .knots = count,
                                                    .repetitions = limits.repetitions,
                                                    .solvers = {"arrow", solver},
                                                    .seconds = limits.seconds,
                                                    .bytes = bytes},
                                                   plugin_path);
    result.trials.push_back({count, outcome.diagnosis});
    if (outcome.status != RobotStepOutcome::Status::done) continue;
    result.knots = count;
    result.seconds = outcome.values.at("step." + solver);
    result.arrow = outcome.values.at("step.arrow");
    result.difference = outcome.values.at("difference." + solver);
    break;
  }
  return result;
}

std::string to_string(const std::vector<BaselineTrial>& trials) {
  std::string text;
  for (const BaselineTrial& trial : trials)
    text +=
        fmt::format("{}{} knots: {}", text.empty() ? "" : "; ", trial.knots, trial.failure.empty() ? "done" : trial.failure);
  return text;
}

}  // namespace holo::comparison
