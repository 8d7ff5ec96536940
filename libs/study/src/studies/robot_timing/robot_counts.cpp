#include <fmt/format.h>

#include "holo/comparison/robot_table.h"
#include "holo/core/plugins/joint_plugin.h"
#include "studies/metric_kinds.h"
#include "studies/robot_timing/named_robot.h"
#include "studies/studies.h"

namespace holo {

namespace {

class RobotCounts final : public Study {
 public:
  RobotCounts(std::vector<NamedRobot> robots, PluginHost plugins)
      : robots_(std::move(robots)), plugins_(std::move(plugins)), joints_(joints_of(robots_, plugins_)) {}

  std::vector<Quantity> columns() const override {
    std::vector<Quantity> result{{"robot", "1", "number of the robot in the file, from 0"}};
    for (const std::string& name : comparison::robot_count_names()) result.push_back({name, "1", ""});
    return result;
  }
  std::vector<UsedPlugin> plugins() const override { return joints_; }
  std::int64_t total_steps() const override { return std::int64_t(robots_.size()); }
  std::int64_t steps_done() const override { return std::int64_t(counts_.size()); }

  StepResult step(StudyOutput& output) override {
    const NamedRobot& robot = robots_[counts_.size()];
    std::vector<double> row{double(counts_.size())};
    counts_.emplace_back();
    for (const comparison::RobotCount& count : comparison::count_robot(robot.file, robot.knots, plugins_)) {
      counts_.back().push_back(count.value);
      row.push_back(count.value);
    }
    output.row(row);
    return {};
  }

  // As many columns as robots; those of robots that are not counted yet are empty.
  std::string serialize() const override {
    std::vector<std::vector<double>> all = counts_;
    all.resize(robots_.size());
    return serialize_columns(all);
  }
  void deserialize(std::string_view state) override {
    counts_.assign(robots_.size(), {});
    deserialize_columns(state, counts_);
    // Empty columns at the end belong to robots that are not counted yet.
    while (!counts_.empty() && counts_.back().empty()) counts_.pop_back();
    for (const std::vector<double>& counts : counts_)
      if (counts.size() != comparison::robot_count_names().size())
        throw Error(Failure::input, "the checkpoint is not one of this experiment");
  }

  std::vector<Metric> finish() override {
    std::vector<Metric> metrics;
    for (std::size_t i = 0; i < robots_.size(); ++i)
      for (std::size_t j = 0; j < counts_[i].size(); ++j)
        metrics.push_back({robots_[i].name + "_" + comparison::robot_count_names()[j], counts_[i][j]});
    return metrics;
  }

  std::vector<Table> tables() override {
    Table table{"Bodies, joints and equations of the robots",
                "Redundant equations are found at rest.",
                {{"robot", ""}, {"knots", ""}},
                {}};
    for (const std::string& name : comparison::robot_count_names()) table.columns.push_back({name, ""});
    for (std::size_t i = 0; i < robots_.size(); ++i) {
      table.rows.push_back({robots_[i].name, double(robots_[i].knots)});
      table.rows.back().insert(table.rows.back().end(), counts_[i].begin(), counts_[i].end());
    }
    return {table};
  }

 private:
  std::vector<NamedRobot> robots_;
  PluginHost plugins_;
  std::vector<UsedPlugin> joints_;
  std::vector<std::vector<double>> counts_;  // [robot][count]
};

StudyPlan read_robot_counts(Configuration& experiment, const StudyContext& context) {
  StudyPlan plan;
  std::vector<NamedRobot> robots;
  experiment.each(
      "robots",
      [&](Configuration& entry) {
        robots.push_back(read_named_robot(entry, robots));
        for (const std::string& name : comparison::robot_count_names())
          plan.metrics.push_back({robots.back().name + "_" + name, "1", "count of " + robots.back().robot()});
      },
      "robots that are counted", 1);
  plan.build = [robots, plugins = *context.plugins]() -> std::unique_ptr<Study> {
    return std::make_unique<RobotCounts>(robots, plugins);
  };
  return plan;
}

}  // namespace

StudyKind robot_counts() {
  return {"numbers of bodies, joints and equations of robots, and the sizes of their optimization",
          "Bodies, joints by type and role, states, constraint equations, redundant equations, controls, design variables and "
          "loops; and for a number of knots the variables and constraints of the optimization with the design at each knot. "
          "Metrics are NAME_COUNT.",
          {},
          {},
          read_robot_counts};
}

}  // namespace holo
