#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "holo/comparison/robot_table.h"
#include "studies/robot_timing/robot_step_measurements.h"
#include "studies/studies.h"

namespace holo {

namespace {

void read_robot(Configuration& entry, RobotStepTimesPlan& plan, std::vector<Quantity>& metrics) {
  std::vector<std::string> before;
  for (const NamedRobot& robot : plan.robots) before.push_back(robot.name);
  plan.robots.push_back(read_named_robot(entry, plan.robots));
  const std::string& name = plan.robots.back().name;
  const auto over = [&] {
    return entry.text(
        "over", {.choices = entry.recording() ? std::vector<std::string>() : before,
                 .default_value = "",
                 .documentation = "name of an earlier robot: adds the ratio of their times, measured in turn on one thread"});
  };
  const std::string other = entry.has("over") || entry.recording() ? over() : "";
  const auto place = std::find(before.begin(), before.end(), other);
  plan.over.push_back(place == before.end() ? std::nullopt : std::optional(std::size_t(place - before.begin())));
  for (const RobotTime& time : times_of_a_robot()) metrics.push_back({name + "_" + time.name, time.unit, time.of_metric, true});
  if (plan.over.back())
    metrics.push_back(
        {name + "_over_" + other, "1", "ratio of the times of an iteration on one thread, measured in turn", true});
}

void read_baseline(Configuration& entry, RobotStepTimesPlan& plan, std::vector<Quantity>& metrics) {
  const std::vector<std::string> all = comparison::step_solver_names();
  BaselinePlan baseline;
  const NamedRobot robot = read_named_robot(entry, {});
  baseline.robot = robot.robot();
  baseline.file = robot.file;
  baseline.solver = entry.text(
      "solver", {.choices = all, .documentation = "solver of the step's conditions, all at once or in another form"});
  baseline.name = baseline.robot + "_" + baseline.solver;
  baseline.knots = {robot.knots};
  for (const double n :
       entry.has("fallback_knots") || entry.recording()
           ? entry.numbers("fallback_knots", 1, 20,
                           {.minimum = 2, .documentation = "numbers of knots that are tried in turn after a failure"})
           : std::vector<double>{})
    baseline.knots.push_back(int(n));
  if (entry.has("name")) baseline.name = robot.name;
  const auto same = [&](const BaselinePlan& other) { return other.name == baseline.name; };
  if (!entry.recording() && std::any_of(plan.baselines.begin(), plan.baselines.end(), same))
    entry.problem(entry.location(), fmt::format("two baselines are named '{}'", baseline.name));
  if (!entry.recording() && std::find(all.begin(), all.end(), baseline.solver) != all.end() &&
      !comparison::step_solver_is_available(baseline.solver))
    entry.problem(entry.location("solver"), "this build has no UMFPACK (it was configured with HOLO_ENABLE_GPL=OFF)");
  for (const Quantity& metric : quantities_of(metrics_of_a_baseline()))
    metrics.push_back({baseline.name + "_" + metric.name, metric.unit, metric.documentation, metric.by_clock});
  plan.baselines.push_back(baseline);
}

StudyPlan read_robot_step_times(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  RobotStepTimesPlan plan;
  plan.plugin_path = context.plugins->search_path();
  comparison::MeasuringLimits& limits = plan.limits;
  limits.repetitions =
      int(experiment.integer("repetitions", {.minimum = 1,
                                             .maximum = 1000,
                                             .default_value = limits.repetitions,
                                             .documentation = "number of repetitions, of which the median is taken"}));
  limits.iterations = int(experiment.integer(
      "iterations",
      {.minimum = 1, .maximum = 1000, .default_value = limits.iterations, .documentation = "iterations of each optimization"}));
  limits.seconds = experiment.number("seconds", {.unit = "s",
                                                 .minimum = 0,
                                                 .minimum_excluded = true,
                                                 .default_value = limits.seconds,
                                                 .documentation = "limit of the processor time of each baseline"});
  limits.bytes =
      0x1p30 *
      experiment.number(
          "memory", {.unit = "GiB",
                     .minimum = 0.25,
                     .default_value = limits.bytes / 0x1p30,
                     .documentation = "limit of the address space of each baseline; a smaller machine has a smaller limit"});
  experiment.each(
      "robots", [&](Configuration& entry) { read_robot(entry, plan, result.metrics); }, "robots that are timed", 1);
  experiment.each(
      "baselines", [&](Configuration& entry) { read_baseline(entry, plan, result.metrics); },
      "other solvers of the same steps, each in its own process with limits");
  result.build = [plan, plugins = *context.plugins]() -> std::unique_ptr<Study> {
    return std::make_unique<RobotStepTimes>(plan, plugins);
  };
  return result;
}

}  // namespace

StudyKind robot_step_times() {
  return {"times of an iteration of robots' optimizations, and of a step by other solvers",
          "Each robot and each baseline is measured in its own process. The robots move in short cycles of 120 knots and "
          "follow paths that their first design does not reach. Metrics are NAME_iteration and so on. A baseline that runs out "
          "of time or memory is tried again with fewer knots, which the report states.",
          {},
          {},
          read_robot_step_times};
}

}  // namespace holo
