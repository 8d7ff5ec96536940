#pragma once
// The study `robot_step_times`: each step measures one robot or one baseline.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "holo/comparison/robot_table.h"
#include "holo/study/quantity_table.h"
#include "studies/robot_timing/named_robot.h"

namespace holo {

class Archive;

struct BaselinePlan {
  std::string name, robot, solver;
  std::filesystem::path file;  // the robot's
  std::vector<int> knots;
};

struct RobotStepTimesPlan {
  comparison::MeasuringLimits limits;
  std::vector<NamedRobot> robots;
  std::vector<std::optional<std::size_t>> over;  // [robot] index of an earlier robot, or none
  std::vector<BaselinePlan> baselines;
  std::vector<std::filesystem::path> plugin_path;
};

// A number that is measured for each robot: a column of timings.csv, and the metric ROBOT_NAME.
struct RobotTime {
  const char *name, *unit;
  const char* key;  // in comparison::MeasuredRobot::values
  const char *of_column, *of_metric;
};

const std::vector<RobotTime>& times_of_a_robot();

// The metrics BASELINE_NAME.
const QuantityTable<comparison::MeasuredBaseline>& metrics_of_a_baseline();

class RobotStepTimes final : public Study {
 public:
  // Throws Error(input), with the place, for a robot's file that cannot be read.
  RobotStepTimes(RobotStepTimesPlan plan, const PluginHost& plugins)
      : plan_(std::move(plan)), joints_(joints_of(plan_.robots, plugins)) {}

  std::vector<UsedPlugin> plugins() const override { return joints_; }
  std::vector<Quantity> columns() const override;
  std::vector<Quantity> timing_columns() const override;
  std::int64_t total_steps() const override { return std::int64_t(plan_.robots.size() + plan_.baselines.size()); }
  std::int64_t steps_done() const override { return std::int64_t(robots_.size() + baselines_.size()); }

  StepResult step(StudyOutput& output) override;
  std::string serialize() const override;
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  void visit(Archive& archive, std::vector<comparison::MeasuredRobot>& robots,
             std::vector<comparison::MeasuredBaseline>& baselines) const;
  void measure_robot(StudyOutput& output);
  void measure_baseline(StudyOutput& output);

  RobotStepTimesPlan plan_;
  std::vector<UsedPlugin> joints_;
  std::vector<comparison::MeasuredRobot> robots_;
  std::vector<comparison::MeasuredBaseline> baselines_;
};

}  // namespace holo
