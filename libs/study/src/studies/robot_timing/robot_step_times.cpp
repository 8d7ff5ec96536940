#include "holo/study/robot_step_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "holo/comparison/robot_table.h"
#include "holo/study/quantity_table.h"
#include "studies/measures.h"
#include "studies/robot_timing/named_robot.h"

namespace holo {

namespace {

using comparison::BaselineTime;
using comparison::MeasuredBaseline;
using comparison::MeasuredRobot;

struct BaselinePlan {
  std::string name, robot, solver;
  std::filesystem::path file;  // the robot's
  std::vector<int> instants;
};

struct RobotStepTimesPlan {
  comparison::MeasuringLimits limits;
  std::vector<NamedRobot> robots;
  std::vector<std::optional<std::size_t>> over;  // of each robot: an earlier one's place
  std::vector<BaselinePlan> baselines;
  std::vector<std::filesystem::path> plugin_path;
};

// A number that is measured for each robot: a column of timings.csv, and the metric ROBOT_NAME.
struct RobotTime {
  const char *name, *unit;
  const char* key;  // in MeasuredRobot::values
  const char *of_column, *of_metric;
};

const std::vector<RobotTime>& times_of_a_robot() {
  static const std::vector<RobotTime> times{
      {"iteration", "s", "iteration.all_threads", "of the optimization, on all processors, by the clock",
       "of the optimization, on all processors, by the clock"},
      {"iteration_one_thread", "s", "iteration.one_thread", "on one thread, its processor time",
       "on one thread, its processor time"},
      {"step", "s", "step.arrow", "by the arrow form, on one thread", "of the arrow form, on one thread"},
      {"step_klu", "s", "step.arrow_klu", "by the arrow form, with factors one by one",
       "by the arrow form, with factors one by one"},
      {"memory", "B", "memory", "largest resident set of the optimization",
       "largest resident set until the iterations were done, over that at the start"}};
  return times;
}

// The metrics BASELINE_NAME.
const QuantityTable<MeasuredBaseline>& metrics_of_a_baseline() {
  using B = const MeasuredBaseline&;
  static const QuantityTable<MeasuredBaseline> table{
      {{"over_arrow", "1", "of the times of a step"}, [](B b) { return b.time.ratio(); }},
      {{"instants", "1", "the first of those tried that was done; 0: none"}, [](B b) { return double(b.time.instants); }},
      {{"difference", "1", "of its step from the arrow's, relative"}, [](B b) { return b.time.difference; }}};
  return table;
}

// One step of the study is one robot or one baseline.
class RobotStepTimes final : public Study {
 public:
  explicit RobotStepTimes(RobotStepTimesPlan plan) : plan_(std::move(plan)) {}

  std::vector<Quantity> columns() const override {
    return {{"robot", "1", "its number in the file, from 0"},
            {"instants", "1", ""},
            {"variables", "1", "of the optimization, the design at each instant"},
            {"constraints", "1", "of the optimization"}};
  }
  std::vector<Quantity> timing_columns() const override {
    std::vector<Quantity> columns{{"robot", "1", "its number in the file, from 0"}};
    for (const RobotTime& time : times_of_a_robot()) columns.push_back({time.name, time.unit, time.of_column});
    return columns;
  }
  std::int64_t total_steps() const override { return std::int64_t(plan_.robots.size() + plan_.baselines.size()); }
  std::int64_t steps_done() const override { return std::int64_t(robots_.size() + baselines_.size()); }

  StepResult step(StudyOutput& output) override {
    if (robots_.size() < plan_.robots.size())
      measure_robot(output);
    else
      measure_baseline(output);
    return {};
  }

  std::string serialize() const override {
    nlohmann::json state{{"robots", nlohmann::json::array()}, {"baselines", nlohmann::json::array()}};
    for (const MeasuredRobot& robot : robots_) state["robots"].push_back(robot.values);
    for (const MeasuredBaseline& baseline : baselines_) {
      nlohmann::json trials = nlohmann::json::array();
      for (const comparison::BaselineTrial& trial : baseline.time.trials) trials.push_back({trial.instants, trial.failure});
      const BaselineTime& time = baseline.time;
      state["baselines"].push_back({trials, time.instants, time.seconds, time.arrow, time.difference});
    }
    return state.dump();
  }
  void deserialize(std::string_view bytes) override;
  std::vector<Metric> finish() override;
  std::vector<Table> tables() override;

 private:
  void measure_robot(StudyOutput& output) {
    const double number = double(robots_.size());
    const NamedRobot& robot = plan_.robots[robots_.size()];
    comparison::RobotLength over;
    if (const std::optional<std::size_t> other = plan_.over[robots_.size()])
      over = {plan_.robots[*other].file, plan_.robots[*other].instants};
    robots_.push_back({robot.name, robot.robot(), robot.instants,
                       comparison::time_robot(robot.file, robot.instants, plan_.limits, plan_.plugin_path, over)});
    const auto& values = robots_.back().values;
    output.row({number, double(robot.instants), values.at("variables"), values.at("constraints")});
    std::vector<double> times{number};
    for (const RobotTime& time : times_of_a_robot()) times.push_back(values.at(time.key));
    output.timings(times);
  }

  void measure_baseline(StudyOutput& output) {
    const BaselinePlan& plan = plan_.baselines[baselines_.size()];
    baselines_.push_back({plan.name, plan.robot, plan.solver,
                          comparison::time_baseline(plan.file, plan.solver, plan.instants, plan_.limits, plan_.plugin_path)});
    output.log("baseline", {{"name", plan.name}, {"tried", to_string(baselines_.back().time.trials)}});
  }

  RobotStepTimesPlan plan_;
  std::vector<MeasuredRobot> robots_;
  std::vector<MeasuredBaseline> baselines_;
};

void RobotStepTimes::deserialize(std::string_view bytes) try {
  const nlohmann::json state = nlohmann::json::parse(bytes);
  robots_.clear();
  baselines_.clear();
  for (const nlohmann::json& values : state.at("robots")) {
    const NamedRobot& robot = plan_.robots.at(robots_.size());
    robots_.push_back({robot.name, robot.robot(), robot.instants, values.get<std::map<std::string, double>>()});
  }
  const auto number = [](const nlohmann::json& value) { return value.is_null() ? std::nan("") : value.get<double>(); };
  for (const nlohmann::json& values : state.at("baselines")) {
    const BaselinePlan& plan = plan_.baselines.at(baselines_.size());
    BaselineTime time;
    for (const nlohmann::json& trial : values.at(0)) time.trials.push_back({trial.at(0), trial.at(1)});
    time.instants = values.at(1);
    time.seconds = number(values.at(2));
    time.arrow = number(values.at(3));
    time.difference = number(values.at(4));
    baselines_.push_back({plan.name, plan.robot, plan.solver, time});
  }
} catch (const std::exception&) {
  throw Error(Failure::input, "the checkpoint is not one of this experiment");
}

std::vector<Metric> RobotStepTimes::finish() {
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    const std::string& name = robots_[i].name;
    for (const RobotTime& time : times_of_a_robot())
      metrics.push_back({name + "_" + time.name, robots_[i].values.at(time.key)});
    if (plan_.over[i])
      metrics.push_back({name + "_over_" + plan_.robots[*plan_.over[i]].name, robots_[i].values.at("iteration.over_other")});
  }
  for (const MeasuredBaseline& baseline : baselines_)
    for (const Metric& metric : metrics_of(metrics_of_a_baseline(), baseline))
      metrics.push_back({baseline.name + "_" + metric.name, metric.value});
  return metrics;
}

std::vector<Table> RobotStepTimes::tables() {
  std::vector<Table> tables;
  for (const comparison::PlainTable& plain : comparison::tables_of(robots_, baselines_)) {
    Table& table = tables.emplace_back();
    table.title = plain.title;
    table.caption = plain.caption;
    for (const auto& [title, unit] : plain.columns) table.columns.push_back({title, unit});
    for (const auto& row : plain.rows) {
      table.rows.emplace_back();
      for (const auto& cell : row) std::visit([&](const auto& value) { table.rows.back().emplace_back(value); }, cell);
    }
  }
  return tables;
}

void read_robot(Parameters& entry, RobotStepTimesPlan& plan, std::vector<Quantity>& metrics) {
  std::vector<std::string> before;
  for (const NamedRobot& robot : plan.robots) before.push_back(robot.name);
  plan.robots.push_back(read_named_robot(entry, plan.robots));
  const std::string& name = plan.robots.back().name;
  const auto over = [&] {
    return entry.text("over",
                      {.choices = entry.recording() ? std::vector<std::string>() : before,
                       .default_value = "",
                       .documentation = "an earlier robot's name: also the ratio of their times, in turns on one thread"});
  };
  const std::string other = entry.has("over") || entry.recording() ? over() : "";
  const auto place = std::find(before.begin(), before.end(), other);
  plan.over.push_back(place == before.end() ? std::nullopt : std::optional(std::size_t(place - before.begin())));
  for (const RobotTime& time : times_of_a_robot()) metrics.push_back({name + "_" + time.name, time.unit, time.of_metric});
  if (plan.over.back())
    metrics.push_back({name + "_over_" + other, "1", "of the times of an iteration on one thread, in turns"});
}

void read_baseline(Parameters& entry, RobotStepTimesPlan& plan, std::vector<Quantity>& metrics) {
  const std::vector<std::string> all = comparison::step_solver_names();
  BaselinePlan baseline;
  const NamedRobot robot = read_named_robot(entry, {});
  baseline.robot = robot.robot();
  baseline.file = robot.file;
  baseline.solver = entry.text("solver", {.choices = all, .documentation = "of all conditions at once, or another form"});
  baseline.name = baseline.robot + "_" + baseline.solver;
  baseline.instants = {robot.instants};
  for (const double n :
       entry.has("else_instants") || entry.recording()
           ? entry.numbers("else_instants", 1, 20, {.minimum = 2, .documentation = "to try in turn where it fails"})
           : std::vector<double>{})
    baseline.instants.push_back(int(n));
  if (entry.has("name")) baseline.name = robot.name;
  const auto same = [&](const BaselinePlan& other) { return other.name == baseline.name; };
  if (!entry.recording() && std::any_of(plan.baselines.begin(), plan.baselines.end(), same))
    entry.problem(entry.location(), fmt::format("two baselines are named '{}'", baseline.name));
  if (!entry.recording() && std::find(all.begin(), all.end(), baseline.solver) != all.end() &&
      !comparison::step_solver_is_available(baseline.solver))
    entry.problem(entry.location("solver"), "this build has no UMFPACK (it was configured with HOLO_ENABLE_GPL=OFF)");
  for (const Quantity& metric : quantities_of(metrics_of_a_baseline()))
    metrics.push_back({baseline.name + "_" + metric.name, metric.unit, metric.documentation});
  plan.baselines.push_back(baseline);
}

StudyPlan read(Parameters& experiment, const StudyContext& context) {
  StudyPlan result;
  RobotStepTimesPlan plan;
  plan.plugin_path = context.plugins->search_path();
  comparison::MeasuringLimits& limits = plan.limits;
  limits.repetitions = int(experiment.integer(
      "repetitions",
      {.minimum = 1, .maximum = 1000, .default_value = limits.repetitions, .documentation = "of which the median counts"}));
  limits.iterations = int(experiment.integer(
      "iterations",
      {.minimum = 1, .maximum = 1000, .default_value = limits.iterations, .documentation = "of each optimization"}));
  limits.seconds = experiment.number("seconds", {.unit = "s",
                                                 .minimum = 0,
                                                 .minimum_excluded = true,
                                                 .default_value = limits.seconds,
                                                 .documentation = "of processor time, for each baseline"});
  limits.bytes =
      0x1p30 *
      experiment.number("memory", {.unit = "GiB",
                                   .minimum = 0.25,
                                   .default_value = limits.bytes / 0x1p30,
                                   .documentation = "of address space, for each baseline, or less where the machine has less"});
  experiment.each(
      "robots", [&](Parameters& entry) { read_robot(entry, plan, result.metrics); }, "which are timed", 1);
  experiment.each(
      "baselines", [&](Parameters& entry) { read_baseline(entry, plan, result.metrics); },
      "other solvers of the same steps, each in a process with limits");
  result.plugins = joints_of(plan.robots, *context.plugins, experiment);
  result.build = [plan]() -> std::unique_ptr<Study> { return std::make_unique<RobotStepTimes>(plan); };
  return result;
}

}  // namespace

StudyKind robot_step_times() {
  return {
      "how long an iteration of a robot's optimization takes, and a step by other solvers",
      "Each robot and each baseline is measured in a process of its own. The robots move in short cycles of 120 instants and "
      "follow paths that their first design does not reach. Metrics are NAME_iteration and so on; a baseline that runs out of "
      "time "
      "or memory is tried with fewer instants, and what happened stands in the report.",
      {},
      {},
      read};
}

}  // namespace holo
