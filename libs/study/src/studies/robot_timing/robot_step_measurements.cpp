#include "studies/robot_timing/robot_step_measurements.h"

#include <map>

#include "holo/core/runs/archive.h"

namespace holo {

using comparison::BaselineTime;
using comparison::MeasuredBaseline;
using comparison::MeasuredRobot;

namespace {

constexpr std::string_view robot_step_times_kind = "robot_step_times";
constexpr int robot_step_times_version = 1;
constexpr double longest_text = 1e6;  // a diagnosis of a solver that failed

void visit(Archive& archive, std::map<std::string, double>& values) {
  std::size_t count = values.size();
  archive.visit(count, 1e6);
  auto next = values.begin();
  for (std::size_t i = 0; i < count; ++i) {
    std::pair<std::string, double> entry;
    if (!archive.is_reading()) entry = *next++;
    archive.visit(entry.first, longest_text);
    archive.visit(entry.second);
    // Sorted by name on both sides: the same bytes for the same values.
    if (archive.is_reading()) values.insert(std::move(entry));
  }
}

void visit(Archive& archive, BaselineTime& time) {
  std::size_t count = time.trials.size();
  archive.visit(count, 1e3);
  time.trials.resize(count);
  for (comparison::BaselineTrial& trial : time.trials) {
    archive.visit(trial.knots, 1e9);
    archive.visit(trial.failure, longest_text);
  }
  archive.visit(time.knots, 1e9);
  for (double* value : {&time.seconds, &time.arrow, &time.difference}) archive.visit(*value);
}

}  // namespace

const std::vector<RobotTime>& times_of_a_robot() {
  static const std::vector<RobotTime> times{
      {"iteration", "s", "iteration.all_threads", "wall-clock time of an iteration of the optimization, on all processors",
       "wall-clock time of an iteration of the optimization, on all processors"},
      {"iteration_one_thread", "s", "iteration.one_thread", "processor time of an iteration on one thread",
       "processor time of an iteration on one thread"},
      {"step", "s", "step.arrow", "time of a step of the arrow form, on one thread",
       "time of a step of the arrow form, on one thread"},
      {"step_klu", "s", "step.arrow_klu", "time of a step of the arrow form, with one factorization after another",
       "time of a step of the arrow form, with one factorization after another"},
      {"memory", "B", "memory", "largest resident set of the optimization",
       "largest resident set until the iterations were done, over that at the start"}};
  return times;
}

const QuantityTable<MeasuredBaseline>& metrics_of_a_baseline() {
  using B = const MeasuredBaseline&;
  static const QuantityTable<MeasuredBaseline> table{
      {{"over_arrow", "1", "ratio of the times of a step", true}, [](B b) { return b.time.ratio(); }},
      {{"knots", "1", "first number of knots that succeeded; 0: none"}, [](B b) { return double(b.time.knots); }},
      {{"difference", "1", "relative difference of its step from the arrow form's"}, [](B b) { return b.time.difference; }}};
  return table;
}

std::vector<Quantity> RobotStepTimes::columns() const {
  return {{"robot", "1", "number of the robot in the file, from 0"},
          {"knots", "1", ""},
          {"variables", "1", "variables of the optimization with the design at each knot"},
          {"constraints", "1", "constraints of that optimization"}};
}

std::vector<Quantity> RobotStepTimes::timing_columns() const {
  std::vector<Quantity> columns{{"robot", "1", "number of the robot in the file, from 0"}};
  for (const RobotTime& time : times_of_a_robot()) columns.push_back({time.name, time.unit, time.of_column});
  return columns;
}

StepResult RobotStepTimes::step(StudyOutput& output) {
  if (robots_.size() < plan_.robots.size())
    measure_robot(output);
  else
    measure_baseline(output);
  return {};
}

void RobotStepTimes::measure_robot(StudyOutput& output) {
  const double number = double(robots_.size());
  const NamedRobot& robot = plan_.robots[robots_.size()];
  comparison::RobotLength over;
  if (const std::optional<std::size_t> other = plan_.over[robots_.size()])
    over = {plan_.robots[*other].file, plan_.robots[*other].knots};
  robots_.push_back({robot.name, robot.robot(), robot.knots,
                     comparison::time_robot(robot.file, robot.knots, plan_.limits, plan_.plugin_path, over)});
  const auto& values = robots_.back().values;
  output.row({number, double(robot.knots), values.at("variables"), values.at("constraints")});
  std::vector<double> times{number};
  for (const RobotTime& time : times_of_a_robot()) times.push_back(values.at(time.key));
  output.timings(times);
}

void RobotStepTimes::measure_baseline(StudyOutput& output) {
  const BaselinePlan& plan = plan_.baselines[baselines_.size()];
  baselines_.push_back({plan.name, plan.robot, plan.solver,
                        comparison::time_baseline(plan.file, plan.solver, plan.knots, plan_.limits, plan_.plugin_path)});
  output.log("baseline", {{"name", plan.name}, {"tried", to_string(baselines_.back().time.trials)}});
}

// The names are those of the plan; a checkpoint has the measured values.
void RobotStepTimes::visit(Archive& archive, std::vector<MeasuredRobot>& robots,
                           std::vector<MeasuredBaseline>& baselines) const {
  std::size_t robot_count = robots.size(), baseline_count = baselines.size();
  archive.visit(robot_count, double(plan_.robots.size()));
  archive.visit(baseline_count, double(plan_.baselines.size()));
  for (std::size_t i = 0; i < robot_count; ++i) {
    if (archive.is_reading()) robots.push_back({plan_.robots[i].name, plan_.robots[i].robot(), plan_.robots[i].knots, {}});
    holo::visit(archive, robots[i].values);
  }
  for (std::size_t i = 0; i < baseline_count; ++i) {
    const BaselinePlan& plan = plan_.baselines[i];
    if (archive.is_reading()) baselines.push_back({plan.name, plan.robot, plan.solver, {}});
    holo::visit(archive, baselines[i].time);
  }
}

std::string RobotStepTimes::serialize() const {
  Archive archive(robot_step_times_kind, robot_step_times_version);
  std::vector<MeasuredRobot> robots = robots_;
  std::vector<MeasuredBaseline> baselines = baselines_;
  visit(archive, robots, baselines);
  return archive.take_bytes();
}

void RobotStepTimes::deserialize(std::string_view bytes) {
  Archive archive(robot_step_times_kind, robot_step_times_version, bytes);
  std::vector<MeasuredRobot> robots;
  std::vector<MeasuredBaseline> baselines;
  visit(archive, robots, baselines);
  archive.require_end();
  robots_ = std::move(robots);
  baselines_ = std::move(baselines);
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

}  // namespace holo
